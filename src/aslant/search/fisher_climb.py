"""Fisher's discriminants between groups of classes, and a climb from the best of them.

Made for `aslant.AutoTreeClassifier`, which fits all tests of a tree together afterwards: a start
needs to be good, not perfect, and quick. R. A. Fisher, *The Use of Multiple Measurements in
Taxonomic Problems*, Annals of Eugenics 7, 1936, for the directions; the climb moves one coefficient
after the other as S. K. Murthy, S. Kasif and S. Salzberg do in OC1, 1994.

Idea
    The best test of a single feature competes with the best thresholds along discriminants. With
    two classes there is one discriminant. With more the classes are divided into two groups in
    several ways: each class against the rest; by the side of the best test of a single feature on
    which most of their rows are, and then, up to four times, by that of the best test so far; and
    by 2-means clustering of the class means. The scatter of all rows at the node, in units of the
    columns' deviations, gets the ridge 0.01 + 0.5 / n, so one Cholesky factor serves all.

    Where at most ``max_columns`` columns vary and there are more than twice as many rows, exact
    line searches move one coefficient after the other, from the best test and from the best one of
    a single feature. What they find is taken only if the gain, times the rows, is greater by
    ``penalty`` for each column.
"""

from __future__ import annotations

from typing import ClassVar

from aslant import _core
from aslant.search.base import SplitSearch, check_number, parameters


@parameters
class FisherClimb(SplitSearch):
    """Best of single features, Fisher's discriminants and a climb from them.

    Parameters
    ----------
    max_columns : int, default=20
        No climb where more columns vary; 0 never climbs.
    cycles : int, default=15
        Most passes over the coefficients in one climb.
    jumps : int, default=10
        Random directions tried at the end of a climb.
    penalty : float, default=0.5
        What a climb must gain for each column, in units of the criterion times the weight of the
        rows: nats for the entropy.
    """

    default_criterion: ClassVar[str] = "entropy"

    max_columns: int = 20
    cycles: int = 15
    jumps: int = 10
    penalty: float = 0.5

    def core(self) -> _core.Search:
        """Return the compiled search."""
        for name in ("max_columns", "cycles", "jumps"):
            check_number(name, getattr(self, name), 0, 2**30, integer=True)
        check_number("penalty", self.penalty, 0.0)
        return _core.search(
            "FisherClimb",
            max_columns=int(self.max_columns),
            cycles=int(self.cycles),
            jumps=int(self.jumps),
            penalty=float(self.penalty),
        )
