"""Trees without a test, and samples of limited size."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.tree.regression_tree import RegressionTree, without_linear_leaves
from aslant.tree.tree import Tree

Signs = npt.NDArray[np.int8]

#: Most rows on which the winner is fitted; beyond, all rows are only counted.
MOST_ROWS_TO_FIT = 200_000


def leaf_of(sample: Sample, column_sign: Signs | None = None) -> Tree:
    """Return the classification tree without a test, under monotonic constraints."""
    counts = np.bincount(sample.y, sample.weight, minlength=sample.n_classes)
    return Tree(value=counts[np.newaxis], **_no_test(sample, column_sign))


def regression_leaf_of(sample: Sample, column_sign: Signs | None = None) -> RegressionTree:
    """Return the regression tree without a test, which predicts the mean."""
    n_outputs = 1 if sample.y.ndim == 1 else sample.y.shape[1]
    leaf = RegressionTree(
        value=np.zeros((1, n_outputs)),
        node_weight=[1.0],
        error=[0.0],
        **without_linear_leaves(1, n_outputs),
        **_no_test(sample, column_sign),
    )
    return leaf.counted_on(sample.X, sample.y, sample.weight)


def _no_test(sample: Sample, column_sign: Signs | None) -> dict[str, Any]:
    """Return the arrays of a tree of one node, but for what it predicts."""
    signs = {} if column_sign is None else {"column_sign": column_sign}
    feature, level = sample.columns
    nothing = np.zeros(0)
    return {
        "n_features": sample.shared_X.shape[1],
        "children": [[-1, -1]],
        "n_node_samples": [len(sample)],
        "impurity": [0.0],
        "row_start": [0, 0],
        "coef_start": [0],
        "coef_column": nothing,
        "coef_value": nothing,
        "coef_fill": nothing,
        "offset": nothing,
        "column_feature": feature,
        "column_level": level,
        **signs,
    }


def at_most(sample: Sample, most_rows: int, seed: int) -> Sample:
    """Return the sample, or so many of its rows if it has more."""
    if len(sample) <= most_rows:
        return sample
    return sample.hold_out(most_rows / len(sample), seed)[1]
