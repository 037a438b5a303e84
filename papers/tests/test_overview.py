"""All methods on all data sets: what is compared, how it is counted, scikit-learn's tree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from aslant_papers.cells import Cell, compute, load_rows
from aslant_papers.datasets import available
from aslant_papers.journal import Journal
from aslant_papers.layout import TableLayout, lay_out
from aslant_papers.log_loss import laplace_log_loss
from aslant_papers.overview import (
    COPIES,
    REFERENCE,
    REFINED,
    TABLE,
    make_overview,
    with_runs,
)
from aslant_papers.protocol import Data, PaperTable, TableColumn, TableMethod, spec
from aslant_papers.records import MEASURES, RunRecord, pack_bits
from aslant_papers.reference import PrunedCART, ScikitLearnCART
from aslant_papers.runner import Results, run_cells
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from aslant import ObliqueGradientBoostingClassifier
from aslant.comparison.splits import Folds
from aslant.estimators.methods import METHODS

IRIS = Data("iris")
# scikit-learn's other models, and how many leaves they have on half of Iris, about.
BESIDE = {
    "sklearn_tree_pruned": (3, 9),
    "logistic_regression": (1, 1),
    "sklearn_forest": (600, 2400),
    "sklearn_boosting": (300, 3000),
}


def test_every_method_and_every_real_data_set_takes_part_once() -> None:
    refined = [f"{name}_refined" for name in REFINED]
    labels = [method.label for method in TABLE.methods]
    assert labels == [*METHODS, *refined, *BESIDE, REFERENCE]
    names = {column.data.name for column in TABLE.columns}
    artificial = {"ls10", "pol", "rcb", "local_minimum", "led", "waveform"}
    known = {info.name for info in available()}
    assert names | set(COPIES) | artificial >= known
    assert not names & (set(COPIES) | artificial)
    assert set(COPIES.values()) <= names


def test_the_methods_are_at_their_defaults() -> None:
    for method in TABLE.methods[: len(METHODS)]:
        assert method.estimator.make().get_params().keys() >= {"random_state"}
        assert method.estimator.parameters == ()
        assert type(method.estimator.make()) is METHODS[method.label].estimator


def test_the_refined_are_the_same_systems_with_the_joint_fit() -> None:
    for name, method in zip(REFINED, TABLE.methods[len(METHODS) :], strict=False):
        made = method.estimator.make()
        assert type(made) is METHODS[name].estimator
        assert made.refine == "joint"


# ---------------------------------------------------------------------- scikit-learn's models


def run_on_iris(label: str) -> RunRecord:
    (method,) = [method for method in TABLE.methods if method.label == label]
    plan = Folds(1, 2, stratified=True)
    return compute(Cell(IRIS, load_rows(IRIS).fingerprint(), plan, 0, method.estimator))


@pytest.mark.parametrize("label", METHODS)
def test_methods_take_part(label: str) -> None:
    run = run_on_iris(label)
    assert MEASURES["accuracy"].of(run, None) > 80.0
    assert 0.0 < run.log_loss < 150 * 0.5
    assert all(leaves >= 3 for leaves in run.leaves)


def test_the_log_loss_of_boosting_is_that_of_its_probabilities() -> None:
    X, y = load_iris(return_X_y=True)
    model = ObliqueGradientBoostingClassifier(max_iter=5).fit(X[::2], y[::2])
    probability = model.predict_proba(X)[np.arange(len(y)), y]
    assert laplace_log_loss(model, X, y, 3) == pytest.approx(-np.log(probability))


@pytest.mark.parametrize("label", BESIDE)
def test_models_of_scikit_learn_take_part(label: str) -> None:
    run = run_on_iris(label)
    assert MEASURES["accuracy"].of(run, None) > 90.0
    assert 0.0 < run.log_loss < 150 * 0.5
    least, most = BESIDE[label]
    assert all(least <= leaves <= most for leaves in run.leaves)


@pytest.mark.parametrize("label", BESIDE)
def test_models_of_scikit_learn_read_categories_and_missing_values(label: str) -> None:
    (method,) = [method for method in TABLE.methods if method.label == label]
    rng = np.random.default_rng(0)
    X = np.empty((120, 2), dtype=object)
    X[:, 0] = rng.choice(["a", "b", np.nan], 120)
    X[:, 1] = np.where(rng.random(120) < 0.2, np.nan, rng.random(120))
    y = (X[:, 0] == "a").astype(np.intp)
    clf = method.estimator.make().set_params(categorical_features=[0], random_state=0).fit(X, y)
    assert (clf.predict(X) == y).all()
    unseen = np.array([["c", np.nan]], dtype=object)
    assert clf.predict(unseen)[0] in (0, 1)


def test_the_pruned_tree_is_smaller_where_there_is_noise() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = np.where(rng.random(300) < 0.2, rng.integers(0, 2, 300), X[:, 0] > 0)
    assert PrunedCART(random_state=0).fit(X, y).tree_.n_leaves <= 5
    assert ScikitLearnCART(random_state=0).fit(X, y).tree_.n_leaves > 30


def test_without_categories_the_reference_is_scikit_learns_tree() -> None:
    rows = load_rows(IRIS)
    ours = ScikitLearnCART(random_state=3).fit(rows.X, rows.y)
    theirs = DecisionTreeClassifier(random_state=3).fit(rows.X, rows.y)
    assert ours.tree_.n_leaves == theirs.get_n_leaves()
    assert ours.tree_.value[0].tolist() == [50, 50, 50]
    assert ours.tree_.features_in_test.sum() == ours.tree_.n_nodes - ours.tree_.n_leaves
    np.testing.assert_array_equal(ours.apply(rows.X), theirs.apply(rows.X))


def test_the_reference_reads_categories_and_missing_values() -> None:
    X = np.array([["a", 1.0], ["a", 2.0], ["b", 1.0], ["b", np.nan], [np.nan, 1.0]], dtype=object)
    y = np.array([0, 0, 1, 1, 2])
    clf = ScikitLearnCART([0], random_state=0).fit(X, y)
    assert clf.predict(X).tolist() == y.tolist()
    unseen = np.array([["c", np.nan]], dtype=object)
    assert clf.predict(unseen)[0] in (0, 1, 2)
    assert clf.tree_.value[clf.apply(unseen)].sum() >= 1


def test_several_trees_are_counted_together() -> None:
    """A vote has no tree of its own; averaged trees have their weights in the log loss."""
    plan = Folds(runs=1, folds=2, stratified=True)
    fingerprint = load_rows(IRIS).fingerprint()
    sizes = {}
    for n_estimators in (1, 3):
        search = spec("OC1", restarts=1, jumps=0)
        vote = spec("KDTClassifier", n_estimators=n_estimators, search=search)
        sizes[n_estimators] = np.mean(compute(Cell(IRIS, fingerprint, plan, 0, vote)).leaves)
    assert sizes[3] == pytest.approx(3 * sizes[1], rel=0.3)
    averaged = spec("MMLTreeClassifier", n_estimators=2, combine="average", rounds=1)
    run = compute(Cell(IRIS, fingerprint, plan, 0, averaged))
    assert 0.0 < run.log_loss < 150 * np.log(3)
    assert min(run.leaves) >= 4


# ---------------------------------------------------------------------- counting


def test_large_data_sets_are_sampled_and_that_is_said() -> None:
    table = PaperTable(
        number=1,
        title="",
        plan=Folds(runs=1, folds=2),
        columns=(TableColumn("iris", IRIS),),
        methods=(TableMethod("cart", spec("CARTClassifier")),),
        measures=("accuracy",),
        most_rows=60,
    )
    layout = lay_out(table)
    assert layout.remarks == ["iris: 60 of 150 rows, chosen at random"]
    (cell,) = layout.cells["iris", "cart"]
    assert len(cell.rows().y) == 60


def made_up(shares: dict[str, float]) -> tuple[TableLayout, Results]:
    """Return two runs on Iris and Wine in which methods classify these shares correctly."""
    columns = tuple(TableColumn(name, Data(name)) for name in ("iris", "wine"))
    methods = tuple(m for m in TABLE.methods if m.label in shares)
    layout = lay_out(
        PaperTable(1, "", Folds(runs=2, folds=5, stratified=True), columns, methods, TABLE.measures)
    )
    results = Results()
    for (_, method), cells in layout.cells.items():
        for cell in cells:
            n_rows = len(cell.rows().y)
            hits = np.random.default_rng(cell.run).random(n_rows) < shares[method]
            right = int(hits.sum())
            seconds = [1.0 if method == REFERENCE else 4.0] * 5
            trees = [[7 if method == "cart" else 3] * 5 for _ in range(6)]
            confusion = [[right, n_rows - right], [0, 0]]
            record = RunRecord(confusion, pack_bits(hits), 0.0, 1, *trees, seconds)
            results.records[cell.key] = record
    return layout, results


def test_ranks_and_duels() -> None:
    shares = {"cart": 0.3, "quest": 0.95, "ltu": 0.6, REFERENCE: 0.6}
    found = make_overview(*made_up(shares))
    assert found.datasets == ["iris", "wine"]
    ranks = {name: dict(zip(found.methods, r, strict=True)) for name, r in found.ranks.items()}
    assert ranks["accuracy"] == {"quest": 1.0, "ltu": 2.5, REFERENCE: 2.5, "cart": 4.0}
    assert ranks["leaves"]["cart"] == 4.0
    assert ranks["time"][REFERENCE] == 1.0
    assert found.time[0].tolist() == [4.0, 4.0, 4.0, 1.0]
    duels = dict(zip(found.methods, found.duels, strict=True))
    assert (duels["quest"].better, duels["quest"].clearly_better) == (2, 2)
    assert (duels["cart"].worse, duels["cart"].clearly_worse) == (2, 2)
    assert vars(duels["ltu"]) == dict.fromkeys(vars(duels["ltu"]), 0)


def test_a_data_set_without_all_runs_is_left_out_of_the_ranks() -> None:
    layout, results = made_up({"cart": 0.5, REFERENCE: 0.5})
    lost = layout.cells["wine", "cart"][1].key
    del results.records[lost]
    results.failures[lost] = "failed: for a test"
    found = make_overview(layout, results)
    assert found.datasets == ["iris"]
    assert found.unfinished == {"wine": "failed: for a test"}
    with pytest.raises(ValueError, match="no data set could be computed: not computed"):
        make_overview(layout, Results())


def test_accuracies_of_folds_are_those_of_the_runs(tmp_path: Path) -> None:
    """The better one of two real methods, counted from the bits of the journal."""
    table = with_runs(TABLE, 1)
    chosen = tuple(m for m in table.methods if m.label in ("cart", "quest", REFERENCE))
    wine = tuple(column for column in table.columns if column.label == "wine")
    layout = lay_out(PaperTable(1, "", table.plan, wine, chosen, table.measures))
    cells = [cell for runs in layout.cells.values() for cell in runs]
    results = run_cells(cells, Journal(tmp_path))
    found = make_overview(layout, results)
    run = results.records[layout.cells["wine", "quest"][0].key]
    assert found.merit[0, 1] == pytest.approx(MEASURES["accuracy"].of(run, None))
    assert found.duels[found.methods.index("quest")].better == 1


def test_runs_must_be_some() -> None:
    with pytest.raises(ValueError, match="--runs must be 1 or more, got 0"):
        with_runs(TABLE, 0)
