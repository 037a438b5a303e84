"""From a fitted estimator to its `Description`; what no description fits is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from aslant.codegen.description import (
    Combination,
    Description,
    Feature,
    Input,
    Label,
    Linear,
    Node,
    Slope,
    Term,
    What,
)
from aslant.encoding import Column
from aslant.encoding.derived import MISSING, SHARE
from aslant.estimators.classifier import SingleTreeClassifier
from aslant.estimators.forest import ObliqueRandomForestClassifier, ObliqueRandomForestRegressor
from aslant.estimators.published import KDTClassifier
from aslant.estimators.regressor import SingleTreeRegressor

# Estimators whose way of predicting is known here; subclasses that change it are refused.
_CLASSIFIERS = (SingleTreeClassifier, KDTClassifier, ObliqueRandomForestClassifier)
_REGRESSORS = (SingleTreeRegressor, ObliqueRandomForestRegressor)


def describe(model: Any, caller: str) -> Description:
    """Return the description of a fitted estimator; one clear error if it has none."""
    check_is_fitted(model)
    combination, weights, divisor = combination_of(model, caller)
    members = list(getattr(model, "estimators_", [model]))
    classes = () if is_regressor(model) else model.classes_.tolist()
    is_soft = combination is Combination.SOFT
    return Description(
        estimator=type(model).__name__,
        inputs=tuple(_input(column, caller) for column in model.encoder_.columns_),
        features=_features(model, caller),
        classes=tuple(_label(label, "class", caller) for label in classes),
        n_outputs=len(classes) or model.n_outputs_,
        trees=tuple(_nodes(member, combination) for member in members),
        combination=combination,
        weights=weights,
        divisor=divisor,
        exponent=float(getattr(model.gates_, "exponent", 1.0)) if is_soft else 1.0,
    )


def combination_of(model: Any, caller: str) -> tuple[Combination, tuple[float, ...], float]:
    """Return how the trees of a fitted model are combined, their weights and the divisor."""
    kinds, method = (
        (_REGRESSORS, "predict") if is_regressor(model) else (_CLASSIFIERS, "predict_proba")
    )
    ways = [getattr(kind, method) for kind in kinds]
    if not isinstance(model, kinds) or getattr(type(model), method) not in ways:
        raise TypeError(
            f"{caller} needs a fitted estimator of aslant whose way of predicting it knows, got "
            f"{type(model).__name__}."
        )
    if getattr(model, "is_soft_", False):
        return Combination.SOFT, (1.0,), 1.0
    if not hasattr(model, "estimators_"):
        return Combination.SINGLE, (1.0,), 1.0
    if getattr(model, "power_", None) is not None:
        raise TypeError(f"{caller} writes the mean of the trees: set calibrate=False, got True.")
    n_trees = len(model.estimators_)
    if hasattr(model, "weights_"):
        return Combination.SUM, tuple(model.weights_.tolist()), 1.0
    is_sum = getattr(model, "voting", "soft") == "soft"
    if not is_sum and model.smoothing != 0.0:
        raise TypeError(
            f"{caller} writes the shares of votes: set smoothing=0, got {model.smoothing!r}."
        )
    combination = Combination.SUM if is_sum else Combination.VOTES
    return combination, (1.0,) * n_trees, float(n_trees)


# ---------------------------------------------------------------------- inputs and features


def _input(column: Column, caller: str) -> Input:
    if column.kind in ("category", "ordered"):
        # The last one of merged levels is a name for all that have no code of their own.
        own = column.levels[:-1] if column.merged else column.levels
        any_other = bool(column.merged) or column.encoding == "target"
        levels = tuple(_label(level, "level", caller) for level in own)
        return Input(column.name, "levels", levels, len(levels) if any_other else None)
    if column.kind == "date":
        return Input(column.name, "date", date_order=column.date_format)
    return Input(column.name, "duration" if column.kind == "duration" else "number")


def _features(model: Any, caller: str) -> tuple[Feature, ...]:
    encoder = model.encoder_
    names = [str(name) for name in encoder.feature_names]
    found = []
    for j, name in enumerate(names[: len(encoder.columns_)]):
        levels = encoder.categories.get(j)
        if j in encoder.target_encodings:
            found.append(Feature(name, j, "share", shares=encoder.values_by_code(j)))
        else:
            shown = None if levels is None else tuple(_label(v, "level", caller) for v in levels)
            found.append(Feature(name, j, levels=shown))
    for name, one in zip(names[len(found) :], encoder.derived, strict=True):
        what: What = {MISSING: "missing", SHARE: "share"}.get(one.what, one.what)
        shares = encoder.values_by_code(one.source, one.class_code) if what == "share" else ()
        found.append(Feature(name, one.source, what, shares=shares))
    return tuple(found)


def _label(label: Any, kind: str, caller: str) -> Label:
    """Return a label as a plain Python value: text, a finite number or a truth value."""
    if isinstance(label, np.generic):
        label = label.item()
    if not isinstance(label, str | int | float | bool) or not (
        isinstance(label, str) or np.isfinite(label)
    ):
        raise TypeError(
            f"{caller} writes classes and levels that are text, numbers or booleans, got the "
            f"{kind} {label!r} of type {type(label).__name__}."
        )
    return label


# ---------------------------------------------------------------------- trees


def _nodes(member: Any, combination: Combination) -> tuple[Node, ...]:
    tree = member.tree_
    steepness = np.zeros(tree.n_nodes)
    is_soft = combination is Combination.SOFT
    if is_soft:
        steepness = member.gates_.steepness
    if is_regressor(member):
        output = tree.value
    else:
        output = member.gates_.share if is_soft else member._node_probabilities()
    # A tree alone predicts from the weights in its leaf, a member of several from frequencies.
    deciding = tree.value if combination is Combination.SINGLE else output
    winner = deciding.argmax(axis=1)
    return tuple(
        Node(
            functions=tuple(
                _linear(tree, row) for row in range(tree.row_start[i], tree.row_start[i + 1])
            ),
            children=tuple(child for child in tree.children[i].tolist() if child >= 0),
            output=tuple(output[i].tolist()),
            winner=int(winner[i]),
            rows=int(tree.n_node_samples[i]),
            slopes=_slopes(tree, i),
            steepness=float(steepness[i]),
        )
        for i in range(tree.n_nodes)
    )


def _linear(tree: Any, row: int) -> Linear:
    entries = range(tree.coef_start[row], tree.coef_start[row + 1])
    terms = (
        _term(tree, int(tree.coef_column[e]), tree.coef_value[e], tree.coef_fill[e])
        for e in entries
    )
    return Linear(tuple(terms), float(tree.offset[row]))


def _slopes(tree: Any, node: int) -> tuple[Slope, ...]:
    """Return the linear functions of a leaf, none if leaves predict means."""
    if not getattr(tree, "is_linear", False) or not tree.is_leaf[node]:
        return ()
    centre = tree.leaf_center[node]
    return tuple(
        Slope(
            float(tree.value[node, q]),
            tuple(_term(tree, int(j), coef[j], centre[j]) for j in np.flatnonzero(coef)),
            float(tree.leaf_low[node, q]),
            float(tree.leaf_high[node, q]),
        )
        for q, coef in enumerate(tree.leaf_coef[node])
    )


def _term(tree: Any, column: int, coef: float, fill: float) -> Term:
    level = int(tree.column_level[column])
    return Term(
        feature=int(tree.column_feature[column]),
        level=None if level < 0 else level,
        coef=float(coef),
        fill=float(fill),
        column=column,
    )
