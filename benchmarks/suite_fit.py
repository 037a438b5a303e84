"""One fit of the suite, in a process of its own: what it costs and how good it is."""

from __future__ import annotations

import os
import resource
import sys
import warnings
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.metrics import log_loss, r2_score, roc_auc_score
from suite_data import REGRESSION
from suite_size import size

MEMORY = 8 << 30  # bytes
LEAST_PROBABILITY = 1e-6

Parts = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def figures(make: Callable[[], Any], task: str, parts: Parts) -> dict[str, Any]:
    """Fit on the training part and return what there is to say about the test part."""
    _prepare_process()
    try:
        return {"status": "ok", **_measured(make(), task, parts)}
    except Exception as error:
        first_line = (str(error).strip().splitlines() or [""])[0]
        return {"status": "failed", "reason": f"{type(error).__name__}: {first_line}"[:200]}


def _prepare_process() -> None:
    """Limit memory, and let no contestant talk."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    warnings.simplefilter("ignore")
    np.random.seed(0)  # for those that take no seed


def _measured(model: Any, task: str, parts: Parts) -> dict[str, Any]:
    X, y, X_test, y_test = parts
    used = {"fit_seconds": _cpu_seconds(lambda: model.fit(X, y))}
    proba = None
    if task == REGRESSION:
        measures = {"r2": float(r2_score(y_test, np.ravel(model.predict(X_test))))}
    else:
        proba = model.predict_proba(X_test) if hasattr(model, "predict_proba") else None
        measures = _of_classes(np.ravel(model.predict(X_test)), proba, y_test)
    predict = model.predict if proba is None else model.predict_proba
    used["predict_seconds"] = min(_cpu_seconds(lambda: predict(X_test)) for _ in range(3))
    return {key: _short(value) for key, value in {**measures, **size(model), **used}.items()}


def _cpu_seconds(work: Callable[[], Any]) -> float:
    """Return CPU time of this process; time.process_time is coarse under a limit of CPU time."""
    begin = resource.getrusage(resource.RUSAGE_SELF)
    work()
    end = resource.getrusage(resource.RUSAGE_SELF)
    return end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime


def _of_classes(predicted: np.ndarray, proba: Any, y: np.ndarray) -> dict[str, float]:
    """Return accuracy, and log-loss and AUC where there are probabilities."""
    found = {"accuracy": float(np.mean(predicted.astype(float) == y))}
    if proba is None:
        return found
    proba = np.clip(np.asarray(proba, dtype=float), LEAST_PROBABILITY, None)
    proba /= proba.sum(axis=1, keepdims=True)
    found["log_loss"] = float(log_loss(y, proba, labels=np.arange(proba.shape[1])))
    if proba.shape[1] == 2:
        return found | {"auc": float(roc_auc_score(y, proba[:, 1]))}
    return found | {"auc": float(roc_auc_score(y, proba, multi_class="ovr"))}


def _short(value: float) -> float:
    return float(f"{value:.5g}")


def modules_of_a_fit(make: Callable[[], Any]) -> list[str]:
    """Return the modules that a small fit loads, so that the times of others have no imports."""
    _prepare_process()
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 2
    try:
        model = make().fit(X, y)
        model.predict(X)
        size(model)
    except Exception:
        pass  # each fit of the run says what is wrong
    return list(sys.modules)


def preload(names: Iterable[str]) -> None:
    """Import modules by name; what cannot be imported alone is left to the fit."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            if name not in sys.modules:
                try:
                    import_module(name)
                except BaseException:
                    continue
