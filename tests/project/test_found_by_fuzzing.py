"""What random tries have found (`make fuzz`), each as a small example."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from processes import check_in_process
from refine.trees import sample_of

import aslant
from aslant.encoding.target_encoding import class_shares
from aslant.prune import CostComplexity
from aslant.refine import JointFit
from aslant.refine.harden import with_node_means
from aslant.refine.soft import SoftModel
from aslant.search import C45, HHCART, CrimCoords, SplitSearch, Standardize

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + X[:, 1] ** 2


def with_categories(n: int = 300) -> tuple[pd.DataFrame, np.ndarray]:
    """Return numbers and categories; what levels mean depends on the side of the first number."""
    rng = np.random.default_rng(1)
    number = rng.normal(size=(n, 2))
    level = rng.integers(0, 5, (n, 2))
    side = np.where(number[:, 0] + number[:, 1] > 0.0, 1.0, -1.0)
    y = side * (level[:, 0] - 2.0) + (level[:, 1] == 3) + 0.3 * rng.normal(size=n) > 0.0
    frame = pd.DataFrame(number, columns=["a", "b"])
    frame["c"], frame["d"] = (np.array(list("vwxyz"))[level[:, j]] for j in range(2))
    return frame, (y + 2 * (side > 0.0)).astype(int)


@pytest.mark.parametrize("wrapper", [CrimCoords, Standardize])
def test_coordinates_are_those_of_the_node(wrapper: type) -> None:
    """Scores of levels and scales of columns are found again at every node (Loh and Shih).

    Below an oblique split of HHCART they were those of the node above it.
    """
    frame, y = with_categories()
    rows = frame if wrapper is CrimCoords else frame[["a", "b"]]
    settings: dict[str, Any] = {"search": wrapper(HHCART()), "pruning": None}
    both = aslant.ObliqueDecisionTreeClassifier(**settings, max_depth=2).fit(rows, y)
    assert both.tree_.features_in_test[0] > 1
    child = both.decision_path(rows)[:, both.tree_.children[0]].toarray().astype(bool)
    for node, here in zip(both.tree_.children[0], child.T, strict=True):
        alone = aslant.ObliqueDecisionTreeClassifier(**settings, max_depth=1)
        alone.fit(rows[here], y[here])
        assert np.array_equal(
            alone.apply(rows[here]) == 1, both.apply(rows[here]) == both.tree_.children[node, 0]
        )


def test_a_reflected_space_is_kept_with_its_coordinates() -> None:
    """With a depth of reflection the nodes below do read what HHCART has left to them."""
    frame, y = with_categories()
    one, other = (
        aslant.HHCARTClassifier(depth_of_reflection=depth, pruning=None, max_depth=4).fit(frame, y)
        for depth in (0, None)
    )
    assert one.score(frame, y) > 0.8
    assert not np.array_equal(one.apply(frame), other.apply(frame))


@pytest.mark.parametrize("depth", [None, 0])
def test_subsets_of_categories_below_one_another(depth: int | None) -> None:
    """A node was given scores of the categories that had been drawn above it: a crash."""
    frame, y = with_categories()
    search = CrimCoords(HHCART(depth_of_reflection=depth))
    forest = aslant.ObliqueRandomForestClassifier(
        20, search=search, max_features=2, random_state=0
    ).fit(frame, y)
    assert forest.score(frame, y) > 0.8


def test_a_linear_machine_of_two_branches_is_no_gate() -> None:
    frame = pd.DataFrame({"c": list("ab") * 20, "x": np.arange(40.0)})
    y = (frame["c"] == "a").to_numpy() & (frame["x"] < 30).to_numpy()
    model = aslant.C45Classifier(pruning=None, refine=JointFit())
    with pytest.raises(ValueError, match="joint fit needs tests that are hyperplanes"):
        model.fit(frame, y)


def test_shares_where_one_level_has_all_the_weight() -> None:
    code, y = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0, 1, 0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shares = class_shares(code, y, np.array([3e20, 1e20, 1.0, 1.0]), (2, 2))
    assert shares == pytest.approx(np.tile([0.75, 0.25], (3, 1)))


@pytest.mark.parametrize("size", [2.0**-996, 2.0**996])
@pytest.mark.parametrize("threshold", ["ccp_alpha", "min_impurity_decrease"])
def test_forests_of_tiny_and_huge_numbers(size: float, threshold: str) -> None:
    """Thresholds in other units overflow, which is as good as no decrease that large."""
    model = aslant.ObliqueRandomForestRegressor(20, oob_score=True, random_state=0)
    plain = model.fit(X, Y).oob_score_
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        assert model.fit(X, Y * size).oob_score_ == pytest.approx(plain, rel=1e-6)
        model.set_params(**{threshold: 0.1}).fit(X, Y * size)
    assert (model.get_n_leaves() == 20) == (size < 1.0)


@pytest.mark.parametrize(("column", "target"), [(1e-310, 1.0), (1e-200, 1e250), (1e-310, 1e-310)])
def test_slopes_beyond_the_numbers(column: float, target: float) -> None:
    """A column varies too little for a slope in the units of the target: it has none."""
    model = aslant.CARTRegressor(leaf="linear", max_depth=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X * [column, 1.0, 1.0], Y * target)
        predicted = model.predict(X * [column, 1.0, 1.0])
    assert np.isfinite(model.tree_.leaf_coef).all()
    assert (model.tree_.leaf_coef[:, :, 0] == 0.0).all()
    assert np.corrcoef(predicted / target, Y)[0, 1] > 0.5


def test_a_whole_number_beyond_64_bits_is_a_number() -> None:
    one, other = (
        aslant.OC1Classifier(axis_bias=bias, random_state=0).fit(X, Y > 0.5)
        for bias in (10**30, 1e30)
    )
    assert np.array_equal(one.predict_proba(X), other.predict_proba(X))


@pytest.mark.parametrize("cls", [aslant.OC1Classifier, aslant.ObliqueRandomForestClassifier])
def test_an_array_is_no_criterion(cls: type) -> None:
    with pytest.raises(ValueError, match="criterion must be one of"):
        cls(criterion=np.array([1, 2])).fit(X, Y > 0.5)


def test_a_tree_of_more_features_than_there_are() -> None:
    """In a model file made by hand; the error listed every argument of the core."""
    tree = aslant.CARTClassifier(max_depth=1).fit(X, Y > 0.5).tree_
    with pytest.raises(ValueError, match="n_features must be a number of 31 bits"):
        type(tree)(n_features=int(1e308), **tree.arrays())


def test_pruning_by_rows_far_outside() -> None:
    """A row at 1e300 is in one fold; the lines of the others are off by as much there."""
    far = X[:, :1].copy()
    far[7] = 1e300
    model = aslant.CARTRegressor(
        leaf="linear", extrapolate=True, pruning=CostComplexity(cv=5), random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(far, X[:, 0])
    assert np.isfinite(model.predict(far)).all()


def test_lines_of_rows_beyond_the_numbers() -> None:
    """Terms of two columns overflow with different signs: the larger one counts, not NaN."""
    model = aslant.CARTRegressor(leaf="linear", max_depth=1, pruning=None)
    model.fit(X[:, :2], 100.0 * (3.0 * X[:, 0] - X[:, 1]))
    far = np.array([[1e308, 1e308], [-1e308, -1e308]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        predicted = model.predict(far)
    leaf = model.apply(far)
    assert predicted[0] == model.tree_.leaf_high[leaf[0], 0]
    assert predicted[1] == model.tree_.leaf_low[leaf[1], 0]


def test_auto_evaluates_rows_far_outside() -> None:
    """A row at 1e308 is in one fold; in the units of the others it is beyond the numbers."""
    far = X[:, :2] * 1e-6
    far[7, 0] = 1e308
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = aslant.AutoTreeClassifier(effort="low", random_state=0).fit(far, X[:, 1] > 0.0)
    assert model.score(far, X[:, 1] > 0.0) > 0.9


def test_auto_with_slopes_beyond_the_numbers(tmp_path: Path) -> None:
    """A column in tiny units and a target in huge ones have a slope that is no number."""
    tiny, huge = X[:, :1] * 1e-71, X[:, 0] * 1e303
    model = aslant.AutoTreeRegressor(effort="low", leaf="linear", random_state=0).fit(tiny, huge)
    assert np.isfinite(model.predict(tiny)).all()
    aslant.save(model, tmp_path / "model.aslant")
    again = aslant.load(tmp_path / "model.aslant")
    assert np.array_equal(again.predict(tiny), model.predict(tiny))


def test_poisson_forest_of_huge_numbers() -> None:
    """Squared errors of its nodes are infinite, which is no warning."""
    y = np.where(X[:, 0] > 0.0, 2e300, 1e300)
    forest = aslant.ObliqueRandomForestRegressor(3, criterion="poisson", random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        forest.fit(X, y)
    assert np.isfinite(forest.predict(X)).all()


@pytest.mark.parametrize("wrong", ["", None, {}, [[1.0]]])
def test_a_file_with_senseless_gates(wrong: Any) -> None:
    """The error listed every argument of the core."""
    model = aslant.AutoTreeClassifier(effort="low", random_state=0).fit(X, Y > 0.5)
    state = model.gates_.state()
    with pytest.raises((ValueError, TypeError)) as error:
        model._gates_from({**state, "steepness": wrong}).check()
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("samples", [10**30, 1e300])
def test_more_rows_to_draw_than_can_be_counted(samples: float) -> None:
    """The error listed every argument of the core."""
    forest = aslant.ObliqueRandomForestClassifier(2, max_samples=samples)
    with pytest.raises(ValueError, match="max_samples must draw no more than"):
        forest.fit(X, Y > 0.5)


def test_penalties_of_tests_with_huge_coefficients() -> None:
    """Squares of w overflow: the largest w of the test takes the place of their mean."""
    model = SoftModel.__new__(SoftModel)
    model.weights = lambda parameters: parameters  # type: ignore[method-assign,assignment]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        penalty = model.relative_penalties(np.array([[1e200, 1e199], [1.0, 1.0]]))
    assert penalty[0, 0] == 1.0
    assert penalty[0, 0] < penalty[0, 1]
    assert penalty[1].tolist() == [1.0, 1.0]


class ReadsAllColumns(SplitSearch):
    """A search written in Python that reads every column and tests a sum of all."""

    def find(self, node: Any, rng: Any) -> Any:
        return node.best_along(np.ones(node.X.shape[1]))


def one_feature_of_a_sample() -> None:
    tree = aslant.ObliqueDecisionTreeClassifier(
        search=ReadsAllColumns(), search_rows=2, max_features_per_test=1, random_state=0
    )
    tree.fit(X, Y > 0.5)
    assert (np.diff(tree.tree_.coef_start) <= 1).all()
    assert tree.get_n_leaves() > 1


def test_a_search_reads_columns_that_a_constraint_has_closed() -> None:
    """On a sample of the rows, a column closed by a constraint was an address of nothing."""
    check_in_process(one_feature_of_a_sample)


@pytest.mark.parametrize("search", [HHCART(), C45()])
def test_linear_leaves_where_a_column_spreads_without_bounds(search: Any) -> None:
    """Its standard deviation is infinite, and a slope of zero times that is no warning."""
    wide = np.array([[-0.8, 0.25], [1e300, 1.6]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree = aslant.ObliqueDecisionTreeRegressor(leaf="linear", search=search, random_state=0)
        tree.fit(wide, [2.5, 2.5])
    assert tree.predict(wide).tolist() == [2.5, 2.5]
    assert np.isfinite(tree.feature_importances_).all()


def test_infinite_values_of_both_signs_in_a_sparse_matrix() -> None:
    """They are refused without a warning of their sum."""
    matrix = sp.csr_matrix(np.where(np.arange(180).reshape(60, 3) == 7, np.inf, X))
    matrix[0, 0] = -np.inf
    with warnings.catch_warnings(), pytest.raises(ValueError, match="infinity"):
        warnings.simplefilter("error")
        aslant.CARTClassifier().fit(matrix, Y > 0.5)


def test_a_score_beyond_the_numbers_is_refused() -> None:
    """R2 squares the targets."""
    X1, y = np.full((40, 1), 3.5), np.linspace(-1e300, 1e300, 40)
    with warnings.catch_warnings(), pytest.raises(ValueError, match="finite number for every fold"):
        warnings.simplefilter("error")
        aslant.AutoTreeRegressor(effort="low", scoring="r2", random_state=0).fit(X1, y)


def test_node_means_where_a_test_overflows() -> None:
    """Every row goes to a child as in prediction, also one whose sum is no number."""
    tree = aslant.ObliqueDecisionTreeClassifier(search=HHCART(), max_depth=1, random_state=0)
    tree.fit(X, X[:, 0] + X[:, 1] > 0.0)
    far = X.copy()
    far[:2] = 1.5e308, -1.5e308, 1.5e308
    steep = tree.tree_.rebuilt(coef_value=tree.tree_.coef_value * 1e3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        filled = with_node_means(steep, sample_of(far, (X[:, 0] > 0.0).astype(int)))
    assert np.isfinite(filled.coef_fill).all()


def test_a_cost_beyond_what_tiny_targets_can_gain() -> None:
    """In units of the squared targets the cost is infinite, which is no warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree = aslant.CARTRegressor(feature_costs=[1.0, 0.0, 2.0]).fit(X, Y * 1e-300)
    assert (tree.feature_importances_[[0, 2]] == 0.0).all()
    assert tree.feature_importances_[1] == 1.0
