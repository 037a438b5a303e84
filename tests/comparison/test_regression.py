"""`aslant.compare` and learning curves where numbers are predicted."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import r2_score, root_mean_squared_error
from sklearn.tree import DecisionTreeRegressor

import aslant
from aslant import CARTRegressor
from aslant.comparison import learning_curves
from aslant.comparison.contender import make_contenders
from aslant.comparison.fold import fit_fold
from aslant.comparison.peers import PEERS
from aslant.comparison.problem import make_problem
from aslant.comparison.splits import Division

matplotlib.use("agg")


@pytest.fixture(scope="module")
def slope():
    """Return rows whose target falls along an oblique line."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(200, 4))
    return X, np.where(X[:, 0] + X[:, 1] > 0, 5.0, 1.0) + 0.1 * rng.normal(size=200)


@pytest.fixture(scope="module")
def table(slope):
    return aslant.compare(*slope, methods=["least_squares", "ridge", "sklearn_tree"], repeats=1)


def test_numbers_are_recognised_and_said(slope, table):
    assert table.task == "regression"
    assert "the target holds 200 different numbers, so this is regression" in table.remarks
    given = aslant.compare(*slope, methods=["cart"], task="regression", repeats=1)
    assert not [remark for remark in given.remarks if "different numbers" in remark]
    few = np.digitize(slope[1], [2.0, 4.0])
    assert aslant.compare(slope[0], few, methods=["cart"], repeats=1).task == "classification"


def test_the_oblique_line_is_found(table):
    assert table.rows[0].method == "least_squares"
    assert {row.method: row.kind for row in table.rows} == {
        "least_squares": "oblique",
        "cart": "axis-parallel",
        "sklearn_tree": "scikit-learn's",
        "ridge": "scikit-learn's",
    }
    figures = {row.method: row.figures for row in table.rows}
    assert figures["least_squares"]["r2"].mean > figures["cart"]["r2"].mean > 0.5
    assert np.isnan(figures["ridge"]["leaves"].mean)
    assert figures["sklearn_tree"]["leaves"].mean > 100
    assert "of R2 better with" in table.advice
    assert "use LeastSquaresTree" in table.advice
    assert table.test.difference > 0.0
    for word in ("R2", "RMSE", "a target from ", "difference +0."):
        assert word in str(table)
    assert "accuracy" not in str(table)


def test_figures_are_those_of_scikit_learn(slope):
    X, y = slope
    problem = make_problem(X, y, None, None)
    division = Division(np.arange(100), np.arange(100, 200))
    found = fit_fold(CARTRegressor(), problem, division, np.inf)
    predicted = CARTRegressor().fit(X[:100], y[:100]).predict(X[100:])
    assert found.merit == found.r2 == pytest.approx(r2_score(y[100:], predicted))
    assert found.rmse == pytest.approx(root_mean_squared_error(y[100:], predicted))


def test_any_unit_of_the_target(slope):
    X, y = slope
    plain, large = (aslant.compare(X, y * u, methods=["cart"], repeats=1) for u in (1.0, 2.0**600))
    assert large.rows[0].figures["r2"].mean == pytest.approx(plain.rows[0].figures["r2"].mean)
    assert large.rows[0].figures["rmse"].mean == pytest.approx(
        plain.rows[0].figures["rmse"].mean * 2.0**600
    )


def test_other_scorers(slope):
    by_error = aslant.compare(*slope, methods=["least_squares"], repeats=1, scoring="rmse")
    assert by_error.scoring == "neg_root_mean_squared_error"
    for row in by_error.rows:
        assert row.figures["score"].mean == pytest.approx(-row.figures["rmse"].mean)
    assert aslant.compare(*slope, methods=["cart"], repeats=1, scoring="r2").scoring is None


def test_linear_leaves_count_their_coefficients(slope):
    X, y = slope
    problem = make_problem(X, 3.0 * X[:, 0] - X[:, 2] + 1e-3 * y, None, None)
    linear = next(
        c for c in make_contenders(["cart_linear"], task="regression") if c.name == "cart_linear"
    )
    found = fit_fold(linear.make(0), problem, Division(np.arange(150), np.arange(150, 200)), np.inf)
    assert found.leaves == 1.0
    assert found.coefficients == 4.0


def test_forests_and_peers_read_categories_and_missing_values():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"x": rng.normal(size=150), "c": pd.Categorical(rng.choice(["u", "v", "w"], 150))}
    )
    y = 3.0 * (frame["c"] == "u") + frame["x"]
    frame.loc[:9, "x"] = None
    frame.loc[20:29, "c"] = None
    table = aslant.compare(frame, y, methods=["forest", *PEERS], repeats=1)
    assert all(row.figures for row in table.rows)
    assert all(row.figures["r2"].mean > 0.5 for row in table.rows)
    assert table.plot().get_ylabel() == "R2"


def test_estimators_of_your_own(slope):
    mine = {"mine": HistGradientBoostingRegressor(max_iter=5), "line": LinearRegression()}
    table = aslant.compare(*slope, methods=["cart"], repeats=1, estimators=mine)
    assert {"mine", "line"} <= {row.method for row in table.rows if row.figures}
    with pytest.raises(TypeError, match="estimators must be regressors"):
        aslant.compare(*slope, methods=["cart"], estimators={"mine": LogisticRegression()})


def test_nothing_can_be_learned():
    rng = np.random.default_rng(0)
    table = aslant.compare(
        rng.normal(size=(80, 2)), rng.normal(size=80), methods=["oc1"], repeats=1
    )
    assert table.advice.startswith("no tree does better than always predicting the mean")


def test_every_method_of_numbers_takes_part():
    names = {contender.name for contender in make_contenders(None, task="regression")}
    assert names == {
        *aslant.estimators.methods.REGRESSION_METHODS,
        *("cart_pruned", "cart_linear", "least_squares_linear"),
        *("sklearn_tree", "sklearn_forest", "ridge"),
    }


def test_a_peer_is_the_model_itself(slope):
    X, y = slope
    peer = PEERS["sklearn_tree"]().set_params(random_state=3).fit(X, y)
    own = DecisionTreeRegressor(random_state=3).fit(X, y)
    assert np.array_equal(peer.predict(X), own.predict(X))
    assert peer.n_leaves() == own.get_n_leaves()


def test_learning_curves(slope):
    curves = learning_curves(*slope, methods=["least_squares"])
    assert curves.task == "regression"
    rising = [np.mean(values) for values in curves.scores["least_squares"].values()]
    assert rising[0] < rising[-1] > 0.8
    assert curves.plot().get_ylabel() == "R2"
