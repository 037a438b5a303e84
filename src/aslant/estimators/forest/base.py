"""What all forests share: many trees over one set of rows, grown in the core."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from dataclasses import field, replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from aslant import _core
from aslant.encoding.sample import Matrix, Sample
from aslant.estimators.base import integer
from aslant.estimators.constraints import ConstraintParameters, check_combination
from aslant.estimators.distillation import Distillable
from aslant.estimators.ensemble import as_estimator
from aslant.estimators.forest.packing import pack, pack_trees, unpack, unpack_trees
from aslant.estimators.single_tree import SingleTree
from aslant.growth import TreeSettings, grow_forest, mean_importances
from aslant.growth.forest import tree_seeds
from aslant.search import AxisParallel, ForestSplit, RandomProjection
from aslant.search.base import SplitSearch, chosen_search
from aslant.search.forest import ForestSearch
from aslant.search.registry import FOREST_SEARCHES
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_flag, check_number
from aslant.utils.parameters import parameters

#: Rows are counted in 31 bits.
_MOST_DRAWN = 2**31 - 1
# Parameters of a forest that one of its trees does not have.
_OF_FORESTS_ONLY = {
    "n_estimators", "max_features", "bootstrap", "oob_score", "max_samples", "warm_start",
    "calibrate",
}  # fmt: skip
TOO_FEW_TREES = (
    "Some inputs do not have OOB scores. This probably means too few trees were used to compute "
    "any reliable OOB estimates."
)


@parameters
class BaseForest(Distillable, ConstraintParameters):
    """What every forest shares; not to be used itself.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    search : str or SplitSearch, default='forest'
        How a node looks for its split. ``"axis_parallel"`` makes the ordinary random forest,
        ``"random_projection"`` tests sparse random combinations; any other name of
        `aslant.search.registry`, or a search of your own, sees `max_features` features.
    criterion : str or None, default=None
        A splitting criterion; None is the search's own, entropy for the default search.
    min_samples_split : int or float, default=2
        Rows a node needs to be split; a float is a fraction of all rows. A row that a tree has
        drawn several times is one row.
    max_features : {'sqrt', 'log2'}, int, float or None, default='sqrt'
        Features a node looks at, constant ones not counted: a number, a fraction, or all. The
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
    warm_start : bool, default=False
        Whether another `fit` keeps the trees and adds those that `n_estimators` asks for.
    verbose : int or callable, default=0
        Progress on the standard error stream, or ``verbose(trees_done, n_trees)``.

    Attributes
    ----------
    estimators_samples_ : list of ndarray
        The rows that each tree was grown on.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Fraction of each feature in the total decrease of impurity, the mean over the trees.
    n_hyperplanes_ : int
        Hyperplanes considered while growing.
    """

    n_estimators: int = field(default=100, kw_only=False)
    search: str | SplitSearch = "forest"
    criterion: str | None = None
    max_features: Any = "sqrt"
    bootstrap: bool = True
    oob_score: Any = False
    max_samples: float | None = None
    ccp_alpha: float = 0.0
    warm_start: bool = False

    _progress_unit = "trees"

    # ------------------------------------------------------------------ what subclasses say

    #: Whether thresholds are drawn at random.
    _random_thresholds = False
    #: The searches that `search` may name.
    _searches: ClassVar[dict[str, type[SplitSearch]]] = FOREST_SEARCHES
    #: Trees as flat arrays, and one tree as an estimator.
    _tree_type: ClassVar[type[Tree]] = Tree
    _member_type: ClassVar[type[SingleTree]]

    @abstractmethod
    def _criteria(self, search: SplitSearch) -> tuple[str, ...]:
        """Return the criteria that suit the search and what is predicted."""

    @abstractmethod
    def _node_outputs(self, tree: Tree) -> npt.NDArray[np.float64]:
        """Return what each node of a tree predicts, one row a node."""

    def _divided(self, sample: Sample, settings: TreeSettings) -> tuple[Sample, TreeSettings]:
        """Return the sample in the units in which trees grow, and settings for it."""
        return sample, settings

    def _set_target_exponent(self, exponent: int) -> None:
        """Keep the power of two by which targets were divided while trees grew."""

    def _balances_draws(self) -> bool:
        """Whether the classes of what each tree has drawn are balanced."""
        return False

    def _calibrate(self, sample: Sample) -> None:
        """Learn from the out-of-bag rows, if that is asked for; called when trees were added."""

    @abstractmethod
    def _score_out_of_bag(self, output: npt.NDArray[np.float64], y: Any) -> None:
        """Set oob_score_ and what it is computed from."""

    # ------------------------------------------------------------------ fitting

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            What to predict: class labels of any type, or numbers.
        sample_weight : array-like of shape (n_samples,), optional
            Weights, not negative. Rows are drawn regardless of them.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._check_parameters()
        known = self._known_trees()
        everything = self._prepare(X, y, sample_weight, warm=known > 0)
        # Trees draw from the rows that have a weight: `_weighted_rows` are their numbers.
        weighted = None if everything.core_rows is None else everything.rows
        settings = replace(self._tree_settings(), constraints=self._constraints(everything))
        check_combination(settings.constraints, settings)
        sample, settings = self._divided(everything.compact(), settings)
        if known == 0:
            self._set_trees([])
            self.n_hyperplanes_ = 0
            self._seed = self._draw_seed()
        self._seeds = tree_seeds(self._seed, self.n_estimators)
        self._weighted_rows = weighted
        self._n_samples_bootstrap = self._rows_to_draw(len(sample)) if self.bootstrap else 0
        if known < self.n_estimators:
            trees, n_hyperplanes = grow_forest(
                sample,
                settings,
                self._seeds[known:],
                n_drawn=self._n_samples_bootstrap,
                balanced=self._balances_draws(),
            )
            self._set_trees([*self.trees_, *trees])
            self.n_hyperplanes_ += n_hyperplanes
        else:
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new trees.",
                UserWarning,
                stacklevel=2,
            )
        self._calibrate(sample)
        if self.oob_score and (known < self.n_estimators or not hasattr(self, "oob_score_")):
            self._score_out_of_bag(self._out_of_bag_of_all(everything), y)
        return self

    def _tree_settings(self) -> TreeSettings:
        search = self._make_search()
        return TreeSettings(
            search=ForestSearch(search, self._features_to_draw(), self._random_thresholds),
            criterion=self._criterion_of(search),
            stopping=self._stopping_rules(),
            fill_with_training_mean=self.missing == "training_mean",
            ccp_alpha=self.ccp_alpha,
            n_threads=self._n_threads(),
            progress=self._progress(),
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
        check_number("n_estimators", self.n_estimators, 1, 10**6, integer=True)
        check_number("ccp_alpha", self.ccp_alpha, 0.0)
        self._stopping_rules().check()
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
        self._progress()

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

    def _criterion_of(self, search: SplitSearch) -> str:
        criteria = self._criteria(search)
        if self.criterion is None:
            own = search.default_criterion
            return own if own in criteria else criteria[0]
        criterion: Any = self.criterion
        if isinstance(criterion, str) and criterion == "log_loss":  # scikit-learn's other name
            criterion = "entropy"
        check_choice("criterion", criterion, criteria)
        return str(criterion)

    def _features_to_draw(self) -> float:
        """Return the number of features a node looks at, as scikit-learn's parameter means it."""
        n_features = getattr(self, "n_features_in_", 1)  # 1 while parameters are validated only
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
        value: Any = self.max_samples
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

    # ------------------------------------------------------------------ predicting

    def _core_forest(self) -> _core.Forest:
        """Return the trees as prediction reads them, made when they are first used."""
        forest: _core.Forest | None = self._made.get("forest")
        if forest is None:
            first = self.trees_[0]
            forest = _core.Forest(first.n_features, self._node_outputs(first).shape[1])
            for tree in self.trees_:
                forest.add(**tree.structure(), says=self._node_outputs(tree))
            self._made["forest"] = forest
        return forest

    def _mean(self, encoded: Matrix) -> npt.NDArray[np.float64]:
        """Return the mean over the trees of what they predict for each row."""
        return self._core_forest().predict(encoded, self._n_threads()) / len(self.trees_)

    def _out_of_bag(self, encoded: Matrix) -> npt.NDArray[np.float64]:
        """Return the mean over the trees that have not drawn a row; NaN where all have."""
        sums, n_trees = self._core_forest().predict_out_of_bag(
            encoded, self._seeds, self._n_samples_bootstrap, self._n_threads()
        )
        with np.errstate(invalid="ignore"):
            return np.asarray(sums / n_trees[:, None])

    def _out_of_bag_where_known(self, encoded: Matrix) -> npt.NDArray[np.float64]:
        """Return the out-of-bag means of training rows, and means where all trees drew a row."""
        predicted = self._mean(encoded)
        if not self._n_samples_bootstrap or len(predicted) != self.n_samples_fit_:
            return predicted
        out_of_bag = self._out_of_bag(encoded)
        return np.where(np.isnan(out_of_bag), predicted, out_of_bag)

    def _out_of_bag_of_all(self, sample: Sample) -> npt.NDArray[np.float64]:
        """Return the same for all rows that were given; rows of weight zero were never drawn."""
        drawable = self._out_of_bag(sample.X)
        if self._weighted_rows is None:
            output = drawable
        else:
            output = self._mean(sample.shared_X)
            output[self._weighted_rows] = drawable
        if np.isnan(output[:, 0]).any():
            warnings.warn(TOO_FEW_TREES, UserWarning, stacklevel=3)
        return output

    def _leaves(self, encoded: Matrix) -> npt.NDArray[np.int32]:
        return np.asarray(self._core_forest().apply(encoded, self._n_threads()))

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

    def _member(self, number: int) -> SingleTree:
        tree = self.trees_[number]
        settings = {
            k: v for k, v in self.get_params(deep=False).items() if k not in _OF_FORESTS_ONLY
        }
        member = as_estimator(self._member_type, self._member_settings(settings), self, tree)
        member.n_samples_fit_ = int(tree.n_node_samples[0])  # what it has drawn, each row once
        return member

    def _member_settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of one tree, from those of the forest."""
        return settings | {"search": self._make_search()}

    @property
    def estimators_samples_(self) -> list[npt.NDArray[np.int32]]:
        """The rows that each tree was grown on, as often as it has drawn them."""
        check_is_fitted(self)
        n_rows, n_drawn = self.n_samples_fit_, self._n_samples_bootstrap
        if n_drawn:
            drawn = [_core.drawn_rows(seed, n_rows, n_drawn) for seed in self._seeds]
        else:
            drawn = [np.arange(n_rows, dtype=np.int32) for _ in self.trees_]
        if self._weighted_rows is None:
            return drawn
        return [self._weighted_rows[rows].astype(np.int32) for rows in drawn]

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Fraction of each feature in the decrease of impurity, the mean over the trees."""
        check_is_fitted(self)
        return mean_importances([self._importances_of(tree) for tree in self.trees_])

    # ------------------------------------------------------------------ saving

    def _rows_to_state(self) -> dict[str, Any]:
        state = {"n_samples": self.n_samples_fit_, "spread": self.column_spread_}
        if self._weighted_rows is not None:
            state["weighted_rows"] = pack(self._weighted_rows.astype(np.int64))
        return state

    def _rows_from_state(self, state: dict[str, Any]) -> None:
        self.n_samples_fit_ = integer(state["n_samples"])
        self.column_spread_ = np.asarray(state["spread"], dtype=np.float64)
        rows = state.get("weighted_rows")
        self._weighted_rows = None if rows is None else unpack(rows).astype(np.intp)
        if self._weighted_rows is not None and len(self._weighted_rows) != self.n_samples_fit_:
            raise ValueError("the rows of the forest are not as many as it was fitted to")

    def _trees_to_state(self) -> dict[str, Any]:
        return {
            "n_hyperplanes": self.n_hyperplanes_,
            "seeds": pack(np.array(self._seeds, dtype=np.uint64)),
            "seed": self._seed,
            "n_drawn": self._n_samples_bootstrap,
            "trees": pack_trees(self.trees_),
            **self._signs_to_state(),
        }

    def _signs_to_state(self) -> dict[str, Any]:
        """Return the monotonic constraints of the columns, the same in all trees, if any."""
        sign = self.trees_[0].column_sign
        return {"column_sign": sign.tolist()} if sign.any() else {}

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        self.n_hyperplanes_ = integer(state["n_hyperplanes"])
        self._seeds = unpack(state["seeds"]).tolist()
        self._seed = integer(state["seed"])
        self._n_samples_bootstrap = integer(state["n_drawn"])
        columns = self.encoder_.columns()
        sign = np.asarray(state.get("column_sign", np.zeros(len(columns[0]))))
        n_features = len(self.encoder_.source)
        trees = unpack_trees(state["trees"], n_features, *columns, self._tree_type, sign)
        self._set_trees(trees)
        if not trees or len(self._seeds) != len(trees):
            raise ValueError("a forest needs a seed for each of its trees")
