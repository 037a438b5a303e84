"""The picture of a test: every row at the node in a bar, on its side of the threshold."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from codegen.problems import classes_of, mixed, numbers, problem
from inspection.hand_built import classifier, leaf

from aslant import C45Classifier, CARTClassifier, OC1Classifier, plot_test


def bars(ax):
    return [(bar.get_x(), bar.get_width(), bar.get_height()) for bar in ax.patches]


def test_bars_hold_the_rows_of_both_sides():
    X = numbers(400, 1)
    y = classes_of(X, 3)
    model = OC1Classifier(random_state=0, restarts=2, pruning=None).fit(X, y)
    ax = plot_test(model, 0, X, y, bins=25)
    threshold = ax.lines[0].get_xdata()[0]
    left = sum(h for x, w, h in bars(ax) if x + w / 2 < threshold)
    right = sum(h for x, w, h in bars(ax) if x + w / 2 > threshold)
    children = model.tree_.n_node_samples[model.tree_.children[0]].tolist()
    texts = [text.get_text() for text in ax.texts]
    assert [left, right] == (children if texts[0].startswith("yes") else children[::-1])
    assert len(ax.get_legend().get_texts()) == 3
    assert "smaller (threshold " in ax.get_xlabel().replace("\n", " ")


def test_only_rows_at_the_node_are_drawn():
    X = numbers(400, 1)
    y = classes_of(X, 3)
    model = CARTClassifier(max_depth=3).fit(X, y)
    node = int(model.tree_.children[0, 1])
    assert not model.tree_.is_leaf[node]
    ax = plot_test(model, node, X, y, ax=plt.figure().subplots())
    assert sum(h for *_, h in bars(ax)) == model.tree_.n_node_samples[node]


def test_categories_and_machines_show_branches():
    X, y = mixed(400, 3, ["red", "blue", "green"])
    tree = C45Classifier().fit(X, y)
    by_level = [
        node
        for node in np.flatnonzero(~tree.tree_.is_leaf)
        if (tree.tree_.children[node] >= 0).sum() > 2
    ]
    ax = plot_test(tree, int(by_level[0]), X, y)
    assert len(ax.get_xticks()) == (tree.tree_.children[by_level[0]] >= 0).sum()
    made = problem("linear machines")
    rows = numbers(300, 7)
    ax = plot_test(made.model, 0, rows, classes_of(rows, 4))
    assert sum(h for *_, h in bars(ax)) == 300


def test_errors():
    X, y = [[0.0, 0, 0], [1.0, 0, 0]], ["a", "b"]
    model = CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match="node must be between 0 and 2, got 3"):
        plot_test(model, 3, X, y)
    with pytest.raises(ValueError, match="but node 1 is a leaf"):
        plot_test(model, 1, X, y)
    deep = CARTClassifier().fit([[0.0], [1.0], [2.0]], ["a", "b", "a"])
    with pytest.raises(ValueError, match="needs rows that reach node 2, got none"):
        plot_test(deep, 2, [[0.0]], ["a"])
    with pytest.raises(ValueError, match="bins must be between 1 and 10000, got 0"):
        plot_test(model, 0, X, y, bins=0)
    with pytest.raises(ValueError, match="node 0 is a leaf"):
        plot_test(classifier(leaf(1, 0)), 0, X, y)
