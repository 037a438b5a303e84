"""The searches of a forest: a few features, drawn afresh at every node.

L. Breiman, *Random Forests*, Machine Learning 45, 2001; T. M. Tomita et al., *Sparse Projection
Oblique Randomer Forests*, Journal of Machine Learning Research 21, 2020; P. Geurts, D. Ernst and L.
Wehenkel, *Extremely Randomized Trees*, Machine Learning 63, 2006.

Idea
    A node looks at floor(sqrt(d)) of d features; those that are constant there do not count. In
    half of the nodes a direction competes with them: Fisher's linear discriminant with a ridge, on
    ceil(2 sqrt(d)) drawn features, or the least squares of a number. Trees stay different, and a
    direction that few features support is not the only choice.

The direction
    ``w = (T + (ridge + 0.5 / n) I)^-1 (m1 - m0)`` on columns of mean 0 and deviation 1 at the node,
    T their covariance, from at most 511 rows. With more than two classes it parts two groups of
    classes drawn at random, or two classes drawn at random with the covariance within classes.

Thresholds
    The best of all thresholds, each midway between neighboring values.

Categories
    A categorical feature takes part with one number for each level: the share of a class (of one
    drawn class if there are more than two), or the mean of the target, among the level's rows. A
    test of it alone is one of membership.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from aslant import _core
from aslant.search.axis_parallel import AxisParallel
from aslant.search.base import SplitSearch, Wrapper, check_search
from aslant.utils.checks import check_choice, check_number
from aslant.utils.parameters import parameters


@parameters
class ForestSplit(SplitSearch):
    """Best of a few drawn features and, in a share of the nodes, of a direction.

    Parameters
    ----------
    max_features : float or None, default=None
        Features to look at; None is the square root of their number. A direction is made of twice
        as many. In a forest the forest's own `max_features` decides.
    oblique_share : float, default=0.5
        Share of the nodes in which a direction competes.
    ridge : float, default=0.01
        What is added to the variances, which are 1.
    """

    default_criterion: ClassVar[str] = "entropy"
    handles_regression: ClassVar[bool] = True

    max_features: float | None = None
    oblique_share: float = 0.5
    ridge: float = 0.01

    def core(self) -> _core.Search:
        """Return the compiled search."""
        return self.core_for_forest(_features(self.max_features), random_thresholds=False)

    def core_for_forest(self, max_features: float, *, random_thresholds: bool) -> _core.Search:
        """Return the compiled search with so many features (0: the square root of all)."""
        check_number("oblique_share", self.oblique_share, 0.0, 1.0)
        check_number("ridge", self.ridge, 0.0)
        return _core.search(
            "ForestSplit",
            max_features=float(max_features),
            oblique_share=float(self.oblique_share),
            ridge=float(self.ridge),
            random_thresholds=random_thresholds,
        )


@parameters
class RandomProjection(SplitSearch):
    """Best threshold along random sparse combinations of features.

    With ``distribution="uniform"`` Breiman's Forest-RC, with ``"binary"`` SPORF, but that columns
    are scaled by their deviation at the node, as Breiman's are by that of the training set.

    Parameters
    ----------
    max_features : float or None, default=None
        Half the number of combinations; None is the square root of the number of features.
    density : float or None, default=None
        Share of the features in a combination, on average; None is three features.
    distribution : {"binary", "uniform"}, default="binary"
        Coefficients are +1 and -1, or uniform between them.
    """

    default_criterion: ClassVar[str] = "entropy"
    handles_regression: ClassVar[bool] = True

    max_features: float | None = None
    density: float | None = None
    distribution: Literal["binary", "uniform"] = "binary"

    def core(self) -> _core.Search:
        """Return the compiled search."""
        return self.core_for_forest(_features(self.max_features), random_thresholds=False)

    def core_for_forest(self, max_features: float, *, random_thresholds: bool) -> _core.Search:
        """Return the compiled search with so many features (0: the square root of all)."""
        check_choice("distribution", self.distribution, ("binary", "uniform"))
        if self.density is not None:
            check_number("density", self.density, 0.0, 1.0)
        return _core.search(
            "RandomProjection",
            max_features=float(max_features),
            density=float(self.density or 0.0),
            distribution=self.distribution,
            random_thresholds=random_thresholds,
        )


class RandomSubset(Wrapper):
    """Any search, on a few features drawn afresh at every node.

    Parameters
    ----------
    search : SplitSearch
        The search; to it, all other features are constant.
    max_features : float or None, default=None
        Features to draw, of those that are not constant; None is the square root of all.
    """

    def __init__(self, search: SplitSearch, max_features: float | None = None) -> None:
        self.search = search
        self.max_features = max_features

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_search("search", self.search)
        return _core.search(
            "RandomSubset", search=self.search.core(), max_features=_features(self.max_features)
        )


class ForestSearch(Wrapper):
    """The search of a forest's nodes: any search on drawn features.

    Parameters
    ----------
    search : SplitSearch
        What `search` of the forest means.
    max_features : float
        Features to draw.
    random_thresholds : bool
        Whether thresholds are drawn too, as in extremely randomized trees.
    """

    def __init__(
        self, search: SplitSearch, max_features: float, random_thresholds: bool = False
    ) -> None:
        self.search = search
        self.max_features = max_features
        self.random_thresholds = random_thresholds

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_search("search", self.search)
        search = self.search
        if isinstance(search, AxisParallel):
            search = ForestSplit(oblique_share=0.0)
        if isinstance(search, ForestSplit | RandomProjection):
            return search.core_for_forest(
                self.max_features, random_thresholds=self.random_thresholds
            )
        if self.random_thresholds:
            raise ValueError(
                "random thresholds need search 'forest', 'axis_parallel' or 'random_projection', "
                f"got {self.search!r}."
            )
        return RandomSubset(search, self.max_features).core()


def _features(max_features: Any) -> float:
    """Return the number of features as the core takes it: 0 is the square root of all."""
    if max_features is None:
        return 0.0
    check_number("max_features", max_features, 1.0)
    return float(max_features)
