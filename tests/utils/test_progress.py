"""Progress where somebody can see it, and a few whole lines elsewhere."""

from __future__ import annotations

import sys
from types import ModuleType
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
        for done in range(1, 301):
            now[0] += 1.0
            bar(done, 300)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"Work: {done} of 300 pieces" for done in (1, 11, 31, 71, 151, 300)]


def test_nothing_is_written_unasked(capsys: Any) -> None:
    with Bar("Work") as bar:
        bar(3, 3)
    assert not bar.visible
    assert capsys.readouterr().err == ""


class Outputs(ModuleType):
    """IPython's display: a list of outputs, each the last text that it showed."""

    def __init__(self) -> None:
        super().__init__("IPython.display")
        self.shown: list[str] = []
        self.updates = 0

    def display(self, content: dict[str, str], *, raw: bool, display_id: bool) -> Outputs:
        assert raw and display_id
        self.shown.append(content["text/plain"])
        return self

    def update(self, content: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.updates += 1
        self.shown[-1] = content["text/plain"]


def test_a_notebook_has_one_output_that_is_replaced(capsys: Any, monkeypatch: Any) -> None:
    """A stream with carriage returns would be thirty lines in a notebook that runs in a batch."""
    outputs = Outputs()
    monkeypatch.setitem(sys.modules, "IPython", ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", outputs)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    now = [0.0]
    with Bar("Work", "pieces", clock=lambda: now[0]) as bar:
        assert bar.visible
        for done in range(1, 31):
            now[0] += 0.1
            bar(done, 30)
        assert outputs.shown == ["Work: 30 of 30 pieces"]
        assert 10 < outputs.updates < 20
    assert outputs.shown == [""]
    assert capsys.readouterr() == ("", "")
