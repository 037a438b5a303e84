"""`export_treelite`: a fitted model with tests of one feature as a model of treelite."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslant.codegen.describe import describe
from aslant.codegen.description import Combination, Description, Node

# How treelite turns sums into predictions.
_LINKS = {"softmax": "softmax", "exp": "exponential"}


def export_treelite(estimator: Any) -> Any:
    """Return a fitted model as a model of treelite.

    treelite has no oblique tests and no soft ones: every test must read one feature, as those of
    `CARTClassifier` do. The input is a matrix of float64 with the features as columns; a category
    is the code of its level, the index in the order of training, and NaN is missing. A date is
    days since 1970-01-01. The output is the class probabilities, or the value.

    Parameters
    ----------
    estimator : fitted classifier or regressor
        A tree, forest or other ensemble of this package, or a pipeline of scalers that ends in one.

    Returns
    -------
    treelite.Model
        The model; ``serialize(path)`` writes it to a file.

    Raises
    ------
    ValueError
        If a test reads several features or has several branches, if leaves are linear, if features
        are derived from columns, or if trees vote.
    """
    try:
        import treelite
        from treelite.model_builder import (
            Metadata,
            ModelBuilder,
            PostProcessorFunc,
            TreeAnnotation,
        )
    except ImportError as error:
        raise ImportError("export_treelite needs treelite: pip install aslant[treelite]") from error
    made = describe(estimator, "export_treelite")
    _check(made)
    n_classes = max(1, len(made.classes))
    n_trees = len(made.trees)
    kind = "kMultiClf" if made.classes else "kRegressor"
    plain = "identity_multiclass" if made.classes else "identity"
    builder = ModelBuilder(
        threshold_type="float64",
        leaf_output_type="float64",
        metadata=Metadata(
            num_feature=len(made.inputs),
            task_type=kind,
            average_tree_output=False,
            num_target=1,
            num_class=[n_classes],
            leaf_vector_shape=(1, n_classes),
        ),
        tree_annotation=TreeAnnotation(
            num_tree=n_trees,
            target_id=[0] * n_trees,
            class_id=[-1 if made.classes else 0] * n_trees,
        ),
        postprocessor=PostProcessorFunc(name=_LINKS.get(made.link, plain)),
        base_scores=[0.0] * n_classes,
    )
    for tree, weight in zip(made.trees, made.weights, strict=True):
        builder.start_tree()
        for i, node in enumerate(tree):
            builder.start_node(i)
            _add(builder, made, node, weight / made.divisor)
            builder.end_node()
        builder.end_tree()
    model: treelite.Model = builder.commit()
    return model


def _check(made: Description) -> None:
    """Validate that treelite can say what a model does."""
    reason = ""
    if made.combination in (Combination.SOFT, Combination.VOTES) or made.exponent is not None:
        reason = "hard trees whose outputs are summed, got soft, voting or calibrated ones"
    elif made.is_linear:
        reason = "constant leaves, got linear ones"
    elif not made.classes and made.n_outputs > 1:
        reason = f"one output, got {made.n_outputs}"
    read = {term.feature for _, node in _tests(made) for f in node.functions for term in f.terms}
    for j in sorted(read):
        feature = made.features[j]
        if feature.what != "itself":
            reason = reason or f"features that are columns of the input, got {feature.name!r}"
    for i, node in _tests(made):
        features = {term.feature for one in node.functions for term in one.terms}
        if len(node.functions) > 1 or len(features) > 1:
            count = f"{len(features)} features, {len(node.children)} branches"
            reason = reason or f"tests of one feature and two branches, got {count} at node {i}"
    if reason:
        raise ValueError(f"export_treelite needs {reason}.")


def _tests(made: Description) -> list[tuple[int, Node]]:
    return [(i, node) for tree in made.trees for i, node in enumerate(tree) if not node.is_leaf]


def _add(builder: Any, made: Description, node: Node, weight: float) -> None:
    """Add a node: its test with the branch of missing values, or the output of a leaf."""
    if node.is_leaf:
        output = np.array(node.output) * weight
        builder.leaf(output.tolist() if made.classes else float(output[0]))
        return
    (test,), (low, high) = node.functions, node.children
    missing = made.missing_child(node)
    feature = test.terms[0].feature
    if test.terms[0].level is None:
        coef = test.terms[0].coef
        builder.numerical_test(
            feature_id=made.features[feature].source,
            threshold=test.offset / coef,
            default_left=missing == 0,
            opname="<=" if coef > 0.0 else ">=",
            left_child_key=low,
            right_child_key=high,
        )
        return
    coefs = {term.level: term.coef for term in test.terms}
    levels = range(len(made.features[feature].levels or ()))
    builder.categorical_test(
        feature_id=made.features[feature].source,
        default_left=missing == 0,
        category_list=[code for code in levels if coefs.get(code, 0.0) > test.offset],
        category_list_right_child=True,
        left_child_key=low,
        right_child_key=high,
    )
