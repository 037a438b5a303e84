"""How much is tried."""

from __future__ import annotations

from dataclasses import dataclass

from aslant.search import FisherClimb


@dataclass(frozen=True)
class Effort:
    """Starts, penalties and folds of a choice.

    Attributes
    ----------
    n_folds : int
        Parts of the cross-validation.
    l2_penalties : tuple of float
        L2 penalties, each a candidate for every start.
    l1_penalties : tuple of float
        L1 penalties, each a candidate with the L2 penalty that suits a start best.
    se_rules : tuple of float
        How the starts are pruned: the smallest tree within so many standard errors of the best.
    max_iter : int
        Most steps of a fit.
    most_rows : int
        With more rows than this the choice is made on a sample of so many.
    linear_tests : FisherClimb
        How one of the two starts is grown. The joint fit makes up for what a short climb misses.
    """

    n_folds: int
    l2_penalties: tuple[float, ...]
    l1_penalties: tuple[float, ...]
    se_rules: tuple[float, ...]
    max_iter: int
    most_rows: int
    linear_tests: FisherClimb


EFFORTS = {
    "low": Effort(
        3, (1.0, 0.01), (0.15, 1.0), (0.0,), 20, 5_000, linear_tests=FisherClimb(max_columns=0)
    ),
    "medium": Effort(
        5,
        (10.0, 1.0, 0.01),
        (0.05, 0.15, 0.4, 1.0),
        (0.0,),
        25,
        20_000,
        linear_tests=FisherClimb(cycles=3, jumps=0),
    ),
    "high": Effort(
        10,
        (100.0, 10.0, 1.0, 0.1, 0.01),
        (0.02, 0.05, 0.15, 0.4, 1.0),
        (0.0, 1.0),
        40,
        50_000,
        linear_tests=FisherClimb(),
    ),
}
