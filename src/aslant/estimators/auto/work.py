"""Independent pieces of work on several threads, with progress and a way to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
Report = Callable[[float], None]


class Stopped(BaseException):
    """Raised in a piece of work after another one has failed."""


class Work:
    """Runs pieces of work and reports what fraction is done.

    Results come in the order of the pieces, so nothing depends on the number of threads.

    Parameters
    ----------
    n_threads : int
        Pieces at a time.
    report : callable or None
        Called with the fraction that is done.
    """

    def __init__(self, n_threads: int, report: Report | None) -> None:
        self.n_threads = n_threads
        self._report = report
        self._stopping = False
        self._done = 0.0
        self._lock = threading.Lock()

    def check(self, *_: Any) -> None:
        """Leave a piece of work if it is not needed any more; called by long loops."""
        if self._stopping:
            raise Stopped

    def run(self, pieces: Sequence[Callable[[], T]], share: float) -> list[T]:
        """Return the results of some pieces, which together are this share of all work."""
        each = share / max(1, len(pieces))

        def do(piece: Callable[[], T]) -> T:
            self.check()
            result = piece()
            with self._lock:
                self._done += each
                self._tell()
            return result

        n_threads = min(self.n_threads, len(pieces))
        if n_threads <= 1:
            return [do(piece) for piece in pieces]
        with ThreadPoolExecutor(n_threads) as pool:
            try:
                return list(pool.map(do, pieces))
            except BaseException:
                self._stopping = True
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _tell(self) -> None:
        if self._report is None:
            return
        self._report(min(self._done, 1.0))
