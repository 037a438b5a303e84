"""Progress where somebody can see it, and a few whole lines elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslant import OC1Classifier
from aslant.utils.progress import Bar, counter

X = np.random.default_rng(0).normal(size=(400, 3))


def test_no_carriage_returns_in_a_file(capsys: Any) -> None:
    """A megabyte of them is what a redirected fit used to write."""
    model = OC1Classifier(random_state=0, restarts=2, verbose=1).fit(X, X.sum(axis=1) > 0)
    report = counter(type(model).__name__, "rows in leaves")
    for done in range(401):
        report(done, 400)
    written = capsys.readouterr().err
    assert "\r" not in written
    assert (
        written.endswith("OC1Classifier: 400 of 400 rows in leaves\n") or written.count("\n") <= 3
    )
    assert " rows in leaves\n" in written
    assert len(written.splitlines()) <= 4


def test_lines_come_one_after_another_at_leisure(capsys: Any) -> None:
    now = [0.0]
    bar = Bar("Work", "pieces", lines=True, clock=lambda: now[0])
    with bar:
        for done in range(1, 31):
            now[0] += 1.0
            bar(done, 30)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"Work: {done} of 30 pieces" for done in (1, 11, 21, 30)]


def test_nothing_is_written_unasked(capsys: Any) -> None:
    with Bar("Work") as bar:
        bar(3, 3)
    assert not bar.visible
    assert capsys.readouterr().err == ""


def test_a_notebook_without_widgets_has_a_line_that_is_written_over(
    capsys: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    now = [0.0]
    with Bar("Work", "pieces", clock=lambda: now[0]) as bar:
        assert bar.visible
        for done in range(1, 31):
            now[0] += 0.1
            bar(done, 30)
    written = capsys.readouterr().err
    shown = written.split("\r")
    assert shown[1] == "Work: 1 of 30 pieces"
    assert 10 < len(shown) < 20
    assert shown[-3] == "Work: 30 of 30 pieces"
    assert shown[-2].strip() == ""
    assert written.endswith("\r")
    assert "\n" not in written
