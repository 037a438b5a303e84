"""`describe`: from a fitted estimator to its `Description`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from aslant.codegen.description import (
    Combination,
    Description,
    Feature,
    Input,
    Label,
    Linear,
    Link,
    Node,
    Slope,
    Term,
    What,
)
from aslant.encoding import Column
from aslant.encoding.derived import MISSING, SHARE
from aslant.estimators.access import has_log_link, node_probabilities_of
from aslant.estimators.boosting import (
    ObliqueGradientBoostingClassifier,
    ObliqueGradientBoostingRegressor,
)
from aslant.estimators.classifier import SingleTreeClassifier
from aslant.estimators.forest import ObliqueRandomForestClassifier, ObliqueRandomForestRegressor
from aslant.estimators.published import KDTClassifier, MMLTreeClassifier
from aslant.estimators.regressor import SingleTreeRegressor
from aslant.inspection.resolve import members_of, resolve

# Estimators whose way of predicting is known here; subclasses that override it are refused.
_CLASSIFIERS = (
    SingleTreeClassifier,
    KDTClassifier,
    MMLTreeClassifier,
    ObliqueRandomForestClassifier,
    ObliqueGradientBoostingClassifier,
)
_REGRESSORS = (
    SingleTreeRegressor,
    ObliqueRandomForestRegressor,
    ObliqueGradientBoostingRegressor,
)
_BOOSTING = (ObliqueGradientBoostingClassifier, ObliqueGradientBoostingRegressor)


def describe(estimator: Any, caller: str) -> Description:
    """Return the description of a fitted estimator.

    Raises
    ------
    TypeError
        If the estimator overrides the way of predicting, or has labels that code cannot hold.
    """
    model = resolve(estimator, caller)
    way = _way_of_predicting(model, caller)
    classes = () if is_regressor(model) else model.classes_.tolist()
    return Description(
        estimator=type(model).__name__,
        inputs=tuple(_input(column, caller) for column in model.encoder_.columns_),
        features=_features(model, caller),
        classes=tuple(_label(label, "class", caller) for label in classes),
        n_outputs=len(classes) or model.n_outputs_,
        trees=_trees(model, way.combination),
        combination=way.combination,
        weights=way.weights,
        divisor=way.divisor,
        exponent=way.exponent,
        prior=way.prior,
        link=way.link,
        coverage=getattr(model, "interval_coverage_", None),
        is_boosted=isinstance(model, _BOOSTING),
    )


@dataclass(frozen=True)
class _Way:
    """How trees are combined: the fields of a `Description` of the same names."""

    combination: Combination
    weights: tuple[float, ...] = (1.0,)
    divisor: float = 1.0
    exponent: float | None = None
    prior: float = 0.0
    link: Link = "identity"


def _way_of_predicting(model: Any, caller: str) -> _Way:
    kinds, method = (
        (_REGRESSORS, "predict") if is_regressor(model) else (_CLASSIFIERS, "predict_proba")
    )
    known = [getattr(kind, method) for kind in kinds]
    if not isinstance(model, kinds) or getattr(type(model), method) not in known:
        raise TypeError(
            f"{caller} needs an estimator of aslant that does not override {method}, got "
            f"{type(model).__name__}."
        )
    if getattr(model, "is_soft_", False):
        exponent = None if is_regressor(model) else float(model.gates_.exponent)
        return _Way(Combination.SOFT, exponent=exponent)
    if not hasattr(model, "estimators_"):
        return _Way(Combination.SINGLE)
    n_trees = len(model.estimators_)
    if isinstance(model, _BOOSTING):  # the last tree is the baseline
        link: Link = "softmax"
        if is_regressor(model):
            link = "exp" if has_log_link(model) else "identity"
        return _Way(Combination.SUM, (1.0,) * (n_trees + 1), link=link)
    if hasattr(model, "weights_"):
        return _Way(Combination.SUM, tuple(model.weights_.tolist()))
    even = (1.0,) * n_trees
    if getattr(model, "power_", None) is not None:  # a calibrated forest
        prior = 1.0 / (n_trees + 1.0) / len(model.classes_)
        return _Way(Combination.SUM, even, n_trees + 1.0, model.power_, prior)
    if getattr(model, "voting", "soft") == "soft":
        return _Way(Combination.SUM, even, float(n_trees))
    if model.smoothing != 0.0:
        raise TypeError(
            f"{caller} needs smoothing=0 for fractions of votes, got {model.smoothing!r}."
        )
    return _Way(Combination.VOTES, even, float(n_trees))


# ---------------------------------------------------------------------- inputs and features


def _input(column: Column, caller: str) -> Input:
    if column.kind in ("category", "ordered"):
        # The last one of merged levels stands for all levels without a code of their own.
        own = column.levels[:-1] if column.merged else column.levels
        any_other = bool(column.merged) or column.encoding == "target"
        levels = tuple(_label(level, "level", caller) for level in own)
        is_text = any(isinstance(level, str) for level in (*own, *column.merged))
        unknown = len(levels) if any_other else None
        return Input(column.name, "levels", levels, unknown, is_text)
    if column.kind == "unused":  # no level is known, so anything counts as missing
        return Input(column.name, "levels")
    kind: Any = column.kind
    return Input(column.name, kind, date_order=column.date_format)


def _features(model: Any, caller: str) -> tuple[Feature, ...]:
    encoder = model.encoder_
    names = [str(name) for name in encoder.feature_names]
    found = []
    for j, name in enumerate(names[: len(encoder.columns_)]):
        levels = encoder.categories.get(j)
        if j in encoder.target_encodings:
            found.append(Feature(name, j, "encoded", table=encoder.values_by_code(j)))
        else:
            shown = None if levels is None else tuple(_label(v, "level", caller) for v in levels)
            found.append(Feature(name, j, levels=shown))
    for name, one in zip(names[len(found) :], encoder.derived, strict=True):
        what: What = {MISSING: "missing", SHARE: "encoded"}.get(one.what, one.what)
        table = encoder.values_by_code(one.source, one.class_code) if what == "encoded" else ()
        found.append(Feature(name, one.source, what, table=table))
    return tuple(found)


def _label(label: Any, kind: str, caller: str) -> Label:
    """Return a label as a plain Python value: text, a finite number or a boolean."""
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


def _trees(model: Any, combination: Combination) -> tuple[tuple[Node, ...], ...]:
    if isinstance(model, _BOOSTING):
        return _boosted_trees(model)
    return tuple(_nodes(member, combination) for member in members_of(model))


def _boosted_trees(model: Any) -> tuple[tuple[Node, ...], ...]:
    """Return the trees, each with values for its own output only, and a leaf of the baselines.

    The only output for two classes is that of the second.
    """
    n_outputs = 1 if is_regressor(model) else len(model.classes_)
    n_raw = model.n_trees_per_iteration_
    places = [(n_outputs - 1) if n_raw == 1 else k for k in range(n_raw)]

    def at(place: int, value: float) -> tuple[float, ...]:
        return tuple(value if k == place else 0.0 for k in range(n_outputs))

    trees = [
        tuple(
            replace(node, output=at(places[i % n_raw], node.output[0]))
            for node in _nodes(member, Combination.SUM)
        )
        for i, member in enumerate(members_of(model))
    ]
    base = np.zeros(n_outputs)
    base[places] = model.baseline_
    rows = trees[0][0].rows
    return (*trees, (Node((), (), tuple(base.tolist()), 0, rows),))


def _nodes(member: Any, combination: Combination) -> tuple[Node, ...]:
    tree = member.tree_
    steepness = np.zeros(tree.n_nodes)
    is_soft = combination is Combination.SOFT
    if is_soft:
        steepness = member.gates_.steepness
    if is_regressor(member):
        output = tree.value
    else:
        output = member.gates_.share if is_soft else node_probabilities_of(member)
    bounds = getattr(member, "leaf_interval_", None)
    # A single tree predicts from the weights in its leaf, a member of several from frequencies.
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
            interval=None if bounds is None else tuple(bounds[i].tolist()),
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
    """Return the linear functions of a leaf, none if leaves are constant."""
    if not tree.is_linear or not tree.is_leaf[node]:
        return ()
    center = tree.leaf_center[node]
    return tuple(
        Slope(
            float(tree.leaf_value[node, q]),
            tuple(_term(tree, int(j), coef[j], center[j]) for j in np.flatnonzero(coef)),
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
