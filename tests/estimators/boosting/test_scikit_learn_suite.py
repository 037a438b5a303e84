"""scikit-learn's own tests of HistGradientBoosting, run on our boosting in its place.

The test files of the installed scikit-learn are copied, the import of its estimators is replaced by
ours, and pytest runs them. What fails must be listed here with a reason, and what is listed must
fail.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from scikit_learn_suite import failures_of
from sklearn.ensemble._hist_gradient_boosting import tests

INSIDE = "reads private parts of scikit-learn's estimators"
MESSAGE = "refused too, with another sentence"
ROUNDS = "n_iter_ is the best round, to which early stopping goes back"
DRAWS = "rows and features of linear combinations are drawn, others for another number of rows"
INFINITE = "infinite values are refused"
CATEGORIES = "categories may have any values, and up to 255 levels whatever max_bins is"

DIFFERENT = {
    "test_should_stop": INSIDE,
    "test_binning_train_validation_are_separated": INSIDE,
    "test_small_trainset": INSIDE,
    "test_max_depth_max_leaf_nodes": INSIDE,
    "test_early_stopping_with_sample_weights": INSIDE,
    "test_raw_predict_is_called_with_custom_scorer": INSIDE,
    "test_single_node_trees": INSIDE,
    "test_categorical_encoding_strategies": INSIDE,
    "test_check_interaction_cst": INSIDE,
    "test_categorical_different_order_same_model": INSIDE,
    "test_warm_start_yields_identical_results": INSIDE,
    "test_warm_start_max_depth": INSIDE,
    "test_warm_start_early_stopping": INSIDE,
    "test_warm_start_equal_n_estimators": INSIDE,
    "test_warm_start_clear": INSIDE,
    "test_random_seeds_warm_start": INSIDE,
    "test_init_parameters_validation": MESSAGE,
    "test_gamma_y_positive": MESSAGE,
    "test_poisson_y_positive": MESSAGE,
    "test_categorical_spec_errors": MESSAGE,
    "test_categorical_spec_errors_with_feature_names": MESSAGE,
    "test_X_val_raises_with_early_stopping_false": MESSAGE,
    "test_input_error": MESSAGE,
    "test_input_error_related_to_feature_names": MESSAGE,
    "test_early_stopping_regression": ROUNDS,
    "test_early_stopping_classification": ROUNDS,
    "test_sample_weight_effect": DRAWS,
    "test_missing_values_minmax_imputation": DRAWS,
    "test_missing_values_resilience": "a score of 0.97 where it wants more than 0.97",
    "test_interaction_cst_numerically": "wants a positive interaction at every row",
    "test_infinite_values": INFINITE,
    "test_infinite_values_missing_values": INFINITE,
    "test_consistent_lengths": INFINITE,
    "test_custom_loss": "losses are named, not objects of scikit-learn",
    "test_categorical_bad_encoding_errors": CATEGORIES,
    "test_dataframe_categorical_errors": CATEGORIES,
    "test_dataframe_categorical_results_same_as_ndarray": "numbers that are text are refused",
    "test_class_weights": "class weights are proportions, integer sample weights repeat rows",
    "test_X_val_in_fit": "rows are held out by their content, not by train_test_split",
}
FILES = ("gradient_boosting", "monotonic_constraints", "warm_start")

KINDS = ("Classifier", "Regressor")
THEIRS = "from sklearn.ensemble import ({}\n)".format(
    "".join(f"\n    HistGradientBoosting{kind}," for kind in KINDS)
)
OURS = "\n".join(
    f"from aslant import ObliqueGradientBoosting{kind} as HistGradientBoosting{kind}"
    for kind in KINDS
)


@pytest.mark.slow
def test_scikit_learn_boosting_suite(tmp_path: Path) -> None:
    sources = {}
    for name in FILES:
        source = (Path(tests.__file__).parent / f"test_{name}.py").read_text()
        assert source.count(THEIRS) == 1
        sources[name] = source.replace(THEIRS, OURS)
    failed, text = failures_of(tmp_path, sources)
    assert failed == set(DIFFERENT), text[-2000:]
