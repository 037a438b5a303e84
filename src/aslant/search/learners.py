"""How the weights of threshold units and linear machines are learned.

C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, Machine Learning 19:45-77, 1995,
section 3. A learner sees features in units of their standard deviation at the node, missing values
at the mean, and the classes (or two groups of them) to tell apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, Self

from sklearn.base import BaseEstimator

from aslant import _core
from aslant.utils.checks import check_choice, check_flag, check_number
from aslant.utils.parameters import parameters


class Learner(BaseEstimator, ABC):
    """Base of all learners; parameters are constructor arguments, as in scikit-learn."""

    @abstractmethod
    def core(self) -> _core.Learner:
        """Return the compiled learner, after checking the parameters."""


@parameters
class RLS(Learner):
    """Recursive least squares (P. Young, 1984), in closed form.

    The recursion over the rows ends exactly at the ridge solution ``(X'X + I / (passes *
    variance))^-1 X'y`` with targets +1 and -1, whatever the order of the rows; that is what is
    computed. For more than two classes every class gets a vector of its own, fitted against all
    others: an extension of the paper, whose RLS knows two.

    Parameters
    ----------
    variance : float, default=1e6
        Diagonal of the error covariance before the first row.
    passes : int, default=3
        How often the recursion would cycle through the rows.
    shrinkage : {"auto", "none"}, default="none"
        ``"auto"``: where there are fewer than ten training rows a column, the covariance is shrunk
        by the closed form of Chen et al. 2010 (OAS), a larger ridge. ``"none"``: never, as in the
        paper.
    """

    variance: float = 1e6
    passes: int = 3
    shrinkage: Literal["auto", "none"] = "none"

    def core(self) -> _core.Learner:
        """Return the compiled learner."""
        check_number("variance", self.variance, 1e-3, 1e12)
        check_number("passes", self.passes, 1, 2**30, integer=True)
        check_choice("shrinkage", self.shrinkage, ("auto", "none"))
        return _core.learner(
            "LeastSquares",
            variance=float(self.variance),
            passes=float(self.passes),
            shrinks=self.shrinkage == "auto",
        )


@parameters
class Pocket(Learner):
    """The Pocket algorithm (S. I. Gallant, 1986).

    Rows are drawn at random and errors corrected by the absolute error correction rule; the weights
    with the longest run of correct classifications are kept. It ends when the kept weights classify
    every row correctly, or after so many rows.

    Parameters
    ----------
    ratchet : bool, default=False
        Keep weights only if they also classify more of all the rows than those in the pocket. The
        paper does not mention this part of Gallant's algorithm.
    correction : float, default=0.1
        What a correction adds beyond the decision boundary, the paper's epsilon.
    passes : int, default=10
        Rows to draw, as a multiple of the rows at the node; the paper is silent.
    presentations : int, default=10000
        Rows to draw at least.
    """

    ratchet: bool = False
    correction: float = 0.1
    passes: int = 10
    presentations: int = 10_000

    def core(self) -> _core.Learner:
        """Return the compiled learner."""
        check_flag("ratchet", self.ratchet)
        check_number("correction", self.correction, 1e-9, 1e9)
        check_number("passes", self.passes, 1, 2**30, integer=True)
        check_number("presentations", self.presentations, 1, 2**40, integer=True)
        return _core.learner(
            "Pocket",
            epsilon=float(self.correction),
            ratchet=bool(self.ratchet),
            passes=float(self.passes),
            presentations=float(self.presentations),
        )


_THERMAL_CHOICES = {
    "unit": ("updates", "errors", "instances"),
    "emag": ("last", "current"),
    "checked": ("pass", "instance"),
    "order": ("once", "shuffled", "drawn"),
    "ties": ("heavier", "first", "wrong"),
}


# The combination that agrees with most published figures: benchmarks/thermal.py.
_PUBLISHED_THERMAL: dict[str, Any] = {
    "unit": "instances",
    "emag": "current",
    "order": "drawn",
    "ties": "first",
}


@parameters
class Thermal(Learner):
    """Thermal training (M. Frean, 1990; for linear machines Utgoff and Brodley, 1991).

    Errors are corrected as by the absolute error correction rule, but large ones get decreasing
    attention: beta falls from ``heat`` whenever the weights shrink after having grown.

    Parameters
    ----------
    heat : float, default=2.0
        Beta at the start.
    rate : float, default=0.999
        Beta falls to ``rate * beta - step``; the paper's a.
    step : float, default=0.0005
        See ``rate``; the paper's b.
    correction : float, default=0.1
        What a correction adds beyond the decision boundary, the paper's epsilon.
    calm : float, default=0.01
        Training ends when corrections stay below this share of the largest size of the weights, the
        paper's alpha, for twice as many instances as there are features.
    unit : {"updates", "errors", "instances"}, default="updates"
        What these "last 2n instances" are: corrections, rows that were wrong (some of them too
        wrong to be corrected), or rows that were presented.
    emag : {"last", "current"}, default="last"
        The size of the correction at a row that counts but is not corrected: that of the last
        correction, or zero. Without effect with ``unit="updates"``, where there is no such row.
    checked : {"pass", "instance"}, default="pass"
        When this rule is asked: after each pass over the rows, or after each row.
    order : {"once", "shuffled", "drawn"}, default="once"
        Order of the rows: one random order for all passes, a new one for each, or as many draws at
        random as there are rows. Copies of a row are always shuffled.
    ties : {"heavier", "first", "wrong"}, default="heavier"
        Who wins a row in training if two products are equal: the class with more rows, the first
        one, or neither, so that the row is corrected.
    """

    heat: float = 2.0
    rate: float = 0.999
    step: float = 0.0005
    correction: float = 0.1
    calm: float = 0.01
    unit: Literal["updates", "errors", "instances"] = "updates"
    emag: Literal["last", "current"] = "last"
    checked: Literal["pass", "instance"] = "pass"
    order: Literal["once", "shuffled", "drawn"] = "once"
    ties: Literal["heavier", "first", "wrong"] = "heavier"

    @classmethod
    def as_published(cls, **changes: Any) -> Self:
        """Return the learner with the reading of the paper that gives its trees.

        Parameters
        ----------
        **changes
            Parameters that are to differ.

        Returns
        -------
        Thermal
            See docs/algorithms/thermal.md for how the reading was found.
        """
        return cls(**(_PUBLISHED_THERMAL | changes))

    def core(self) -> _core.Learner:
        """Return the compiled learner."""
        check_number("heat", self.heat, 1e-6, 1e9)
        check_number("rate", self.rate, 0.0, 1.0)
        check_number("step", self.step, 0.0, 1e9)
        if self.rate == 1.0 and self.step == 0.0:
            raise ValueError("rate and step must let beta fall, got rate=1.0 and step=0.0.")
        check_number("correction", self.correction, 1e-9, 1e9)
        check_number("calm", self.calm, 0.0, 1.0)
        choices = {name: getattr(self, name) for name in _THERMAL_CHOICES}
        for name, allowed in _THERMAL_CHOICES.items():
            check_choice(name, choices[name], allowed)
        return _core.learner(
            "ThermalTraining",
            epsilon=float(self.correction),
            heat=float(self.heat),
            rate=float(self.rate),
            step=float(self.step),
            calm=float(self.calm),
            **choices,
        )


#: Learners by the name that ``learner=`` takes.
LEARNERS: dict[str, type[Learner]] = {"rls": RLS, "pocket": Pocket, "thermal": Thermal}


def make_learner(learner: Any) -> Learner:
    """Return the learner of a name, or the one given."""
    if isinstance(learner, Learner):
        return learner
    if not isinstance(learner, str):
        raise TypeError(f"learner must be a name or a learner from aslant.search, got {learner!r}.")
    check_choice("learner", learner, tuple(LEARNERS))
    return LEARNERS[learner]()
