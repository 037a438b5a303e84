"""Consistency of a rebuilt estimator.

A file with a right checksum may still be made by hand. An estimator that passes here predicts
finite probabilities, or finite values, for any row.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from aslant.estimators.access import check_before_predicting
from aslant.tree.logit_tree import LogitTree
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree

# Importances sum to 1 up to rounding, or to 0 without any split.
_ROUNDING = 1e-6
_DISAGREE = "its classes, features and trees do not agree"


def check_consistency(clf: Any) -> None:
    """Validate that the parts of a rebuilt estimator agree; ValueError if not."""
    is_regression = is_regressor(clf)
    if not is_regression:
        _check_classes(clf.classes_)
    _check_features(clf)
    feature, level = clf.encoder_.columns()
    _require(
        np.shape(getattr(clf, "column_spread_", feature)) == feature.shape,
        _DISAGREE,
    )
    members = [*getattr(clf, "estimators_", []), *([clf] if hasattr(clf, "tree_") else [])]
    for member in members:
        tree = member.tree_
        _require(
            (isinstance(tree, RegressionTree) or tree.n_classes == len(clf.classes_))
            and tree.n_features == len(clf.encoder_.source)
            and np.array_equal(tree.column_feature, feature)
            and np.array_equal(tree.column_level, level),
            _DISAGREE,
        )
        _check_regression_tree(tree) if isinstance(tree, RegressionTree) else _check_tree(tree)
        _check_importances(member.feature_importances_, clf.n_features_in_)
        _require(
            type(member.n_hyperplanes_) is int and member.n_hyperplanes_ >= 0,
            "the number of hyperplanes is not an integer from 0 on",
        )
        _check_message(getattr(member, "message_length_", None))
    check_before_predicting(clf)


def _check_classes(classes: Any) -> None:
    _require(
        isinstance(classes, np.ndarray) and classes.ndim == 1 and len(classes) > 0,
        _DISAGREE,
    )
    _require(all(_is_level(label) for label in classes.tolist()), "a class is not a finite number")
    _require(np.array_equal(np.unique(classes), classes), "the classes are not sorted and distinct")


def _check_features(clf: Any) -> None:
    encoder = clf.encoder_
    names = encoder.input_names
    _require(
        all(isinstance(name, str) for name in names)
        and list(getattr(clf, "feature_names_in_", names)) == names
        and len(names) == clf.n_features_in_,
        _DISAGREE,
    )
    for feature, column in enumerate(encoder.columns_):
        levels = [*column.levels, *column.merged]
        _require(
            all(_is_level(level) for level in levels) and len(set(levels)) == len(levels),
            f"the levels of feature {feature} are not distinct texts and finite numbers",
        )
    n_shares = getattr(clf, "n_classes_", 2)  # of a regressor: targets up to the mean, and above it
    for feature, learned in encoder.target_encodings.items():
        _require(
            bool(((learned >= 0.0) & (learned <= 1.0)).all())
            and learned.shape[1] == len(encoder.class_names) == n_shares,
            f"the target encodings of feature {feature} are not shares of the classes",
        )


def _is_level(value: Any) -> bool:
    """Whether a value can be a class or a level of a category."""
    if type(value) is float:
        return math.isfinite(value)
    return type(value) in (str, int, bool)


def _check_tree(tree: Tree) -> None:
    with np.errstate(over="ignore"):
        total = tree.value.sum(axis=1)
    _require(
        bool((total > 0.0).all() and np.isfinite(total).all()),
        "the class weights of a node do not have a positive, finite sum",
    )
    _require(bool((tree.n_node_samples > 0).all()), "a node has no rows")
    _require(bool(np.isfinite(tree.impurity).all()), "an impurity is not finite")
    if isinstance(tree, LogitTree):
        _require(bool((tree.leaf_low <= tree.leaf_high).all()), "the bounds of a leaf are reversed")


def _check_regression_tree(tree: RegressionTree) -> None:
    _require(bool((tree.n_node_samples > 0).all()), "a node has no rows")
    for name in ("impurity", "error"):  # infinite if squares overflow
        _require(bool((getattr(tree, name) >= 0.0).all()), f"an entry of {name} is negative")
    _require(bool((tree.leaf_low <= tree.leaf_high).all()), "the bounds of a leaf are reversed")


def _check_importances(importances: Any, n_features: int) -> None:
    _require(
        isinstance(importances, np.ndarray) and importances.shape == (n_features,),
        _DISAGREE,
    )
    _require(importances.dtype.kind == "f", "the importances are not numbers")
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(importances.sum())
    _require(
        bool((importances >= 0.0).all()) and (total == 0.0 or abs(total - 1.0) < _ROUNDING),
        "the importances do not sum to 1",
    )


def _check_message(message: Any) -> None:
    if message is None:
        return
    parts = [*message.parts().values(), message.alpha]
    _require(
        all(type(part) is float and math.isfinite(part) for part in parts),
        "a message length is not a finite number",
    )
    _require(message.alpha > 0.0, "the alpha of the message length is not positive")


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)
