"""Parts add up to what a test comes to, and say which way the row goes."""

import numpy as np
import pandas as pd
import pytest
from codegen.problems import MODELS, problem
from sklearn.datasets import load_breast_cancer, make_friedman1
from sklearn.tree import DecisionTreeClassifier

from aslant import (
    CARTClassifier,
    LMDTClassifier,
    ObliqueRandomForestRegressor,
    OC1Classifier,
    OC1Regressor,
    explain,
)
from aslant.search import HyperplaneSplit

KINDS = ["axis-parallel", "oblique", "categories", "branch per level", "linear machines", "votes"]


def encoded_value(tree, column, row, fill):
    value = row[tree.column_feature[column]]
    if np.isnan(value):
        return fill[column]
    level = tree.column_level[column]
    return value if level < 0 else float(value == level)


@pytest.mark.parametrize("kind", KINDS)
def test_margins_are_those_of_the_tree(kind):
    made = problem(kind)
    rows = made.rows[:150]
    explanation = explain(made.model, rows)
    assert explanation.predictions.tolist() == made.model.predict(rows).tolist()
    np.testing.assert_array_equal(explanation.probabilities, made.model.predict_proba(rows))
    encoded = made.model._encoded(rows)
    members = getattr(made.model, "estimators_", [made.model])
    for row, steps in zip(encoded, explanation.steps, strict=True):
        for t, member in enumerate(members):
            own = [step for step in steps if step.tree == t]
            path = member.tree_.decision_path(row[np.newaxis]).indices.tolist()
            assert [step.node for step in own] == path[:-1]
            for step, child in zip(own, path[1:], strict=True):
                check_step(member.tree_, step, child, row)


def check_step(tree, step, child, row):
    split = tree.split(step.node)
    x = np.array([encoded_value(tree, j, row, split.fill) for j in range(tree.n_columns)])
    branch = tree.children[step.node].tolist().index(child)
    if isinstance(split, HyperplaneSplit):
        margin = split.coef @ x - split.threshold
        columns = np.flatnonzero(split.coef)
        is_single = len(columns) == 1 and tree.column_level[columns[0]] < 0
        scale = abs(split.coef[columns[0]]) if is_single else 1.0
        assert abs(step.margin) == pytest.approx(abs(margin) / scale, rel=1e-6, abs=1e-9)
        assert step.answer == ("yes", "no")[branch]
        if ">=" in step.question:
            assert (step.margin >= -1e-9) == (branch == 0)
        elif "<=" in step.question:
            assert (step.margin <= 1e-9) == (branch == 0)
    else:
        sums = split.weights @ x + split.bias
        best = sums[branch] - np.delete(sums, branch).max()
        assert step.margin == pytest.approx(best, rel=1e-6, abs=1e-9)
        assert step.margin >= 0.0
    for value, part in zip(step.values, step.parts, strict=True):
        assert value is not None or part == 0.0


def test_frame_has_a_line_for_each_part():
    made = problem("categories")
    explanation = explain(made.model, made.rows[:20])
    frame = explanation.to_frame()
    assert len(frame) == sum(len(step.parts) for steps in explanation.steps for step in steps)
    sums = frame.groupby(["row", "node"]).agg({"part": "sum", "at_mean": "max", "margin": "max"})
    np.testing.assert_allclose(sums["part"] + sums["at_mean"], sums["margin"], atol=1e-9)
    assert set(frame["feature"]) <= set(made.rows.columns)


def test_text_lists_the_largest_parts_and_sums_the_rest():
    frame = pd.DataFrame(
        {"a": [0.0, 1.0, 2.0, 3.0], "color": ["red", "blue", "red", "blue"]},
        index=["p", "q", "r", "s"],
    )
    tree = CARTClassifier(smoothing=0.0).fit(frame, ["no", "no", "yes", "yes"])
    rows = pd.DataFrame({"a": [2.5, np.nan], "color": ["red", "grey"]}, index=["new", "odd"])
    assert explain(tree, rows).to_text() == (
        "row new: class yes (highest probability 1)\n"
        "  node 0: a <= 1.5: no\n"
        "    at the mean of the node  +0\n"
        "    a = 2.5                  +1\n"
        "    from the threshold       +1\n"
        "\n"
        "row odd: class no (highest probability 1)\n"
        "  node 0: a <= 1.5: yes\n"
        "    at the mean of the node  +0\n"
        "    a = missing              +0\n"
        "    from the threshold       +0\n"
    )
    plain = CARTClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    assert explain(plain, [[2.5]]).to_text().startswith("row 0: class yes")
    made = problem("oblique")
    text = explain(made.model, made.rows[:1]).to_text(max_terms=2)
    assert " smaller  " in text


def test_machines_show_the_branch_taken():
    made = problem("linear machines")
    assert isinstance(made.model, LMDTClassifier)
    assert ": branch " in explain(made.model, made.rows[:1]).to_text()


def test_errors():
    with pytest.raises(TypeError, match="explain needs a fitted tree or forest of aslant"):
        explain(DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]), [[0.0]])
    explanation = explain(problem("one leaf").model, problem("one leaf").rows[:2])
    assert explanation.steps == [[], []]
    with pytest.raises(ValueError, match="max_terms must be at least 1, got 0"):
        explanation.to_text(max_terms=0)


def test_every_kind_of_model_is_explained_without_fail():
    for kind in MODELS:
        made = problem(kind)
        if hasattr(made.model, "classes_"):
            assert explain(made.model, made.rows[:5]).to_text()


@pytest.mark.parametrize("leaf", ["mean", "linear"])
def test_numbers_are_explained_by_the_same_paths(leaf):
    X, y = make_friedman1(200, random_state=0)
    model = OC1Regressor(leaf=leaf, max_depth=3, random_state=0).fit(X, y)
    explanation = explain(model, X[:20])
    np.testing.assert_array_equal(explanation.predictions, model.predict(X[:20]))
    assert explanation.probabilities is None
    for row, steps in zip(X, explanation.steps, strict=False):
        path = model.tree_.decision_path(row[np.newaxis]).indices.tolist()
        if leaf == "linear":
            steps, last = steps[:-1], steps[-1]
            assert (last.node, last.is_leaf) == (path[-1], True)
            low, high = model.tree_.leaf_low[last.node], model.tree_.leaf_high[last.node]
            predicted = model.predict(row[np.newaxis])
            np.testing.assert_allclose(np.clip(last.margin, low, high), predicted)
        assert [step.node for step in steps] == path[:-1]
        for step, child in zip(steps, path[1:], strict=True):
            check_step(model.tree_, step, child, row)
    first = explanation.to_text().splitlines()[0]
    assert first == f"row 0: {model.predict(X[:1])[0]:.3g}"
    assert len(explanation.to_frame()) == sum(len(s.parts) for r in explanation.steps for s in r)


def test_a_forest_of_numbers_gives_every_path():
    X, y = make_friedman1(150, random_state=0)
    model = ObliqueRandomForestRegressor(3, random_state=0).fit(X, y)
    explanation = explain(model, X[:5])
    np.testing.assert_array_equal(explanation.predictions, model.predict(X[:5]))
    assert {step.tree for step in explanation.steps[0]} == {0, 1, 2}


def test_distances_are_those_from_the_nearest_hyperplane():
    """Moved along the normal of the nearest test by its distance, a row is on the hyperplane."""
    X, y = load_breast_cancer(return_X_y=True)
    X = (X / X.std(axis=0))[:, :4]
    model = OC1Classifier(random_state=0, restarts=2, max_depth=3, pruning=None).fit(X, y)
    found = explain(model, X[:20])
    for row, steps, distance in zip(X, found.steps, found.distances, strict=False):
        nearest = min(steps, key=lambda step: step.distance)
        assert distance == nearest.distance
        split = model.tree_.split(nearest.node)
        normal = split.coef * model.column_spread_**2
        away = row @ split.coef - split.threshold
        moved = row - normal * away / (split.coef @ normal)
        np.testing.assert_allclose(moved @ split.coef, split.threshold, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm((moved - row) / model.column_spread_), distance)
