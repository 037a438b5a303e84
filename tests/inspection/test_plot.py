"""The picture of a tree: nothing overlaps, everything is there, and the layout is tidy."""

import sys
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspection.hand_built import AGE, BMI, GREEN, RED, classifier, leaf, machine, plane
from matplotlib.text import Text
from oracles.problems import examples
from sklearn.datasets import load_breast_cancer

from aslant import AutoTreeClassifier, KDTClassifier, OC1Classifier, plot_tree
from aslant.inspection.plots.layout import Size, tidy_layout


def boxes(artists):
    """Return the outlines, in pixels, of the boxes of nodes, and of the answers on the edges."""
    figure = artists[0].figure
    figure.canvas.draw()
    texts = [artist for artist in artists if isinstance(artist, Text)]
    return [text.get_bbox_patch().get_window_extent() for text in texts]


def assert_readable(artists):
    outlines = boxes(artists)
    for one, other in combinations(outlines, 2):
        assert not (
            min(one.x1, other.x1) > max(one.x0, other.x0)
            and min(one.y1, other.y1) > max(one.y0, other.y0)
        )
    area = artists[0].axes.get_window_extent()
    for box in outlines:
        assert area.x0 <= box.x0 and box.x1 <= area.x1
        assert area.y0 <= box.y0 and box.y1 <= area.y1


def small_tree():
    levels = machine([{RED: 1.0}, {GREEN: 1.0}], [0.0, 0.1], leaf(2, 0), leaf(0, 2))
    return plane({AGE: 0.8, BMI: -1.2}, 3.1, leaf(3, 1), levels)


def test_texts_of_a_small_tree():
    artists = plot_tree(classifier(small_tree()), style="formula")
    assert [artist.get_text() for artist in artists if isinstance(artist, Text)] == [
        "1.2*bmi - 0.8*age >= -3.1",
        "class: a\n3 of 4",
        "color",
        "class: a\n2 of 2",
        "class: b\n2 of 2",
        "yes",
        "no",
        "= red",
        "= green, any other",
    ]
    assert_readable(artists)


def cancer_tree(n_features, **settings):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X.iloc[::2, :n_features]
    return OC1Classifier(random_state=0, restarts=2, pruning=None, **settings).fit(X, y[::2])


@pytest.mark.parametrize("n_leaves", [2, 5, 15])
def test_long_formulas_do_not_overlap(n_leaves):
    assert_readable(plot_tree(cancer_tree(10, max_leaf_nodes=n_leaves)))


def test_letters_shrink_to_fit_given_axes():
    _, axes = plt.subplots(1, 2, figsize=(12, 5))
    artists = plot_tree(cancer_tree(10, max_leaf_nodes=12), ax=axes[1])
    assert {artist.axes for artist in artists} == {axes[1]}
    assert artists[0].get_fontsize() < 9
    assert_readable(artists)


def test_a_single_leaf_and_a_machine_of_many_branches():
    assert_readable(plot_tree(classifier(leaf(3, 1))))
    rows = [{AGE: 1.0 * k, BMI: -k} for k in range(1, 8)]
    assert_readable(plot_tree(classifier(machine(rows, [0.5] * 7, *[leaf(1, 0)] * 7))))


def test_long_levels_on_the_edges_do_not_overlap():
    clf = classifier(small_tree(), levels=["r" * 40, "b", "g" * 60])
    assert_readable(plot_tree(clf))


def test_options_reach_the_picture():
    artists = plot_tree(
        classifier(small_tree()),
        digits=1,
        drop=0.9,
        max_depth=1,
        class_names=["good", "bad"],
        feature_names=["p", "q", "r"],
        fontsize=12,
    )
    shown = [artist.get_text() for artist in artists if isinstance(artist, Text)]
    assert shown[:3] == [
        "q\n+ 1 smaller\n>= -3",
        "class: good\n3 of 4\n",
        "class: good\n2 of 4\n... 2 more leaves\n",
    ]
    assert artists[0].get_fontsize() == pytest.approx(12)


def test_dollar_signs_are_not_formulas():
    artists = plot_tree(classifier(leaf(1, 0), classes=("$x", "$y^{")))
    assert_readable(artists)  # draws: matplotlib would fail on "$y^{" as a formula
    assert artists[0].get_text() == "class: $x\n1 of 1\n"


def test_errors():
    with pytest.raises(ValueError, match="fontsize must be between 1 and 200, got 0"):
        plot_tree(classifier(leaf(1, 0)), fontsize=0)
    forest = KDTClassifier(n_estimators=2, random_state=0).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match="plot_tree shows one tree, and KDTClassifier holds 2"):
        plot_tree(forest)


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"needs matplotlib: pip install aslant\[plot\]"):
        plot_tree(classifier(leaf(1, 0)))


# ---------------------------------------------------------------------- layout


@st.composite
def drawn_trees(draw):
    """A random tree in preorder with random boxes: children, depths, sizes."""
    children, depth, size = {}, {}, {}

    def grow(level):
        node = len(depth)
        depth[node] = level
        children[node] = []
        size[node] = Size(draw(st.floats(0.1, 5.0)), draw(st.floats(0.1, 3.0)))
        if level < 4 and draw(st.booleans()):
            children[node] = [grow(level + 1) for _ in range(draw(st.integers(2, 4)))]
        return node

    grow(0)
    return dict(sorted(children.items())), depth, size


@examples(100)
@given(drawn_trees())
def test_layout_is_tidy(tree):
    children, depth, size = tree
    layout = tidy_layout(children, depth, size, row_gap=0.5)
    leaves = [layout.centre[node] for node, below in children.items() if not below]
    np.testing.assert_allclose(np.diff(leaves, 2), 0.0, atol=1e-9)
    for node, below in children.items():
        if below:
            middle = (layout.centre[below[0]] + layout.centre[below[-1]]) / 2
            assert layout.centre[node] == pytest.approx(middle)
            assert layout.top[node] - size[node].height >= layout.top[below[0]] + 0.5 - 1e-9
        assert layout.centre[node] - size[node].width / 2 >= -1e-9
        assert layout.centre[node] + size[node].width / 2 <= layout.size.width + 1e-9
    for one, other in combinations(children, 2):
        if depth[one] == depth[other]:
            apart = abs(layout.centre[other] - layout.centre[one])
            assert apart >= (size[one].width + size[other].width) / 2 - 1e-9


def test_the_remark_below_a_small_tree_is_inside_the_figure():
    """In a notebook the remark was cut where it was wider than the tree."""
    X = np.random.default_rng(0).normal(size=(80, 1))
    model = AutoTreeClassifier(random_state=0, effort="low", leaf="constant").fit(X, X[:, 0] > 0)
    for depth in (None, 0):
        artists = plot_tree(model, max_depth=depth)
        figure = artists[0].figure
        figure.canvas.draw()
        (remark,) = [text for text in figure.axes[0].texts if "soft" in text.get_text()]
        inside, outside = remark.get_window_extent(), figure.bbox
        assert outside.x0 <= inside.x0 and inside.x1 <= outside.x1
        assert outside.y0 <= inside.y0 and inside.y1 <= outside.y1
        boxes = [one.get_window_extent() for one in artists if isinstance(one, Text)]
        assert not any(inside.overlaps(box) for box in boxes)
        plt.close(figure)
