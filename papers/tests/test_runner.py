"""The runner: nothing twice, nothing lost, the same result however it is run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aslant_papers import runner
from aslant_papers.cells import Cell, LoadedData, OutOfTimeError, compute, load_rows
from aslant_papers.journal import FILE_NAME, Journal, default_folder
from aslant_papers.protocol import Data, spec
from aslant_papers.records import MEASURES, RunRecord
from aslant_papers.runner import OUT_OF_TIME, run_cells

from aslant.comparison.splits import Folds

IRIS = Data("iris")


def cells(
    *names: str, runs: int = 2, folds: int = 3, data: Data = IRIS, **parameters: Any
) -> list[Cell]:
    plan = Folds(runs, folds)
    fingerprint = load_rows(data).fingerprint()
    return [
        Cell(data, fingerprint, plan, run, spec(name, **parameters))
        for name in names
        for run in range(runs)
    ]


def without_time(record: RunRecord) -> dict[str, Any]:
    return asdict(replace(record, seconds=[]))


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "cache")


def test_nothing_is_computed_twice(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_cells(cells("CARTClassifier", "C45Classifier"), journal)
    assert len(first.records) == 4

    def never(*arguments: Any) -> Any:
        raise AssertionError("computed again")

    monkeypatch.setattr(runner, "compute", never)
    second = run_cells(cells("CARTClassifier", "C45Classifier"), journal)
    assert second.records == first.records


def test_computing_again_on_request(journal: Journal) -> None:
    run_cells(cells("CARTClassifier"), journal)
    other = Journal(journal.path.parent)
    for _ in range(2):  # what was computed again is not computed a third time
        run_cells(cells("CARTClassifier"), other, again=True)
    assert len(journal.path.read_text().splitlines()) == 4
    assert len(journal.read()) == 2


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    wanted = cells("OC1Classifier", restarts=2) + cells("CARTClassifier")
    one = run_cells(wanted, Journal(tmp_path / "one"), jobs=1)
    two = run_cells(wanted, Journal(tmp_path / "two"), jobs=2)
    assert one.records.keys() == two.records.keys()
    for key in one.records:
        assert without_time(one.records[key]) == without_time(two.records[key])


def test_a_failure_is_told_and_stops_nothing_else(journal: Journal) -> None:
    bad = cells("CARTClassifier", criterion="ginny", runs=1)
    good = cells("CARTClassifier", runs=1)
    results = run_cells([*bad, *good], journal)
    assert list(results.records) == [good[0].key]
    assert results.failures[bad[0].key].startswith("failed: criterion must be one of")
    assert len(journal.read()) == 1


def test_what_takes_too_long_is_left_out(journal: Journal) -> None:
    dear = cells("OC1Classifier", restarts=100_000, runs=1)
    results = run_cells(dear, journal, budget=0.5)
    assert results.failures == {dear[0].key: OUT_OF_TIME}
    assert journal.read() == {}


def test_a_cell_hears_the_time_while_it_grows() -> None:
    with pytest.raises(OutOfTimeError):
        compute(cells("OC1Classifier", restarts=100_000, runs=1)[0], stop_at=time.time() + 0.2)


def test_progress(journal: Journal) -> None:
    seen: list[tuple[int, int]] = []
    run_cells(cells("CARTClassifier"), journal, report=lambda done, n: seen.append((done, n)))
    assert seen == [(0, 2), (1, 2), (2, 2)]


# ---------------------------------------------------------------------- what determines a cell


def test_keys_tell_apart_what_gives_other_results() -> None:
    base = cells("CARTClassifier", runs=1)[0]
    others = [
        replace(base, run=1),
        replace(base, fingerprint="0"),
        replace(base, data=Data("wine")),
        replace(base, plan=Folds(1, 3, stratified=True)),
        replace(base, estimator=spec("CARTClassifier", criterion="twoing")),
        replace(base, estimator=spec("CARTClassifier", pruning=spec("CostComplexity", cv=3))),
        replace(base, prune_set=True),
        replace(base, most_rows=50),
    ]
    assert len({cell.key for cell in [base, *others]}) == len(others) + 1


def test_the_version_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = cells("CARTClassifier", runs=1)[0]
    before = cell.key
    monkeypatch.setattr("aslant.__version__", "0.0.0")
    assert cell.key != before


def test_more_runs_do_not_change_the_first_ones() -> None:
    cell = cells("CARTClassifier", runs=1)[0]
    assert replace(cell, plan=Folds(10, 3)).key == cell.key


def test_generated_data_may_be_drawn_anew() -> None:
    assert (load_rows(Data("pol", redrawn=True), 0).X != load_rows(Data("pol", True), 1).X).any()
    assert (load_rows(Data("pol"), 0).X == load_rows(Data("pol"), 1).X).all()


def test_a_sample_is_stated_and_always_the_same() -> None:
    rows = load_rows(IRIS)
    assert len(rows.sampled(60).y) == 60
    assert rows.sampled(60).fingerprint() == rows.sampled(60).fingerprint()
    assert rows.sampled(150) is rows


# ---------------------------------------------------------------------- what is measured


def test_levels_new_in_a_fold_are_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.array([[f"level {row}", row % 7] for row in range(30)], dtype=object)
    rows = LoadedData(X, np.arange(30) % 2, n_classes=2, split=None, categorical=[0])
    monkeypatch.setattr(Cell, "rows", lambda self: rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compute(cells("CARTClassifier")[0])


def test_measures_of_a_record() -> None:
    record = compute(cells("CARTClassifier", runs=1)[0])
    values = {name: measure.of(record, 0) for name, measure in MEASURES.items()}
    assert sum(map(sum, record.confusion)) == 150
    assert values["accuracy"] == pytest.approx(100 * record.hits.mean())
    assert values["leaves"] == values["tests"] + 1
    assert values["nodes"] == values["leaves"] + values["tests"]
    assert values["size"] == values["tests"] == values["univariate_tests"]
    assert values["multivariate_tests"] == 0
    assert values["true_positive_rate"] == values["true_positive_rate_1"] == 1.0  # setosa
    assert 0.0 < values["rcl"] < 1.0
    assert 0.0 < values["relative_error"] < 20.0


def test_pruning_by_the_rows_of_the_plan() -> None:
    plan = Folds(1, 4, prune_share=0.25)
    tree = spec("CARTClassifier", pruning=spec("ReducedError"))
    cell = Cell(Data("pol"), "", plan, 0, tree, prune_set=True)
    unpruned = replace(cell, plan=Folds(1, 4))
    assert max(compute(cell).leaves) < min(compute(unpruned).leaves)
    # On the same rows as the rest of a fold, but without those for pruning.
    alone = replace(cell, estimator=spec("CARTClassifier"), prune_set=False)
    assert max(compute(cell).leaves) <= min(compute(alone).leaves)


# ---------------------------------------------------------------------- the journal

STOPPED = """
import sys, pathlib
from aslant_papers.cells import Cell, load_rows
from aslant_papers.journal import Journal
from aslant_papers.protocol import Data, spec
from aslant_papers.runner import run_cells
from aslant.comparison.splits import Folds

data = Data("iris")
print_ = lambda done, n: print(done, flush=True)
tree = spec("OC1Classifier")
cells = [Cell(data, load_rows(data).fingerprint(), Folds(500, 5), r, tree) for r in range(500)]
run_cells(cells, Journal(pathlib.Path(sys.argv[1])), report=print_)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPED, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= 2:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()
    journal = Journal(tmp_path)
    kept = journal.read()
    assert len(kept) >= 2
    data, tree = Data("iris"), spec("OC1Classifier")
    n_runs = len(kept) + 1
    wanted = [
        Cell(data, load_rows(data).fingerprint(), Folds(500, 5), run, tree) for run in range(n_runs)
    ]
    results = run_cells(wanted, journal)
    assert len(results.records) == n_runs
    assert len(journal.path.read_text().splitlines()) == n_runs
    for key, record in kept.items():
        assert results.records[key] == record


def test_a_line_cut_off_is_left_out_and_the_next_one_is_whole(journal: Journal) -> None:
    first, second = cells("CARTClassifier")
    run_cells([first], journal)
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole + whole[: len(whole) // 2])
    run_cells([second], journal)
    assert set(journal.read()) == {first.key, second.key}


def test_lines_of_another_version_are_left_out(journal: Journal) -> None:
    journal.path.write_text('{"key": "a", "record": {"accuracy": 1}}\n[]\n{}\nnonsense\n')
    assert journal.read() == {}


@pytest.mark.skipif(sys.platform != "linux", reason="where Linux keeps caches")
def test_the_default_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "aslant"
    assert Journal(default_folder()).path == tmp_path / "aslant" / FILE_NAME
