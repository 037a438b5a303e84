"""One try: a random model on random data ends in sound predictions or in one clear error."""

from __future__ import annotations

import pickle
import re
import tempfile
import traceback
import warnings
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
from fuzz.random_data import Generator, classes, frame, matrix, numbers, pick, targets, weights
from fuzz.random_models import model as random_model
from sklearn.base import is_classifier

import aslant

# What an error says that escaped from the inside, instead of being checked for.
INNARDS = (
    "broadcast", "unsupported operand", "not supported between", "out of bounds", "NoneType",
    "has no attribute", "has no len", "unhashable", "must be real number", "cannot unpack",
    "not subscriptable", "not iterable", "object is not callable",
    "truth value of an", "setting an array element",
    "incompatible function arguments", "incompatible constructor arguments", "zero-size array",
    "unexpected keyword", "positional argument", "concatenate", "index ", "std::",
)  # fmt: skip


class UnsoundError(Exception):
    """A try ended in something that must not happen."""


def attempt(seed: int) -> str:
    """Return how a try ended, in a word; raise UnsoundError if it should not have ended so."""
    rng = np.random.default_rng(seed)
    clf = random_model(rng)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # of rows without out-of-bag scores and such
        warnings.simplefilter("ignore", FutureWarning)  # of names that are accepted for a while
        X, y, weight, new = _data(rng, clf)
        settings = {}
        if rng.random() < 0.05 and "prune_rows" in signature(clf.fit).parameters:
            settings["prune_rows"] = _mask(rng, X)
        try:
            clf.fit(X, y, weight, **settings)
        except Exception as error:
            _check_error(error)
            return type(error).__name__
        _check_model(rng, clf, X)
        try:
            _check_predictions(clf, new)
        except (ValueError, TypeError) as error:
            _check_error(error)
    return "fitted"


def description(seed: int) -> str:
    """Return what a try consists of."""
    rng = np.random.default_rng(seed)
    clf = random_model(rng)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X, y, weight, _ = _data(rng, clf)
    return f"{clf!r}\nX {_shown(X)}\ny {_shown(y)}\nweight {_shown(weight)}"


def _shown(value: Any) -> str:
    kind = getattr(value, "dtype", None)
    return f"{type(value).__name__} {getattr(value, 'shape', '')} {kind}: {value!r:.200}"


def _data(rng: Generator, clf: Any) -> tuple[Any, Any, Any, Any]:
    """Return rows, what to predict, weights, and further rows."""
    n, d = int(pick(rng, [1, 2, 3, 6, 20, 40, 90, 300])), int(pick(rng, [1, 2, 3, 6]))
    plain = numbers(rng, n, d)
    signal = np.nan_to_num(np.clip(plain, -1e3, 1e3).sum(axis=1))
    if rng.random() < 0.3:
        X: Any = frame(rng, n, d)
        new: Any = pick(rng, [X, X.iloc[::-1], frame(rng, 5, d), X.iloc[:0], X.to_numpy()])
    else:
        X = matrix(rng, plain)
        new = pick(rng, [X, numbers(rng, 7, d), np.full((2, d), np.nan), numbers(rng, 3, d + 1)])
    y = classes(rng, n, signal) if is_classifier(clf) else targets(rng, n, signal)
    return X, y, weights(rng, n), new


def _mask(rng: Generator, X: Any) -> Any:
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    return pick(rng, [rng.random(n) < 0.3, np.zeros(n, bool), np.ones(n, bool), "x", [True]])


def _check_error(error: Exception) -> None:
    if not isinstance(error, ValueError | TypeError):
        raise UnsoundError("another exception than ValueError or TypeError") from error
    text = _without_data(str(error))
    if not text.strip() or len(text) > 700:
        raise UnsoundError(f"an error of {len(text)} characters") from error
    ours = "scikit" not in text and "sklearn" not in text
    if ours and any(words in text for words in INNARDS):
        raise UnsoundError("an error from the inside") from error


def _without_data(text: str) -> str:
    """Return an error without the array that scikit-learn prints in it."""
    return re.sub(r"array=\[.*?\]\.\n", "", text, flags=re.DOTALL)


def _check_model(rng: Generator, clf: Any, X: Any) -> None:
    """What is true of every fitted model; the training rows can always be asked."""
    importances = clf.feature_importances_
    if not (np.isfinite(importances).all() and (importances >= 0.0).all()):
        raise UnsoundError(f"importances {importances}")
    if not min(abs(importances.sum() - 1.0), importances.sum()) < 1e-6:
        raise UnsoundError(f"importances sum to {importances.sum()}")
    _check_predictions(clf, X)
    leaves = clf.apply(X)
    if clf.get_n_leaves() < 1 or len(leaves) != _rows(clf, X).shape[0]:
        raise UnsoundError("leaves and rows do not agree")
    action = pick(rng, ["", "", "text", "pickle", "file"])
    if action == "text":
        aslant.export_text(clf.estimators_[0] if hasattr(clf, "estimators_") else clf)
    if action == "pickle":
        _check_same(clf, pickle.loads(pickle.dumps(clf)), X)
    if action == "file" and _is_of_this_package(clf):
        with tempfile.TemporaryDirectory() as folder:
            try:
                aslant.save(clf, Path(folder) / "model.aslant")
            except TypeError as error:  # of categories that are dates
                return _check_error(error)
            _check_same(clf, aslant.load(Path(folder) / "model.aslant"), X)


def _is_of_this_package(clf: Any) -> bool:
    return "RandomDirections" not in repr(clf)


def _rows(clf: Any, X: Any) -> Any:
    return clf._encoded(X)


def _check_same(clf: Any, other: Any, X: Any) -> None:
    if not np.array_equal(clf.predict(X), other.predict(X)):
        raise UnsoundError("predictions change when the model is kept and read again")


def _check_predictions(clf: Any, X: Any) -> None:
    predicted = clf.predict(X)
    if not is_classifier(clf):
        if not np.isfinite(predicted).all():
            raise UnsoundError(f"predictions {predicted}")
        return
    share = clf.predict_proba(X)
    if share.shape != (len(predicted), len(clf.classes_)) or not np.isfinite(share).all():
        raise UnsoundError(f"probabilities {share}")
    if (share < 0.0).any() or not np.allclose(share.sum(axis=1), 1.0, atol=1e-9):
        raise UnsoundError(f"probabilities that sum to {share.sum(axis=1)}")
    if not np.isin(predicted, clf.classes_).all():
        raise UnsoundError(f"classes {predicted}")


def outcome(seed: int) -> tuple[str, str]:
    """Return how a try ended, and what was wrong with that, if anything was."""
    try:
        return attempt(seed), ""
    except BaseException as error:
        return "wrong", "".join(traceback.format_exception(error))[-4000:]
