"""Random models on random data: see `fuzz.run`."""

from __future__ import annotations

import itertools
import subprocess
import sys
from queue import Queue
from types import SimpleNamespace

import pytest
from fuzz import model_bytes
from fuzz import run as driver
from fuzz.trying import attempt


@pytest.mark.parametrize("seed", range(100_000, 100_060))
def test_tries_end_well(seed: int) -> None:
    attempt(seed)


@pytest.mark.slow
def test_a_minute_of_tries() -> None:
    ends, wrong = driver.run(60.0, first=1_000_000)
    assert not wrong
    assert ends["fitted"] > 100


@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_changed_model_files(first: int) -> None:
    ends, wrong = model_bytes.run(100, first)
    assert not wrong
    assert ends["refused"] > 80


class Prepared:
    """Stands for a process that writes some lines and dies."""

    def __init__(self, first: int) -> None:
        said = [f"begin {first}", f"ended {first} fitted", f"wrong {first + 1} 'a wrong end'"]
        self.lines: Queue[str | None] = Queue()
        for line in (*said, f"begin {first + 2}", None):
            self.lines.put(line)
        self.process = subprocess.Popen([sys.executable, "-c", "import os; os.abort()"])

    def end(self) -> str:
        self.process.kill()
        self.process.wait()
        return "its last words"


def test_what_is_wrong_is_reported_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a crash the next process goes on with the next seed."""
    monkeypatch.setattr(driver, "Child", Prepared)
    seconds = itertools.count()  # one at each look at the clock, one look for each line
    monkeypatch.setattr(driver, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    ends, wrong = driver.run(10.0, first=10)
    assert wrong[11] == "a wrong end"
    assert "a crash" in wrong[12]
    assert "its last words" in wrong[12]
    assert wrong[14] == "a wrong end"
    assert ends["fitted"] >= 2
