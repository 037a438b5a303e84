"""Bars that show how far the work has come; only where somebody can see them."""

from __future__ import annotations

import threading
from typing import Self

from aslant.utils.progress import Bar


class WorkBar(Bar):
    """Shows how many of some pieces of work are done; an instance is called with both numbers."""

    done = 0
    total = 0

    def __call__(self, done: int, total: int) -> None:
        """Take the report of the work."""
        self.done, self.total = done, total
        self.show(done, total)


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

    def __call__(self, rows_done: int, n_rows: int) -> None:
        """Take the report of one growing tree."""
        thread = threading.get_ident()
        if rows_done < self._rows_done.get(thread, 0):  # the next tree has begun
            self._trees_done += 1
        self._rows_done[thread] = rows_done
        total = self._n_trees * n_rows
        done = self._trees_done * n_rows + sum(self._rows_done.values())
        self.show(done, total)

    def __deepcopy__(self, memory: object) -> Self:
        """Return itself: copies of an estimator, as made by `clone`, report to the same bar."""
        return self
