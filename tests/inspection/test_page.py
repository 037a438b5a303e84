"""What fits on a page, and what a notebook shows."""

import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest

from aslant import CARTClassifier, CARTRegressor, KDTClassifier, plot_tree
from aslant.inspection.notebook import readable_depth


def large_tree():
    rng = np.random.default_rng(0)
    return CARTClassifier().fit(rng.normal(size=(2000, 3)), rng.integers(0, 4, 2000))


def test_the_depth_is_the_greatest_that_fits():
    tree = large_tree()
    page = (30.0, 15.0)
    depth = readable_depth(tree, page=page)
    assert 0 < depth < tree.get_depth()
    plot_tree(tree, max_depth=depth)
    width, height = plt.gcf().get_size_inches()
    assert width <= page[0] + 0.31 and height <= page[1] + 0.31
    plot_tree(tree, max_depth=depth + 1)
    wider, higher = plt.gcf().get_size_inches()
    assert wider > page[0] or higher > page[1]
    assert readable_depth(CARTClassifier(max_depth=2).fit([[0.0], [1.0]], [0, 1])) == 1


def html(clf):
    return clf._repr_mimebundle_(include=None, exclude=None)["text/html"]


def test_a_fitted_tree_draws_itself_below_its_parameters():
    tree = CARTClassifier()
    assert "<svg" not in html(tree).split("</style>")[-1]
    tree.fit([[0.0], [1.0]], ["<script>", "b"])
    shown = html(tree)
    assert "max_depth" in shown
    assert shown.index("max_depth") < shown.rindex("<svg ")
    assert "<script>alert" not in shown and "class: <script>" not in shown
    assert not plt.get_fignums()  # no window opens for it
    assert "viewBox" not in html(KDTClassifier(n_estimators=2).fit([[0.0], [1.0]], [0, 1]))[-200:]


def test_a_tree_of_numbers_draws_itself_too():
    X = np.arange(40.0)[:, None]
    tree = CARTRegressor(max_depth=2).fit(X, X[:, 0] ** 2)
    html = tree._repr_mimebundle_()["text/html"]
    assert "<svg" in html and readable_depth(tree) == 2


def test_large_trees_are_shown_in_part():
    assert len(html(large_tree())) < 2_000_000


def test_without_matplotlib_a_notebook_shows_text(monkeypatch):
    tree = CARTClassifier().fit([[0.0], [1.0]], ["<b>", "c"])
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    shown = html(tree)
    assert "class: &quot;&lt;b&gt;&quot; (1 of 1)" in shown
    with pytest.raises(ImportError, match=r"needs matplotlib: pip install aslant\[plot\]"):
        readable_depth(tree)
