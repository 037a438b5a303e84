"""How far the work has come, shown where somebody can see it.

In a terminal there is a bar, in a notebook, where a bar would need widgets, a line that is written
over. Where the output goes to a file or another program there are plain lines, few of them, and
only if they were asked for: nothing is ever written over.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

# Lines in a file, and in a notebook, come no faster than this many seconds after one another.
_SECONDS_BETWEEN_LINES = 10.0
_SECONDS_IN_NOTEBOOK = 0.2


class Bar:
    """A bar, or lines, on the standard error stream, while a ``with`` block runs.

    Parameters
    ----------
    label : str
        What is going on.
    unit : str
        What is counted.
    lines : bool
        Whether to write lines where there can be no bar.
    clock : callable
        Tells the time in seconds.
    """

    def __init__(
        self,
        label: str,
        unit: str = "",
        *,
        lines: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # Loaded where something is shown: most fits show nothing.
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
        )

        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._in_notebook = console.is_jupyter
        self._in_terminal = console.is_terminal and not self._in_notebook
        self.visible = self._in_terminal or self._in_notebook
        self._width = 0  # of the line in the notebook
        self._label, self._unit, self._lines, self._clock = label, unit, lines, clock
        self._next_line = clock()
        self._task = self._bar.add_task(label, total=None)

    def __enter__(self) -> Self:
        if self._in_terminal:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        place: TracebackType | None,
    ) -> None:
        if self._in_terminal:
            self._bar.stop()
        if self._width > 0:
            self._write_over("")

    def rename(self, label: str) -> None:
        """Say what is going on now."""
        self._label = label
        self._bar.update(self._task, description=label)

    def show(self, done: int, total: int) -> None:
        """Say how much is done, of how much."""
        self._bar.update(self._task, completed=min(done, total), total=total)
        if self._in_terminal or not (self._in_notebook or self._lines):
            return
        if self._clock() < self._next_line and done != total:
            return
        text = f"{self._label}: {done} of {total}{f' {self._unit}' if self._unit else ''}"
        if self._in_notebook:
            self._write_over(text)
        else:
            print(text, file=sys.stderr, flush=True)
        pause = _SECONDS_IN_NOTEBOOK if self._in_notebook else _SECONDS_BETWEEN_LINES
        self._next_line = self._clock() + pause

    def _write_over(self, text: str) -> None:
        print(f"\r{text.ljust(self._width)}", end="" if text else "\r", file=sys.stderr, flush=True)
        self._width = max(self._width, len(text))


def counter(label: str, unit: str) -> Callable[[int, int], None]:
    """Return what shows how many of all units are done, for work that may fail at any time."""
    bar: Bar | None = None

    def show(done: int, total: int) -> None:
        nonlocal bar
        bar = bar or Bar(label, unit, lines=True)
        if bar.visible:  # one line, written over; a bar could not know when the work fails
            end = "\n" if done >= total else ""
            print(f"\r{label}: {done} of {total} {unit}", end=end, file=sys.stderr, flush=True)
        else:
            bar.show(done, total)

    return show
