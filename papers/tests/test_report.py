"""Marks, summaries, and what is said of cells that could not be had."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from aslant_papers import find_paper
from aslant_papers import report as reporting
from aslant_papers.cells import LoadedData, _codes
from aslant_papers.counting import count_entries, summarise
from aslant_papers.journal import Journal
from aslant_papers.layout import Shortening, lay_out
from aslant_papers.protocol import (
    Comparison,
    Data,
    Difference,
    PaperTable,
    Ranking,
    TableColumn,
    TableMethod,
    spec,
)
from aslant_papers.published import PublishedFigure
from aslant_papers.records import MEASURES
from aslant_papers.report import Report, ReportEntry, make_report, mark
from aslant_papers.report_text import write_reports
from aslant_papers.runner import run_cells

from aslant.comparison.splits import Folds
from aslant.utils.text_tables import Format

CART = TableMethod("CART", spec("CARTClassifier"))
PUBLISHED = {
    (1, "CART", "Iris", "accuracy"): PublishedFigure(94.0, 1.0),
    (1, "CART", "Iris", "leaves"): PublishedFigure(5.0, None),
    (1, "Unknown", "Iris", "accuracy"): PublishedFigure(90.0, 1.0),
    (1, "CART", "Nowhere", "accuracy"): PublishedFigure(50.0, 1.0),
    (3, "less", "Iris", "accuracy"): PublishedFigure(-30.0, None),
    (3, "less", "Iris", "leaves"): PublishedFigure(-5.0, None),
    (4, "CART", "all", "mean_rank"): PublishedFigure(1.2, None),
    (2, "same", "Iris", "p_value"): PublishedFigure(0.8, None),
}


def table(*methods: TableMethod, **more: object) -> PaperTable:
    settings = {
        "columns": (
            TableColumn("Iris", Data("iris")),
            TableColumn("Nowhere", Data("star_galaxy_dim")),
        ),
        "measures": ("accuracy", "leaves"),
        "plan": Folds(3, 3),
        "number": 1,
        **more,
    }
    return PaperTable(title="a table", methods=methods, **settings)  # type: ignore[arg-type]


@pytest.fixture
def report_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("ASLANT_DATA", raising=False)
    monkeypatch.setattr(reporting, "published_figures", lambda paper: PUBLISHED)

    def make(wanted: PaperTable, short: Shortening | None = None) -> Report:
        layout = lay_out(wanted, short)
        cells = [cell for runs in layout.cells.values() for cell in runs]
        return make_report("a paper", layout, run_cells(cells, Journal(tmp_path)))

    return make


@pytest.mark.parametrize(
    ("measure", "ours", "expected"),
    [
        ("accuracy", 90.0, "within 1 sd"),
        ("accuracy", 91.0, "within 1 sd"),
        ("accuracy", 89.0, "within 1 sd"),
        ("accuracy", 88.5, "within 2 sd"),
        ("accuracy", 92.0, "within 2 sd"),
        ("accuracy", 92.1, "better"),
        ("accuracy", 87.9, "worse"),
        ("leaves", 92.1, "worse"),
        ("leaves", 87.9, "better"),
        ("univariate_tests", 87.9, "differs"),
        ("cpu_seconds", 90.0, ""),
    ],
)
def test_marks(measure: str, ours: float, expected: str) -> None:
    assert mark(MEASURES[measure], PublishedFigure(90.0, 1.0), ours, 50.0) == expected


def test_where_a_paper_prints_no_deviation_ours_stands_in() -> None:
    accuracy = MEASURES["accuracy"]
    assert mark(accuracy, PublishedFigure(90.0, None), 87.0, 2.0) == "within 2 sd"
    assert mark(accuracy, PublishedFigure(90.0, None), 87.0, 1.0) == "worse"
    assert mark(accuracy, PublishedFigure(90.0, None), 87.0, None) == ""


def test_what_the_printed_digits_cannot_show_is_no_difference() -> None:
    rate = MEASURES["true_positive_rate"]
    assert mark(rate, PublishedFigure(1.0, None), 0.9998, 0.0) == "within 1 sd"
    assert mark(rate, PublishedFigure(1.0, None), 0.98, 0.0) == "worse"


def test_figures_stand_side_by_side(report_of) -> None:
    report = report_of(table(CART))
    accuracy, absent, leaves = report.entries
    assert (accuracy.published, accuracy.published_sd) == (94.0, 1.0)
    assert accuracy.ours == pytest.approx(94.0, abs=3.0)
    assert accuracy.runs == 3 and accuracy.ours_sd is not None
    assert accuracy.mark and leaves.mark
    assert (absent.dataset, absent.ours, absent.note) == ("Nowhere", None, "not available")
    assert list(report.layout.absent) == ["Nowhere"]


def test_a_method_that_does_not_exist_is_listed(report_of) -> None:
    unknown = TableMethod("Unknown", spec("NoSuchClassifier", learner="rls"))
    odd = TableMethod("CART", spec("CARTClassifier", no_such_parameter=1))
    report = report_of(table(unknown, odd))
    assert report.layout.absent["Unknown"] == "this version has no NoSuchClassifier"
    assert "no_such_parameter" in report.layout.absent["CART"]
    assert {entry.note for entry in report.entries} == {"not available"}
    assert summarise(report.entries) == []


def test_the_summary_counts_what_was_reached(report_of) -> None:
    lines = summarise(report_of(table(CART)).entries)
    assert lines[0].startswith("accuracy: of 1 figures 1 agree, 0 better, 0 worse; by standard")
    assert "within 30 %: 0, 0 smaller, 1 larger" in lines[1]


def entry(ours: float, mark: str, **more: object) -> ReportEntry:
    place = {"table": 1, "dataset": "Iris", "method": "CART", "measure": "leaves", **more}
    return ReportEntry(published=10.0, published_sd=1.0, ours=ours, mark=mark, **place)


def test_figures_count_on_both_sides() -> None:
    """What is beyond two deviations on the good side does not agree either."""
    entries = [
        entry(5.0, "better", dataset="A", errors_apart=-9.0),
        entry(9.0, "within 1 sd", dataset="B", errors_apart=-1.0),
        entry(12.0, "within 2 sd", dataset="C", errors_apart=3.0),
        entry(15.0, "worse", dataset="D"),
    ]
    (count,) = count_entries(entries)
    assert (count.agree, count.better, count.worse) == (2, 1, 1)
    assert (count.near, count.smaller, count.larger) == (2, 1, 1)
    assert (count.within_errors, count.better_errors, count.worse_errors) == (1, 1, 1)


def test_a_published_figure_counts_once() -> None:
    """Neither a row with our settings nor the same figure in another table counts."""
    figure = entry(9.0, "within 1 sd")
    ours = entry(5.0, "better", method="ours", counted=False)
    again = entry(9.0, "within 1 sd", table=2)
    (count,) = count_entries([figure, ours, again])
    assert (count.total, count.agree) == (1, 1)


def test_rows_with_our_settings_are_shown_and_not_counted(report_of) -> None:
    ours = TableMethod("ours", spec("CARTClassifier", max_depth=1), published="CART", counted=False)
    report = report_of(table(CART, ours))
    assert [(e.method, e.counted) for e in report.entries[:2]] == [("CART", True), ("ours", False)]
    assert report.entries[1].mark == "worse"
    assert count_entries(report.entries)[0].total == 1


def test_standard_errors_of_the_difference(report_of) -> None:
    """Two means of n runs each: the deviations count by the root of n."""
    three = report_of(table(CART)).entries[0]
    one = report_of(table(CART, published_runs=1)).entries[0]
    for found, published_runs in ((three, 3), (one, 1)):
        variance = 1.0 / published_runs + found.ours_sd**2 / 3 + 0.1**2 / 12
        assert found.errors_apart == pytest.approx((found.ours - 94.0) / variance**0.5)


def test_an_experiment_without_a_table_shows_ours_alone(report_of) -> None:
    report = report_of(table(CART, number="depth"))
    accuracy = report.entries[0]
    assert (accuracy.published, accuracy.mark) == (None, "") and accuracy.ours is not None
    assert summarise(report.entries) == []


def test_a_sample_is_not_compared(report_of) -> None:
    report = report_of(table(CART), Shortening(fits=6, most_rows=100))
    accuracy = report.entries[0]
    assert accuracy.ours is not None and accuracy.mark == ""
    assert accuracy.runs == 2
    assert any("100 of 150 rows" in remark for remark in report.layout.remarks)


def test_tests_between_methods(report_of) -> None:
    same = Comparison("same", ("CART", "again"), lambda groups: float(groups[0] != groups[1]))
    other = TableMethod("again", spec("CARTClassifier"))
    report = report_of(table(CART, other, number=2, measures=("p_value",), comparisons=(same,)))
    first, absent = report.entries
    assert (first.ours, first.published, first.mark) == (0.0, 0.8, "differs")
    assert absent.note == "not available"
    assert summarise(report.entries) == ["0 of 1 tests come to the paper's conclusion"]


def test_differences_of_two_methods(report_of) -> None:
    """Run by run: a stump has fewer leaves, and is less accurate, than the whole tree."""
    stump = TableMethod("stump", spec("CARTClassifier", max_depth=1))
    less = Difference("less", ("stump", "CART"))
    report = report_of(table(CART, stump, number=3, differences=(less,)))
    accuracy, leaves = report.entries
    assert accuracy.method == "less" and accuracy.published == -30.0
    assert accuracy.ours is not None and -40.0 < accuracy.ours < -20.0
    assert accuracy.runs == 3 and accuracy.mark
    assert leaves.ours is not None and leaves.ours < 0.0


def test_mean_ranks_over_the_data_sets_that_there_are(report_of) -> None:
    stump = TableMethod("stump", spec("CARTClassifier", max_depth=1))
    ranking = Ranking("all", "accuracy", (("Iris",), ("Nowhere",)))
    report = report_of(table(CART, stump, number=4, ranking=ranking))
    first, second = (entry for entry in report.entries if entry.measure == "mean_rank")
    assert (first.method, first.published, first.ours, first.runs) == ("CART", 1.2, 1.0, 1)
    assert (second.method, second.published, second.ours) == ("stump", None, 2.0)
    assert first.mark == ""
    nowhere = Ranking("all", "accuracy", (("Nowhere",),))
    lost = report_of(table(CART, stump, number=4, ranking=nowhere)).entries[-1]
    assert lost.ours is None and lost.note == "no data set has results of all methods"


def test_cells_with_some_of_their_runs_are_named(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.delenv("ASLANT_DATA", raising=False)
    layout = lay_out(table(CART))
    cells = layout.cells["Iris", "CART"]
    some = make_report("murthy1994", layout, run_cells(cells[:2], Journal(tmp_path)))
    assert some.incomplete == {f"2 of {len(cells)}": ["CART on Iris"]}
    text = write_reports(find_paper("murthy1994"), [some], Format.md, "aslant reproduce")
    assert f"- only 2 of {len(cells)} runs (not computed): CART on Iris\n" in text
    whole = make_report("murthy1994", layout, run_cells(cells, Journal(tmp_path)))
    assert whole.incomplete == {}


def test_single_data_sets_may_have_another_estimator() -> None:
    other = spec("CARTClassifier", max_depth=1)
    method = replace(CART, by_data={"Iris": other}, multiclass=spec("C45Classifier"))
    assert method.estimator_for("Iris", 3) == other
    assert method.estimator_for("Wine", 3) == spec("C45Classifier")
    assert method.estimator_for("Wine", 2) == CART.estimator
    assert replace(CART, by_data={"Iris": spec("NoSuchClassifier")}).unavailable() is not None


def test_the_constant_of_a_test_may_count_as_a_feature(report_of) -> None:
    wanted = {"number": "sizes", "measures": ("size", "tests")}
    plain, more = (
        report_of(table(replace(CART, constants=constants), **wanted)).entries
        for constants in ("", "tests")
    )
    sizes = [entry.ours for entry in (*plain, *more) if entry.dataset == "Iris"]
    assert sizes == [sizes[0], sizes[1], sizes[0] + sizes[1], sizes[1]]
    several = report_of(table(replace(CART, constants="multivariate_tests"), **wanted)).entries
    assert several[0].ours == sizes[0]  # every test of CART has one feature
    other = replace(CART, constants="tests", by_data={"Iris": spec("CARTClassifier", max_depth=9)})
    assert report_of(table(other, **wanted)).entries[0].ours == sizes[0]


def test_levels_are_numbers_in_their_order() -> None:
    column = np.array(["30-39", "3-5", np.nan, "30-39", "premeno", "12-14"], dtype=object)
    codes = _codes(column)
    assert np.isnan(codes[2])
    assert codes[[4, 1, 5, 0, 3]].tolist() == [0.0, 1.0, 2.0, 3.0, 3.0]
    assert _codes(np.array(["2", "10"], dtype=object)).tolist() == [2.0, 10.0]


def test_a_method_may_read_codes_as_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    def rows_of(data: Data) -> LoadedData:
        dtype = np.float64 if data.as_numbers else object
        X = np.array([[1.0, 2.0], [2.0, 1.0]], dtype=dtype)
        return LoadedData(X, np.array([0, 1]), 2, None, [] if data.as_numbers else [1])

    monkeypatch.setattr("aslant_papers.layout.load_rows", rows_of)
    layout = lay_out(table(CART, replace(CART, label="by codes", as_numbers=True)))
    plain, codes = (layout.cells["Iris", label][0] for label in ("CART", "by codes"))
    assert (plain.data.as_numbers, codes.data.as_numbers) == (False, True)
    assert codes.fingerprint == rows_of(codes.data).fingerprint() != plain.fingerprint
