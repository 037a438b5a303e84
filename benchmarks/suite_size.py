"""Leaves and coefficients of a fitted model, as far as it reports them."""

from __future__ import annotations

from typing import Any

import numpy as np


def size(model: Any) -> dict[str, float]:
    """Return leaves and coefficients of all trees together; a test of one feature has one.

    Empty for models that are no trees or do not report them.
    """
    model = getattr(model, "model_", model)
    if type(model).__module__.startswith("aslant."):
        return _of_ours(model)
    if hasattr(model, "_predictors"):  # HistGradientBoosting
        return _axis_parallel(
            [tree.get_n_leaf_nodes() for stage in model._predictors for tree in stage]
        )
    if type(model).__module__.startswith("sklearn."):
        trees = getattr(model, "estimators_", [model])
        if all(hasattr(tree, "get_n_leaves") for tree in trees):
            return _axis_parallel([tree.get_n_leaves() for tree in trees])
    if hasattr(model, "booster_"):  # LightGBM
        return _axis_parallel(
            [tree["num_leaves"] for tree in model.booster_.dump_model()["tree_info"]]
        )
    return model.size() if hasattr(model, "size") else {}


def _of_ours(model: Any) -> dict[str, float]:
    trees = [getattr(one, "tree_", one) for one in getattr(model, "estimators_", [model])]
    if not all(hasattr(tree, "coef_value") for tree in trees):
        return {}
    slopes = [tree.leaf_coef[tree.is_leaf] for tree in trees if hasattr(tree, "leaf_coef")]
    return {
        "leaves": float(sum(tree.n_leaves for tree in trees)),
        "coefficients": float(
            sum(len(tree.coef_value) for tree in trees)
            + sum(np.count_nonzero(slope) for slope in slopes)
        ),
    }


def _axis_parallel(leaves: list[int]) -> dict[str, float]:
    return {"leaves": float(sum(leaves)), "coefficients": float(sum(leaves) - len(leaves))}
