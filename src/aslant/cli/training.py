"""What ``aslant fit`` does: read rows, make the estimator, fit and describe it."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils import Bunch

from aslant.cli.options import ReadingOptions, TrainingOptions, as_names, names_in
from aslant.datasets import read_csv
from aslant.encoding import DataWarning, data_summary
from aslant.encoding.kinds import ColumnsRefused, Kind, all_kinds, kind_of
from aslant.encoding.table import ordered_levels, read_table
from aslant.encoding.targets import check_several_classes, quantity_in
from aslant.estimators.constraint_lines import constraint_lines
from aslant.estimators.constraints import CONSTRAINTS
from aslant.estimators.methods import Method, find_method
from aslant.utils.progress import GrowthBar

SAMPLE = "iris"

# Parameters with options of their own, or that the command line sets.
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
    X : polars DataFrame
        The features: numbers, dates, text; None is missing.
    y : ndarray
        Class labels, or numbers.
    categorical : list of str
        The categorical features.
    task : str
        What is predicted: "classification" or "regression".
    notes : list of str
        What was detected in the file, for the user.
    date_formats : dict
        How dates in text were written, by feature.
    """

    X: pl.DataFrame
    y: npt.NDArray[Any]
    categorical: list[str]
    task: str = "classification"
    notes: list[str] = field(default_factory=list)
    date_formats: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_bunch(
        cls, bunch: Bunch, declared: Sequence[str] = (), task: str | None = None
    ) -> Rows:
        """Take over what was read from a file; free text and identifiers are refused."""
        y, found, notes = _target(bunch.target, bunch.target_values, task)
        notes += [f"Note: {remark}." for remark in bunch.notes]
        categorical = _categories(bunch.frame, declared)
        return cls(bunch.frame, y, categorical, found, notes, bunch.date_formats)


def _categories(frame: pl.DataFrame, declared: Sequence[str]) -> list[str]:
    """Return the columns that are categories; all that cannot be used are refused at once."""
    table = read_table(frame)

    def decide(j: int) -> tuple[Kind, str | None]:
        name, column = frame.columns[j], table.columns[j]
        if name in declared:
            return "category", None
        return ("ordered", None) if ordered_levels(column) else kind_of(name, column)

    try:
        kinds = all_kinds(frame.columns, decide)
    except ColumnsRefused as refused:
        names = as_names(refused.reasons)
        advice = f"leave out with --drop {names}, or keep as category with --categorical {names}"
        raise ColumnsRefused(refused.reasons, advice) from None
    return [name for name, kind in zip(frame.columns, kinds, strict=True) if kind[0] == "category"]


# A target of more distinct integers than this is a regression target.
_MOST_CLASSES = 20


def _target(
    labels: npt.NDArray[Any], numbers: npt.NDArray[np.float64] | None, task: str | None
) -> tuple[npt.NDArray[Any], str, list[str]]:
    """Return the target, the task, and notes on how the task was recognised."""
    if numbers is not None and not np.isfinite(numbers).all():
        numbers = None
    if task is None and numbers is not None:
        distinct = len(np.unique(numbers))
        if distinct > _MOST_CLASSES or (numbers != np.round(numbers)).any():
            remark = (
                f"Note: the target holds {distinct} different numbers, so this is regression; "
                "--task classification takes them for classes."
            )
            return numbers, "regression", [remark]
        quantity = quantity_in(numbers)
        if quantity is not None:
            raise ValueError(
                f"{quantity}; --task regression predicts numbers, --task classification takes "
                "them for classes."
            )
    if task == "regression":
        if numbers is None:
            raise ValueError(f"--task regression needs a numeric target, got {str(labels[0])!r}.")
        return numbers, task, []
    check_several_classes(*np.unique(labels, return_inverse=True))
    return labels, "classification", []


def read_rows(source: TrainingOptions, reading: ReadingOptions) -> Rows:
    """Return the rows of a file, or of the built-in sample if there is no file.

    Raises
    ------
    ValueError
        If no tree can be fitted to them: the target has one class, or numbers that may be classes
        or a quantity, or a column holds free text or identifiers.
    """
    declared, drop = names_in(source.categorical), names_in(source.drop)
    if source.data is None:
        if source.target is not None or declared or drop:
            raise ValueError(
                "--target, --categorical and --drop name columns of DATA, but none was given."
            )
        return _sample(source.task or "classification")
    if source.target is None:
        raise ValueError(
            f"--target COLUMN is needed: which column of {source.data} is to be predicted?"
        )
    bunch = read_csv(
        source.data,
        source.target,
        categorical=declared,
        drop=drop,
        **asdict(reading.file_format),
    )
    return Rows.from_bunch(bunch, declared, source.task)


def _sample(task: str) -> Rows:
    """Return the built-in sample, iris."""
    iris = load_iris()
    labels = np.array([f"Iris-{label}" for label in iris.target_names])[iris.target]
    names = [name.removesuffix(" (cm)").replace(" ", "_") for name in iris.feature_names]
    y, task, _ = _target(labels, None, task)
    remark = f"Note: no DATA was given; this is the built-in sample {SAMPLE!r}."
    return Rows(pl.DataFrame(iris.data, schema=names), y, [], task, [remark])


# ---------------------------------------------------------------------- parameters


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
    """Return an integer, a float, true, false, none, a tuple (``1,2,3``) or the text.

    A list, a dictionary or a quoted text is read as JSON: ``{"yes": 2}``.
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
    method: str,
    settings: dict[str, Any],
    prune: str | None,
    task: str = "classification",
    labels: np.dtype[Any] | None = None,
) -> Any:
    """Return the estimator of a method; ``prune`` None leaves the method's own pruning.

    Keys of a dict `class_weight` become numbers where the labels are: JSON has none.
    """
    if prune is not None:
        settings = {**settings, "pruning": None if prune.lower() == "none" else prune}
    weights = settings.get("class_weight")
    if isinstance(weights, dict) and labels is not None and labels.kind in "iuf":
        weights = {parse_value(label): weight for label, weight in weights.items()}
        settings = {**settings, "class_weight": weights}
    return find_method(method, task).make(settings)


# ---------------------------------------------------------------------- fitting


@dataclass(frozen=True)
class Fitted:
    """A fitted model, its result for the standard output, and notes."""

    model: Any
    result: dict[str, Any]
    notes: list[str]


def fit_file(
    source: TrainingOptions,
    reading: ReadingOptions,
    method: str | None,
    parameters: dict[str, Any],
    prune: str | None,
    n_folds: int | None,
) -> Fitted:
    """Fit a method to a file, or to the built-in sample, and cross-validate it if asked to."""
    if source.task is not None or source.data is None:  # wrong settings are reported before reading
        expected = source.task or "classification"
        make_estimator(method or DEFAULT_METHODS[expected], parameters, prune, expected)
    rows = read_rows(source, reading)
    method = method or DEFAULT_METHODS[rows.task]
    model = make_estimator(method, parameters, prune, rows.task, rows.y.dtype)
    if n_folds is not None:
        check_folds(n_folds, rows)
    with GrowthBar(f"Growing {method}", trees_to_grow(model, n_folds)) as bar:
        score = fit_rows(model, rows, bar)
        result = describe(method, model, rows.task, score)
        if n_folds is not None:
            seed = parameters["random_state"]
            result |= cross_validated(model, rows, n_folds, seed, bar)
            free = {name: None for name in CONSTRAINTS if parameters.get(name) is not None}
            if free:
                other = clone(model).set_params(**free)
                found = cross_validated(other, rows, n_folds, seed, bar)
                name = f"cross_validated_{_SCORES[rows.task]}"
                result[f"{name}_without_constraints"] = found[name]
    return Fitted(model, result, [*rows.notes, *column_notes(model), *data_notes(rows)])


def trees_to_grow(clf: Any, n_folds: int | None) -> int:
    """Return the number of trees, those of cross-validation included."""
    if any(getattr(clf, name, None) is not None for name in CONSTRAINTS):
        n_folds = 2 * (n_folds or 0)  # with and without constraints
    n_estimators = getattr(clf, "n_estimators", 1)
    # `fit` refuses other values in its own words.
    return (1 + (n_folds or 0)) * (n_estimators if isinstance(n_estimators, int) else 1)


def fit_rows(clf: Any, rows: Rows, report: Callable[[int, int], None]) -> float:
    """Fit an estimator; return the training score."""
    _fit(clf, rows.X, rows.y, rows.categorical, report)
    clf.encoder_.keep_date_formats(rows.date_formats)
    return float(clf.score(rows.X, rows.y))


def check_folds(n_folds: int, rows: Rows) -> None:
    """Validate, before the fit, the number of folds."""
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
    """Return mean and standard deviation of the score on the test folds."""
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
    X: pl.DataFrame,
    y: npt.NDArray[Any],
    categorical: list[str],
    report: Callable[[int, int], None],
) -> None:
    if categorical:
        clf.set_params(categorical_features=categorical)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the notes have a summary of the data
        clf.set_params(verbose=report).fit(X, y)
    clf.set_params(verbose=0)  # the bar is not a part of the model


# Names of what `score` returns.
_SCORES = {"classification": "accuracy", "regression": "r2"}


def describe(method: str, model: Any, task: str, score: float) -> dict[str, Any]:
    """Return the facts about a fitted estimator."""
    members = getattr(model, "estimators_", [model])
    features_per_test = [member.tree_.features_per_test for member in members]
    return {
        "method": method,
        "training_rows": model.n_samples_fit_,
        "features": model.n_features_in_,
        **({"classes": len(model.classes_)} if task == "classification" else {}),
        f"{_SCORES[task]}_on_training_rows": score,
        "trees": len(members),
        "leaves": model.get_n_leaves(),
        "depth": model.get_depth(),
        "features_per_test": float(np.mean(features_per_test)),
        **({"choice": model.choice_} if hasattr(model, "choice_") else {}),
    }


def data_notes(rows: Rows) -> list[str]:
    """Return what deserves a look in the data: a line for the rows, and one for each finding."""
    summary = data_summary(
        rows.X,
        rows.y,
        categorical_features=rows.categorical or "from_dtype",
        task="regression" if rows.task == "regression" else "classification",
    )
    duplicates = f", {summary.n_duplicates} of them duplicates" if summary.n_duplicates else ""
    return [
        f"Rows: {summary.n_rows}{duplicates}. Target: {summary.target}.",
        *(f"Check: {finding}." for finding in summary.findings),
    ]


def column_notes(clf: Any) -> list[str]:
    """Return the kinds of the columns: a line for all, and a line for each unusual one."""
    columns = clf.encoder_.columns_
    kinds = Counter(column.kind for column in columns)
    lines = ["Columns: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()) + "."]
    for column in columns:
        if column.merged or column.encoding == "target" or column.kind in ("date", "duration"):
            lines.append(f"Column {column.name!r}: {column.describe()}.")
    return [*lines, *constraint_lines(clf)]
