"""Soft probabilities."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from oracles import tree as oracle
from scipy.optimize import minimize_scalar
from sklearn.metrics import log_loss

from aslant.refine import JointFit
from aslant.refine.gates import SoftGates, best_exponent
from aslant.refine.joint import SoftFit
from aslant.refine.soft import SoftModel

from .trees import grown, rows, sample_of


def fitted(missing: bool = False) -> tuple[SoftGates, SoftModel]:
    sample = rows(n=150)
    X = sample.X.copy()
    if missing:
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    sample = sample_of(X, sample.y)
    model = SoftModel(grown(sample), sample, fill_with_training_mean=False)
    refined = SoftFit(model, JointFit(l2=1.0).dense(model)).hard()
    return SoftGates.fitted(*refined, sample), model.on(refined.tree)


def slow_probabilities(gates: SoftGates, x: np.ndarray, node: int = 0) -> np.ndarray:
    tree = gates.tree
    if tree.is_leaf[node]:
        return gates.share[node]
    row = int(tree.row_start[node])
    distance = oracle.projection(tree, x, row) - tree.offset[row]
    gate = 1.0 / (1.0 + np.exp(-gates.steepness[node] * distance))
    first, second = (slow_probabilities(gates, x, int(child)) for child in tree.children[node])
    return (1.0 - gate) * first + gate * second


@pytest.mark.parametrize("missing", [False, True])
def test_probabilities_are_the_shares_of_leaves_behind_gates(missing: bool) -> None:
    gates, model = fitted(missing)
    ours = gates.probabilities(model.sample.X)
    for x, p in zip(model.sample.X, ours, strict=True):
        assert p == pytest.approx(slow_probabilities(gates, x), abs=1e-12)


@pytest.mark.parametrize("missing", [False, True])
def test_leaves_were_fitted_to_these_probabilities(missing: bool) -> None:
    gates, model = fitted(missing)
    parameters = model.start(gates.steepness)
    parameters[model.n_gate_parameters :] = np.log(gates.share[model.tree.is_leaf]).ravel()
    value, _ = model._core.evaluate(parameters, 0.0)
    own = gates.probabilities(model.sample.X)[np.arange(len(model.sample)), model.sample.y]
    constants = model.gates(parameters)[:, -1]
    prior = np.log(gates.share[model.tree.is_leaf]).sum() * 0.1 / 3
    expected = -np.log(0.98 * own + 0.02 / 3).sum() + 0.0005 * constants @ constants - prior
    assert value == pytest.approx(expected, rel=1e-3)


def test_any_number_of_threads_gives_the_same() -> None:
    gates, model = fitted()
    X = np.tile(model.sample.X, (100, 1))
    assert np.array_equal(gates.probabilities(X), gates.probabilities(X, n_threads=3))


def test_exponent_sharpens() -> None:
    gates, model = fitted()
    X = model.sample.X
    plain, sharp = gates.probabilities(X), gates.sharpened(2.5).probabilities(X)
    expected = plain**2.5 / (plain**2.5).sum(axis=1, keepdims=True)
    assert sharp == pytest.approx(expected, abs=1e-12)
    assert np.array_equal(sharp.argmax(axis=1), plain.argmax(axis=1))


def test_leaves_are_fitted_to_the_gates() -> None:
    gates, model = fitted()
    sample = model.sample

    def loss(share: np.ndarray) -> float:
        other = SoftGates(gates.tree, gates.steepness, share)
        return log_loss(sample.y, other.probabilities(sample.X))

    frequencies = model.tree.value / model.tree.value.sum(axis=1, keepdims=True)
    laplace = (model.tree.value + 1.0) / (model.tree.value.sum(axis=1, keepdims=True) + 3.0)
    assert loss(gates.share) < loss(laplace)
    assert loss(gates.share) < loss(0.999 * frequencies + 0.001 / 3)


def test_survives_pickling() -> None:
    gates, model = fitted()
    again = pickle.loads(pickle.dumps(gates))
    assert np.array_equal(again.probabilities(model.sample.X), gates.probabilities(model.sample.X))


def test_best_exponent_is_that_of_a_search() -> None:
    rng = np.random.default_rng(0)
    for sharpness in (0.3, 1.0, 4.0):
        probability = rng.dirichlet(np.ones(4), size=500)
        true = probability**sharpness
        true /= true.sum(axis=1, keepdims=True)
        y = np.array([rng.choice(4, p=p) for p in true], dtype=np.int32)
        weight = rng.integers(1, 4, 500).astype(float)

        def loss(
            exponent: float,
            p: np.ndarray = probability,
            y: np.ndarray = y,
            weight: np.ndarray = weight,
        ) -> float:
            powered = p**exponent
            return log_loss(y, powered / powered.sum(axis=1, keepdims=True), sample_weight=weight)

        reference = minimize_scalar(loss, bounds=(0.1, 10.0), method="bounded").x
        assert best_exponent(probability, y, weight) == pytest.approx(reference, rel=0.01)


def test_certain_probabilities_have_a_best_exponent() -> None:
    certain = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert best_exponent(certain, np.array([0, 1], dtype=np.int32), np.ones(2)) > 1.0
    assert best_exponent(certain, np.array([1, 0], dtype=np.int32), np.ones(2)) < 1.0


def test_hard_tree_is_the_soft_one_with_every_gate_decided() -> None:
    sample = rows()
    model = SoftModel(grown(sample), sample, fill_with_training_mean=False)
    refined = SoftFit(model, model.minimise(model.start(), l2=0.1, max_iter=20)).hard()
    frequencies = refined.tree.value / refined.tree.value.sum(axis=1, keepdims=True)
    steep = SoftGates(refined.tree, 1e9 * refined.steepness, frequencies)
    leaf = refined.tree.apply(sample.X)
    assert steep.probabilities(sample.X) == pytest.approx(frequencies[leaf], abs=1e-6)
