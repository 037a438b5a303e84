"""`plot_importances`: the importances of the features as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor
from sklearn.utils import check_random_state

from aslant.inspection.plots.axes import import_pyplot, label_bars
from aslant.inspection.resolve import encoded_rows, on_encoded_rows, resolve
from aslant.utils.checks import check_choice, check_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOR = "#3182bd"


def plot_importances(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    *,
    kind: str = "impurity",
    max_features: int = 20,
    n_repeats: int = 10,
    random_state: Any = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the importances of the features as bars, the largest first.

    Parameters
    ----------
    estimator : fitted classifier or regressor
        A tree, forest or other ensemble of this package, or a pipeline of scalers that ends in one.
    X, y : array-like, optional
        Rows and targets for ``kind="permutation"``, preferably not those of training.
    kind : {"impurity", "permutation"}, default="impurity"
        ``"impurity"``: ``feature_importances_``, the fractions of the decrease in impurity.
        ``"permutation"``: the decrease in accuracy, of a regressor in R², when a feature is
        shuffled, with its standard deviation, as `sklearn.inspection.permutation_importance`
        computes it. Features derived from a column are shuffled with it.
    max_features : int, default=20
        The largest number of features shown; the others are summed.
    n_repeats : int, default=10
        Number of times that a feature is shuffled.
    random_state : int, RandomState or None, default=0
        Seed of the shuffling.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.
    """
    resolved = resolve(estimator, "plot_importances")
    check_choice("kind", kind, ("impurity", "permutation"))
    check_number("max_features", max_features, 1, integer=True)
    check_number("n_repeats", n_repeats, 1, integer=True)
    label, errors = "decrease in impurity", None
    size = np.asarray(resolved.feature_importances_)
    if kind == "permutation":
        if X is None or y is None:
            raise ValueError("plot_importances needs X and y for kind='permutation'.")
        label = "decrease in R²" if is_regressor(resolved) else "decrease in accuracy"
        decreases = _permutation_importances(resolved, X, y, n_repeats, random_state)
        size, errors = decreases.mean(axis=1), decreases.std(axis=1)
    order = np.argsort(-size, kind="stable")[:max_features]
    labels = [resolved.encoder_.input_names[j] for j in order]
    values = size[order].tolist()
    bars = None if errors is None else errors[order].tolist()
    if len(size) > len(order):
        labels.append(f"{len(size) - len(order)} others together")
        values.append(float(size.sum() - size[order].sum()))
        bars = None if bars is None else [*bars, 0.0]
    if ax is None:
        _, ax = import_pyplot("plot_importances").subplots(
            figsize=(6.4, 0.8 + 0.24 * len(values)), layout="constrained"
        )
    ax.barh(np.arange(len(values)), values, xerr=bars, color=_COLOR, height=0.75)
    label_bars(ax, labels)
    ax.set_xlabel(label)
    return ax


def _permutation_importances(
    resolved: Any, X: Any, y: Any, n_repeats: int, random_state: Any
) -> npt.NDArray[np.float64]:
    """Return the decrease of the score, a row for each input column and a column for each repeat.

    Encoded rows are shuffled, so any kind of table will do. The orders are those of scikit-learn's
    `permutation_importance`.
    """
    encoded, model = encoded_rows(resolved, X), on_encoded_rows(resolved)
    score = model.score(encoded, y)
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max + 1)
    decreases = np.zeros((resolved.n_features_in_, n_repeats))
    for j in range(len(decreases)):
        own = np.flatnonzero(resolved.encoder_.source == j)
        rng, order, shuffled = check_random_state(seed), np.arange(len(encoded)), encoded.copy()
        for repeat in range(n_repeats):
            rng.shuffle(order)
            shuffled[:, own] = shuffled[np.ix_(order, own)]
            decreases[j, repeat] = score - model.score(shuffled, y)
    return decreases
