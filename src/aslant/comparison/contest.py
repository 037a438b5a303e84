"""The schedule of a comparison within its time budget.

First every method is fitted to a few rows, to estimate costs. The estimates decide how many rows
are used and the order: CART, whose time is the unit, then the cheapest first. Then come rounds: one
5-fold cross-validation, the five divisions into halves of the F test, and further cross-validations
while there is time for a complete one. In a round all methods see the same divisions. A method that
does not fit into the time left is not started, one that overruns is stopped; the result reports
both.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from aslant.comparison.contender import REFERENCE, Contender
from aslant.comparison.fold import TOO_SLOW, FoldResult, fit_fold
from aslant.comparison.problem import Problem
from aslant.comparison.splits import Division, Folds
from aslant.utils.processes import ignoring_interrupts

FOLDS = 5
HALVINGS = 5
# Sizes of samples: round numbers, for the sentence about them.
_SAMPLE_SIZES = (200_000, 100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000)
_PILOT_ROWS = (250, 1000)
# All pilot fits of a size together may take this fraction of the budget.
_PILOT_SHARE = 0.1
# The number of rows is such that this fraction of the methods should finish in this fraction of
# the time: extrapolated times are often too short.
_SHARE_TO_FINISH, _SHARE_TO_PLAN = 0.75, 0.5
# A method may take this multiple of its expected time, or this fraction of the budget.
_PATIENCE, _LEAST_SHARE = 3.0, 0.2
# Expected times are multiplied by this.
_CAUTION = 1.3

Report = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Round:
    """Divisions of the rows that all methods go through, with a number and a name."""

    number: int
    title: str
    divisions: list[Division]

    @property
    def train_rows(self) -> int:
        """Rows that a fit of this round gets, about."""
        return len(self.divisions[0].train)


@dataclass(frozen=True)
class Allowance:
    """Limits of the work.

    Attributes
    ----------
    budget : float
        Seconds for everything; infinite if there is no limit.
    repeats : int
        Cross-validations at most.
    jobs : int or None
        Processes, as joblib counts them.
    seed : int
        Random seed.
    scorer : callable or None
        The score that methods are ranked by; accuracy or R2 if None.
    """

    budget: float
    repeats: int
    jobs: int | None
    seed: int
    scorer: Callable[..., float] | None = None


class Contest:
    """Fits the contenders, which keep their results; see the module.

    Attributes
    ----------
    problem : Problem
        The rows in use: after the start perhaps a sample of those given.
    contenders : list of Contender
        In the order of their expected cost.
    """

    def __init__(
        self,
        problem: Problem,
        contenders: list[Contender],
        allowance: Allowance,
        report: Report | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.problem = problem
        self.contenders = contenders
        self._allowance = allowance
        self._report = report or (lambda done, total, doing: None)
        self._clock = clock
        self._end = clock() + allowance.budget
        self._jobs = effective_n_jobs(allowance.jobs)
        self._fits_done = 0
        self._fits_planned = 0

    def run(self) -> None:
        """Do the work; whatever ends it early, the contenders keep what is finished."""
        self._pilot()
        self.problem = self.problem.sampled(self._affordable_rows(), self._allowance.seed)
        self.contenders = self._by_cost(len(self.problem))
        first = Round(1, "folds", self._divide(FOLDS, 0))
        halves = Round(2, "halves", [d for i in range(HALVINGS) for d in self._divide(2, i)])
        self._fits_planned += len(self._alive()) * (len(first.divisions) + len(halves.divisions))
        self._first_round(first, halves)
        self._halves_round(halves)
        for repeat in range(1, self._allowance.repeats):
            further = Round(2 + repeat, f"repeat {repeat}", self._divide(FOLDS, repeat))
            if not self._repeat_round(further):
                break

    # ------------------------------------------------------------------ divisions

    def _divide(self, n_folds: int, number: int) -> list[Division]:
        folds = Folds(1, min(n_folds, len(self.problem) // 2))
        if self.problem.task == "classification":
            largest = int(np.bincount(self.problem.y).max())
            folds = Folds(1, min(n_folds, largest), stratified=True)
        with warnings.catch_warnings():  # of small classes, which the result mentions
            warnings.simplefilter("ignore", UserWarning)
            return folds.divide(self.problem.y, None, self._seed(n_folds, number))

    def _seed(self, *key: int) -> int:
        return int(np.random.SeedSequence([self._allowance.seed, *key]).generate_state(1)[0])

    # ------------------------------------------------------------------ costs

    def _alive(self) -> list[Contender]:
        return [contender for contender in self.contenders if not contender.reason]

    def _left(self) -> float:
        return self._end - self._clock()

    def _cost(self, contender: Contender, n_fits: int, n_rows: float) -> float:
        """Return the probable time of so many fits to so many rows."""
        waves = np.ceil(n_fits / self._jobs)
        return float(_CAUTION * waves * contender.expected_seconds(max(1, round(n_rows))))

    def _cost_of(self, contender: Contender, round_: Round) -> float:
        return self._cost(contender, len(round_.divisions), round_.train_rows)

    def _pilot(self) -> None:
        """Fit all methods to a few rows, to estimate costs."""
        n_rows = len(self.problem)
        shuffled = np.random.default_rng(self._allowance.seed).permutation(n_rows)
        cap = _PILOT_SHARE * self._allowance.budget / len(self.contenders)
        quick = self.contenders
        for size in sorted({min(rows, n_rows // 2) for rows in _PILOT_ROWS}):
            few = Division(np.sort(shuffled[:size]), np.sort(shuffled[-size:]))
            if quick is self.contenders:  # the first fit of a process takes longer
                self._fits_planned += self._jobs
                list(self._fit(self._reference(), Round(0, "start", [few] * self._jobs), np.inf))
            self._fits_planned += len(quick)
            quick = [c for c in quick if self._try_out(c, Round(0, f"{size} rows", [few]), cap)]

    def _reference(self) -> Contender:
        return next(contender for contender in self.contenders if contender.name == REFERENCE)

    def _try_out(self, contender: Contender, pilot: Round, cap: float) -> bool:
        """Return whether a fit ended in time; a failure on a few rows need not be one on all."""
        (outcome,) = self._fit(contender, pilot, cap)
        if isinstance(outcome, FoldResult):
            contender.learn(pilot.train_rows, outcome.wall_seconds)
        elif outcome == TOO_SLOW:  # a lower bound
            at_least = max(cap, contender.expected_seconds(pilot.train_rows))
            contender.learn(pilot.train_rows, at_least)
        return outcome != TOO_SLOW

    def _by_cost(self, n_rows: int) -> list[Contender]:
        """Return the contenders, cheapest first; but the reference goes before all."""
        return sorted(
            self.contenders, key=lambda c: (c.name != REFERENCE, c.expected_seconds(n_rows))
        )

    def _affordable_rows(self) -> int:
        """Return the largest number of rows at which most methods will probably finish."""
        n_rows = len(self.problem)
        n_counted = int(np.ceil(_SHARE_TO_FINISH * len(self.contenders)))
        sizes = [n_rows, *(size for size in _SAMPLE_SIZES if size < n_rows)]
        for size in sizes:
            counted = self._by_cost(size)[:n_counted]
            folds = sum(self._cost(c, FOLDS, 0.8 * size) for c in counted)
            halves = sum(self._cost(c, 2 * HALVINGS, 0.5 * size) for c in counted)
            if folds + halves <= _SHARE_TO_PLAN * self._left():
                return size
        return sizes[-1]

    # ------------------------------------------------------------------ rounds

    def _first_round(self, first: Round, halves: Round) -> None:
        """Cross-validate all methods once, keeping time for their F test."""
        kept_back = 0.0
        for contender in self.contenders:
            expected = self._cost_of(contender, first)
            needed = expected + self._cost_of(contender, halves)
            # Without the reference there is no result at all: it may finish whatever it takes.
            left = np.inf if contender.name == REFERENCE else self._left() - kept_back
            if needed > left:
                contender.reason = (
                    f"too slow for the budget: cross-validation and F test on {len(self.problem)} "
                    f"rows would take about {_spoken(needed)}, and {_spoken(left)} were left"
                )
                self._fits_planned -= len(first.divisions) + len(halves.divisions)
                continue
            began = self._clock()
            if left < np.inf:
                left = min(left, max(_PATIENCE * expected, _LEAST_SHARE * self._allowance.budget))
            contender.folds = self._finished(contender, first, left)
            if contender.reason == TOO_SLOW:
                spent = _spoken(self._clock() - began)
                contender.reason = f"too slow for the budget: stopped after {spent}"
            if contender.reason:
                self._fits_planned -= len(halves.divisions)
            else:
                kept_back += self._cost_of(contender, halves)

    def _halves_round(self, halves: Round) -> None:
        """Fit all methods to the halves of the F test, within the time left."""
        for contender in self._alive():
            if self._cost_of(contender, halves) <= self._left():
                contender.halves = self._finished(contender, halves, self._left())
                contender.reason = ""  # the cross-validation was finished

    def _repeat_round(self, further: Round) -> bool:
        """Cross-validate all once more; only a round that all finish counts."""
        alive = self._alive()
        if sum(self._cost_of(contender, further) for contender in alive) > self._left():
            return False
        self._fits_planned += len(alive) * len(further.divisions)
        added = []
        for contender in alive:
            added.append(self._finished(contender, further, self._left()))
            if contender.reason:
                contender.reason = ""
                return False
        for contender, results in zip(alive, added, strict=True):
            contender.folds = contender.folds + results
        return True

    def _finished(self, contender: Contender, round_: Round, seconds: float) -> list[FoldResult]:
        """Return the results on all divisions; or none, and the reason with the contender."""
        outcomes = list(self._fit(contender, round_, seconds))
        results = [outcome for outcome in outcomes if isinstance(outcome, FoldResult)]
        if len(results) == len(outcomes):
            typical = float(np.mean([result.wall_seconds for result in results]))
            contender.learn(round_.train_rows, typical)
            return results
        failures = [o for o in outcomes if isinstance(o, str) and o != TOO_SLOW]
        contender.reason = f"failed: {failures[0]}" if failures else TOO_SLOW
        return []

    def _fit(
        self, contender: Contender, round_: Round, seconds: float
    ) -> Iterator[FoldResult | str]:
        """Yield the results or failures of the fits, in the order of the divisions."""
        stop_at = self._clock() + seconds
        doing = f"{contender.name}, {round_.title}"
        self._report(self._fits_done, self._fits_planned, doing)
        with ignoring_interrupts():
            outcomes = Parallel(n_jobs=self._jobs, return_as="generator")(
                delayed(fit_fold)(
                    contender.make(self._seed(round_.number, number)),
                    self.problem,
                    division,
                    stop_at,
                    self._clock,
                    self._allowance.scorer,
                )
                for number, division in enumerate(round_.divisions)
            )
        with closing(outcomes):  # an interrupt here ends the processes at work
            for outcome in outcomes:
                self._fits_done += 1
                self._report(self._fits_done, self._fits_planned, doing)
                yield outcome


def _spoken(seconds: float) -> str:
    seconds = max(0.0, seconds)
    return f"{seconds:.0f} s" if seconds < 300 else f"{seconds / 60:.0f} min"
