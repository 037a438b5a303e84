"""What all forests share: many trees over one set of rows, grown and asked in the core."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import field
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from scipy.sparse import csr_array, hstack
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from aslant import _core
from aslant.checks import check_choice, check_flag, check_number
from aslant.encoding import FeatureEncoder
from aslant.estimators import _MOST_THREADS, _blas, _importances, _impurity_risk, _rows
from aslant.forest.packing import pack, pack_trees, unpack, unpack_trees
from aslant.parameters import parameters
from aslant.prune import prune_by_alpha
from aslant.search import (
    FOREST_SEARCHES,
    AxisParallel,
    ForestSplit,
    RandomProjection,
    RandomSubset,
)
from aslant.search.base import SplitSearch
from aslant.tree import Tree

Encoded = npt.NDArray[np.floating[Any]]

TOO_FEW_TREES = (
    "Some inputs do not have OOB scores. This probably means too few trees were used to compute "
    "any reliable OOB estimates."
)


@parameters
class BaseForest(BaseEstimator):
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
    max_depth : int or None, default=None
        Greatest depth of a leaf.
    min_samples_split : int or float, default=2
        Rows a node needs to be split; a float is a fraction of all rows. A row that a tree has
        drawn several times is one row.
    min_samples_leaf : int or float, default=1
        Rows every child must hold; a float is a fraction of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Share of the total weight every child must hold.
    max_features : {'sqrt', 'log2'}, int, float or None, default='sqrt'
        Features a node looks at, constant ones not counted: a number, a share, or all. The
        combinations of the default search are made of twice as many.
    max_leaf_nodes : int or None, default=None
        Grow best-first, up to this many leaves.
    min_impurity_decrease : float, default=0.0
        Least score of a split, weighted by the share of the rows at the node.
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
    n_jobs : int or None, default=None
        Threads; None is 1, -1 all cores.
    verbose : int or callable, default=0
        Progress on the standard error stream, or ``verbose(trees_done, n_trees)``.

    Attributes
    ----------
    trees_ : list of Tree
        The trees as flat arrays.
    estimators_ : list
        The trees as estimators of their own.
    estimators_samples_ : list of ndarray
        The rows that each tree was grown on.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total decrease of impurity, the mean over the trees.
    encoder_ : FeatureEncoder
        The encoding of the features.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the data had names that are all text.
    n_samples_fit_ : int
        Training rows that weigh something.
    column_spread_ : ndarray of shape (n_columns,)
        Standard deviation of every encoded column over the training rows.
    n_hyperplanes_ : int
        Lines considered while growing.
    """

    _documented_in: ClassVar[tuple[type, ...]] = ()

    n_estimators: int = field(default=100, kw_only=False)
    search: str | SplitSearch = "forest"
    criterion: str | None = None
    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    max_features: Any = "sqrt"
    max_leaf_nodes: int | None = None
    min_impurity_decrease: float = 0.0
    bootstrap: bool = True
    oob_score: Any = False
    max_samples: float | None = None
    ccp_alpha: float = 0.0
    categorical_features: Any = "from_dtype"
    missing: str = "node_mean"
    warm_start: bool = False
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int | Callable[[int, int], None] = 0

    # ------------------------------------------------------------------ what subclasses say

    #: Whether thresholds are drawn at random.
    _random_thresholds = False
    _tree_type: ClassVar[type[Tree]] = Tree
    #: The searches that `search` may name.
    _searches: ClassVar[dict[str, type[SplitSearch]]] = FOREST_SEARCHES

    def _criteria(self, search: SplitSearch) -> tuple[str, ...]:
        raise NotImplementedError

    def _says(self, tree: Tree) -> npt.NDArray[np.float64]:
        """Return what each node of a tree says, one row a node."""
        raise NotImplementedError

    def _member(self, tree: Tree) -> Any:
        """Return one tree as an estimator of its own."""
        raise NotImplementedError

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
            self.column_spread_ = _spread(X, *self.encoder_.columns())
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
        data, problem = self._problem(X, y, n_classes, weight, search)
        with _blas().limit(limits=1, user_api="blas"):
            grown, n_hyperplanes = _core.grow_forest(
                data=data,
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
        return _pruned(Tree.adopt(**arrays), self.ccp_alpha)

    def _problem(
        self,
        X: Encoded,
        y: npt.NDArray[Any],
        n_classes: int,
        weight: npt.NDArray[np.float64],
        search: SplitSearch,
    ) -> tuple[_core.Data, _core.Problem]:
        column_feature, column_level = self.encoder_.columns()
        data = _core.Data(
            X=X,
            y=y,
            n_classes=n_classes,
            weight=weight,
            column_feature=column_feature,
            column_level=column_level,
        )
        min_leaf = _rows("min_samples_leaf", self.min_samples_leaf, len(y), 1)
        problem = _core.Problem(
            data=data,
            rows=None,
            criterion=self._criterion_of(search),
            min_rows=min(min_leaf, len(y) + 1),
            min_weight=self.min_weight_fraction_leaf * float(weight.sum()),
            fill_with_training_mean=self.missing == "training_mean",
        )
        return data, problem

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
        if isinstance(self.search, SplitSearch):
            return self.search
        if not isinstance(self.search, str):
            raise TypeError(
                f"search must be a name or an object from aslant.search, got {self.search!r}."
            )
        check_choice("search", self.search, tuple(self._searches))
        return self._searches[self.search]()

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
        criterion = "entropy" if self.criterion == "log_loss" else self.criterion
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
        if number and value >= 1 and isinstance(value, Integral):
            return int(value)
        if number and 0.0 < value < np.inf and not isinstance(value, Integral):
            return max(int(n_rows * float(value)), 1)
        raise ValueError(
            "The 'max_samples' parameter must be None, an int in the range [1, inf) or a float in "
            f"the range (0.0, inf), got {value!r}."
        )

    def _stopping_rules(self, n_rows: int) -> dict[str, Any]:
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 1, whole=True)
        if self.max_leaf_nodes is not None:
            check_number("max_leaf_nodes", self.max_leaf_nodes, 2, whole=True)
        check_number("min_impurity_decrease", self.min_impurity_decrease, 0.0)
        min_leaf = _rows("min_samples_leaf", self.min_samples_leaf, n_rows, 1)
        min_split = _rows("min_samples_split", self.min_samples_split, n_rows, 2)
        return {
            "max_depth": -1 if self.max_depth is None else min(int(self.max_depth), n_rows),
            "min_samples_split": min(max(min_split, 2 * min_leaf), n_rows + 1),
            "min_impurity_decrease": float(self.min_impurity_decrease),
            "max_leaf_nodes": min(int(self.max_leaf_nodes or 0), n_rows + 1),
        }

    def _draw_seed(self) -> int:
        try:
            generator = check_random_state(self.random_state)
        except ValueError:
            raise ValueError(
                "random_state must be None, a whole number from 0 to 2**32 - 1 or a RandomState, "
                f"got {self.random_state!r}."
            ) from None
        return int(generator.randint(2**31 - 1))

    def _n_threads(self) -> int:
        if self.n_jobs is not None:
            check_number("n_jobs", self.n_jobs, -np.inf, whole=True)
            if self.n_jobs == 0:
                raise ValueError(
                    "n_jobs must be None, a number of threads or, counted from all cores down, "
                    "-1, -2, ..., got 0."
                )
        return min(effective_n_jobs(self.n_jobs), _MOST_THREADS)

    def _progress(self, n_trees: int) -> Callable[[int], None] | None:
        """Return what growth calls now and then, with the number of trees that are done."""
        if callable(self.verbose):
            report = self.verbose
            return lambda done: report(done, n_trees)
        if not isinstance(self.verbose, bool | np.bool_):
            check_number("verbose", self.verbose, 0, whole=True)
        if not self.verbose:
            return None
        name, began = type(self).__name__, time.monotonic()

        def show(done: int) -> None:
            left = (time.monotonic() - began) / done * (n_trees - done) if done else np.nan
            known = f", {left:.0f} s left" if done else ""
            print(f"\r{name}: {done} of {n_trees} trees{known}", end="", file=sys.stderr)

        return show

    # ------------------------------------------------------------------ asking

    @property
    def _asked(self) -> _core.Forest:
        """The trees as prediction reads them, made when they are first asked."""
        forest: _core.Forest | None = self._made.get("asked")
        if forest is None:
            first = self.trees_[0]
            forest = _core.Forest(first.n_features, self._says(first).shape[1])
            for tree in self.trees_:
                forest.add(**tree.structure(), says=self._says(tree))
            self._made["asked"] = forest
        return forest

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_made": {}} if "_made" in state else state

    def _check_before_predicting(self) -> None:
        """Raise one clear error if a parameter that predictions depend on is not valid."""
        self._n_threads()

    def _encoded(self, X: Any) -> Encoded:
        check_is_fitted(self)
        return self.encoder_.transform(self, X)

    def _mean(self, encoded: Encoded) -> npt.NDArray[np.float64]:
        """Return the mean of what the trees say of each row."""
        return self._asked.predict(encoded, self._n_threads()) / len(self.trees_)

    def _out_of_bag(self, encoded: Encoded) -> npt.NDArray[np.float64]:
        """Return the mean over the trees that have not drawn a row; NaN where all have."""
        sums, asked = self._asked.predict_out_of_bag(
            encoded, self._seeds, self._n_samples_bootstrap, self._n_threads()
        )
        with np.errstate(invalid="ignore"):
            return np.asarray(sums / asked[:, None])

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the leaf that each row reaches in each tree, shape (n_samples, n_estimators)."""
        encoded = self._encoded(X)
        return self._asked.apply(encoded, self._n_threads()).astype(np.int64)

    def decision_path(self, X: Any) -> tuple[csr_array, npt.NDArray[np.intp]]:
        """Return the nodes each row passes in all trees, and where each tree's columns begin."""
        encoded = self._encoded(X)
        paths = [tree.decision_path(encoded) for tree in self.trees_]
        return csr_array(hstack(paths)), np.cumsum([0, *(path.shape[1] for path in paths)])

    def proximity(self, X: Any, Z: Any = None) -> npt.NDArray[np.float64]:
        """Return the share of the trees in which two rows end in the same leaf.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        Z : array-like of shape (n_others, n_features), optional
            The rows to compare them with; by default X itself.

        Returns
        -------
        ndarray of shape (n_samples, n_others)
            Breiman's proximities, between 0 and 1.
        """
        leaves = self.apply(X)
        others = leaves if Z is None else self.apply(Z)
        shared = np.zeros((len(leaves), len(others)))
        for mine, theirs in zip(leaves.T, others.T, strict=True):
            shared += mine[:, None] == theirs
        return shared / len(self.trees_)

    # ------------------------------------------------------------------ what fitting learned

    @property
    def estimators_(self) -> list[Any]:
        """The trees as estimators of their own."""
        if "trees_" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        if "members" not in self._made:
            self._made["members"] = [self._member(tree) for tree in self.trees_]
        members: list[Any] = self._made["members"]
        return members

    @property
    def estimators_samples_(self) -> list[npt.NDArray[np.int32]]:
        """The rows that each tree was grown on, as often as it has drawn them."""
        check_is_fitted(self)
        if not self._n_samples_bootstrap:
            return [np.arange(self.n_samples_fit_, dtype=np.int32) for _ in self.trees_]
        return [
            _core.drawn_rows(seed, self.n_samples_fit_, self._n_samples_bootstrap)
            for seed in self._seeds
        ]

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Share of each feature in the decrease of impurity, the mean over the trees."""
        check_is_fitted(self)
        each = [self._importances_of(tree) for tree in self.trees_ if tree.n_nodes > 1]
        if not each:
            return np.zeros(self.n_features_in_)
        mean = np.mean(each, axis=0)
        total = mean.sum()
        return np.asarray(mean / total if total > 0.0 else mean)

    def _importances_of(self, tree: Tree) -> npt.NDArray[np.float64]:
        return _importances(tree, self.column_spread_)

    def __len__(self) -> int:
        return len(self.estimators_)

    def __getitem__(self, index: int) -> Any:
        return self.estimators_[index]

    def __iter__(self) -> Any:
        return iter(self.estimators_)

    def get_depth(self) -> int:
        """Return the depth of the deepest tree."""
        check_is_fitted(self)
        return max(tree.max_depth for tree in self.trees_)

    def get_n_leaves(self) -> int:
        """Return the number of leaves of all trees together."""
        check_is_fitted(self)
        return sum(tree.n_leaves for tree in self.trees_)

    # ------------------------------------------------------------------ keeping

    def _to_state(self) -> dict[str, Any]:
        """Everything that fitting learned, as plain values and arrays."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        return {
            "n_features_in": self.n_features_in_,
            "feature_names_in": None if names is None else [str(name) for name in names],
            "encoder": self.encoder_.to_state(),
            "n_hyperplanes": self.n_hyperplanes_,
            "seeds": pack(np.array(self._seeds, dtype=np.uint64)),
            "seed": self._seed,
            "n_drawn": self._n_samples_bootstrap,
            "n_samples": self.n_samples_fit_,
            "spread": self.column_spread_,
            "trees": pack_trees(self.trees_),
        }

    def _from_state(self, state: dict[str, Any]) -> Self:
        """Become fitted again from what `_to_state` returned."""
        self.n_features_in_ = int(state["n_features_in"])
        if state["feature_names_in"] is not None:
            self.feature_names_in_ = np.array(state["feature_names_in"], dtype=object)
        self.encoder_ = FeatureEncoder.from_state(state["encoder"])
        self.n_hyperplanes_ = int(state["n_hyperplanes"])
        self._seeds = unpack(state["seeds"]).tolist()
        self._seed = int(state["seed"])
        self._n_samples_bootstrap = int(state["n_drawn"])
        self.n_samples_fit_ = int(state["n_samples"])
        self.column_spread_ = np.asarray(state["spread"], dtype=np.float64)
        columns = self.encoder_.columns()
        self.trees_ = unpack_trees(state["trees"], self.n_features_in_, *columns, self._tree_type)
        self._made = {}
        if not self.trees_ or len(self._seeds) != len(self.trees_):
            raise ValueError("a forest needs a seed for each of its trees")
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = False
        return tags


def _pruned(tree: Tree, ccp_alpha: float) -> Tree:
    return prune_by_alpha(tree, _impurity_risk(tree), ccp_alpha) if ccp_alpha > 0.0 else tree


def _spread(
    X: Encoded, column_feature: npt.NDArray[np.int32], column_level: npt.NDArray[np.int32]
) -> npt.NDArray[np.float64]:
    """Return the standard deviation of every encoded column over the training rows."""
    spread = np.zeros(len(column_feature))
    for j, (feature, level) in enumerate(zip(column_feature, column_level, strict=True)):
        column = X[:, feature].astype(np.float64, copy=False)
        column = column[~np.isnan(column)]
        with np.errstate(over="ignore", invalid="ignore"):
            if len(column):
                spread[j] = np.std(column if level < 0 else column == level)
    return spread
