"""Progress on the standard error stream: the only printer of progress.

A terminal shows a bar; a notebook, where a bar would need widgets, shows a line that is replaced. A
file or another program gets plain lines, few of them, and only on request.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

# Seconds between the first plain lines, twice as many after each, and between two versions of a
# line that is written over.
_SECONDS_BETWEEN_LINES = 10.0
_SECONDS_WRITTEN_OVER = 0.2


class Bar:
    """Shows how many of some pieces of work are done; an instance is called with both numbers.

    In a ``with`` block a terminal shows a bar. Without one, when nobody could remove a bar after a
    failure, it shows a line that is written over.

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
        self._has_bar = False  # in a terminal, while a block runs
        self._width = 0  # of the line that is written over
        self._output: Any = None  # of a notebook: the output that is replaced
        self._pause = _SECONDS_BETWEEN_LINES
        self.done = self.total = 0
        self._label, self._unit, self._lines, self._clock = label, unit, lines, clock
        self._next_line = clock()
        self._task = self._bar.add_task(label, total=None)

    def __enter__(self) -> Self:
        if self._in_terminal:
            self._bar.start()
            self._has_bar = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        place: TracebackType | None,
    ) -> None:
        if self._has_bar:
            self._bar.stop()
            self._has_bar = False
        if self._width > 0:
            self._write_over("")

    def __call__(self, done: int, total: int, doing: str | None = None) -> None:
        """Show how much is done, of how much, and what is going on."""
        self.done, self.total = done, total
        label = self._label if doing is None else f"{self._label}: {doing}"
        if self._has_bar:
            done = min(done, total)
            self._bar.update(self._task, completed=done, total=total, description=label)
            return
        if not (self.visible or self._lines) or (self._clock() < self._next_line and done != total):
            return
        text = f"{label}: {done} of {total}{f' {self._unit}' if self._unit else ''}"
        if self.visible:
            self._write_over(text)
        else:
            print(text, file=sys.stderr, flush=True)
        self._next_line = self._clock() + (_SECONDS_WRITTEN_OVER if self.visible else self._pause)
        self._pause *= 2.0

    def end_line(self) -> None:
        """Go on below the line that was written over; an output of a notebook ends by itself."""
        if self.visible and not self._in_notebook:
            print(file=sys.stderr)

    def _write_over(self, text: str) -> None:
        if self._in_notebook:
            self._replace_output(text)
            self._width = len(text)
            return
        print(f"\r{text.ljust(self._width)}", end="" if text else "\r", file=sys.stderr, flush=True)
        self._width = max(self._width, len(text))

    def _replace_output(self, text: str) -> None:
        """Show a text in the place of the last one, also in a notebook that runs in a batch."""
        from IPython.display import display

        content = {"text/plain": text}
        if self._output is None:
            self._output = display(content, raw=True, display_id=True)
        else:
            self._output.update(content, raw=True)


class GrowthBar(Bar):
    """Shows the share of rows that have reached a leaf.

    An instance is what the estimators take as ``verbose``. Several trees may grow one after
    another or, on several threads, at once.

    Parameters
    ----------
    label : str
        What is going on.
    n_trees : int
        Trees to be grown in all.
    """

    def __init__(self, label: str, n_trees: int) -> None:
        super().__init__(label)
        self._n_trees = n_trees
        self._trees_done = 0
        self._rows_done: dict[int, int] = {}  # by thread

    def __call__(self, rows_done: int, n_rows: int, doing: str | None = None) -> None:
        """Take the report of one growing tree."""
        thread = threading.get_ident()
        if rows_done < self._rows_done.get(thread, 0):  # the next tree has begun
            self._trees_done += 1
        self._rows_done[thread] = rows_done
        done = self._trees_done * n_rows + sum(self._rows_done.values())
        super().__call__(done, self._n_trees * n_rows, doing)

    def __deepcopy__(self, memory: object) -> Self:
        """Return itself: copies of an estimator, as made by `clone`, report to the same bar."""
        return self


def counter(label: str, unit: str) -> Callable[[int, int], None]:
    """Return a function that shows how many of all units are done."""
    bar: Bar | None = None

    def show(done: int, total: int) -> None:
        nonlocal bar
        bar = bar or Bar(label, unit, lines=True)  # rich is loaded where something is shown
        bar(done, total)
        if done >= total:
            bar.end_line()

    return show
