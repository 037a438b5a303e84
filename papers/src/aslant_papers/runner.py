"""Computing cells: in parallel, each only once, kept when the work is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field

from joblib import Parallel, delayed

from aslant.utils.processes import ignoring_interrupts
from aslant_papers.cells import Cell, OutOfTimeError, compute
from aslant_papers.journal import Journal
from aslant_papers.records import RunRecord

OUT_OF_TIME = "takes longer than the time allowed"
# One cell may take this fraction of the time limit.
_SHARE_OF_A_CELL = 0.2


@dataclass
class Results:
    """Finished runs, and why others are not, by the keys of the cells."""

    records: dict[str, RunRecord] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)


def run_cells(
    cells: Iterable[Cell],
    journal: Journal,
    *,
    jobs: int = 1,
    budget: float | None = None,
    again: bool = False,
    report: Callable[[int, int], None] | None = None,
) -> Results:
    """Return the results of cells, from the journal or computed now.

    Parameters
    ----------
    cells : iterable of Cell
        What to compute; first runs come first, so that an early end leaves something of each.
    journal : Journal
        Where finished runs are kept.
    jobs : int, default=1
        Processes; -1 is one a core.
    budget : float, optional
        Seconds after which no more is computed; a cell may take a fifth of them.
    again : bool, default=False
        Whether to compute what the journal had from before, too.
    report : callable, optional
        Is told the number of finished cells and of all.

    Returns
    -------
    Results
        A cell that fails has its reason there; the others go on.
    """
    wanted = {cell.key: cell for cell in cells}
    known = journal.read()
    if again:
        known = {key: record for key, record in known.items() if key in journal.added}
    results = Results({key: known[key] for key in wanted if key in known})
    to_do = sorted((c for key, c in wanted.items() if key not in known), key=lambda c: c.run)
    tell = report or (lambda done, total: None)
    tell(len(results.records), len(wanted))
    stop_at = None if budget is None else time.time() + budget
    patience = None if budget is None else _SHARE_OF_A_CELL * budget
    with ignoring_interrupts():
        attempts = Parallel(n_jobs=jobs, return_as="generator_unordered")(
            delayed(_attempt)(cell, stop_at, patience) for cell in to_do
        )
    with closing(attempts):  # an interrupt here ends the processes at work
        for key, outcome in attempts:
            if isinstance(outcome, RunRecord):
                journal.append(wanted[key], outcome)
                results.records[key] = outcome
            else:
                results.failures[key] = outcome
            tell(len(results.records) + len(results.failures), len(wanted))
    return results


def _attempt(
    cell: Cell, stop_at: float | None, patience: float | None
) -> tuple[str, RunRecord | str]:
    """Return the key of a cell with its result, or with the reason why there is none."""
    try:
        if stop_at is None or patience is None:
            return cell.key, compute(cell)
        if time.time() > stop_at:
            raise OutOfTimeError
        return cell.key, compute(cell, min(stop_at, time.time() + patience))
    except OutOfTimeError:
        return cell.key, OUT_OF_TIME
    except Exception as error:  # one bad cell must not end hours of work on the others
        return cell.key, f"failed: {' '.join(str(error).split()) or type(error).__name__}"
