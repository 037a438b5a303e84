"""What gradient boosting for classification and for regression share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted

from aslant import _core
from aslant.encoding import ENCODING_PARAMETERS
from aslant.encoding.sample import Matrix, Sample
from aslant.encoding.weights import own_weights
from aslant.estimators.base import integer
from aslant.estimators.boosting.early_stopping import (
    Scores,
    ValidationRows,
    round_scores,
    weights_of,
)
from aslant.estimators.boosting.parameters import BoostingParameters
from aslant.estimators.constraints import interaction_groups, monotonic_signs
from aslant.estimators.forest.packing import pack_trees, unpack_trees
from aslant.estimators.regressor import ObliqueDecisionTreeRegressor
from aslant.growth.forest import tree_seeds
from aslant.growth.grow import one_blas_thread
from aslant.growth.importances import importances, mean_importances
from aslant.tree.regression_tree import RegressionTree, without_linear_leaves
from aslant.tree.tree import Tree
from aslant.utils.parameters import parameters

Floats = npt.NDArray[np.float64]

# With more rows than this, early_stopping="auto" holds rows out.
_ROWS_TO_STOP_EARLY = 10_000


@parameters
class BaseBoosting(BoostingParameters):
    """What gradient boosting for classification and for regression share; not to be used itself.

    Attributes
    ----------
    n_iter_ : int
        Rounds of the model.
    n_trees_per_iteration_ : int
        Trees of a round: 1, or the number of classes if there are more than two.
    do_early_stopping_ : bool
        Whether the fit could stop early.
    train_score_, validation_score_ : ndarray
        With early stopping, the scores before the first round and after each, of rounds beyond
        `n_iter_` too; `validation_score_` is empty without validation rows.
    baseline_ : ndarray of shape (n_trees_per_iteration_,)
        Raw prediction that the trees are added to.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Fraction of each feature in the total gain of all splits. The gain of a combination is
        divided among its features by the size of their coefficients times their standard
        deviations.
    """

    _progress_unit: ClassVar[str] = "rounds"

    # ------------------------------------------------------------------ what subclasses say

    @abstractmethod
    def _loss_name(self) -> str:
        """Return the loss by its name in the core."""

    @abstractmethod
    def _n_outputs(self) -> int:
        """Return the trees of a round."""

    @abstractmethod
    def _core_target(self, y: npt.NDArray[Any]) -> Floats:
        """Return the targets in the units in which trees grow."""

    @abstractmethod
    def _given_target(self, y: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the targets as the caller gave them, of those of a sample."""

    @abstractmethod
    def _check_validation_target(self, y: Any, n_rows: int) -> npt.NDArray[Any]:
        """Return the targets of validation rows as those of a sample."""

    def _set_target_units(self, y: npt.NDArray[Any]) -> None:
        """Choose the units in which trees grow."""

    def _loss_unit(self) -> float:
        """Return the loss of one unit of the core in the caller's units."""
        return 1.0

    def _in_caller_units(self, raw: Floats) -> Floats:
        """Return sums of tree values and baselines in the caller's units."""
        return raw

    def _quantile(self) -> float:
        return 0.5

    # ------------------------------------------------------------------ fitting

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Self:
        """Grow the trees, one round after the other.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Training rows; NaN is a missing value. A sparse matrix is made dense.
        y : array-like of shape (n_samples,)
            What to predict: class labels of any type, or numbers.
        sample_weight : array-like of shape (n_samples,), optional
            Weights, not negative.
        X_val, y_val, sample_weight_val : array-like, optional
            Validation rows for early stopping; without them rows of X are held out.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._check_parameters()
        known = self._known_rounds()
        if (X_val is None) != (y_val is None):
            given, other = ("X_val", "y_val") if y_val is None else ("y_val", "X_val")
            raise ValueError(f"{given} is provided, but {other} was not provided.")
        if known > 0 and self.encoder_.target_encoded:
            # The known trees grew on rows encoded out of fold, which later fits would not see.
            raise ValueError(
                "warm_start must be False with categories encoded by the target, got a model with "
                f"{len(self.encoder_.target_encoded)} of them: fit with a larger max_iter instead."
            )
        sample = self._prepare(X, y, sample_weight, warm=known > 0).compact()
        if known == 0:
            self._seed = self._draw_seed()
            self._set_target_units(sample.y)
        validation = None
        if X_val is not None:
            validation = self._given_validation(X_val, y_val, sample_weight_val)
        auto = isinstance(self.early_stopping, str)
        stops = len(sample) > _ROWS_TO_STOP_EARLY if auto else bool(self.early_stopping)
        if validation is not None and not auto and not stops:
            raise ValueError(
                "X_val and y_val are passed to fit while early_stopping is False: set "
                "early_stopping to 'auto' or True."
            )
        if stops and validation is None and self.validation_fraction is not None:
            sample, held_out = sample.hold_out(self._validation_part(len(sample)), self._seed)
            if len(held_out) == 0 or len(sample) == 0:
                raise ValueError(
                    f"validation_fraction={self.validation_fraction!r} must leave rows to grow on "
                    f"and rows to validate on, got {len(sample) + len(held_out)} rows in all."
                )
            sample, validation = sample.compact(), held_out.compact()
        self.do_early_stopping_ = stops
        with one_blas_thread():
            self._boost(_dense(sample), None if validation is None else _dense(validation), known)
        return self

    def _boost(self, sample: Sample, validation: Sample | None, known: int) -> None:
        n_threads = self._n_threads()
        loss = self._loss_of(sample)
        if known == 0:
            baseline, trees = np.array(loss.baseline()), []
            raw = np.repeat(baseline[:, None], len(sample), axis=1)
        else:
            baseline, trees = self._core_baseline, self.trees_
            raw = self._core_raw(sample.X).T
        boosting = self._start(sample, loss, raw)
        held_out = None
        if validation is not None and self.do_early_stopping_:
            started = np.repeat(baseline[:, None], len(validation), axis=1)
            if known > 0:
                started = np.ascontiguousarray(self._core_raw(validation.X).T)
            held_out = ValidationRows(validation.X, self._loss_of(validation), started)
        scores = None
        if self.do_early_stopping_:
            scores = round_scores(self, boosting, sample, validation, held_out, known)
        if scores is not None and known == 0:
            scores.record()
        keys, progress = tree_seeds(self._seed, self.max_iter), self._progress()
        grown: list[Tree] = []
        for i in range(known, self.max_iter):
            new = [_tree_of(arrays) for arrays in boosting.grow(keys[i], n_threads)]
            grown += new
            if held_out is not None:
                held_out.add(new, n_threads)
            if progress is not None:
                progress(i + 1, self.max_iter)
            if scores is not None:
                scores.record()
                if scores.have_stopped():
                    break
        self._keep(baseline, [*trees, *map(self._tree_in_units, grown)], scores)

    def _keep(self, baseline: Floats, trees: list[Tree], scores: Scores | None) -> None:
        """Set what the fit has learned, up to the best round."""
        self.n_trees_per_iteration_ = len(baseline)
        best = None if scores is None else scores.best_round()
        self.n_iter_ = len(trees) // len(baseline) if best is None else best
        self._core_baseline = baseline
        self.baseline_ = self._in_caller_units(baseline)
        self.train_score_ = np.array([] if scores is None else scores.training)
        self.validation_score_ = np.array([] if scores is None else scores.validation)
        self._set_trees(trees[: self.n_iter_ * len(baseline)])

    def _start(self, sample: Sample, loss: _core.BoostingLoss, raw: Floats) -> _core.Boosting:
        names = getattr(self, "feature_names_in_", None)
        monotonic = monotonic_signs(self.monotonic_cst, self.encoder_, names)
        if any(monotonic) and self._n_outputs() > 1:
            raise ValueError(
                "monotonic constraints are not supported for multiclass classification."
            )
        binned = _core.BinnedFeatures(
            sample.X,
            *sample.columns,
            weight=weights_of(sample),
            max_bins=self.max_bins,
            seed=self._seed,
            n_threads=self._n_threads(),
        )
        eligible = [
            sign == 0 and binned.feature(j)["in_directions"] for j, sign in enumerate(monotonic)
        ]
        n_drawn = self._features_to_draw(sum(eligible))
        most = self.max_features_per_test
        return _core.Boosting(
            binned=binned,
            loss=loss,
            raw=raw,
            learning_rate=self.learning_rate,
            max_leaf_nodes=self.max_leaf_nodes or 0,
            max_depth=-1 if self.max_depth is None else self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            l2_regularization=self.l2_regularization,
            max_features=self.max_features,
            monotonic=monotonic,
            interaction_groups=interaction_groups(self.interaction_cst, self.encoder_, names),
            n_drawn=n_drawn,
            max_features_per_test=n_drawn if most is None else most,
            oblique_min_rows=self.oblique_min_rows,
        )

    def _loss_of(self, sample: Sample) -> _core.BoostingLoss:
        return _core.BoostingLoss(
            self._loss_name(),
            self._quantile(),
            self._n_outputs(),
            self._core_target(sample.y),
            weights_of(sample),
        )

    # ------------------------------------------------------------------ early stopping

    def _given_validation(self, X: Any, y: Any, sample_weight: Any) -> Sample:
        encoded = self._encoded(X)
        n_rows = encoded.shape[0]
        target = self._check_validation_target(y, n_rows)
        weight = own_weights(sample_weight, n_rows)
        if not (weight > 0.0).any():
            raise ValueError("sample_weight_val must not be zero for every row.")
        columns = self.encoder_.columns()
        n_classes = 2 if self._loss_name() == "log_loss" else 0
        return Sample(encoded, target, weight, n_classes, columns=columns)

    # ------------------------------------------------------------------ parameters

    def _known_rounds(self) -> int:
        """Return the rounds that a warm start keeps."""
        known = self.n_iter_ if self.warm_start and hasattr(self, "trees_") else 0
        if known > self.max_iter:
            raise ValueError(
                f"max_iter={self.max_iter} must be larger than or equal to n_iter_={known} when "
                "warm_start==True"
            )
        return known

    def _reads_sparse(self) -> bool:
        return True

    # ------------------------------------------------------------------ predicting

    def _tree_in_units(self, tree: Tree) -> Tree:
        """Return a tree with its values in the caller's units."""
        return tree

    def _core_forests(self) -> list[_core.Forest]:
        """Return the trees of each output as prediction reads them, made when first used."""
        forests: list[_core.Forest] | None = self._made.get("forests")
        if forests is None:
            n_outputs = self.n_trees_per_iteration_
            forests = [_core.Forest(self.trees_[0].n_features, 1) for _ in range(n_outputs)]
            for i, tree in enumerate(self.trees_):
                forests[i % n_outputs].add(**tree.structure(), says=tree.value)
            self._made["forests"] = forests
        return forests

    def _raw(self, encoded: Matrix) -> Floats:
        """Return the raw predictions of encoded rows, shape (n_samples, n_outputs)."""
        n_threads = self._n_threads()
        sums = [forest.predict(encoded, n_threads) for forest in self._core_forests()]
        return np.column_stack(sums) + self.baseline_

    def _core_raw(self, encoded: Matrix) -> Floats:
        """Return the same in the units in which trees grow."""
        return self._raw(encoded)

    def _raw_predict(self, X: Any) -> Floats:
        return self._raw(self._encoded(X))

    def _staged_raw(self, X: Any) -> Iterator[Floats]:
        """Yield the raw predictions after each round."""
        encoded = self._encoded(X)
        n_outputs, n_threads = self.n_trees_per_iteration_, self._n_threads()
        raw = np.repeat(self.baseline_[None], encoded.shape[0], axis=0)
        for i, tree in enumerate(self.trees_):
            raw[:, i % n_outputs] += tree.value[tree.apply(encoded, n_threads=n_threads), 0]
            if (i + 1) % n_outputs == 0:
                yield raw.copy()

    # ------------------------------------------------------------------ what fitting learned

    def _member(self, number: int) -> ObliqueDecisionTreeRegressor:
        settings = {
            "max_leaf_nodes": self.max_leaf_nodes,
            "max_depth": self.max_depth,
            "min_samples_leaf": self.min_samples_leaf,
            **{name: getattr(self, name) for name in ENCODING_PARAMETERS},
            "random_state": self.random_state,
            "n_jobs": self.n_jobs,
        }
        member = ObliqueDecisionTreeRegressor("least_squares", **settings)
        for name in ("encoder_", "n_features_in_", "feature_names_in_", "column_spread_"):
            if hasattr(self, name):
                setattr(member, name, getattr(self, name))
        tree = self.trees_[number]
        member.n_outputs_, member.n_samples_fit_ = 1, int(tree.n_node_samples[0])
        member._set_tree(tree, 0, self._importances_of(tree))
        return member

    def _importances_of(self, tree: Tree) -> Floats:
        own = importances(tree, self.column_spread_)
        return np.bincount(self.encoder_.source, own, self.n_features_in_).astype(np.float64)

    @property
    def feature_importances_(self) -> Floats:
        """Fraction of each feature in the total gain of all splits."""
        check_is_fitted(self)
        gains = np.array([_total_gain(tree) for tree in self.trees_])
        if not gains.sum() > 0.0:
            return np.zeros(self.n_features_in_)
        return mean_importances([self._importances_of(tree) for tree in self.trees_], gains)

    @property
    def is_categorical_(self) -> npt.NDArray[np.bool_] | None:
        """Which columns are categories; None if none is."""
        check_is_fitted(self)
        mask = np.array([column.kind == "category" for column in self.encoder_.columns_])
        return mask if mask.any() else None

    # ------------------------------------------------------------------ saving

    def _trees_to_state(self) -> dict[str, Any]:
        return {
            "seed": self._seed,
            "n_iter": self.n_iter_,
            "early_stopping": bool(self.do_early_stopping_),
            "train_score": self.train_score_,
            "validation_score": self.validation_score_,
            "baseline": self._core_baseline,
            "trees": pack_trees(self.trees_),
        }

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        self._seed = integer(state["seed"])
        self.n_iter_ = integer(state["n_iter"])
        self.do_early_stopping_ = bool(state["early_stopping"])
        self.train_score_ = np.asarray(state["train_score"], dtype=np.float64)
        self.validation_score_ = np.asarray(state["validation_score"], dtype=np.float64)
        self._core_baseline = np.asarray(state["baseline"], dtype=np.float64)
        self.n_trees_per_iteration_ = self._n_outputs()
        self.baseline_ = self._in_caller_units(self._core_baseline)
        columns = self.encoder_.columns()
        source = len(self.encoder_.source)
        self._set_trees(unpack_trees(state["trees"], source, *columns, RegressionTree))
        if self._core_baseline.shape != (self.n_trees_per_iteration_,):
            raise ValueError("the model needs a baseline for each output")
        if not np.isfinite(self._core_baseline).all():
            raise ValueError("the baselines must be finite")
        n_trees = self.n_iter_ * self.n_trees_per_iteration_
        if not self.trees_ or len(self.trees_) != n_trees:
            raise ValueError("the model has another number of trees than its rounds need")
        if any(tree.value.shape[1] != 1 for tree in self.trees_):
            raise ValueError("a tree of boosting predicts one number")


def _tree_of(arrays: dict[str, Any]) -> RegressionTree:
    n_nodes = len(arrays["value"])
    return RegressionTree.adopt(
        **arrays, error=np.zeros(n_nodes), **without_linear_leaves(n_nodes, 1)
    )


def _dense(sample: Sample) -> Sample:
    """Return the sample with a dense matrix."""
    if not issparse(sample.X):
        return sample
    dense = sample.X.toarray()  # type: ignore[attr-defined]
    return Sample(dense, sample.y, sample.weight, sample.n_classes, columns=sample.columns)


def _total_gain(tree: Tree) -> float:
    """Return the sum of the gains of all splits."""
    risk = tree.impurity * tree.weighted_n_node_samples
    return max(0.0, float(risk[0] - risk[tree.is_leaf].sum()))
