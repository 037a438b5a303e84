"""MML: the test that makes the message shortest.

P. J. Tan and D. L. Dowe, *MML Inference of Oblique Decision Trees*, Proceedings of the 17th
Australian Joint Conference on Artificial Intelligence, LNAI 3339, 2004; C. S. Wallace and J. D.
Patrick, *Coding Decision Trees*, Machine Learning 11:7-22, 1993.

Idea
    The value of a tree is how much it shortens a message that states first the tree and then the
    classes of the rows. A test costs bits (which features, which direction, which cut) and saves
    bits in the leaves. The test that saves most is made, and none if none saves anything: there is
    nothing left to prune. `aslant.mml` has the message, part by part.

Where the paper is silent
    *Rounds and restarts* of the evolution strategy are not given: 200 and 100. The best of all
    restarts is kept, and each begins with a random plane through a random point of the cube. *Which
    features* a test reads, and the cut along its direction, are charged by `aslant.mml`. *Single
    features* take part. *Categories*: a test of one category divides its levels into two groups; in
    a test of several features it takes part with the indicator of one level.

Where we differ
    ``strategy="sweep"``, the default, evaluates the message of every cut along each direction and
    keeps to the sets of features that promise most. It finds shorter messages in less time;
    ``strategy="evolution"`` is the published way. The direction is charged by the exact share of
    the sphere; the paper's formula, ``direction="paper"``, is one of another space.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from aslant import _core
from aslant.search.base import SplitSearch
from aslant.utils.checks import check_choice, check_number
from aslant.utils.parameters import parameters

# Restarts and rounds of each strategy where none are given.
_EFFORT = {"sweep": (32, 4), "evolution": (100, 200)}


@parameters
class MML(SplitSearch):
    """The test that makes the message shortest, if any does.

    The score of a split is the number of bits it saves, divided by the weight of the rows: the
    information gain, less what the test itself costs.

    Parameters
    ----------
    max_features_per_test : int, default=3
        Most features in a test; 1 is Wallace and Patrick's univariate tree.
    min_features_per_test : int, default=1
        The fewest, unless fewer vary at the node; the paper's tests read 2 or 3.
    features_tried : int or None, default=None
        Most features in the tests that are tried, if fewer than the message allows: trees of
        smaller tests can have shorter messages than those of the tests that save most at once.
    strategy : {"sweep", "evolution"}, default="sweep"
        Every cut along each direction, or the published evolution strategy.
    restarts : int or None, default=None
        Sets of features tried: of each size with ``"sweep"`` (None: 32), in all with
        ``"evolution"`` (None: 100).
    rounds : int or None, default=None
        Directions tried in the first heat for each set with ``"sweep"`` (None: 4), proposals for
        each set with ``"evolution"`` (None: 200).
    alpha : float, default=1.0
        Prior count of every class in the code of a leaf; 1 makes all class proportions equally
        likely, less favors pure leaves.
    direction : {"cap", "paper", "paper_all"}, default="cap"
        What a direction costs: the exact share of the sphere; the formula of the paper, in the
        dimensions of the test; or that formula in the dimensions of all features, as the paper's
        text has it.
    position : {"gap", "pair", "none"}, default="gap"
        What a cut costs along its direction: one of the gaps, a pair of points, or nothing.
    attributes : {"subset", "none"}, default="subset"
        What the choice of the features costs: which of those that vary, or nothing.
    min_saving : float, default=0.0
        Bits a split must save. Minus infinity takes the best split whatever it costs; with
        ``pruning="mml"`` the tree is then cut back to its shortest message, which finds what no
        single split shows.
    """

    default_criterion: ClassVar[str] = "entropy"
    criteria: ClassVar[Sequence[str]] = ("entropy",)

    max_features_per_test: int = 3
    min_features_per_test: int = 1
    features_tried: int | None = None
    strategy: Literal["sweep", "evolution"] = "sweep"
    restarts: int | None = None
    rounds: int | None = None
    alpha: float = 1.0
    direction: Literal["cap", "paper", "paper_all"] = "cap"
    position: Literal["gap", "pair", "none"] = "gap"
    attributes: Literal["subset", "none"] = "subset"
    min_saving: float = 0.0

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_number("max_features_per_test", self.max_features_per_test, 1, 2**30, integer=True)
        check_number(
            "min_features_per_test",
            self.min_features_per_test,
            1,
            int(self.max_features_per_test),
            integer=True,
        )
        if self.features_tried is not None:
            check_number("features_tried", self.features_tried, 1, 2**30, integer=True)
        check_choice("strategy", self.strategy, ("sweep", "evolution"))
        for name in ("restarts", "rounds"):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name), 1, 2**20, integer=True)
        check_number("alpha", self.alpha, 1e-6, 1e6)
        check_choice("direction", self.direction, ("cap", "paper", "paper_all"))
        check_choice("position", self.position, ("gap", "pair", "none"))
        check_choice("attributes", self.attributes, ("subset", "none"))
        check_number("min_saving", self.min_saving, float("-inf"))
        restarts, rounds = _EFFORT[self.strategy]
        return _core.search(
            "MML",
            strategy=self.strategy,
            min_features=int(self.min_features_per_test),
            max_features=int(self.max_features_per_test),
            features_tried=int(self.features_tried or self.max_features_per_test),
            restarts=restarts if self.restarts is None else int(self.restarts),
            rounds=rounds if self.rounds is None else int(self.rounds),
            alpha=float(self.alpha),
            direction=self.direction,
            position=self.position,
            charges_attributes=self.attributes == "subset",
            min_saving=float(self.min_saving),
        )
