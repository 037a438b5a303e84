"""Scores over partitions, from sums."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_regressor

from aslant.dask.part import Floats
from aslant.dask.survey import Block, summed
from aslant.dask.workers import Handle, Workers
from aslant.encoding.weights import own_weights


def score_of(workers: Workers, blocks: list[Handle], estimator: Any) -> float:
    """Return the accuracy of a fitted estimator, or its R2, over all blocks."""
    function = _squares if is_regressor(estimator) else _hits
    centre = np.zeros(1)
    if is_regressor(estimator):
        sums = workers.reduced(workers.each(_target_sums, blocks), summed)
        (found,) = workers.results([sums])
        centre = found[1:] / found[0]
    counted = workers.each(function, blocks, estimator=estimator, centre=centre)
    (totals,) = workers.results([workers.reduced(counted, summed)])
    if not is_regressor(estimator):
        return float(totals[0] / totals[1])
    lost, all_ = totals[0], totals[1]
    shares = np.where(all_ > 0.0, 1.0 - lost / np.where(all_ > 0.0, all_, 1.0), lost == 0.0)
    return float(shares.mean())


def _hits(block: Block, estimator: Any, centre: Floats) -> Floats:
    if len(block) == 0:
        return np.zeros(2)
    weight = own_weights(block.weight, len(block))
    hit = np.asarray(estimator.predict(block.X)) == np.asarray(block.y)
    return np.array([weight[hit].sum(), weight.sum()])


def _numbers(block: Block) -> Floats:
    return np.asarray(block.y, dtype=np.float64).reshape(len(block), -1)


def _target_sums(block: Block) -> Floats:
    y, weight = _numbers(block), own_weights(block.weight, len(block))
    return np.concatenate([[weight.sum()], weight @ y])


def _squares(block: Block, estimator: Any, centre: Floats) -> Floats:
    y = _numbers(block)
    if len(block) == 0:
        return np.zeros((2, y.shape[1]))
    weight = own_weights(block.weight, len(block))
    found = np.asarray(estimator.predict(block.X)).reshape(len(block), -1)
    return np.array([weight @ (y - found) ** 2, weight @ (y - centre) ** 2])
