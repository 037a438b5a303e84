"""Bars that show how far the work has come; only where somebody can see them."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn


class _Bar:
    """A bar on the standard error stream, shown while a ``with`` block runs."""

    def __init__(self, label: str) -> None:
        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._visible = console.is_terminal
        self._task = self._bar.add_task(label, total=None)

    def __enter__(self) -> Self:
        if self._visible:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        place: TracebackType | None,
    ) -> None:
        if self._visible:
            self._bar.stop()

    def rename(self, label: str) -> None:
        """Say what is going on now."""
        self._bar.update(self._task, description=label)

    def _show(self, done: int, total: int) -> None:
        self._bar.update(self._task, completed=min(done, total), total=total)


class WorkBar(_Bar):
    """Shows how many of some pieces of work are done; an instance is called with both numbers."""

    done = 0
    total = 0

    def __call__(self, done: int, total: int) -> None:
        """Take the report of the work."""
        self.done, self.total = done, total
        self._show(done, total)


class GrowthBar(_Bar):
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

    def __call__(self, rows_done: int, n_rows: int) -> None:
        """Take the report of one growing tree."""
        thread = threading.get_ident()
        if rows_done < self._rows_done.get(thread, 0):  # the next tree has begun
            self._trees_done += 1
        self._rows_done[thread] = rows_done
        total = self._n_trees * n_rows
        done = self._trees_done * n_rows + sum(self._rows_done.values())
        self._show(done, total)

    def __deepcopy__(self, memory: object) -> Self:
        """Return itself: copies of an estimator, as made by `clone`, report to the same bar."""
        return self
