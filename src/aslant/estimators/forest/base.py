"""What all forests share: many trees over one set of rows, grown in the core."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import field
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin

from aslant import _core
from aslant.estimators.forest.grown import Encoded, GrownForest
from aslant.estimators.growing import one_blas_thread
from aslant.growth.importances import column_spread, impurity_risk
from aslant.prune import prune_by_alpha
from aslant.search import (
    FOREST_SEARCHES,
    AxisParallel,
    ForestSplit,
    RandomProjection,
    RandomSubset,
)
from aslant.search.base import SplitSearch, chosen_search
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_flag, check_number
from aslant.utils.parameters import parameters
from aslant.utils.progress import counter

#: Rows are counted in 31 bits.
_MOST_DRAWN = 2**31 - 1


@parameters
class BaseForest(GrownForest):
    """What every forest shares; not to be used itself.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    search : str or SplitSearch, default='forest'
        How a node looks for its split. ``"axis_parallel"`` makes the ordinary random forest,
        ``"random_projection"`` tests sparse random combinations; any other name of
        `aslant.search.FOREST_SEARCHES`, or a search of your own, sees `max_features` features.
    criterion : str or None, default=None
        One of `aslant.search.CRITERIA`; None is the search's own, entropy for the default search.
    min_samples_split : int or float, default=2
        Rows a node needs to be split; a float is a fraction of all rows. A row that a tree has
        drawn several times is one row.
    max_features : {'sqrt', 'log2'}, int, float or None, default='sqrt'
        Features a node looks at, constant ones not counted: a number, a share, or all. The
        combinations of the default search are made of twice as many.
    bootstrap : bool, default=True
        Whether each tree draws its rows with replacement, or is grown on all.
    oob_score : bool or callable, default=False
        Whether to find out how well the trees do on rows they have not drawn: accuracy, or
        ``oob_score(y_true, y_predicted)``.
    max_samples : int, float or None, default=None
        Rows each tree draws: a number, a share, or as many as there are.
    ccp_alpha : float, default=0.0
        Minimal cost-complexity pruning of each tree, as in scikit-learn.
    categorical_features : 'from_dtype', None, mask, indices or names, default='from_dtype'
        Features that are categories; by default the categorical and text columns of a data frame.
    missing : {'node_mean', 'training_mean'}, default='node_mean'
        What stands in for a missing value: the mean of the node, or of the training set.
    warm_start : bool, default=False
        Whether another `fit` keeps the trees and adds those that `n_estimators` asks for.
    random_state : int, RandomState or None, default=None
        Seed of everything random. The same seed gives the same forest for any `n_jobs`.
    verbose : int or callable, default=0
        Progress on the standard error stream, or ``verbose(trees_done, n_trees)``.
    """

    n_estimators: int = field(default=100, kw_only=False)
    search: str | SplitSearch = "forest"
    criterion: str | None = None
    max_features: Any = "sqrt"
    bootstrap: bool = True
    oob_score: Any = False
    max_samples: float | None = None
    ccp_alpha: float = 0.0
    categorical_features: Any = "from_dtype"
    missing: str = "node_mean"
    warm_start: bool = False

    # ------------------------------------------------------------------ what subclasses say

    #: Whether thresholds are drawn at random.
    _random_thresholds = False
    #: The searches that `search` may name.
    _searches: ClassVar[dict[str, type[SplitSearch]]] = FOREST_SEARCHES

    @abstractmethod
    def _criteria(self, search: SplitSearch) -> tuple[str, ...]:
        """Return the criteria that suit the search and what is predicted."""

    # ------------------------------------------------------------------ growing

    def _grow(
        self,
        X: Encoded,
        y: npt.NDArray[Any],
        n_classes: int,
        weight: npt.NDArray[np.float64],
        balanced: bool,
    ) -> int:
        """Grow the trees that are not there yet, and return how many they are."""
        known = self._known_trees()
        if known == 0:
            self.trees_: list[Tree] = []
            self.n_hyperplanes_ = 0
            self._seed = self._draw_seed()
            self.column_spread_ = column_spread(X, *self.encoder_.columns())
        states = np.random.SeedSequence(self._seed).generate_state(self.n_estimators, np.uint64)
        self._seeds: list[int] = states.tolist()
        self._n_samples_bootstrap = self._rows_to_draw(len(y)) if self.bootstrap else 0
        self.n_samples_fit_ = len(y)
        if known < self.n_estimators:
            self._add_trees(X, y, n_classes, weight, balanced, self._seeds[known:])
        else:
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new trees.",
                UserWarning,
                stacklevel=3,
            )
        self._made: dict[str, Any] = {}  # what is made of the trees when it is asked for
        return self.n_estimators - known

    def _add_trees(
        self,
        X: Encoded,
        y: npt.NDArray[Any],
        n_classes: int,
        weight: npt.NDArray[np.float64],
        balanced: bool,
        seeds: list[int],
    ) -> None:
        search = self._make_search()
        problem = self._problem(X, y, n_classes, weight, search)
        with one_blas_thread():
            grown, n_hyperplanes = _core.grow_forest(
                problem=problem,
                search=self._core_search(search),
                seeds=seeds,
                n_drawn=self._n_samples_bootstrap,
                balanced=balanced,
                n_threads=self._n_threads(),
                progress=self._progress(len(seeds)),
                **self._stopping_rules(len(y)),
            )
        self.trees_ = [*self.trees_, *(self._finished(arrays) for arrays in grown)]
        self.n_hyperplanes_ += n_hyperplanes

    def _finished(self, arrays: dict[str, Any]) -> Tree:
        """Return the tree of what was grown."""
        return self._pruned(Tree.adopt(**arrays), self.ccp_alpha)

    @staticmethod
    def _pruned(tree: Tree, ccp_alpha: float) -> Tree:
        return prune_by_alpha(tree, impurity_risk(tree), ccp_alpha) if ccp_alpha > 0.0 else tree

    def _problem(
        self,
        X: Encoded,
        y: npt.NDArray[Any],
        n_classes: int,
        weight: npt.NDArray[np.float64],
        search: SplitSearch,
    ) -> _core.Problem:
        column_feature, column_level = self.encoder_.columns()
        return self._problem_of(
            _core.Features(X, column_feature, column_level),
            _core.Target(y, n_classes, weight),
            None,
            self._criterion_of(search),
            weight,
            fill_with_training_mean=self.missing == "training_mean",
        )

    def _known_trees(self) -> int:
        """Return the number of trees that a warm start keeps."""
        known = len(getattr(self, "trees_", [])) if self.warm_start else 0
        if known > self.n_estimators:
            raise ValueError(
                f"n_estimators={self.n_estimators} must be larger or equal to "
                f"len(estimators_)={known} when warm_start==True"
            )
        return known

    def _check_parameters(self) -> None:
        check_number("n_estimators", self.n_estimators, 1, 10**6, whole=True)
        check_number("ccp_alpha", self.ccp_alpha, 0.0)
        check_number("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0.0, 0.5)
        check_choice("missing", self.missing, ("node_mean", "training_mean"))
        check_flag("bootstrap", self.bootstrap)
        check_flag("warm_start", self.warm_start)
        if not callable(self.oob_score):
            check_flag("oob_score", self.oob_score)
        if self.oob_score and not self.bootstrap:
            raise ValueError("Out of bag estimation only available if bootstrap=True")
        if self.max_samples is not None and not self.bootstrap:
            raise ValueError(
                "`max_sample` cannot be set if `bootstrap=False`. Either switch to "
                "`bootstrap=True` or set `max_sample=None`."
            )
        self._progress(1)

    def _make_search(self) -> SplitSearch:
        return chosen_search(self.search, self._searches)

    def _reads_sparse(self) -> bool:
        try:
            search = self._make_search()
            drawn = isinstance(search, AxisParallel | ForestSplit | RandomProjection)
            return drawn or (
                isinstance(self, ClassifierMixin) and _core.reads_sparse(search.core())
            )
        except (AttributeError, TypeError, ValueError):  # fit reports what is wrong
            return False

    def _core_search(self, search: SplitSearch) -> _core.Search:
        features = self._features_to_draw()
        if isinstance(search, AxisParallel):
            search = ForestSplit(oblique_share=0.0)
        if isinstance(search, ForestSplit | RandomProjection):
            return search.core_for_forest(features, random_thresholds=self._random_thresholds)
        if self._random_thresholds:
            raise ValueError(
                "random thresholds need search 'forest', 'axis_parallel' or 'random_projection', "
                f"got {self.search!r}."
            )
        return RandomSubset(search, features).core()

    def _criterion_of(self, search: SplitSearch) -> str:
        criteria = self._criteria(search)
        if self.criterion is None:
            own = search.default_criterion
            return own if own in criteria else criteria[0]
        criterion = self.criterion
        if isinstance(criterion, str) and criterion == "log_loss":  # scikit-learn's other name
            criterion = "entropy"
        check_choice("criterion", criterion, criteria)
        return criterion

    def _features_to_draw(self) -> float:
        """Return the number of features a node looks at, as scikit-learn's parameter means it."""
        n_features = self.n_features_in_
        value = self.max_features
        if value is None:
            return float(n_features)
        if isinstance(value, str) and value in ("sqrt", "log2"):
            return max(1.0, float(np.sqrt(n_features) if value == "sqrt" else np.log2(n_features)))
        number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
        if number and isinstance(value, Integral) and int(value) >= 1:
            return float(min(int(value), n_features))
        if number and not isinstance(value, Integral) and 0.0 < value <= 1.0:
            return max(1.0, float(value) * n_features)
        raise ValueError(
            "The 'max_features' parameter must be an int in the range [1, inf), a float in the "
            f"range (0.0, 1.0], 'sqrt', 'log2' or None, got {value!r}."
        )

    def _rows_to_draw(self, n_rows: int) -> int:
        value = self.max_samples
        if value is None:
            return n_rows
        number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
        drawn = 0
        if number and value >= 1 and isinstance(value, Integral):
            drawn = int(value)
        elif number and 0.0 < value < np.inf and not isinstance(value, Integral):
            drawn = max(int(n_rows * min(float(value), 1e300 / n_rows)), 1)
        if drawn > _MOST_DRAWN:
            raise ValueError(
                f"max_samples must draw no more than {_MOST_DRAWN} rows a tree, got {value!r}."
            )
        if drawn:
            return drawn
        raise ValueError(
            "The 'max_samples' parameter must be None, an int in the range [1, inf) or a float in "
            f"the range (0.0, inf), got {value!r}."
        )

    def _shown_progress(self, n_trees: int) -> Callable[[int], None]:
        return counter(type(self).__name__, n_trees, "trees")
