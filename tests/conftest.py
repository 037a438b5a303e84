"""Marks the tests that the inner loop leaves out, `make test-fast`, as `thorough`."""

from __future__ import annotations

import pytest

# Each takes a second or more of CPU, all its cases together: see `pytest --durations=50`.
THOROUGH = (
    "core/test_apply.py::test_every_row_reaches_the_leaf_of_the_walk",
    "core/test_arguments.py::test_no_crash",
    "core/test_core_faults.py::test_c45_with_high_cardinality",
    "core/test_core_faults.py::test_ctrl_c_arrives",
    "core/test_core_faults.py::test_pole_pairs_of_many_copies",
    "core/test_core_faults.py::test_scratch_memory",
    "core/test_core_faults.py::test_two_rows_of_next_to_no_weight",
    "core/test_criterion.py::test_score_follows_its_definition",
    "core/test_line_search.py",
    "encoding/test_encoding.py::test_too_high_cardinality_for_a_linear_test",
    "encoding/test_files.py",
    "encoding/test_weights.py",
    "encoding/test_wrappers.py",
    "estimators/auto/",
    "estimators/forest/test_forest.py::test_a_distilled_tree",
    "estimators/forest/test_regression_forest.py::test_scikit_learn_checks",
    "estimators/published/test_mml.py",
    "estimators/regression/test_estimators.py::test_scikit_learn_checks",
    "estimators/test_estimators.py::test_stopping_rules_hold_in_every_tree",
    "estimators/test_hostile_input.py",
    "estimators/test_parameter_values.py::test_estimators",
    "estimators/test_scikit_learn_suite.py",
    "estimators/test_sklearn_checks.py",
    "growth/test_determinism.py",
    "growth/test_hostile_search.py",
    "growth/test_interruption.py",
    "growth/test_monotone_transformations.py",
    "growth/test_threads.py",
    "inspection/test_decision_path.py::test_every_kind_of_model",
    "inspection/test_importances.py",
    "inspection/test_pipeline.py::test_a_saved_pipeline_predicts_the_same",
    "inspection/test_resolve.py::test_every_view_of_every_model",
    "inspection/test_shapley.py",
    "inspection/report_page/test_browser.py",
    "search/test_contract.py",
    "search/test_hhcart.py::test_the_split_is_that_of_explicit_matrices",
    "search/test_on_sample.py::test_a_sample_inside_a_wrapper",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.removeprefix("tests/").startswith(THOROUGH):
            item.add_marker(pytest.mark.thorough)
