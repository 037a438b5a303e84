"""scikit-learn's own tests of its trees, run on ours in their place.

The test file of the installed scikit-learn is copied, its table of classifiers is replaced by ours,
and pytest runs it. What fails must be listed here with a reason, and what is listed must fail.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sklearn.tree.tests
from scikit_learn_suite import failures_of

MAX_FEATURES = (
    "max_features is not offered: a random subset of features is no part of these systems"
)
SPLITTER = "splitter is not offered: the search takes its place"
OUTPUTS = "several outputs are not offered"

NOT_OFFERED = {
    "test_classification_toy": MAX_FEATURES,
    "test_xor": MAX_FEATURES,
    "test_iris": MAX_FEATURES,
    "test_probability": MAX_FEATURES,
    "test_max_features": MAX_FEATURES,
    "test_behaviour_constant_feature_after_splits": MAX_FEATURES,
    "test_with_only_one_non_constant_features": MAX_FEATURES,
    "test_apply_path_readonly_all_trees": SPLITTER,
    "test_multioutput": OUTPUTS,
    "test_classes_shape": OUTPUTS,
    "test_class_weights": OUTPUTS,
    "test_class_weight_errors": OUTPUTS,
    "test_pickle": "reads attributes of scikit-learn's compiled tree, such as capacity",
    "test_almost_constant_feature": "values that differ by 1e-7 are different: nothing is rounded",
}

OTHER_CRITERIA = "absolute_error and friedman_mse are not offered"
NOT_OFFERED_BY_REGRESSORS = {
    "test_regression_toy": MAX_FEATURES,
    "test_diabetes_underfit": MAX_FEATURES,
    "test_max_features": MAX_FEATURES,
    "test_behaviour_constant_feature_after_splits": MAX_FEATURES,
    "test_with_only_one_non_constant_features": MAX_FEATURES,
    "test_apply_path_readonly_all_trees": SPLITTER,
    "test_diabetes_overfit": OTHER_CRITERIA,
    "test_min_impurity_decrease": OTHER_CRITERIA,
    "test_multioutput": f"{OTHER_CRITERIA}; poisson is for one target",
    "test_balance_property": OTHER_CRITERIA,
    "test_pickle": "reads attributes of scikit-learn's compiled tree, such as capacity",
    "test_almost_constant_feature": "values that differ by 1e-7 are different: nothing is rounded",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "ours", "not_offered"),
    [
        ("CLF_TREES", "ObliqueDecisionTreeClassifier", NOT_OFFERED),
        ("REG_TREES", "CARTRegressor", NOT_OFFERED_BY_REGRESSORS),
    ],
)
def test_scikit_learn_tree_suite(
    tmp_path: Path, table: str, ours: str, not_offered: dict[str, str]
) -> None:
    source = (Path(sklearn.tree.tests.__file__).parent / "test_tree.py").read_text()
    new = f'from aslant import {ours}\n{table} = {{"{ours}": {ours}}}\n'
    pattern = rf"^{table}(: [^=]*)? = \{{.*?\}}\n"
    source, replaced = re.subn(pattern, new, source, count=1, flags=re.DOTALL | re.MULTILINE)
    assert replaced == 1
    source = re.sub(r"SPARSE_TREES = \[.*?\]\n", "SPARSE_TREES = []\n", source, flags=re.DOTALL)
    failed, text = failures_of(tmp_path, {"tree": source})
    assert failed == set(not_offered), text[-2000:]


ABSOLUTE_ERROR = "absolute_error is not offered"
OTHER_WORDS = "the error says so in other words"
MIDPOINTS = (
    "values are ordered by isotonic regression of the leaves, not by midpoints between siblings"
)
MONOTONE_NOT_OFFERED = {
    "test_monotonic_constraints_regressions": ABSOLUTE_ERROR,
    "test_1d_tree_nodes_values": f"{ABSOLUTE_ERROR}; {MIDPOINTS}",
    "test_nd_tree_nodes_values": f"{ABSOLUTE_ERROR}; {MIDPOINTS}",
    "test_1d_opposite_monotonicity_cst_data": "asks for a mean of exactly 0, got -1.8e-16",
    "test_multiclass_raises": OTHER_WORDS,
    "test_multiple_output_raises": OTHER_WORDS,
    "test_bad_monotonic_cst_raises": OTHER_WORDS,
}


@pytest.mark.slow
def test_scikit_learn_monotonic_suite(tmp_path: Path) -> None:
    source = (Path(sklearn.tree.tests.__file__).parent / "test_monotonic_tree.py").read_text()
    ours = {
        "TREE_CLASSIFIER_CLASSES": ["CARTClassifier", "ObliqueDecisionTreeClassifier"],
        "TREE_REGRESSOR_CLASSES": ["CARTRegressor"],
        "TREE_BASED_CLASSIFIER_CLASSES": [
            "CARTClassifier", "ObliqueRandomForestClassifier", "ObliqueExtraTreesClassifier",
        ],
        "TREE_BASED_REGRESSOR_CLASSES": [
            "CARTRegressor", "ObliqueRandomForestRegressor", "ObliqueExtraTreesRegressor",
        ],
    }  # fmt: skip
    for table, classes in ours.items():
        new = f"from aslant import {', '.join(classes)}\n{table} = [{', '.join(classes)}]\n"
        pattern = rf"^{table} = .*?\]\n"
        source, replaced = re.subn(pattern, new, source, count=1, flags=re.DOTALL | re.MULTILINE)
        assert replaced == 1
    failed, text = failures_of(tmp_path, {"monotonic": source})
    assert failed == set(MONOTONE_NOT_OFFERED), text[-2000:]
    others = re.findall(r"^FAILED \S*::(test_monotonic\S*)", text, flags=re.MULTILINE)
    assert all("absolute_error" in name for name in others), others
