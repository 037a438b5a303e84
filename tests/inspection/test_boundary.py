"""Regions, rows and hyperplane segments over two features."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from codegen.problems import mixed
from hypothesis import given
from hypothesis import strategies as st
from inspection.hand_built import HandBuilt, classifier, leaf, machine, plane
from matplotlib.colors import to_rgb
from oracles.problems import examples
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from aslant import CARTClassifier, KDTClassifier, OC1Classifier, plot_boundary
from aslant.inspection.plots.boundary import cut, hyperplane_segments
from aslant.inspection.plots.boundary_section import Section
from aslant.inspection.plots.colors import class_colors, tinted

LOW, HIGH = np.array([-2.0, -2.0]), np.array([2.0, 2.0])


def rows(n=80):
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (n, 2)) * [1.0, 100.0]
    return X, np.where(X[:, 0] + X[:, 1] / 100 > 0.2, "up", np.where(X[:, 0] > 0, "right", "down"))


def two_features(root):
    return classifier(root, features=("u", "v"), levels=None)


# ---------------------------------------------------------------------- geometry


def area(polygon):
    x, y = polygon.T
    return 0.5 * abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


@examples(200)
@given(
    normal=st.tuples(st.floats(-5, 5), st.floats(-5, 5)).filter(lambda v: max(map(abs, v)) > 1e-3),
    threshold=st.floats(-10, 10),
)
def test_the_parts_of_a_cut_polygon_make_the_whole(normal, threshold):
    region = np.array([[-2.0, -1.0], [1.0, -2.0], [2.0, 1.5], [0.0, 2.0]])
    normal = np.array(normal)
    inside, outside, crossings = cut(region, normal, threshold)
    parts = sum(area(part) for part in (inside, outside) if len(part))
    assert parts == pytest.approx(area(region))
    tolerance = 1e-9 * (1 + abs(threshold))
    assert all(inside @ normal <= threshold + tolerance)
    assert all(outside @ normal >= threshold - tolerance)
    np.testing.assert_allclose(crossings @ normal, threshold, atol=1e-9)


def test_a_line_through_corners():
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    inside, outside, crossings = cut(square, np.array([1.0, -1.0]), 0.0)
    assert crossings.tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert area(inside) == area(outside) == 0.5


def test_segments_end_where_the_hyperplanes_above_cut_them():
    inner = plane({0: 1.0}, 0.5, leaf(1, 0), leaf(0, 1))
    clf = two_features(plane({0: 1.0, 1: 1.0}, 0.0, inner, leaf(0, 1)))
    (root, whole), (child, part) = hyperplane_segments(clf.tree_, LOW, HIGH)
    assert (root, child) == (0, 1)
    assert sorted(whole.tolist()) == [[-2.0, 2.0], [2.0, -2.0]]
    assert sorted(part.tolist()) == [[0.5, -2.0], [0.5, -0.5]]


def test_every_segment_separates_the_children_of_its_node():
    X, y = rows(200)
    tree = OC1Classifier(random_state=0, pruning=None).fit(X, y).tree_
    segments = hyperplane_segments(tree, X.min(axis=0), X.max(axis=0))
    assert len(segments) >= 2
    for node, (start, end) in segments:
        split = tree.split(node)
        step = 1e-6 * split.coef / np.abs(split.coef).sum() * [1.0, 100.0]
        middle = (start + end) / 2
        for side, child in ((-1.0, 0), (1.0, 1)):
            path = tree.decision_path((middle + side * step)[np.newaxis]).toarray()[0]
            assert path[node] == 1
            assert path[tree.children[node, child]] == 1


def test_hyperplanes_outside_the_picture_are_left_out():
    inner = plane({0: 1.0}, 0.5, leaf(1, 0), leaf(0, 1))
    clf = two_features(plane({0: 1.0}, 9.0, leaf(1, 0), inner))
    assert hyperplane_segments(clf.tree_, LOW, HIGH) == []


# ---------------------------------------------------------------------- picture


def region_colors(ax):
    return ax.images[0].get_array()


def test_regions_show_what_is_predicted_and_segments_are_drawn():
    X, y = rows()
    clf = CARTClassifier(max_depth=2).fit(X, y)
    ax = plot_boundary(clf, X, y, resolution=40)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    centres = (np.arange(40) + 0.5) / 40
    across, up = left + centres * (right - left), bottom + centres * (top - bottom)
    grid = [[x, y] for y in up for x in across]
    codes = np.searchsorted(clf.classes_, clf.predict(grid))
    expected = np.array([tinted(color, 0.35) for color in class_colors(3)])[codes]
    np.testing.assert_allclose(region_colors(ax).reshape(-1, 3), expected)
    assert len(ax.lines) == clf.get_n_leaves() - 1
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x0", "x1")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["down", "right", "up"]
    ax.figure.canvas.draw()


def test_rows_are_drawn_in_the_color_of_their_class():
    X, y = rows()
    X[3, 0] = np.nan
    ax = plot_boundary(CARTClassifier().fit(X, y), X, y, resolution=10)
    offsets = [np.ma.filled(points.get_offsets(), np.nan) for points in ax.collections]
    drawn = np.vstack(offsets)
    assert np.isfinite(drawn).all(axis=1).sum() == len(X) - 1
    colors = [to_rgb(points.get_facecolor()[0]) for points in ax.collections]
    np.testing.assert_allclose(colors, class_colors(3))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_data_frames_keep_their_names(frame):
    X, y = rows()
    named = frame({"width": X[:, 0], "height": X[:, 1]})
    ax = plot_boundary(CARTClassifier().fit(named, y), named, y, resolution=10)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("width", "height")


def test_given_axes_are_used():
    X, y = rows()
    _, axes = plt.subplots(1, 2)
    assert plot_boundary(CARTClassifier().fit(X, y), X, y, ax=axes[1], resolution=5) is axes[1]


@pytest.mark.parametrize(
    "clf", [KDTClassifier(n_estimators=2, random_state=0), LogisticRegression()]
)
def test_other_classifiers_show_regions_only(clf):
    X, y = rows()
    ax = plot_boundary(clf.fit(X / [1.0, 100.0], y), X / [1.0, 100.0], y, resolution=10)
    assert len(ax.images) == 1
    assert len(ax.lines) == 0


def test_linear_machines_show_regions_only():
    below = plane({0: 1.0}, 0.0, leaf(1, 0), leaf(0, 1))
    clf = two_features(machine([{0: 1.0}, {1: 1.0}], [0.0, 0.0], leaf(1, 0), below))
    ax = plot_boundary(clf, [[-1.0, 0.0], [1.0, 1.0]], ["a", "b"], resolution=10)
    assert len(ax.lines) == 0


def test_all_rows_at_one_place():
    clf = two_features(leaf(1, 0))
    ax = plot_boundary(clf, [[1.0, 2.0]], ["a"], resolution=5)
    assert ax.get_xlim() == (0.5, 1.5)


# ---------------------------------------------------------------------- errors


def test_wrong_input_is_named():
    X, y = rows()
    clf = CARTClassifier().fit(X, y)
    with pytest.raises(NotFittedError):
        plot_boundary(CARTClassifier(), X, y)
    with pytest.raises(ValueError, match="X with the 2 features of the classifier, got 3"):
        plot_boundary(clf, np.column_stack([X, X[:, 0]]), y)
    three = CARTClassifier().fit(np.column_stack([X, X[:, 0]]), y)
    with pytest.raises(ValueError, match="X with the 3 features of the classifier, got 2"):
        plot_boundary(three, X, y)
    with pytest.raises(ValueError, match="one y for each row of X, got 79 for 80"):
        plot_boundary(clf, X, y[1:])
    with pytest.raises(ValueError, match="classes that the model knows, got 'new'"):
        plot_boundary(clf, X, ["new"] * len(X))
    with pytest.raises(ValueError, match="resolution must be between 2 and 10000, got 1"):
        plot_boundary(clf, X, y, resolution=1)
    with pytest.raises(ValueError, match="at least one row of X without missing values"):
        plot_boundary(clf, X[:1] * np.nan, y[:1])


def test_categories_are_refused():
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0], "color": ["red", "blue", "red"]})
    clf = CARTClassifier().fit(frame, [0, 1, 0])
    with pytest.raises(ValueError, match="two numeric features, but 'color' is a category"):
        plot_boundary(clf, frame, [0, 1, 0])
    with pytest.raises(ValueError, match="two numeric features, got 'u' and 'v'"):
        plot_boundary(HandBuilt().fit(leaf(1, 0), features=("u", "v"), levels=None), frame, "aba")


# ---------------------------------------------------------------------- more than two features


def test_a_section_of_more_features():
    """In the section a hyperplane lies where the classifier changes its mind."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = X @ [1.0, 0.5, -1.0, 0.3] > 0.2
    clf = OC1Classifier(random_state=0, restarts=2, max_depth=1, pruning=None).fit(X, y)
    ax = plot_boundary(clf, X, y, features=(2, 0), at=7, resolution=20)
    (line,) = ax.lines
    points = np.array(line.get_data()).T
    rows = np.tile(X[7], (2, 1))
    rows[:, [2, 0]] = points
    sums = rows @ clf.tree_.split(0).coef
    np.testing.assert_allclose(sums, clf.tree_.split(0).threshold, atol=1e-9)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x2", "x0")


def test_other_features_have_typical_values():
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0], "color": list("rrrb"), "c": [3.0, 1, 2, 0]})
    frame["d"] = [5.0, np.nan, 6.0, 7.0]
    section = Section(CARTClassifier().fit(frame, list("ppqq")), frame, ("a", "c"), None)
    rows = section.rows(np.array([[0.5, 1.5]]))
    assert rows.to_dict("records") == [{"a": 0.5, "color": "r", "c": 1.5, "d": 6.0}]
    other = Section(CARTClassifier().fit(frame, list("ppqq")), frame, (0, "c"), 3)
    assert other.rows(np.array([[0.5, 1.5]]))["color"].tolist() == ["b"]


def test_categories_and_missing_values_in_the_section():
    X, y = mixed(200, 3, ["red", "blue"])
    clf = OC1Classifier(random_state=0, restarts=1).fit(X, y)
    ax = plot_boundary(clf, X, y, features=("age", "3"), at=0, resolution=20)
    ax.figure.canvas.draw()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "draws two of the 3 features: choose them with features"),
        ({"features": (0,)}, "features must hold two names or numbers"),
        ({"features": (0, 0)}, "two different features"),
        ({"features": ("a", "b")}, "features must name features of X, got 'a'"),
        ({"features": (0, 3)}, "features must be between 0 and 2, got 3"),
        ({"features": (0, 1), "at": 2}, "at must be between 0 and 1, got 2"),
    ],
)
def test_wrong_sections_are_named(options, message):
    X, y = [[0.0, 1, 2], [1.0, 2, 0]], [0, 1]
    with pytest.raises(ValueError, match=message):
        plot_boundary(CARTClassifier().fit(X, y), X, y, **options)
