"""What ``aslant fit`` does: read rows, make the estimator, fit it and say how it went."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils import Bunch

from aslant.datasets import read_csv
from aslant.encoding.kinds import kind_of
from aslant.encoding.targets import refuse_quantity, refuse_useless_classes
from aslant.estimators.methods import Method, find_method

SAMPLE = "iris"

# Parameters that have an option of their own, or that the command line needs itself.
_OPTION_OF = {
    "categorical_features": "use --categorical",
    "n_jobs": "use --jobs",
    "pruning": "use --prune",
    "random_state": "use --seed",
    "verbose": "progress is always shown",
}
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "none": None}
_JSON_BEGINS = ("[", "{", '"')


@dataclass(frozen=True)
class Rows:
    """Labelled rows with named features.

    Attributes
    ----------
    X : ndarray
        Floats if all features are numeric, else objects; NaN is missing.
    y : ndarray
        Class labels, or numbers.
    task : str
        What is predicted: "classification" or "regression".
    remark : str or None
        How the task was recognised, if nobody gave it.
    names : list of str
        Names of the features.
    categorical : list of int
        Positions of the categorical features.
    notes : list of str
        What was found out about the file.
    """

    X: npt.NDArray[Any]
    y: npt.NDArray[Any]
    names: list[str]
    categorical: list[int]
    task: str = "classification"
    remark: str | None = None
    notes: list[str] = field(default_factory=list)

    @classmethod
    def from_bunch(
        cls, bunch: Bunch, declared: Sequence[str] = (), task: str | None = None
    ) -> Rows:
        """Take over a data set; a data frame becomes an array, so that pandas makes no odds.

        Columns that hold no numbers are categories or dates; what neither is, is refused here.
        """
        y, found, remark = _target(bunch.target, bunch.get("target_values"), task)
        names = list(bunch.feature_names)
        texts = np.flatnonzero(bunch.categorical).tolist()
        X = np.asarray(bunch.data, dtype=object if texts else np.float64)
        categorical = [
            j for j in texts if names[j] in declared or _kind(names[j], X[:, j]) == "category"
        ]
        return cls(X, y, names, categorical, found, remark, list(bunch.get("notes", [])))


def _kind(name: str, column: npt.NDArray[Any]) -> str:
    try:
        return kind_of(name, "objects", column.tolist())[0]
    except ValueError as error:
        message = str(error).replace("leave the column out", "leave it out with --drop")
        way = "name it in categorical_features to use it as a category all the same"
        raise ValueError(message.replace(way, "use --categorical to keep it as one")) from None


# Whole numbers that are no more than so many different ones are taken for classes.
_MOST_CLASSES = 20


def _target(
    labels: npt.NDArray[Any], numbers: npt.NDArray[np.float64] | None, task: str | None
) -> tuple[npt.NDArray[Any], str, str | None]:
    """Return the target, what is to be predicted, and how that was recognised."""
    if numbers is not None and not np.isfinite(numbers).all():
        numbers = None
    if task is None and numbers is not None:
        different = len(np.unique(numbers))
        if different > _MOST_CLASSES or (numbers != np.round(numbers)).any():
            remark = (
                f"Note: the target holds {different} different numbers, so numbers are predicted; "
                "--task classification takes them for classes."
            )
            return numbers, "regression", remark
        _refuse_unclear(numbers)
    if task == "regression":
        if numbers is None:
            raise ValueError(f"--task regression needs a target of numbers, got {labels[0]!r}.")
        return numbers, task, None
    refuse_useless_classes(*np.unique(labels, return_inverse=True))
    return labels, "classification", None


def _refuse_unclear(numbers: npt.NDArray[np.float64]) -> None:
    """Refuse few whole numbers that nevertheless look like a quantity, unless --task is given."""
    try:
        refuse_quantity(numbers)
    except ValueError as error:
        what, _, _ = str(error).partition(";")
        way = "--task regression predicts numbers, --task classification takes them for classes."
        raise ValueError(f"{what}; {way}") from None


def read_rows(
    data: Path | None,
    target: str | None,
    categorical: Sequence[str],
    drop: Sequence[str] = (),
    reading: Mapping[str, Any] | None = None,
    task: str | None = None,
) -> Rows:
    """Return the rows of a file, or of the built-in sample if there is no file.

    Raises
    ------
    ValueError
        If they are nothing to fit a tree to: the target has one class, or numbers that may be
        classes or a quantity, or a column holds free text or identifiers.
    """
    if data is None:
        if target is not None or categorical or drop:
            raise ValueError(
                "--target, --categorical and --drop name columns of DATA, but none was given."
            )
        return _sample(task or "classification")
    if target is None:
        raise ValueError(f"--target COLUMN is needed: which column of {data} is to be predicted?")
    bunch = read_csv(data, target, categorical, drop=drop, **(reading or {}))
    return Rows.from_bunch(bunch, categorical, task)


def _sample(task: str) -> Rows:
    """Return the built-in sample, iris."""
    iris = load_iris()
    labels = np.array([f"Iris-{label}" for label in iris.target_names])[iris.target]
    names = [name.removesuffix(" (cm)").replace(" ", "_") for name in iris.feature_names]
    y, task, remark = _target(labels, None, task)
    return Rows(iris.data, y, names, [], task, remark)


def settable(method: Method) -> dict[str, Any]:
    """Return the parameters that ``--set`` takes, with their defaults."""
    parameters = method.parameters()
    return {name: parameters[name] for name in parameters if name not in _OPTION_OF}


def parse_settings(texts: Sequence[str]) -> dict[str, Any]:
    """Return the parameters in texts such as ``restarts=50``."""
    settings: dict[str, Any] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not name or not equals:
            raise ValueError(f"--set takes NAME=VALUE, such as restarts=50, got {text!r}.")
        if name in _OPTION_OF:
            raise ValueError(f"--set does not take {name}: {_OPTION_OF[name]}.")
        if name in settings:
            raise ValueError(f"--set gives {name} twice.")
        settings[name] = parse_value(value)
    return settings


def parse_value(text: str) -> Any:
    """Return a whole number, a number, true, false, none, a tuple (``1,2,3``) or the text.

    What begins like a list, a dictionary or a text of JSON is read as such: ``{"yes": 2}``.
    """
    if text.startswith(_JSON_BEGINS):
        try:
            return json.loads(text)
        except ValueError as error:
            raise ValueError(
                f"--set has a value that is not valid JSON: {text} ({error})."
            ) from None
    if "," in text:
        return tuple(parse_value(part.strip()) for part in text.split(",") if part.strip())
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


# The methods of `fit` if none is named.
DEFAULT_METHODS = {"classification": "auto", "regression": "auto"}


def make_estimator(
    method: str, settings: dict[str, Any], prune: str | None, task: str = "classification"
) -> Any:
    """Return the estimator of a method; ``prune`` None leaves the method's own pruning."""
    if prune is not None:
        settings = {**settings, "pruning": None if prune.lower() == "none" else prune}
    return find_method(method, task).make(settings)


def trees_to_grow(clf: Any, n_folds: int | None) -> int:
    """Return the number of trees, those of cross-validation included."""
    n_estimators = getattr(clf, "n_estimators", 1)
    # What is not a number, `fit` will refuse in its own words.
    return (1 + (n_folds or 0)) * (n_estimators if isinstance(n_estimators, int) else 1)


def fit_named(clf: Any, rows: Rows, report: Callable[[int, int], None]) -> float:
    """Fit an estimator and tell it the names of its features; return the training score."""
    _fit(clf, rows.X, rows.y, rows.categorical, report)
    score = float(clf.score(rows.X, rows.y))
    # Arrays carry no names, and data frames need pandas, which may not be there.
    clf.feature_names_in_ = np.array(rows.names, dtype=object)
    clf.encoder_.rename(rows.names)
    return score


def check_folds(n_folds: int, rows: Rows) -> None:
    """Refuse, before the fit, more folds than there are rows of any class, or rows."""
    if rows.task == "regression":
        if n_folds > len(rows.y) // 2:
            raise ValueError(f"--cv must be at most {len(rows.y) // 2}, half of the rows.")
        return
    most = int(np.unique(rows.y, return_counts=True)[1].max())
    if n_folds > most:
        raise ValueError(f"--cv must be at most {most}, the rows of the largest class.")


def cross_validated(
    clf: Any, rows: Rows, n_folds: int, seed: int, report: Callable[[int, int], None]
) -> dict[str, Any]:
    """Return mean and standard deviation of the score on folds that the fit did not see."""
    divide = KFold if rows.task == "regression" else StratifiedKFold
    folds = divide(n_folds, shuffle=True, random_state=seed)
    scores = []
    for train, test in folds.split(rows.X, rows.y):
        other = clone(clf)
        _fit(other, rows.X[train], rows.y[train], rows.categorical, report)
        scores.append(other.score(rows.X[test], rows.y[test]))
    return {
        "folds": n_folds,
        f"cross_validated_{_SCORES[rows.task]}": float(np.mean(scores)),
        "standard_deviation": float(np.std(scores, ddof=1)),
    }


def _fit(
    clf: Any,
    X: npt.NDArray[Any],
    y: npt.NDArray[Any],
    categorical: list[int],
    report: Callable[[int, int], None],
) -> None:
    if categorical:
        clf.set_params(categorical_features=categorical)
    clf.set_params(verbose=report).fit(X, y)
    clf.set_params(verbose=0)  # the bar is not a part of the model


# What `score` returns: scikit-learn's accuracy or coefficient of determination.
_SCORES = {"classification": "accuracy", "regression": "r2"}


def describe(method: str, clf: Any, rows: Rows, score: float) -> dict[str, Any]:
    """Return what there is to say about a fitted estimator."""
    members = getattr(clf, "estimators_", [clf])
    features_per_test = [member.tree_.features_per_test for member in members]
    choice = {"choice": clf.choice_} if hasattr(clf, "choice_") else {}
    return {
        "method": method,
        "training_rows": len(rows.y),
        "features": len(rows.names),
        **({"classes": len(clf.classes_)} if rows.task == "classification" else {}),
        f"{_SCORES[rows.task]}_on_training_rows": score,
        "trees": len(members),
        "leaves": clf.get_n_leaves(),
        "depth": clf.get_depth(),
        "features_per_test": float(np.mean(features_per_test)),
        **choice,
    }


def column_notes(clf: Any) -> list[str]:
    """Return what the columns were taken for: one line for all, and one for each odd one."""
    columns = clf.encoder_.columns_
    kinds = Counter(column.kind for column in columns)
    lines = ["Columns: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()) + "."]
    for column in columns:
        if column.merged or column.encoding == "shares" or column.kind in ("date", "duration"):
            lines.append(f"Column {column.name!r}: {column.describe()}.")
    return lines
