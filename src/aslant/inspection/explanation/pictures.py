"""Explanations as pictures: the path of a row, and importances."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from aslant.inspection.explanation.path import PathStep, explain
from aslant.inspection.fitted import single_tree
from aslant.inspection.plots.drawing import import_pyplot
from aslant.inspection.rounding import number
from aslant.utils.checks import check_choice, check_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TITLE_WIDTH = 66  # characters
_ADDS, _SUBTRACTS, _START = "#3182bd", "#e6550d", "#999999"


def plot_path(model: Any, x: Any, *, max_terms: int = 6, digits: int = 3) -> Figure:
    """Draw the way of one row through a tree: a panel for each test.

    A panel begins with what the mean of the node comes to and adds the part of each feature, the
    largest first, until it is at what the row comes to; the threshold is the line at 0.

    Parameters
    ----------
    model : fitted tree classifier or regressor
        A tree estimator of this package.
    x : array-like or data frame
        One row: its values, or a table with one row.
    max_terms : int, default=6
        Parts to show in a panel; the others are summed.
    digits : int, default=3
        Significant digits of values.

    Returns
    -------
    matplotlib Figure
        A new figure.
    """
    single_tree(model, "plot_path")
    check_number("max_terms", max_terms, 1, whole=True)
    check_number("digits", digits, 1, 17, whole=True)
    explanation = explain(model, _one_row(x))
    steps = explanation.steps[0]
    plt = import_pyplot("plot_path")
    sizes = [min(len(step.parts), max_terms + 1) + 2 for step in steps] or [1]
    figure, axes = plt.subplots(
        len(sizes),
        figsize=(8.0, 0.7 + 0.24 * sum(sizes) + 0.8 * len(sizes)),
        squeeze=False,
        height_ratios=sizes,
        layout="constrained",
    )
    for ax, step in zip(axes[:, 0], steps, strict=False):
        _draw_step(ax, step, max_terms, digits)
    if not steps:
        axes[0, 0].set_axis_off()
    figure.suptitle(explanation.said_of(0, digits), parse_math=False)
    return figure


def _one_row(x: Any) -> Any:
    if np.ndim(x) == 1:
        return x.to_frame().T if hasattr(x, "to_frame") else np.asarray(x)[np.newaxis]
    if np.shape(x)[0] != 1:
        raise ValueError(f"plot_path needs one row, got {np.shape(x)[0]}.")
    return x


def _draw_step(ax: Axes, step: PathStep, max_terms: int, digits: int) -> None:
    order = np.argsort(-np.abs(step.parts), kind="stable")
    labels, parts = ["mean of the node"], [step.at_mean]
    for k in order[:max_terms]:
        value = step.values[k]
        shown = number(value, digits) if isinstance(value, float) else str(value)
        labels.append(f"{step.features[k]} = {'missing' if value is None else shown}")
        parts.append(step.parts[k])
    if len(order) > max_terms:
        labels.append(f"{len(order) - max_terms} smaller")
        parts.append(float(sum(step.parts[k] for k in order[max_terms:])))
    ends = np.cumsum(parts)
    starts = ends - parts
    colours = [_START, *(_ADDS if part >= 0.0 else _SUBTRACTS for part in parts[1:])]
    places = np.arange(len(parts))
    ax.barh(places, parts, left=starts, color=colours, height=0.7)
    for place, end in zip(places[:-1], ends[:-1], strict=True):
        ax.plot([end, end], [place - 0.35, place + 1.35], color="#888888", linewidth=0.6)
    ax.axvline(0.0, color="#222222", linewidth=1.2)
    ax.set_yticks(places, labels)
    for tick in ax.get_yticklabels():
        tick.set_parse_math(False)
    ax.invert_yaxis()
    title = "\n".join(wrap(f"{step.question}: {step.answer}", _TITLE_WIDTH))
    ax.set_title(title, fontsize="medium", loc="left", parse_math=False)
    ax.spines[["top", "right"]].set_visible(False)


def plot_importances(
    model: Any,
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
    model : fitted classifier
        An estimator of this package.
    X, y : array-like, optional
        Rows and classes, best such that were not trained on; for ``kind="permutation"``.
    kind : {"impurity", "permutation"}, default="impurity"
        ``"impurity"``: ``feature_importances_``, the shares in the decrease of impurity.
        ``"permutation"``: the accuracy lost when a feature is shuffled, by
        `sklearn.inspection.permutation_importance`, with its standard deviation.
    max_features : int, default=20
        Features to show; the others are summed.
    n_repeats : int, default=10
        Times that a feature is shuffled.
    random_state : int, RandomState or None, default=0
        Seed of the shuffling.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.
    """
    check_is_fitted(model)
    check_choice("kind", kind, ("impurity", "permutation"))
    check_number("max_features", max_features, 1, whole=True)
    deviation: npt.NDArray[np.float64] | None = None
    if kind == "permutation":
        if X is None or y is None:
            raise ValueError("plot_importances needs X and y for kind='permutation'.")
        from sklearn.inspection import permutation_importance  # loads half of scikit-learn

        result = permutation_importance(model, X, y, n_repeats=n_repeats, random_state=random_state)
        size, deviation = result.importances_mean, result.importances_std
    else:
        size = model.feature_importances_
    order = np.argsort(-size, kind="stable")[:max_features]
    labels = [model.encoder_.feature_names[j] for j in order]
    values = size[order].tolist()
    errors = None if deviation is None else deviation[order].tolist()
    if len(size) > len(order):
        labels.append(f"{len(size) - len(order)} others together")
        values.append(float(size.sum() - size[order].sum()))
        errors = None if errors is None else [*errors, 0.0]
    if ax is None:
        height = 0.8 + 0.24 * len(values)
        _, ax = import_pyplot("plot_importances").subplots(
            figsize=(6.4, height), layout="constrained"
        )
    places = np.arange(len(values))
    ax.barh(places, values, xerr=errors, color=_ADDS, height=0.75)
    ax.set_yticks(places, labels)
    for tick in ax.get_yticklabels():
        tick.set_parse_math(False)
    ax.invert_yaxis()
    texts = {"impurity": "share of the decrease of impurity", "permutation": "accuracy lost"}
    ax.set_xlabel(texts[kind])
    ax.spines[["top", "right"]].set_visible(False)
    return ax
