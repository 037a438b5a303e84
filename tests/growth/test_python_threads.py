"""Fits and predictions in several threads of Python at once, with and without the global lock."""

from __future__ import annotations

import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from aslant import (
    AutoTreeClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    HHCARTClassifier,
    LMDTClassifier,
    ObliqueGradientBoostingRegressor,
    ObliqueRandomForestClassifier,
    OC1Classifier,
    QUESTClassifier,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 5))
X[::9, 2] = np.nan
Y = np.digitize(X[:, 0] + X[:, 1] + 0.5 * RNG.normal(size=400), [-1.0, 1.0])

MODELS: dict[str, Any] = {
    "cart": CARTClassifier(),
    "c45": C45Classifier(),
    "oc1": OC1Classifier(restarts=2, jumps=1, max_depth=3),
    "quest": QUESTClassifier(),
    "hhcart": HHCARTClassifier(max_depth=4),
    "lmdt": LMDTClassifier(max_depth=2),
    "regression": CARTRegressor(max_depth=5),
    "refined": CARTClassifier(max_depth=3, refine="joint"),
    "auto": AutoTreeClassifier(effort="low"),
    "forest": ObliqueRandomForestClassifier(8, n_jobs=2),
    "boosting": ObliqueGradientBoostingRegressor(max_iter=10),
}


def predictions(model: Any) -> np.ndarray:
    model = clone(model).set_params(random_state=0).fit(X, Y)
    return np.asarray(getattr(model, "predict_proba", model.predict)(X))


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_fits_in_several_threads(model: Any) -> None:
    alone = predictions(model)
    with ThreadPoolExecutor(4) as threads:
        for together in threads.map(predictions, [model] * 8):
            np.testing.assert_array_equal(together, alone)


def test_one_model_predicts_in_several_threads() -> None:
    model = AutoTreeClassifier(effort="low", random_state=0).fit(X, Y)
    with ThreadPoolExecutor(4) as threads:
        for together in threads.map(model.predict_proba, [X] * 16):
            np.testing.assert_array_equal(together, model.predict_proba(X))


def test_a_python_criterion_is_called_from_several_threads() -> None:
    def gini_gain(left: np.ndarray, right: np.ndarray) -> float:
        n0, n1 = left.sum(), right.sum()
        return float((left**2).sum() / n0 + (right**2).sum() / n1)

    alone = predictions(CARTClassifier(criterion=gini_gain, max_depth=3))
    with ThreadPoolExecutor(4) as threads:
        models = [CARTClassifier(criterion=gini_gain, max_depth=3, n_jobs=2)] * 4
        for together in threads.map(predictions, models):
            np.testing.assert_array_equal(together, alone)


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="needs a free-threaded interpreter"
)
def test_the_lock_stays_off() -> None:
    assert not sys._is_gil_enabled()  # type: ignore[attr-defined]
