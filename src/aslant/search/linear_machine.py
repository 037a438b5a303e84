"""Linear machines and linear threshold units as tests of a tree.

N. J. Nilsson, *Learning Machines*, 1965; C. E. Brodley and P. E. Utgoff, *Multivariate Decision
Trees*, Machine Learning 19:45-77, 1995.

Idea
    A linear machine has a weight vector for every class present at the node and sends a row to the
    branch of the largest product. Between two classes that is a threshold unit, a hyperplane. The
    weights come from a learner (`aslant.search.learners`) that looks at errors, not at impurity;
    the criterion of the tree only validation the test that was learned.

Where the paper is silent
    *A branch that no row of the node takes* is left out, or with ``keep_empty=True`` a leaf that
    predicts what its node does, which is nearer to the published numbers of leaves. One with fewer
    rows than ``min_samples_leaf`` is left out: its rows go to the next best class.
    *Weights*: a row is presented as often as it weighs.

Where we differ
    *A threshold unit for more than two classes* separates two groups of classes, found by 2-means
    of their means, weighted by their rows; the paper leaves such data to linear machines.
    *RLS for a linear machine* fits every class against the others by least squares.
    *Rows come in an order that depends on their values and the seed*, so that the order of the
    input does not matter, and a row of weight 2 is the row twice.
"""

from __future__ import annotations

from typing import ClassVar

from aslant import _core
from aslant.search.base import SplitSearch
from aslant.search.cart_lc import CARTLC
from aslant.search.learners import LEARNERS, Learner, make_learner
from aslant.utils.checks import check_choice, check_flag
from aslant.utils.parameters import parameters


@parameters
class LinearMachine(SplitSearch):
    """One branch for every class at the node.

    Parameters
    ----------
    learner : {"thermal", "pocket", "rls"} or Learner, default="thermal"
        How the weights are learned: a name, or one of `RLS`, `Pocket`, `Thermal` with parameters
        of its own.
    keep_empty : bool, default=False
        Whether a class whose branch no row of the node takes has one all the same: a leaf that
        predicts what the node does.
    """

    default_criterion: ClassVar[str] = "gain_ratio"

    learner: str | Learner = "thermal"
    keep_empty: bool = False

    def core(self) -> _core.Search:
        """Return the compiled search, on standardised columns."""
        return _core.search("Standardize", search=self.core_of_standardized())

    def core_of_standardized(self) -> _core.Search:
        """Return the compiled search."""
        check_flag("keep_empty", self.keep_empty)
        return _core.search(
            "LinearMachine",
            learner=make_learner(self.learner).core(),
            superclasses=False,
            keep_empty=bool(self.keep_empty),
        )


@parameters
class ThresholdUnit(SplitSearch):
    """A hyperplane between two classes, or two groups of classes.

    Parameters
    ----------
    learner : {"rls", "pocket", "thermal", "cart"} or Learner, default="rls"
        How the weights are learned: a name, or one of `RLS`, `Pocket`, `Thermal` with parameters
        of its own. "cart" searches the coefficients that reduce impurity most, as
        `CARTLC(normalize=True, univariate=False)` does.
    """

    default_criterion: ClassVar[str] = "gain_ratio"

    learner: str | Learner = "rls"

    def core(self) -> _core.Search:
        """Return the compiled search, on standardised columns if it is not CART's own."""
        inner = self.core_of_standardized()
        cart = isinstance(self.learner, str) and self.learner == "cart"
        return inner if cart else _core.search("Standardize", search=inner)

    def core_of_standardized(self) -> _core.Search:
        """Return the compiled search."""
        if isinstance(self.learner, str):
            check_choice("learner", self.learner, (*LEARNERS, "cart"))
            if self.learner == "cart":
                return CARTLC(normalize=True, univariate=False).core()
        learner = make_learner(self.learner).core()
        return _core.search("LinearMachine", learner=learner, superclasses=True, keep_empty=False)
