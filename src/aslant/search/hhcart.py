"""HHCART: axis-parallel tests of reflected rows.

D. C. Wickramarachchi, B. L. Robertson, M. Reale, C. J. Price and J. Brown, *HHCART: An oblique
decision tree*, Computational Statistics and Data Analysis 96, 2016.

Idea
    The eigenvectors of a class's covariance say how the class lies in space. A Householder
    reflection turns one of them, d, onto the first axis; a threshold on a column of the reflected
    rows is an oblique test of the rows as they were, along or across the class. All thresholds of
    all reflected columns compete with the plain axis-parallel test.

Where the paper is silent
    *Sign*: d and -d are the same eigenvector, but all reflected columns except the first differ.
    With one eigenvector a class both are tried; with all of them d_1 >= 0, for there are candidates
    enough. *Order*: on equal scores the axis-parallel test wins, then the heavier class (then the
    one of smaller means), then the greater eigenvalue, then the first column. *Columns constant at
    the node* take no part; the first axis is the first column that varies. *Weights*: the weighted
    covariance.

Where we differ
    *Directions without spread*: if a class does not spread in several directions, any basis of
    their space is a set of eigenvectors of eigenvalue zero; which one comes out is an accident of
    rounding, and none is used. A single such direction is determined by the rows and is used. The
    paper uses whatever its solver returns: ``null_directions="all"``.
    *Categories* are left to the axis-parallel competitor (tests ``x in A``), and reflections are of
    numbers; the paper turns every category into a number first, for which there is a wrapper.
    *MinParent* is the tree's ``min_samples_split``.

Beyond the paper
    Its own open questions, outliers and clusters within a class: ``covariance="robust"`` and
    ``clusters``.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from aslant import _core
from aslant.search.base import SplitSearch
from aslant.utils.checks import check_choice, check_flag, check_number
from aslant.utils.parameters import parameters


@parameters
class HHCART(SplitSearch):
    """Best threshold on the columns of reflected rows.

    Parameters
    ----------
    variant : {"all", "dominant"}, default="all"
        Reflect along all eigenvectors of every class, the paper's HHCART(A), or along the one of
        the greatest eigenvalue, HHCART(D): faster by the number of features.
    tau : float, default=0.05
        An eigenvector no farther than this from an axis is left out.
    sign : {"auto", "both", "positive"}, default="auto"
        Reflect d and -d, or the one whose first component is not negative. ``"auto"`` is both for
        the dominant variant and positive for the other.
    depth_of_reflection : int or None, default=None
        Nodes deeper than this look for no reflection of their own but work on in the reflected
        space of their ancestor. 0: one reflection, at the root, then CART in the reflected space
        (with ``axis_parallel=False`` CARTopt: Robertson, Price and Reale 2013). None: every node
        reflects.
    mis_rate : float, default=0.0
        The paper's MisRate: a node that misclassifies no greater share of its rows is a leaf.
    axis_parallel : bool, default=True
        Whether the axis-parallel test of the rows as they are competes with the reflections.
        False: a node reflects whenever a class has an orientation, as CARTopt does at its root.
    null_directions : {"determined", "all"}, default="determined"
        Of the directions in which a class does not spread, reflect along a single one, which the
        rows determine; or, as the paper, along all that the eigenvalue solver returns. Only with
        ``variant="all"``: the dominant direction has spread.
    covariance : {"sample", "robust"}, default="sample"
        The covariance of a class, or that of its spatial signs, the directions in which rows lie
        from the median: outliers count no more than other rows.
    clusters : int or "auto", default=1
        Parts of a class that lend their own orientations besides the class's. More than one:
        bisecting k-means. ``"auto"``: as many as stand apart from each other, at most eight.
    shrinkage : {"auto", "none"}, default="auto"
        ``"auto"``: where there are fewer than five training rows a column, only eigenvectors of the
        part of a covariance that is more than noise are used. ``"none"``, or
        ``null_directions="all"``: all, as published.
    """

    default_criterion: ClassVar[str] = "twoing"

    variant: Literal["all", "dominant"] = "all"
    tau: float = 0.05
    sign: Literal["auto", "both", "positive"] = "auto"
    depth_of_reflection: int | None = None
    mis_rate: float = 0.0
    axis_parallel: bool = True
    null_directions: Literal["determined", "all"] = "determined"
    covariance: Literal["sample", "robust"] = "sample"
    clusters: int | Literal["auto"] = 1
    shrinkage: Literal["auto", "none"] = "auto"

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_choice("variant", self.variant, ("all", "dominant"))
        check_number("tau", self.tau, 0.0, 2.0)
        check_choice("sign", self.sign, ("auto", "both", "positive"))
        if self.depth_of_reflection is not None:
            check_number("depth_of_reflection", self.depth_of_reflection, 0, 2**30, integer=True)
        check_number("mis_rate", self.mis_rate, 0.0, 1.0)
        check_flag("axis_parallel", self.axis_parallel)
        check_choice("null_directions", self.null_directions, ("determined", "all"))
        check_choice("covariance", self.covariance, ("sample", "robust"))
        if not (isinstance(self.clusters, str) and self.clusters == "auto"):
            check_number("clusters", self.clusters, 1, 2**30, integer=True)
        check_choice("shrinkage", self.shrinkage, ("auto", "none"))
        dominant = self.variant == "dominant"
        return _core.search(
            "HHCART",
            dominant=dominant,
            tau=float(self.tau),
            both_signs=self.sign == "both" or (self.sign == "auto" and dominant),
            depth_of_reflection=-1
            if self.depth_of_reflection is None
            else int(self.depth_of_reflection),
            mis_rate=float(self.mis_rate),
            axis_parallel=bool(self.axis_parallel),
            all_null=self.null_directions == "all",
            robust=self.covariance == "robust",
            shrinks=self.shrinkage == "auto" and self.null_directions != "all",
            clusters=0 if self.clusters == "auto" else int(self.clusters),
        )
