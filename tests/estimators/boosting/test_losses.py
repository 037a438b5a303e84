"""Losses: derivatives against finite differences, baselines against all other constants."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from aslant import _core

RNG = np.random.default_rng(0)
N = 40
POSITIVE = RNG.gamma(2.0, size=N) + 0.05
WEIGHT = RNG.uniform(0.5, 2.0, size=N)
CASES = {
    "squared_error": (POSITIVE - 1.0, 1),
    "absolute_error": (POSITIVE - 1.0, 1),
    "quantile": (POSITIVE - 1.0, 1),
    "poisson": (np.round(POSITIVE), 1),
    "gamma": (POSITIVE, 1),
    "log_loss": (np.arange(N) % 2.0, 1),
    "log_loss of three": (np.arange(N) % 3.0, 3),
}
SMOOTH = [name for name in CASES if name not in ("absolute_error", "quantile")]


def loss_of(name: str, weight: np.ndarray | None = WEIGHT) -> _core.BoostingLoss:
    y, n_outputs = CASES[name]
    return _core.BoostingLoss(name.removesuffix(" of three"), 0.3, n_outputs, y, weight)


@pytest.mark.parametrize("name", CASES)
def test_gradients(name: str) -> None:
    loss, n_outputs = loss_of(name), CASES[name][1]
    raw = RNG.normal(size=(n_outputs, N))
    gradient, _ = loss.derivatives(raw)
    step = 1e-6
    for k in range(n_outputs):
        for i in range(N):
            change = np.zeros_like(raw)
            change[k, i] = step
            slope = (loss.mean(raw + change, 1) - loss.mean(raw - change, 1)) / (2 * step)
            np.testing.assert_allclose(gradient[k, i], slope * WEIGHT.sum(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", SMOOTH)
def test_hessians(name: str) -> None:
    loss, n_outputs = loss_of(name), CASES[name][1]
    raw = RNG.normal(size=(n_outputs, N))
    _, hessian = loss.derivatives(raw)
    step = 1e-2  # gradients are float32
    for k in range(n_outputs):
        change = np.zeros_like(raw)
        change[k] = step
        slope = (loss.derivatives(raw + change)[0] - loss.derivatives(raw - change)[0])[k]
        np.testing.assert_allclose(hessian[k], slope / (2 * step), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_baselines_have_the_least_loss(name: str, weighted: bool) -> None:
    loss, n_outputs = loss_of(name, WEIGHT if weighted else None), CASES[name][1]
    baseline = np.array(loss.baseline())

    def mean(raw: np.ndarray) -> float:
        return loss.mean(np.repeat(np.reshape(raw, (n_outputs, 1)), N, axis=1), 1)

    found = minimize(mean, baseline + 0.1, method="Nelder-Mead", options={"fatol": 1e-10})
    assert mean(baseline) <= found.fun + 1e-8


def test_large_raw_predictions_have_finite_losses() -> None:
    for name in ("log_loss", "log_loss of three"):
        loss, n_outputs = loss_of(name), CASES[name][1]
        for raw in (-1e4, 1e4):
            given = np.zeros((n_outputs, N))
            given[0] = raw
            assert np.isfinite(loss.mean(given, 1))
            assert all(np.isfinite(part).all() for part in loss.derivatives(given))


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown loss"):
        _core.BoostingLoss("hinge", 0.5, 1, np.zeros(3), None)
    with pytest.raises(ValueError, match="class codes"):
        _core.BoostingLoss("log_loss", 0.5, 1, np.array([0.0, 2.0]), None)
    with pytest.raises(ValueError, match="a row for each output"):
        loss_of("poisson").mean(np.zeros((2, N)), 1)
