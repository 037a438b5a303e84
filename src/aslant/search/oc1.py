"""OC1: randomised hill-climbing over the coefficients of a hyperplane.

S. K. Murthy, S. Kasif and S. Salzberg, *A System for Induction of Oblique Decision Trees*, Journal
of Artificial Intelligence Research 2:1-32, 1994.

Idea
    Start from the best axis-parallel test and from random hyperplanes. Move one coefficient at a
    time to its exact best value; when no coefficient helps, try random directions. Keep the best
    hyperplane of all restarts if it beats the axis-parallel test.

Where the paper is silent
    *Stagnation*: the figure takes idle moves with a falling probability, the footnote and the
    appendix speak of a constant number of them. The constant number comes nearer to the
    published sizes (POL 0:0, original origin: 25 leaves against 28; published 21.6, the original
    program 26) and is the default.
    *Ties in a line search*: the lowest of equally good positions. *Constant columns* take no part.
    *A split that separates the classes* ends the restarts.

Where we differ
    *Origin*: a coefficient moves with the feature counted from its median at the node, so the plane
    turns about the middle of the rows and nothing depends on where a scale begins; random starts
    and jumps refer to the same origin. The original counts from zero, or from the lowest value if
    that is negative (``origin="original"``), and needs larger trees: 6.3 leaves on LS10 (20
    restarts, 20 jumps), where the median needs 2.2.
    *Steps*: a coefficient that would move by 1e-4 or less stays where it is in the original, and
    the plane does not count as one that was considered (``min_step``); in ours every step counts.
    *Sweep*: the original moves along a random direction as if every row crossed the hyperplane in
    the same sense, which is not so; ours is exact (``legacy_sweep=True`` restores the original's).
    Scores are compared with a relative tolerance of 1e-9 where the original's is 1e-4 on a
    reciprocal. *Small nodes*: the rule "oblique only with more rows than twice the features" counts
    *distinct* rows and features that vary at the node, so that a row of weight 2 is the same as the
    row twice (``small_nodes="rows"`` restores the plain rule).

    `OC1Classifier.as_published` is the original with all of this.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from aslant import _core
from aslant.search.base import SplitSearch
from aslant.utils.checks import check_choice, check_flag, check_no_effect, check_number
from aslant.utils.parameters import parameters


@parameters
class OC1(SplitSearch):
    """Hill-climbing with random restarts and random jumps.

    Parameters
    ----------
    restarts : int, default=20
        Starting points, the axis-parallel one included. 1 is the paper's "0 restarts".
    jumps : int, default=5
        Random directions tried at a local optimum before giving up.
    order : {"sequential", "best", "random"}, default="sequential"
        Coefficients in turn; the best of all each time; or ``random_moves`` picks at random.
    random_moves : int, default=50
        Picks per climb for ``order="random"`` (the paper's R-50); only with this order.
    stagnation : {"counter", "probability"}, default="counter"
        Moves that leave the score as it is are taken until 1 / ``stagnation_step`` of them were
        counted (the program, and the paper's footnote and appendix), or with a probability that
        falls by ``stagnation_step`` each time (the paper's figure).
    stagnation_step : float, default=0.1
        See ``stagnation``.
    min_samples_oblique : int or None, default=None
        An oblique test needs more rows than this; None is twice the number of columns.
    small_nodes : {"distinct", "rows"}, default="distinct"
        What ``min_samples_oblique`` counts: distinct rows, and columns that vary at the node; or
        all rows and all columns, as the original does.
    axis_bias : float, default=1.0
        The oblique test must be more than this many times better than the axis-parallel one; only
        with ``axis_start``.
    axis_start : bool, default=True
        False: all starts are random and the axis-parallel test does not compete.
    perturb_constant : bool, default=False
        Whether the constant is moved with the coefficients; jumps and ``order="random"`` always
        move it.
    start : {"faithful", "through_point"}, default="faithful"
        Random starts with coefficients uniform in [-1, 1]; or with a direction uniform in units of
        standard deviations, through a random row: better where features differ wildly in scale.
    origin : {"median", "original"}, default="median"
        Where features are counted from while coefficients move: their median at the node, or zero
        (the lowest value, if that is negative), as in the original; not with ``legacy_sweep``.
    legacy_sweep : bool, default=False
        The original's approximate line search, with its origin, instead of the exact one.
    min_step : float, default=0.0
        A coefficient that would move by no more than this is left as it is; 1e-4 in the original.
    """

    default_criterion: ClassVar[str] = "twoing"
    handles_regression: ClassVar[bool] = True

    restarts: int = 20
    jumps: int = 5
    order: Literal["sequential", "best", "random"] = "sequential"
    random_moves: int = 50
    stagnation: Literal["counter", "probability"] = "counter"
    stagnation_step: float = 0.1
    min_samples_oblique: int | None = None
    small_nodes: Literal["distinct", "rows"] = "distinct"
    axis_bias: float = 1.0
    axis_start: bool = True
    perturb_constant: bool = False
    start: Literal["faithful", "through_point"] = "faithful"
    origin: Literal["median", "original"] = "median"
    legacy_sweep: bool = False
    min_step: float = 0.0

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_number("restarts", self.restarts, 1, 2**30, integer=True)
        check_number("jumps", self.jumps, 0, 2**30, integer=True)
        check_choice("order", self.order, ("sequential", "best", "random"))
        check_number("random_moves", self.random_moves, 1, 2**30, integer=True)
        check_choice("stagnation", self.stagnation, ("probability", "counter"))
        check_number("stagnation_step", self.stagnation_step, 1e-6, 1.0)
        if self.min_samples_oblique is not None:
            check_number("min_samples_oblique", self.min_samples_oblique, 0, 2**62, integer=True)
        check_number("axis_bias", self.axis_bias, 0.0)
        check_choice("small_nodes", self.small_nodes, ("distinct", "rows"))
        check_number("min_step", self.min_step, 0.0)
        check_choice("start", self.start, ("faithful", "through_point"))
        check_choice("origin", self.origin, ("median", "original"))
        for flag in ("axis_start", "perturb_constant", "legacy_sweep"):
            check_flag(flag, getattr(self, flag))
        if self.order != "random":
            check_no_effect(self, "random_moves", "order='random'")
        if self.legacy_sweep:
            check_no_effect(self, "origin", "legacy_sweep=False (the sweep has the original's)")
        if not self.axis_start:
            check_no_effect(self, "axis_bias", "axis_start=True")
        options = self.get_params(deep=False)
        for flag in ("axis_start", "perturb_constant", "legacy_sweep"):
            options[flag] = bool(options[flag])
        least = options.pop("min_samples_oblique")
        options["count_distinct"] = options.pop("small_nodes") == "distinct"
        options["min_rows"] = -1 if least is None else int(least)
        return _core.search("OC1", **options)
