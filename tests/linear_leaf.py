"""A classification tree with one linear leaf, made of scikit-learn's logistic regression."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

import aslant
from aslant.estimators.access import encoded_rows, set_tree
from aslant.tree import LogitTree
from aslant.tree.linear_function import columns_of


def with_linear_leaf(fitted: aslant.AutoTreeClassifier, X: Any, y: Any) -> Any:
    """Return a copy of a fitted classifier whose tree is a single linear leaf."""
    tree, encoded = fitted.tree_, encoded_rows(fitted, X)
    columns = columns_of(tree, encoded)
    known = ~np.isnan(columns)
    center = np.where(known, columns, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    distance = np.where(known, columns - center, 0.0)
    codes = np.searchsorted(fitted.classes_, y)
    n_classes = len(fitted.classes_)
    value, coef = np.zeros(n_classes), np.zeros((n_classes, tree.n_columns))
    if n_classes > 1:
        scale = np.where(distance.std(axis=0) > 0.0, distance.std(axis=0), 1.0)
        made = LogisticRegression(C=1.0, max_iter=1000).fit(distance / scale, codes)
        first = 1 if n_classes == 2 else 0  # the logit of the first of two classes is 0
        value[first:], coef[first:] = made.intercept_, made.coef_ / scale
    logits = value + distance @ coef.T
    counts = np.bincount(codes, minlength=n_classes).astype(np.float64)
    nothing = np.zeros(0)
    leaf = LogitTree(
        n_features=tree.n_features,
        children=[[-1, -1]],
        value=[counts],
        n_node_samples=[len(codes)],
        impurity=[1.0],
        row_start=[0, 0],
        coef_start=[0],
        coef_column=nothing,
        coef_value=nothing,
        coef_fill=nothing,
        offset=nothing,
        column_feature=tree.column_feature,
        column_level=tree.column_level,
        leaf_value=[value],
        leaf_coef=[coef],
        leaf_center=[center],
        leaf_low=[logits.min(axis=0)],
        leaf_high=[logits.max(axis=0)],
    )
    made = copy.copy(fitted)
    made.gates_ = None
    set_tree(made, leaf, 0)
    return made
