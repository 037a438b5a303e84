"""`aslant.compare` on awkward data, and the table it returns."""

import itertools
import json
import re
import sys

import matplotlib
import matplotlib.pyplot
import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import aslant
from aslant.comparison import curves as curves_module
from aslant.comparison import learning_curves
from aslant.comparison.contender import make_contenders
from aslant.comparison.figures import label_log_axis, spread_out

matplotlib.use("agg")
TWO = {"methods": ["cart", "fisher"], "repeats": 1}


def test_an_oblique_line_is_found(slanted):
    table = aslant.compare(*slanted, **TWO)
    assert table.rows[0].method == "fisher"
    assert re.search(
        r"of the leaves, \d+ coefficients instead of \d+: use FisherTree$", table.advice
    )
    assert table.test.p_value < 0.05
    figures = table.rows[1].figures
    assert figures["fit_time"].mean == pytest.approx(1.0)  # CART is the unit
    assert figures["features_per_test"].mean == 1.0
    assert 0.0 < figures["accuracy"].sd < figures["accuracy"].mean <= 1.0


def test_noise_gives_no_evidence():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 4)), rng.integers(0, 2, 200)
    advice = aslant.compare(X, y, **TWO).advice
    assert "no evidence" in advice or "no tree does better" in advice


def test_mixed_data_with_missing_values_and_text_labels():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "size": np.where(rng.random(120) < 0.1, np.nan, rng.normal(size=120)),
            "colour": pd.Categorical(rng.choice(["red", "green", "blue"], 120)),
        }
    )
    frame.loc[:9, "colour"] = None
    y = np.where(frame["colour"].eq("red") | (frame["size"] > 1.0), "yes", "no")
    table = aslant.compare(frame, y, repeats=1, methods=["c45", "fisher", "oc1"])
    assert all(row.figures for row in table.rows)
    assert max(row.figures["accuracy"].mean for row in table.rows) > 0.9


def test_an_array_with_categories_is_the_same_as_a_frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"x": rng.normal(size=80), "c": pd.Categorical(rng.choice(["u", "v"], 80))}
    )
    y = (frame["x"] > 0) ^ (frame["c"] == "u")
    array = frame.to_numpy(dtype=object)
    one = aslant.compare(frame, y, **TWO)
    other = aslant.compare(array, y, **TWO, categorical_features=[1])
    assert one.test == other.test


def test_wide_data_and_classes_smaller_than_the_folds():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 90))
    y = np.repeat(["big", "middle", "three", "one"], [25, 11, 3, 1])
    table = aslant.compare(X, y, **TWO)
    assert all(row.figures for row in table.rows)
    assert "classes with fewer rows than folds, so not in every fold: 'one', 'three'" in (
        table.remarks
    )


def test_balanced_accuracy_does_not_count_rows():
    """A rare class that nobody finds: nearly all rows are right, but half of the classes."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [190, 10])
    table = aslant.compare(rng.normal(size=(200, 1)), y, methods=["c45"], repeats=1)
    (c45,) = [row for row in table.rows if row.method == "c45"]
    assert c45.figures["accuracy"].mean > 0.9
    assert c45.figures["balanced_accuracy"].mean == pytest.approx(0.5, abs=0.05)
    assert np.isfinite(c45.figures["log_loss"].mean)
    assert "no tree does better than always predicting the most frequent class" in table.advice


def test_ids_are_warned_of_or_refused():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"key": np.arange(1000, 1120), "x": rng.normal(size=120)})
    words = "looks like an identifier: "
    with pytest.warns(UserWarning, match=words):
        table = aslant.compare(frame, frame["x"] > 0, **TWO)
    assert any(words in remark for remark in table.remarks)
    frame["key"] = [f"p{k}" for k in range(120)]
    with pytest.raises(ValueError, match="'key' looks like an identifier"):
        aslant.compare(frame, frame["x"] > 0, **TWO)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"y": ["a"] * 60}, "the target has only one class, 'a'"),
        ({"y": np.arange(60) / 7, "task": "classification"}, "60 distinct numbers in 60 rows"),
        ({"y": np.arange(60), "task": "classification"}, "looks like a quantity"),
        ({"y": np.full(60, 2.5), "task": "regression"}, "the target has only one value, 2.5"),
        ({"y": ["a", "b"] * 30, "task": "regression"}, "could not convert string to float"),
        ({"y": np.eye(60)[:, :2], "task": "regression"}, "compared on one target, got 2"),
        ({"task": "clustering"}, "task must be one of 'classification', 'regression'"),
        ({"methods": ["ridge"]}, "method must be one of"),
        ({"y": [f"{k}.5" for k in range(60)]}, "looks like a quantity"),
        ({"y": [f"c{k}" for k in range(60)]}, "different value in each of the 60 rows"),
        ({"y": [None] * 30 + ["a"] * 30}, "every row needs a class label"),
        ({"y": ["a", "b"] * 20}, "inconsistent numbers of samples"),
        ({"X": np.full((60, 2), np.inf)}, "infinity"),
        ({"X": np.zeros((0, 2)), "y": []}, "0 sample"),
        ({"methods": ["oc2"]}, "Did you mean 'oc1'?"),
        ({"methods": []}, "at least one method"),
        ({"methods": "oc1"}, "a list of names"),
        ({"budget": -1}, "budget must be"),
        ({"repeats": 0}, "repeats must be"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"random_state": -1}, "random_state must be"),
        ({"feature_names": ["x"]}, "a name for each of the 2 features"),
    ],
)
def test_bad_input(change, words):
    arguments = {"X": np.random.default_rng(0).normal(size=(60, 2)), "y": ["a", "b"] * 30, **change}
    with pytest.raises((ValueError, TypeError), match=words.replace("?", r"\?")):
        aslant.compare(**arguments)


def test_the_table_in_every_form(slanted, monkeypatch):
    table = aslant.compare(*slanted, **TWO)
    text = str(table)
    for word in ("accuracy %", "time/CART", "fisher", "±", "5x2cv F test", "300 rows"):
        assert word in text
    html = table._repr_html_()
    assert html.count("<tr>") == 3 and "use FisherTree." in html
    assert json.loads(json.dumps(table.to_dict()))["methods"][0]["method"] == "fisher"
    frame = table.to_frame()
    assert frame.loc["fisher", "accuracy"] == table.rows[0].figures["accuracy"].mean
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install aslant"):
        table.to_frame()


def test_names_in_html_are_text():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=60), rng.permutation(60)])
    with pytest.warns(UserWarning, match="id"):
        table = aslant.compare(X, X[:, 0] > 0, **TWO, feature_names=["x", "<b>"])
    assert "<b>'" not in table._repr_html_()
    assert "&lt;b&gt;" in table._repr_html_()


# ---------------------------------------------------------------------- figures


def test_accuracy_and_leaves_are_drawn(slanted):
    table = aslant.compare(*slanted, **TWO)
    ax = table.plot()
    places = {text.get_text(): text.xy for text in ax.texts}
    for row in table.rows:
        expected = row.figures["leaves"].mean, 100 * row.figures["accuracy"].mean
        assert places[row.method] == pytest.approx(expected)


def test_learning_curves(slanted):
    curves = learning_curves(*slanted, methods=["cart", "fisher"])
    assert set(curves.scores) == {"cart", "fisher"}
    sizes = list(curves.scores["cart"])
    assert sizes == sorted(sizes) == list(curves.scores["fisher"])
    assert (sizes[0], sizes[-1]) == (30, 210)
    assert np.mean(curves.scores["fisher"][210]) > np.mean(curves.scores["fisher"][30])
    drawn = curves.plot().get_legend().get_texts()
    assert [text.get_text() for text in drawn] == ["cart", "fisher"]
    assert learning_curves(*slanted, methods=["cart"], budget=0.0).scores == {}


def test_slow_methods_do_not_take_the_time_of_the_others(slanted, monkeypatch):
    """Fast methods have all their points before a slow one has its second."""
    order = []

    def pretend(contender, problem, divisions, size, stop_at, n_jobs):
        order.append((contender.name, size))
        contender.learn(size, size * (100.0 if contender.name == "kdt" else 0.01))
        return [0.5] * len(divisions)

    monkeypatch.setattr(curves_module, "_results", pretend)
    told = []
    learning_curves(*slanted, methods=["cart", "kdt"], verbose=lambda *report: told.append(report))
    assert [name for name, _ in order if name == "kdt"] == ["kdt"] * 6
    second = [place for place, (name, _) in enumerate(order) if name == "kdt"][1]
    assert ("cart", 210) in order[:second]
    assert told == [(done, 12) for done in range(12)]


def test_a_single_tree_by_message_length_is_an_oblique_tree():
    kinds = {contender.name: contender.kind for contender in make_contenders(["mml", "kdt"])}
    assert kinds == {"cart": "axis-parallel", "kdt": "several trees", "mml": "oblique"}


def test_names_are_moved_apart_as_little_as_possible():
    assert spread_out([0.1, 0.5, 0.9], 0.2).tolist() == pytest.approx([0.1, 0.5, 0.9])
    assert spread_out([0.5, 0.5, 0.9], 0.2).tolist() == pytest.approx([0.4, 0.6, 0.9])
    assert spread_out([0.5, 0.5, 0.5], 0.2).tolist() == pytest.approx([0.3, 0.5, 0.7])


def test_any_scorer(slanted):
    table = aslant.compare(*slanted, **TWO, scoring="roc_auc")
    assert table.scoring == "roc_auc"
    assert str(table).splitlines()[0].split()[:2] == ["method", "roc_auc"]
    best = table.rows[0]
    assert best.figures["score"].mean == max(row.figures["score"].mean for row in table.rows)
    assert 0.9 < best.figures["score"].mean <= 1.0
    assert "by roc_auc" in str(table)
    assert table.to_records()[0]["score"] == best.figures["score"].mean

    def cautious(clf, X, y):
        return -float(clf.get_n_leaves())

    small = aslant.compare(*slanted, **TWO, scoring=cautious)
    assert small.scoring == "cautious"
    assert small.rows[0].figures["score"].mean == -small.rows[0].figures["leaves"].mean
    with pytest.raises(ValueError, match=r"scoring must be .* Did you mean 'roc_auc'"):
        aslant.compare(*slanted, **TWO, scoring="roc_auk")


def test_pruned_cart_takes_part(slanted):
    X, y = slanted
    y = np.where(np.random.default_rng(0).random(300) < 0.2, "above", y)
    table = aslant.compare(X, y, methods=["cart_pruned", "fisher"], repeats=1)
    leaves = {row.method: row.figures["leaves"].mean for row in table.rows}
    assert leaves["cart_pruned"] < 0.6 * leaves["cart"]
    kinds = {row.method: row.kind for row in table.rows}
    assert kinds["cart_pruned"] == "axis-parallel"


def test_estimators_of_ones_own():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"colour": rng.choice(["red", "green"], 200), "x": rng.normal(size=200)})
    y = np.where((frame["colour"] == "red") ^ (frame["x"] > 0), "yes", "no")
    encode = make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough")
    own = {"mine": make_pipeline(encode, DecisionTreeClassifier(random_state=0))}
    table = aslant.compare(frame, y, **TWO, estimators=own)
    mine = next(row for row in table.rows if row.method == "mine")
    assert mine.kind == "yours"
    assert mine.figures["accuracy"].mean > 0.95
    assert np.isfinite(mine.figures["log_loss"].mean)
    record = next(record for record in table.to_records() if record["method"] == "mine")
    assert record["leaves"] is None and record["coefficients"] is None
    assert json.dumps(table.to_dict())
    assert "n/a" in str(table) and "mine" in table._repr_html_()
    table.plot()
    with pytest.raises(ValueError, match="names that no method has, got 'oc1'"):
        aslant.compare(frame, y, **TWO, estimators={"oc1": DecisionTreeClassifier()})
    for wrong in (DecisionTreeRegressor(), DecisionTreeClassifier, 3):
        with pytest.raises(TypeError, match="must be classifiers"):
            aslant.compare(frame, y, **TWO, estimators={"mine": wrong})


def test_the_repr_is_the_table(slanted):
    table = aslant.compare(*slanted, **TWO)
    assert repr(table) == str(table)
    assert "coefs" in repr(table)
    coefficients = {row.method: row.figures["coefficients"].mean for row in table.rows}
    assert coefficients["cart"] == pytest.approx(
        next(row for row in table.rows if row.method == "cart").figures["leaves"].mean - 1.0
    )


@pytest.mark.parametrize("most", [3, 30, 2000, 50_000, 3_000_000])
def test_numbers_of_a_log_axis_do_not_overlap(most: int) -> None:
    figure, ax = matplotlib.pyplot.subplots(figsize=(7, 4.5))
    ax.plot([1, most], [0, 1])
    label_log_axis(ax)
    figure.canvas.draw()
    low, high = ax.get_xlim()
    labels = [t.label1 for t in ax.xaxis.get_major_ticks() if low <= t.get_loc() <= high]
    places = [label.get_window_extent() for label in labels]
    matplotlib.pyplot.close(figure)
    assert len(places) >= 2
    assert all(a.x1 < b.x0 for a, b in itertools.pairwise(places))
