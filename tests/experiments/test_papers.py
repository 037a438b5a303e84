"""The papers' tables: every published figure has its place, every name its data set."""

from __future__ import annotations

import pytest

from aslant.datasets import available
from aslant.experiments import PAPERS, find_paper
from aslant.experiments.protocol import Paper
from aslant.experiments.published import published_figures
from aslant.experiments.records import MEASURES

every_paper = pytest.mark.parametrize("paper", [find_paper(name) for name in PAPERS], ids=PAPERS)


@every_paper
def test_every_published_figure_has_its_place(paper: Paper) -> None:
    places = {
        (table.number, row, column.label, measure)
        for table in paper.tables
        for row in [
            *table.not_reproduced,
            *(part.label for part in table.comparisons or ()),
            *(method.row for method in table.methods),
        ]
        for column in table.columns
        for measure in table.measures
    }
    assert set(published_figures(paper.name)) - places == set()


@every_paper
def test_the_tables_are_made_of_what_there_is(paper: Paper) -> None:
    known = {info.name for info in available()}
    for table in paper.tables:
        assert {column.data.name for column in table.columns} <= known
        assert set(table.measures) <= {*MEASURES, "p_value"}
        labels = [method.label for method in table.methods]
        assert len(set(labels)) == len(labels)
        for comparison in table.comparisons:
            assert set(comparison.methods) <= set(labels)


@every_paper
def test_texts_of_estimators_are_stable(paper: Paper) -> None:
    """The journal is keyed by them: an address in memory would make every run a new one."""
    for table in paper.tables:
        for method in table.methods:
            assert " at 0x" not in repr(method.estimator)


def test_the_first_table_of_the_oc1_paper() -> None:
    figure = published_figures("murthy1994")[1, "OC1", "Cancer", "accuracy"]
    assert (figure.value, figure.sd) == (96.2, 0.3)


def test_unknown_papers_and_tables() -> None:
    with pytest.raises(ValueError, match="Did you mean 'murthy1994'"):
        find_paper("murthy94")
    with pytest.raises(ValueError, match="has the tables 1, 2, got 9"):
        find_paper("murthy1994").table(9)
