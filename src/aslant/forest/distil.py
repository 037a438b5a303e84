"""A forest in one tree that can be read.

L. Breiman and N. Shang, *Born Again Trees*, 1996: a single tree is grown on what the forest says of
its training rows and of many more rows that were never seen, so that it copies the forest and not
the noise of the labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from aslant.ensemble.base import share_fit
from aslant.estimators import ObliqueDecisionTreeClassifier
from aslant.sample import Sample
from aslant.search import SplitSearch

if TYPE_CHECKING:
    from aslant.forest.classifier import ObliqueRandomForestClassifier

# A feature of a manufactured row comes from another row with this probability.
_EXCHANGED = 0.25
# A class with less than this probability is left out, which saves rows.
_LEAST_SHARE = 0.01
_LEAST_PROBABILITY = 1e-6  # of a loss

Floats = npt.NDArray[np.float64]


def manufactured(X: npt.NDArray[Any], n_rows: int, rng: np.random.Generator) -> npt.NDArray[Any]:
    """Return rows between the given ones: each takes some of its features from another row."""
    own, other = rng.integers(0, len(X), (2, n_rows))
    exchanged = rng.random((n_rows, X.shape[1])) < _EXCHANGED
    return np.where(exchanged, X[other], X[own])


def soft_sample(X: npt.NDArray[Any], share: Floats) -> Sample:
    """Return every row once for each of its likely classes, weighted by the probability."""
    kept = np.where(share >= _LEAST_SHARE, share, 0.0)
    kept /= kept.sum(axis=1, keepdims=True)
    row, label = np.nonzero(kept)
    return Sample(X[row], label.astype(np.int32), kept[row, label], share.shape[1])


def loss_of(tree: ObliqueDecisionTreeClassifier, X: npt.NDArray[Any], codes: Any) -> float:
    """Return the mean of -ln p of the true classes."""
    share = tree._frequencies_at(X)[np.arange(len(codes)), codes]
    return -float(np.log(np.maximum(share, _LEAST_PROBABILITY)).mean())


def distilled(
    forest: ObliqueRandomForestClassifier,
    X: npt.NDArray[Any],
    codes: npt.NDArray[Any],
    share: Floats,
    searches: Sequence[str | SplitSearch],
    sizes: Sequence[int],
    n_extra: int,
    seed: int,
) -> ObliqueDecisionTreeClassifier:
    """Return the tree of least loss among those grown with each search and size."""
    extra = manufactured(X, n_extra, np.random.default_rng(seed))
    rows = np.concatenate([X, extra])
    said = np.concatenate([share, forest._mean(np.ascontiguousarray(extra))])
    sample = soft_sample(rows, said)
    best: ObliqueDecisionTreeClassifier | None = None
    for search in searches:
        for size in sizes:
            tree = ObliqueDecisionTreeClassifier(
                search,
                criterion="entropy",
                max_leaf_nodes=size,
                categorical_features=forest.categorical_features,
                missing=forest.missing,
                random_state=seed,
                n_jobs=forest.n_jobs,
            )
            share_fit(forest, tree)
            tree._fit_sample(sample, seed)
            tree.loss_ = loss_of(tree, X, codes)
            if best is None or tree.loss_ < best.loss_:
                best = tree
    assert best is not None
    return best
