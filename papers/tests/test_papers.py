"""The papers' tables: every published figure has its place, every name its data set."""

from __future__ import annotations

import os

import numpy as np
import pytest
from aslant_papers import PAPERS, find_paper
from aslant_papers.cells import load_rows
from aslant_papers.claims import find_claims
from aslant_papers.datasets import available
from aslant_papers.plans import FixedTest
from aslant_papers.protocol import Data, Paper
from aslant_papers.published import published_figures
from aslant_papers.records import MEASURES, RunRecord, pack_bits

every_paper = pytest.mark.parametrize("paper", [find_paper(name) for name in PAPERS], ids=PAPERS)


@every_paper
def test_every_published_figure_has_its_place(paper: Paper) -> None:
    places = {
        (table.number, row, column.label, measure)
        for table in paper.tables
        for row in [
            *table.not_reproduced,
            *(part.label for part in (*table.comparisons, *table.differences)),
            *(method.row for method in table.methods),
        ]
        for column in table.columns
        for measure in table.measures
    }
    places |= {
        (table.number, method.row, table.ranking.label, "mean_rank")
        for table in paper.tables
        if table.ranking is not None
        for method in table.methods
    }
    assert set(published_figures(paper.name)) - places == set()


@every_paper
def test_a_published_row_is_counted_once(paper: Paper) -> None:
    for table in paper.tables:
        counted = [
            (method.row, measure)
            for method in table.methods
            for measure in method.measures or table.measures
            if method.counted
        ]
        assert len(set(counted)) == len(counted), table.number


@every_paper
def test_claims_rest_on_what_there_is(paper: Paper) -> None:
    claims = find_claims(paper.name)
    assert claims
    assert len({claim.text for claim in claims}) == len(claims)
    for claim in claims:
        for number in claim.needs:
            paper.table(number)


@every_paper
def test_the_tables_are_made_of_what_there_is(paper: Paper) -> None:
    known = {info.name for info in available()}
    for table in (*paper.tables, *paper.experiments):
        assert {column.data.name for column in table.columns} <= known
        assert set(table.measures) <= {*MEASURES, "p_value"}
        labels = [method.label for method in table.methods]
        assert len(set(labels)) == len(labels)
        for derived in (*table.comparisons, *table.differences):
            assert set(derived.methods) <= set(labels)
        if table.ranking is not None:
            ranked = {label for group in table.ranking.groups for label in group}
            assert ranked <= {column.label for column in table.columns}


@every_paper
def test_texts_of_estimators_are_stable(paper: Paper) -> None:
    """The journal is keyed by them: an address in memory would make every run a new one."""
    for table in (*paper.tables, *paper.experiments):
        for method in table.methods:
            assert " at 0x" not in repr(method.estimator)


def test_the_first_table_of_the_oc1_paper() -> None:
    figure = published_figures("murthy1994")[1, "OC1", "Cancer", "accuracy"]
    assert (figure.value, figure.sd) == (96.2, 0.3)


@pytest.mark.skipif(
    not os.environ.get("ASLANT_DATA"), reason="needs the papers' data sets: set ASLANT_DATA"
)
def test_income_has_the_rows_of_the_paper() -> None:
    """30 162 rows to train on and 15 060 to test on, none with a missing value."""
    income = find_paper("wickramarachchi2016").table(7).columns[0]
    rows = load_rows(income.data)
    (division,) = FixedTest(runs=1).divide(rows.y, rows.split, 0)
    assert isinstance(income.plan, FixedTest)
    assert (len(division.train), len(division.test)) == (30162, 15060)


def test_leaving_out_rows_changes_only_the_fingerprint() -> None:
    """The text of a data set is part of the keys of finished runs, which must stay valid."""
    assert repr(Data("adult", complete_rows=True)) == repr(Data("adult"))


def test_unknown_papers_and_tables() -> None:
    with pytest.raises(ValueError, match="Did you mean 'murthy1994'"):
        find_paper("murthy94")
    with pytest.raises(
        ValueError, match=r"has the tables 1, 2 and the experiments figure 5, .*, got 9"
    ):
        find_paper("murthy1994").table(9)


# ---------------------------------------------------------------------- tests between methods


def run_with(hits: np.ndarray) -> RunRecord:
    """Return a run with these test rows right, of one class."""
    right = int(hits.sum())
    confusion = [[right, len(hits) - right], [0, 0]]
    return RunRecord(confusion, pack_bits(hits), 0.0, 1, [], [], [], [], [], [], [])


def runs_of(accuracy: float, seed: int) -> list[RunRecord]:
    """Return ten runs of about this accuracy."""
    rng = np.random.default_rng(seed)
    return [run_with(rng.random(2000) < accuracy) for _ in range(10)]


def p_values(paper: str, number: int, accuracy: dict[str, float]) -> dict[str, float]:
    """Return the p-values of a table, for methods of these accuracies (0.7 if not given)."""
    table = find_paper(paper).table(number)
    runs = {
        method.label: runs_of(accuracy.get(method.label, 0.7), seed)
        for seed, method in enumerate(table.methods)
    }
    return {c.label: c.p_value([runs[label] for label in c.methods]) for c in table.comparisons}


def test_a_better_learner_is_found_and_no_selection() -> None:
    better = {f"RLS + {selection}": 0.75 for selection in ("DSBE", "SBE", "SFS")}
    anova = p_values("brodley1995", 6, better)
    assert anova["Algorithm"] < 1e-6 < 0.01 < anova["Selection"]
    assert anova["Alg-Sel"] > 0.01
    contrasts = p_values("brodley1995", 7, better)
    assert contrasts["RLS vs. Thermal and Pocket"] < 1e-6 < 0.01 < contrasts["Thermal vs. Pocket"]


def test_a_better_selection_is_found_and_no_learner() -> None:
    better = {f"{learner} + SFS": 0.75 for learner in ("Pocket", "RLS", "Thermal")}
    anova = p_values("brodley1995", 6, better)
    assert anova["Selection"] < 1e-6 < 0.01 < anova["Algorithm"]


def test_a_univariate_control_that_is_worse() -> None:
    found = p_values("brodley1995", 15, {"Uni-G": 0.65})
    assert found["Gini"] < 1e-6 < 0.01 < min(found["Info"], found["CART"])


@pytest.mark.parametrize(("number", "method"), [(21, "SBE"), (22, "SBE-G + Uni")])
def test_pairs_of_methods(number: int, method: str) -> None:
    found = p_values("brodley1995", number, {method: 0.75})
    assert found.pop("SBE") < 1e-4
    assert min(found.values()) > 0.01


def test_mcnemar_on_the_first_division() -> None:
    test = find_paper("hinton1996").table(3).comparisons[0]
    first = np.array([1, 1, 1, 0, 0, 0], dtype=bool)
    second = np.array([0, 1, 0, 1, 1, 0], dtype=bool)  # two rows each that the other has wrong
    ignored = run_with(np.ones(6, dtype=bool))
    groups = [[run_with(first), ignored], [run_with(second), ignored]]
    assert test.p_value(groups) == pytest.approx(0.6875)


@pytest.mark.parametrize("name", PAPERS)
def test_this_version_has_every_method(name: str) -> None:
    """A parameter that is renamed must not turn a published row into "not available"."""
    paper = find_paper(name)
    for table in (*paper.tables, *paper.experiments):
        for method in table.methods:
            assert method.unavailable() is None, (table.number, method.label)
