"""Rules say what the tree does, and a page of Markdown cannot be broken by names."""

import numpy as np
import pandas as pd
import pytest
from codegen.problems import numbers, problem
from codegen.rule_reader import classify, read
from inspection.hand_built import BLUE, RED, classifier, leaf, machine, plane

from aslant import (
    C45Classifier,
    CARTClassifier,
    KDTClassifier,
    ObliqueDecisionTreeRegressor,
    OC1Classifier,
    export_code,
)
from aslant.codegen.rules import rules_of
from aslant.inspection.formula import Style
from aslant.inspection.reading import reading_of


@pytest.mark.parametrize("kind", ["one leaf", "axis-parallel", "oblique", "linear machines"])
def test_exactly_one_rule_holds_and_it_is_right(kind):
    made = problem(kind)
    trees = read(export_code(made.model, "rules"))
    names = made.model.encoder_.feature_names
    rows = made.records()[:100]
    labels = [classify(trees, dict(zip(names, row, strict=True))) for row in rows]
    assert labels == made.model.predict(made.rows[:100]).astype(str).tolist()


def test_rules_of_numbers():
    X = numbers(200, 0)
    y = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1])
    tree = ObliqueDecisionTreeRegressor("least_squares", max_depth=3, missing="node_mean").fit(X, y)
    trees = read(export_code(tree, "rules"))
    rows = [{f"x{j}": None if v != v else v for j, v in enumerate(row)} for row in X.tolist()]
    assert [float(classify(trees, row)) for row in rows] == pytest.approx(tree.predict(X).tolist())
    assert "| value: " in export_code(tree, "markdown")


def test_a_condition_says_that_missing_values_meet_it():
    x = np.arange(60.0)
    x[40:50] = np.nan  # read as the mean of the others, 26.5
    tree = CARTClassifier(max_depth=1, pruning=None).fit(x[:, np.newaxis], np.arange(60) >= 30)
    lines = export_code(tree, "rules").splitlines()
    conditions = [line for line in lines if line.startswith("rule")]
    assert conditions == ["rule 1: if (1) x0 <= 26.25", "rule 2: if (1) x0 > 26.25 or missing"]


def test_markdown_of_a_soft_tree_says_so():
    assert "Probabilities are soft" in export_code(problem("soft").model, "markdown")


def test_rules_of_derived_features():
    """What is missing, and what a level stands for."""
    text = export_code(problem("derived features").model, "rules")
    assert "age is missing\n" in text and "age is not missing\n" in text
    shares = problem("derived features").model.encoder_.values_by_code(4)
    assert f"city (share of x), by level: c1 {shares[0]!r}," in text
    assert f"any other {shares[-1]!r}\n" in text


def test_conditions_on_categories():
    subset = plane({RED: -1.0, BLUE: -1.0}, -0.5, leaf(5, 0), leaf(1, 3))
    levels = machine([{RED: 1.0}, {BLUE: 1.0}], [0.0, 0.1], subset, leaf(0, 4))
    found = rules_of(reading_of(classifier(levels), "export_code", Style()))
    assert [[text for _, text in rule.conditions] for rule in found] == [
        ["color = red", "color in {red, blue}"],
        ["color = red", "color not in {red, blue}"],
        ["color = blue, any other"],
    ]


def test_rules_of_a_fitted_tree_with_categories():
    frame = pd.DataFrame({"color": ["red", "blue", "green"] * 20, "age": np.arange(60.0)})
    y = np.where(frame["color"] == "red", "a", np.where(frame["age"] > 30, "b", "c"))
    text = export_code(CARTClassifier(smoothing=0.0).fit(frame, y), "rules")
    assert text == (
        "CARTClassifier as rules, written by aslant.\n\n"
        "rule 1: if (1) color in {red}\n"
        "    then class: a (20 of 20; probabilities: a 1, b 0, c 0)\n"
        "rule 2: if (1) color not in {red}\n"
        "    and (2) age <= 30\n"
        "    then class: c (20 of 20; probabilities: a 0, b 0, c 1)\n"
        "rule 3: if (1) color not in {red}\n"
        "    and (2) age > 30\n"
        "    then class: b (20 of 20; probabilities: a 0, b 1, c 0)\n\n"
        "Fills of missing values and unknown levels, by test:\n"
        "    (1) [color=red]: 0.3333333333333333\n"
        "    (2) age: 30\n"
    )


def test_markdown_has_a_row_for_each_leaf():
    made = problem("branch per level")
    page = export_code(made.model, "markdown")
    assert page.startswith("# C45Classifier\n")
    rows = [
        line for line in page.split("## Rules")[1].splitlines() if line[:3].strip("| ").isdigit()
    ]
    assert len(rows) == made.model.get_n_leaves()
    assert sum(int(row.split(" | ")[-4]) for row in rows) == made.model.tree_.n_node_samples[0]


def test_names_do_not_break_a_page():
    frame = pd.DataFrame({"a|b": [0.0, 1.0], "<script>": [1.0, 0.0]})
    model = C45Classifier(min_samples_leaf=1, min_samples_split=2).fit(frame, ["x|y", "z*"])
    page = export_code(model, "markdown")
    assert "| a\\|b |" in page and "\\<script>" in page and "x\\|y" in page


def test_several_trees_say_how_they_are_combined():
    X, y = np.arange(20.0)[:, None], np.arange(20) % 2
    text = export_code(KDTClassifier("oc1", n_estimators=2, random_state=0).fit(X, y), "rules")
    assert "tree 2\n" in text
    assert "Every tree has one vote" in text
    assert "mean over the trees" in export_code(problem("average").model, "markdown")


def test_weights_are_called_weights():
    X = [[0.0], [1.0], [2.0]]
    model = OC1Classifier(random_state=0, pruning=None).fit(X, [0, 0, 1], [0.5, 0.5, 2.0])
    assert "(weight 1 of 1;" in export_code(model, "rules")
