"""The text of a tree: every kind of test, names, rounding, and what is left out."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspection.hand_built import (
    AGE,
    BLUE,
    BMI,
    COLORS,
    GREEN,
    RED,
    classifier,
    leaf,
    machine,
    plane,
)
from inspection.text_reader import classify, read
from oracles.problems import examples
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from aslant import (
    AutoTreeClassifier,
    C45Classifier,
    CARTClassifier,
    KDTClassifier,
    ObliqueDecisionTreeClassifier,
    OC1Classifier,
    export_code,
    export_text,
    load,
    save,
)
from aslant.search import LinearMachineSplit, SplitSearch
from aslant.tree import Tree


def every_kind_of_test():
    """A tree with one test of every kind."""
    subset = plane({RED: -1.0, BLUE: -1.0}, -0.5, leaf(5, 0), leaf(1, 3.25))
    outside = plane({GREEN: 1.0}, 0.5, leaf(2, 0), leaf(0, 2))
    levels = machine([{RED: 1.0}, {GREEN: 1.0}], [0.01, 0.05], outside, leaf(0, 4))
    linear = machine(
        [{AGE: 0.3, BMI: -0.25}, {AGE: -1.0}, {}], [-0.5, 0.0, 0.125], levels, subset, leaf(9, 1)
    )
    mixed = plane({AGE: 0.8, BMI: -1.2, RED: 0.7}, 3.1, leaf(1, 0), leaf(0, 1))
    return plane({BMI: 1.0}, 2.45, plane({AGE: -2.0}, 7.0, mixed, leaf(2, 2)), linear)


def test_every_kind_of_test():
    assert export_text(classifier(every_kind_of_test())) == (
        "bmi <= 2.45\n"
        "|-- yes -> age >= -3.5\n"
        "|   |-- yes -> 1.2*bmi - 0.8*age - 0.7*[color=red] >= -3.1\n"
        "|   |   |-- yes -> class: a (weight 1 of 1)\n"
        "|   |   `-- no -> class: b (weight 1 of 1)\n"
        "|   `-- no -> class: a (weight 2 of 4)\n"
        "`-- no -> branch of the largest value\n"
        "    |-- branch 0: 0.3*age - 0.25*bmi - 0.5 -> branch by color\n"
        "    |   |-- color = red -> color not in {green}\n"
        "    |   |   |-- yes -> class: a (weight 2 of 2)\n"
        "    |   |   `-- no -> class: b (weight 2 of 2)\n"
        "    |   `-- color = green, any other -> class: b (weight 4 of 4)\n"
        "    |-- branch 1: -age -> color in {red, blue}\n"
        "    |   |-- yes -> class: a (weight 5 of 5)\n"
        "    |   `-- no -> class: b (weight 3.25 of 4.25)\n"
        "    `-- branch 2: 0.125 -> class: a (weight 9 of 10)\n"
    )


def test_weights_and_names():
    clf = classifier(plane({AGE: 1.0}, 0.5, leaf(1, 2_000_000), leaf(1 / 3, 0)))
    text = export_text(
        clf, show_weights=True, class_names=["ill", "well"], feature_names=["p", "q", "r"]
    )
    assert text == (
        "p <= 0.5\n"
        "|-- yes -> class: well (weight 2000000 of 2000001) weights: ill 1, well 2000000\n"
        "`-- no -> class: ill (weight 0.333 of 0.333) weights: ill 0.333, well 0\n"
    )


def test_depth_limit_counts_what_it_hides():
    text = export_text(classifier(every_kind_of_test()), max_depth=1)
    assert text == (
        "bmi <= 2.45\n"
        "|-- yes -> class: a (weight 3 of 6) ... 3 more leaves\n"
        "`-- no -> class: a (weight 17 of 27.2) ... 6 more leaves\n"
    )
    assert export_text(classifier(leaf(1, 0)), max_depth=0) == "class: a (1 of 1)\n"


def question(root, **options):
    return export_text(classifier(root), **options).splitlines()[0]


def test_dropped_terms_are_counted():
    root = plane({AGE: 1.0, BMI: -0.1, RED: 0.5}, 2.0, leaf(1, 0), leaf(0, 1))
    assert question(root) == "age + 0.5*[color=red] - 0.1*bmi <= 2"
    assert question(root, drop=0.1) == "age + 0.5*[color=red] - 0.1*bmi <= 2"
    assert question(root, drop=0.2) == "age + 0.5*[color=red] + 1 smaller <= 2"
    assert question(root, drop=1.0) == "age + 2 smaller <= 2"
    assert question(root, max_terms=2) == "age + 0.5*[color=red] + 1 smaller <= 2"


def with_spread(root, *spread):
    clf = classifier(root)
    clf.column_spread_ = np.array(spread)
    return clf


def test_terms_are_compared_by_what_they_contribute():
    """A small coefficient of a feature with a wide spread is the most important one."""
    root = plane({AGE: 1.0, BMI: -0.01, RED: 2.0}, -5.0, leaf(1, 0), leaf(0, 1))
    clf = with_spread(root, 1.0, 1000.0, 0.1, 0.0, 0.0)
    first = "0.01*bmi - age - 2*[color=red] >= 5"
    assert export_text(clf).splitlines()[0] == first
    assert export_text(clf, drop=0.1).splitlines()[0] == "0.01*bmi - age + 1 smaller >= 5"
    assert export_text(clf, max_terms=1).splitlines()[0] == "0.01*bmi + 2 smaller >= 5"


@pytest.mark.parametrize("width", [40, 60, 100])
def test_lines_are_as_long_as_asked(width):
    names = [f"feature number {j}" for j in range(30)]
    root = plane({j: 1.0 + j for j in range(30)}, 2.0, leaf(1, 0), leaf(0, 1))
    clf = classifier(root, features=names, levels=None)
    first = export_text(clf, width=width).splitlines()[0]
    assert len(first) <= max(width, 60) and first.startswith("30*feature number 29")
    shown = first.count("*")
    assert f"+ {30 - shown} smaller <= 2" in first
    assert "smaller" not in export_text(clf, width=None)


def test_few_digits_keep_every_row_on_its_side():
    X, y = load_breast_cancer(return_X_y=True)
    clf = OC1Classifier(random_state=0, restarts=2, pruning=None).fit(X, y)
    tree = read(export_text(clf, X=X, width=None))
    rows = [{f"x{j}": value for j, value in enumerate(row)} for row in X.tolist()]
    expected = clf.predict(X).astype(str).tolist()
    assert [classify(tree, row) for row in rows] == expected
    rough = read(export_text(clf, digits=2, width=None))
    assert [classify(rough, row) for row in rows] != expected
    full = export_text(clf, digits=17, width=None)
    assert len(export_text(clf, X=X, width=None)) < 0.8 * len(full)


def test_a_loaded_model_knows_the_deviations(tmp_path):
    new = OC1Classifier(random_state=0).fit([[0.0, 5.0], [1.0, 1.0], [2.0, 3.0]], [0, 1, 1])
    save(new, tmp_path / "new.aslant")
    loaded = load(tmp_path / "new.aslant")
    np.testing.assert_array_equal(loaded.column_spread_, new.column_spread_)
    assert loaded.n_samples_fit_ == 3


def test_rows_held_out_are_explained():
    X, y = load_breast_cancer(return_X_y=True)
    clf = OC1Classifier(random_state=0, restarts=1).fit(X, y)
    held_out = len(X) - clf.tree_.n_node_samples[0]
    assert held_out > 0
    assert export_text(clf).endswith(f"\n({held_out} more rows were held out for pruning.)\n")
    assert "held out" not in export_text(clf.set_params(pruning=None).fit(X, y))


def test_dropping_compares_all_branches_of_a_machine():
    root = machine([{AGE: 4.0}, {AGE: 0.1, BMI: 2.0}, {BMI: 0.1}], [0, 0, 7], *[leaf(1, 0)] * 3)
    lines = export_text(classifier(root), drop=0.5).splitlines()
    assert [line.split(" -> ")[0][4:] for line in lines[1:]] == [
        "branch 0: 4*age",
        "branch 1: 2*bmi + 1 smaller",
        "branch 2: 1 smaller + 7",
    ]


@pytest.mark.parametrize(
    ("threshold", "digits", "text"),
    [
        (2.4567, 3, "2.46"),
        (2.4567, 17, "2.4567"),
        (1987.5, 2, "1987.5"),  # between two whole numbers
        (1987.3, 2, "1987"),
        (250000.0, 3, "250000"),
        (2_512_345.0, 3, "2.51e+06"),
        (-0.000012345, 2, "-1.2e-05"),
        (0.0, 3, "0"),
        (-0.0, 3, "0"),
    ],
)
def test_rounding(threshold, digits, text):
    root = plane({AGE: 1.0}, threshold, leaf(1, 0), leaf(0, 1))
    assert question(root, digits=digits) == f"age <= {text}"


def test_coefficients_that_round_to_one_and_tests_without_terms():
    assert question(plane({AGE: 1.0004, BMI: -1.0}, 1, leaf(1, 0), leaf(0, 1))) == "age - bmi <= 1"
    assert question(plane({AGE: 0.0}, 1.0, leaf(1, 0), leaf(0, 1))) == "0 <= 1"


# ---------------------------------------------------------------------- it says what the tree does


@examples(200)
@given(
    coefs=st.lists(st.integers(-2, 2).map(float), min_size=3, max_size=3),
    threshold=st.integers(-3, 2).map(lambda k: k + 0.5),
)
def test_a_test_of_one_category_names_exactly_its_levels(coefs, threshold):
    root = plane(
        dict(zip([RED, BLUE, GREEN], coefs, strict=True)), threshold, leaf(1, 0), leaf(0, 1)
    )
    assert_text_agrees(classifier(root))


@examples(200)
@given(
    coefs=st.lists(st.integers(-2, 2).map(float), min_size=9, max_size=9),
    bias=st.lists(st.integers(-2, 2).map(lambda k: k + 0.25), min_size=3, max_size=3),
)
def test_a_machine_of_one_category_names_the_levels_of_each_branch(coefs, bias):
    rows = [dict(zip([RED, BLUE, GREEN], coefs[k : k + 3], strict=True)) for k in (0, 3, 6)]
    root = machine(rows, bias, leaf(1, 0, 0), leaf(0, 1, 0), leaf(0, 0, 1))
    assert_text_agrees(classifier(root, classes=("a", "b", "c")))


def assert_text_agrees(clf):
    tree = read(export_text(clf, digits=17, width=None))
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(30, 2)), np.arange(30) % 3])
    for row, predicted in zip(X, clf.predict(X), strict=True):
        named = {"age": row[0], "bmi": row[1], "color": COLORS[int(row[2])]}
        assert classify(tree, named) == predicted


def mixed_frame(n=150):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "petal length (cm)": rng.normal(size=n),
            "a - b": 1e4 * rng.normal(size=n),
            "color": rng.choice(["red", "blue", "green", "grey"], n),
            "3": rng.normal(size=n),
        }
    )
    slope = frame["petal length (cm)"] + frame["a - b"] / 1e4 + (frame["color"] == "red")
    return frame, np.where(slope > 0.3, "up", np.where(frame["color"] == "blue", "blue", "down"))


class NearestMean(SplitSearch):
    """A linear machine: the class with the nearest mean."""

    def find(self, node, rng):
        classes = np.flatnonzero(node.class_weight)
        means = np.array([node.X[node.y == k].mean(axis=0) for k in classes])
        return LinearMachineSplit(means, -0.5 * np.sum(means**2, axis=1))


@pytest.mark.parametrize(
    "clf",
    [
        CARTClassifier(),
        C45Classifier(),
        OC1Classifier(random_state=0, restarts=3),
        ObliqueDecisionTreeClassifier(search=NearestMean(), max_depth=2),
    ],
    ids=lambda clf: type(clf).__name__,
)
def test_reading_the_text_classifies_as_the_tree_does(clf):
    X, y = mixed_frame()
    clf.fit(X, y)
    tree = read(export_text(clf, digits=17, width=None))
    assert [classify(tree, row) for row in X.to_dict("records")] == clf.predict(X).tolist()


# ---------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("petal length (cm)", "petal length (cm)"),
        ("petal-length", "petal-length"),
        ("größe", "größe"),
        ("a - b", '"a - b"'),
        ("2*a", '"2*a"'),
        ("a<=3", '"a<=3"'),
        ('say "x"', '"say \\"x\\""'),
        ("two\nlines", '"two\\nlines"'),
        ("-a", '"-a"'),
        ("1e3", '"1e3"'),
        ("", '""'),
        (" a", '" a"'),
    ],
)
def test_feature_names_that_look_like_formulas_are_quoted(name, printed):
    root = plane({AGE: 1.0}, 2.5, leaf(1, 0), leaf(0, 1))
    clf = classifier(root, features=(name, "bmi", "color"))
    assert export_text(clf).splitlines()[0] == f"{printed} <= 2.5"


def test_features_of_the_same_name_are_told_apart():
    root = plane({AGE: 1.0, BMI: 2.0}, 2.5, leaf(1, 0), leaf(0, 1))
    clf = classifier(root, features=("a", "a", "color"))
    assert export_text(clf).splitlines()[0] == "2*a (column 1) + a (column 0) <= 2.5"


def test_labels_that_look_alike_or_contain_commas_are_told_apart():
    root = plane({RED: -1.0, BLUE: -1.0}, -0.5, leaf(1, 0), leaf(0, 1))
    clf = classifier(root, levels=[1, "1", "a, b"], classes=("x, y", "z"))
    assert export_text(clf) == (
        'color in {1, "1"}\n|-- yes -> class: "x, y" (1 of 1)\n`-- no -> class: z (1 of 1)\n'
    )


# ---------------------------------------------------------------------- errors


def test_deep_trees_need_no_recursion():
    root = leaf(1, 0)
    clf = classifier(root)
    depth = 3000
    n_nodes = 2 * depth + 1
    children = np.full((n_nodes, 2), -1)
    children[0 : 2 * depth : 2] = np.arange(1, 2 * depth, 2)[:, None] + [0, 1]
    is_test = np.arange(n_nodes) % 2 == 0
    is_test[-1] = False
    clf.tree_ = type(clf.tree_)(
        n_features=3,
        children=children,
        value=np.ones((n_nodes, 2)),
        n_node_samples=np.ones(n_nodes),
        impurity=np.zeros(n_nodes),
        row_start=np.concatenate([[0], np.cumsum(is_test)]),
        coef_start=np.arange(depth + 1),
        coef_column=np.zeros(depth),
        coef_value=np.ones(depth),
        coef_fill=np.zeros(depth),
        offset=np.arange(depth),
        column_feature=[0, 1, 2, 2, 2],
        column_level=[-1, -1, 0, 1, 2],
    )
    assert export_text(clf).count("\n") == n_nodes


def test_unfitted_and_other_estimators_are_refused():
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(NotFittedError):
        export_text(CARTClassifier())
    with pytest.raises(TypeError, match="KDTClassifier holds 2: pass one of its estimators_"):
        export_text(KDTClassifier(n_estimators=2, random_state=0).fit(X, y))
    with pytest.raises(TypeError, match="ends in one, got Decision"):
        export_text(DecisionTreeClassifier().fit(X, y))


def test_the_trees_of_an_ensemble_can_be_exported():
    forest = KDTClassifier(n_estimators=2, random_state=0).fit([[0.0], [1.0]], [0, 1])
    for member in forest.estimators_:
        tree = read(export_text(member, digits=17, width=None))
        assert [classify(tree, {"x0": x}) for x in (0.0, 1.0)] == ["0", "1"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_terms": 0}, "max_terms must be at least 1, got 0"),
        ({"width": 10}, "width must be at least 20, got 10"),
        ({"digits": 0}, "digits must be between 1 and 17, got 0"),
        ({"digits": 2.5}, "digits must be an integer, got 2.5"),
        ({"drop": -0.1}, "drop must be between 0 and 1, got -0.1"),
        ({"max_depth": -1}, "max_depth must be at least 0, got -1"),
        ({"class_names": ["one"]}, "class_names must hold 2 names, got 1"),
        ({"feature_names": "abc"}, "feature_names must hold 3 names, got a string"),
        ({"show_weights": "yes"}, "show_weights must be True or False, got 'yes'"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        export_text(classifier(leaf(1, 0)), **options)


@pytest.mark.filterwarnings("ignore::aslant.DataWarning")
def test_no_remark_on_gates_under_a_tree_without_a_test():
    X = np.zeros((60, 2))
    model = AutoTreeClassifier(random_state=0, effort="low").fit(X, np.arange(60) % 3 == 0)
    assert not model.is_soft_
    assert "soft" not in export_text(model)
    assert "are soft" not in export_code(model, "markdown")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("missing", ["node_mean", "indicator"])
def test_the_text_says_where_missing_values_go(seed, missing):
    """Values are missing where the class tells, so tests divide on missingness."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(np.round(rng.normal(size=(300, 3)), 1), columns=["a", "lab", "c"])
    X["color"] = rng.choice(["red", "green", "blue"], 300)
    y = np.where((X["a"] > 0) ^ (X["color"] == "red"), "p", "q")
    X.loc[(rng.random(300) < 0.5) & (y == "p"), "lab"] = np.nan
    X.loc[rng.random(300) < 0.2, "color"] = None
    tree = CARTClassifier(missing=missing, max_depth=5).fit(X, y)
    text = export_text(tree, digits=17)
    assert "(missing: " in text
    root = read(text)
    records = X.astype(object).where(X.notna(), None).to_dict("records")
    assert [classify(root, row) for row in records] == tree.predict(X).tolist()


def test_a_test_that_only_missing_values_fail_says_so():
    X = np.array([[0.0], [1.0], [3.0], [np.nan], [np.nan]])
    fitted = CARTClassifier(missing="node_mean").fit(X, [0, 1, 0, 1, 1])
    tree = Tree(
        n_features=1,
        children=[[1, 2], [-1, -1], [3, 4], [-1, -1], [-1, -1]],
        value=[[3, 2], [2, 0], [1, 2], [1, 0], [0, 2]],
        n_node_samples=[5, 2, 3, 1, 2],
        impurity=np.zeros(5),
        row_start=[0, 1, 1, 2, 2, 2],
        coef_start=[0, 1, 2],
        coef_column=[0, 0],
        coef_value=[-1.0, 1.0],
        coef_fill=[2.6, 2.6],
        offset=[-3.0, 2.0],
        column_feature=[0],
        column_level=[-1],
    )
    fitted.tree_ = tree
    assert export_text(fitted).splitlines()[2] == "`-- no -> x0 <= 2 (missing: no)"
    arrays = tree.arrays() | {"offset": [-3.0, 3.5], "coef_fill": [2.6, 4.0]}
    fitted.tree_ = Tree(n_features=1, **arrays)
    assert export_text(fitted).splitlines()[2] == "`-- no -> x0 is not missing"
    assert "(2) x0 is missing" in export_code(fitted, "rules")
