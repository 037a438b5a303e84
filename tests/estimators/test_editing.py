"""Edits of a fitted tree: predictions follow, the log is kept, and the original stays as it is."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import aslant
from aslant import AutoTreeClassifier, CARTClassifier, CARTRegressor, LMDTClassifier, OC1Classifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3))
Y = np.where(X[:, 0] + X[:, 1] > 0.2, "b", np.where(X[:, 2] > 0.5, "c", "a"))


def tree(**options: Any) -> OC1Classifier:
    return OC1Classifier(random_state=0, restarts=2, max_depth=3, pruning=None, **options).fit(X, Y)


def an_inner_node(model: Any) -> int:
    inner = np.flatnonzero(~model.tree_.is_leaf)
    return int(inner[1])


def test_a_snipped_node_is_a_leaf() -> None:
    model = tree()
    node = an_inner_node(model)
    below = model.decision_path(X)[:, [node]].toarray().ravel().astype(bool)
    edited = model.edit().snip(node, reason="too fine").model
    assert edited.tree_.n_leaves < model.tree_.n_leaves
    assert (edited.apply(X[below]) == node).all()
    majority = model.classes_[model.tree_.value[node].argmax()]
    assert (edited.predict(X[below]) == majority).all()
    np.testing.assert_array_equal(edited.predict(X[~below]), model.predict(X[~below]))
    assert not hasattr(model, "edits_")


def test_a_relabeled_leaf_predicts_the_new_class() -> None:
    model = tree()
    leaf = int(model.apply(X)[0])
    own = model.apply(X) == leaf
    old = model.predict(X[:1])[0]
    new = next(label for label in model.classes_ if label != old)
    edited = model.edit().relabel(leaf, new, reason="a rule of the house").model
    assert (edited.predict(X[own]) == new).all()
    assert (edited.classes_[edited.predict_proba(X[own]).argmax(axis=1)] == new).all()
    np.testing.assert_array_equal(edited.predict_proba(X[~own]), model.predict_proba(X[~own]))
    module: dict[str, Any] = {}
    exec(aslant.export_code(edited, "python"), module)
    assert [module["predict"](row) for row in X.tolist()] == edited.predict(X).tolist()


def test_counts_of_a_relabeled_leaf_are_those_of_its_rows(tmp_path: Path) -> None:
    """In text, rules and on the page; other edits move the leaf, and a file keeps it."""
    model = tree()
    leaf = int(np.flatnonzero(model.tree_.is_leaf)[-1])
    counts = model.tree_.value[leaf]
    old, new = int(counts.argmax()), int(counts.argmin())
    editor = model.edit().relabel(leaf, model.classes_[new], reason="a rule")
    shown = f"class: {model.classes_[new]} ({counts[new]:g} of {counts.sum():g})"
    node = an_inner_node(model)
    assert node < leaf and model.tree_.subtree_end[node] <= leaf
    snipped = editor.snip(node, reason="too fine").model
    aslant.save(snipped, tmp_path / "m.aslant")
    for edited in (snipped, aslant.load(tmp_path / "m.aslant")):
        last = edited.tree_.n_nodes - 1
        assert shown in aslant.export_text(edited).splitlines()[2 * edited.get_n_leaves() - 2]
        assert shown[:-1] in aslant.export_code(edited, "rules")
        data = json.loads(re.findall(r'id="data">(.*?)</script>', aslant.report(edited))[0])
        assert data["nodes"][last]["values"] == counts.tolist()
        assert data["rules"][-1]["observed"][old] == pytest.approx(counts[old] / counts.sum(), 1e-4)
        assert (edited.predict(X[edited.apply(X) == last]) == model.classes_[new]).all()
    with pytest.raises(ValueError, match="use it before relabel and merge, which have changed"):
        snipped.edit(X, Y).drop_term(0, "x0", reason="x")
    assert model.edit().snip(0, reason="x").model.observed_counts_ == {}


def test_merged_leaves_predict_the_same() -> None:
    model = CARTClassifier(smoothing=0.0, max_depth=3).fit(X, Y)
    leaves = np.flatnonzero(model.tree_.is_leaf)[[0, -1]].tolist()
    edited = model.edit().merge(leaves, reason="one segment").model
    own = np.isin(model.apply(X), leaves)
    shares = np.array([(Y[own] == label).mean() for label in model.classes_])
    np.testing.assert_allclose(edited.predict_proba(X[own]), np.tile(shares, (own.sum(), 1)))
    regressor = CARTRegressor(max_depth=2).fit(X, X[:, 0])
    leaves = np.flatnonzero(regressor.tree_.is_leaf)[[0, -1]].tolist()
    edited = regressor.edit().merge(leaves, reason="one segment").model
    own = np.isin(regressor.apply(X), leaves)
    np.testing.assert_allclose(edited.predict(X[own]), X[own, 0].mean())


@pytest.mark.parametrize("kind", [OC1Classifier, LMDTClassifier])
def test_a_dropped_term_counts_as_the_mean_and_rows_are_counted_again(kind: Any) -> None:
    y = np.where(Y == "b", "b", "other")
    model = kind(random_state=0, max_depth=1, pruning=None).fit(X, y)
    split = model.tree_.split(0)
    edited = model.edit(X, y).drop_term(0, "x1", reason="not available at scoring").model
    replaced = X.copy()
    replaced[:, 1] = split.fill[1]
    np.testing.assert_array_equal(edited.apply(X), model.apply(replaced))
    moved = X.copy()
    moved[:, 1] = 1e6
    np.testing.assert_array_equal(edited.apply(X), edited.apply(moved))
    for leaf in np.flatnonzero(edited.tree_.is_leaf):
        own = edited.apply(X) == leaf
        counts = [(y[own] == label).sum() for label in edited.classes_]
        assert edited.tree_.value[leaf].tolist() == counts
    assert edited.feature_importances_[1] == 0.0


def test_regression_leaves_get_values() -> None:
    for leaf in ("mean", "linear"):
        model = CARTRegressor(max_depth=2, leaf=leaf).fit(X, X[:, 0] * 3.0)
        place = int(model.apply(X)[0])
        edited = model.edit().relabel(place, 7.5, reason="agreed").model
        own = model.apply(X) == place
        assert (edited.predict(X[own]) == 7.5).all()
        np.testing.assert_array_equal(edited.predict(X[~own]), model.predict(X[~own]))


def test_the_log_is_kept_in_the_file_the_text_and_the_page(tmp_path: Path) -> None:
    model = tree()
    node = an_inner_node(model)
    edited = model.edit().snip(node, reason="too few </script> rows").model
    edited = edited.edit().relabel(node, "c", reason="by the board").model
    today = dt.datetime.now(dt.UTC).date().isoformat()
    assert [one["action"] for one in edited.edits_] == ["snip", "relabel"]
    assert edited.edits_[1]["date"] == today
    aslant.save(edited, tmp_path / "m.aslant")
    loaded = aslant.load(tmp_path / "m.aslant")
    assert loaded.edits_ == edited.edits_
    np.testing.assert_array_equal(loaded.predict_proba(X), edited.predict_proba(X))
    assert "by the board)" in aslant.export_text(loaded)
    for language in ("rules", "markdown"):
        assert "by the board" in aslant.export_code(loaded, language)
    page = aslant.report(loaded)
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert json.loads(data)["making"]["edits"] == edited.edits_
    assert not hasattr(clone(loaded).fit(X, Y), "edits_")
    assert not hasattr(loaded.fit(X, Y), "edits_")


def test_what_cannot_be_edited_is_refused() -> None:
    model = tree()
    leaf = int(np.flatnonzero(model.tree_.is_leaf)[0])
    with pytest.raises(ValueError, match="reason must be a text that is not empty"):
        model.edit().snip(0, reason=" ")
    with pytest.raises(ValueError, match=f"needs a node with a test, and node {leaf} is a leaf"):
        model.edit().snip(leaf, reason="x")
    with pytest.raises(ValueError, match="value must be one of the classes"):
        model.edit().relabel(leaf, "z", reason="x")
    with pytest.raises(ValueError, match=r"give them to edit\(X, y\)"):
        model.edit().drop_term(0, "x0", reason="x")
    with pytest.raises(ValueError, match="not its only one"):
        CARTClassifier(max_depth=1).fit(X, Y).edit(X, Y).drop_term(0, "x0", reason="x")
    soft = AutoTreeClassifier(random_state=0, effort="low").fit(X, Y)
    if soft.is_soft_:
        with pytest.raises(ValueError, match=r"set_params\(probabilities='leaf'\)"):
            soft.edit()
        hard = soft.set_params(probabilities="leaf").edit().model
        assert not hard.is_soft_
