"""What gradient boosting for classification and for regression share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted

from aslant import _core
from aslant.encoding import ENCODING_PARAMETERS, Options
from aslant.encoding.sample import Matrix, Sample
from aslant.encoding.weights import own_weights
from aslant.estimators.base import integer
from aslant.estimators.boosting.early_stopping import (
    MOST_SCORED_ROWS,
    Scores,
    ValidationRows,
    probe,
)
from aslant.estimators.constraints import interaction_groups, monotonic_signs
from aslant.estimators.distillation import Distillable
from aslant.estimators.forest.packing import pack_trees, unpack_trees
from aslant.estimators.regressor import ObliqueDecisionTreeRegressor
from aslant.growth.forest import tree_seeds
from aslant.growth.grow import one_blas_thread
from aslant.growth.importances import importances, mean_importances
from aslant.tree.regression_tree import RegressionTree, without_linear_leaves
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_flag, check_number
from aslant.utils.parameters import parameters

Floats = npt.NDArray[np.float64]

# With more rows than this, early_stopping="auto" holds rows out.
_ROWS_TO_STOP_EARLY = 10_000
_MOST_BINS = 255


@parameters
class BaseBoosting(Distillable):
    """What gradient boosting for classification and for regression share; not to be used itself.

    Parameters
    ----------
    learning_rate : float, default=0.1
        Factor of what each tree adds.
    max_iter : int, default=100
        Most rounds; with more than two classes each round grows a tree for every class.
    max_leaf_nodes : int or None, default=31
        Most leaves of a tree.
    max_depth : int or None, default=None
        Greatest depth of a leaf.
    min_samples_leaf : int, default=20
        Rows every leaf must hold.
    l2_regularization : float, default=1.0
        L2 penalty on the values of leaves.
    max_features : float, default=1.0
        Fraction of the features that each node looks at, drawn at random.
    max_bins : int, default=255
        Most bins of a numeric feature; missing values have a bin of their own.
    monotonic_cst : array-like of int, dict or None, default=None
        For each feature 1 if predictions must not decrease with it, -1 if they must not increase,
        0 otherwise; or a dict of those by column name. Constrained features are tested alone,
        never in combinations. Not for more than two classes.
    interaction_cst : {'pairwise', 'no_interactions'}, sequence of groups or None, default=None
        Groups of column numbers that may interact: all tests on a path, and all features of a
        combination, are of one group. Columns that no group names are a group of their own.
    warm_start : bool, default=False
        Whether another `fit` keeps the rounds and adds those that `max_iter` asks for. Not with
        categories of so many levels that they are encoded by the target.
    early_stopping : 'auto' or bool, default='auto'
        Whether to stop when the score has not improved for `n_iter_no_change` rounds, and to go
        back to the round of the best validation score. 'auto' does with more than 10,000 rows.
    scoring : str, callable or None, default='loss'
        What early stopping compares: the loss, or a score of scikit-learn; None is that of `score`.
    validation_fraction : int, float or None, default=0.1
        Rows to hold out for early stopping, a number or a fraction; None scores the training rows.
    n_iter_no_change : int, default=10
        Rounds without an improvement that end the fit.
    tol : float, default=1e-7
        Least improvement of the score.
    oblique : bool, default=True
        Whether linear combinations compete with single features. False is ordinary boosting.
    oblique_features : int, float or None, default=None
        Features that a combination is drawn from: a number, a fraction of those that can be in
        combinations, or twice the square root of their number. Categories, and numbers of three
        or four distinct values, are never in combinations.
    oblique_min_rows : int, default=100
        Nodes with fewer rows look at single features only.
    max_features_per_test : int or None, default=None
        Most features of a combination: those that contribute most are kept. None keeps all.
    missing : {'auto', 'indicator'}, default='auto'
        A test of a single feature sends missing values to either side, whichever gains more;
        combinations read the training mean. With "indicator" a feature that has missing values is
        joined by one that says where they are, which combinations can read too.
    verbose : int or callable, default=0
        Progress on the standard error stream, or ``verbose(rounds_done, max_iter)``.

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

    learning_rate: float = 0.1
    max_iter: int = 100
    max_leaf_nodes: int | None = 31
    max_depth: int | None = None
    min_samples_leaf: int = 20
    l2_regularization: float = 1.0
    max_features: float = 1.0
    max_bins: int = 255
    monotonic_cst: Any = None
    interaction_cst: Any = None
    warm_start: bool = False
    early_stopping: str | bool = "auto"
    scoring: Any = "loss"
    validation_fraction: float | None = 0.1
    n_iter_no_change: int = 10
    tol: float = 1e-7
    oblique: bool = True
    oblique_features: float | None = None
    oblique_min_rows: int = 100
    max_features_per_test: int | None = None

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
            sample, held_out = sample.hold_out(self._fraction_of(len(sample)), self._seed)
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
        scores = self._scores(sample, boosting, validation, held_out, known)
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
            weight=_weights_of(sample),
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
            interaction_groups=interaction_groups(self.interaction_cst, self.encoder_),
            n_drawn=n_drawn,
            max_features_per_test=n_drawn if most is None else most,
            oblique_min_rows=self.oblique_min_rows,
        )

    def _features_to_draw(self, n_eligible: int) -> int:
        """Return the features that a combination is drawn from; 0 if there are none."""
        if not self.oblique or n_eligible < 2:
            return 0
        value = self.oblique_features
        if value is None:
            n = round(2.0 * np.sqrt(n_eligible))
        else:
            n = int(value) if isinstance(value, Integral) else round(float(value) * n_eligible)
        return min(n_eligible, max(2, n))

    def _loss_of(self, sample: Sample) -> _core.BoostingLoss:
        return _core.BoostingLoss(
            self._loss_name(),
            self._quantile(),
            self._n_outputs(),
            self._core_target(sample.y),
            _weights_of(sample),
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

    def _fraction_of(self, n_rows: int) -> float:
        value = self.validation_fraction
        assert value is not None
        return value / n_rows if isinstance(value, Integral) else float(value)

    def _scores(
        self,
        sample: Sample,
        boosting: _core.Boosting,
        validation: Sample | None,
        held_out: ValidationRows | None,
        known: int,
    ) -> Scores | None:
        """Return what scores the rounds, None without early stopping."""
        if not self.do_early_stopping_:
            return None
        n_threads, unit = self._n_threads(), self._loss_unit()
        of_validation = None
        if isinstance(self.scoring, str) and self.scoring == "loss":

            def of_training() -> float:
                return -unit * boosting.mean_loss(n_threads)

            if held_out is not None:

                def of_validation() -> float:
                    return -unit * held_out.loss.mean(held_out.raw, n_threads)
        else:
            from sklearn.metrics import check_scoring  # which takes long to import

            scorer = check_scoring(self, self.scoring)
            few = np.random.default_rng(self._seed).permutation(len(sample))[:MOST_SCORED_ROWS]
            scored = sample.take(few)

            def of_training() -> float:
                return self._score_with(scorer, scored, boosting.raw[:, few])

            if held_out is not None and validation is not None:

                def of_validation() -> float:
                    return self._score_with(scorer, validation, held_out.raw)

        training = getattr(self, "train_score_", np.array([])) if known else np.array([])
        earlier = getattr(self, "validation_score_", np.array([])) if known else np.array([])
        return Scores(
            of_training,
            of_validation,
            self.n_iter_no_change,
            self.tol,
            training[: known + 1].tolist(),
            earlier[: known + 1].tolist(),
        )

    def _score_with(self, scorer: Any, sample: Sample, raw: Floats) -> float:
        model = probe(self, self._in_caller_units(raw))
        y = self._given_target(sample.y)
        weight = _weights_of(sample)
        if weight is None:
            return float(scorer(model, sample.X, y))
        return float(scorer(model, sample.X, y, sample_weight=weight))

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

    def _check_parameters(self) -> None:
        check_number("learning_rate", self.learning_rate, np.finfo(float).tiny, 1e10)
        check_number("max_iter", self.max_iter, 1, 10**6, integer=True)
        if self.max_leaf_nodes is not None:
            check_number("max_leaf_nodes", self.max_leaf_nodes, 2, 2**30, integer=True)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 1, 2**30, integer=True)
        check_number("min_samples_leaf", self.min_samples_leaf, 1, 2**31 - 1, integer=True)
        check_number("l2_regularization", self.l2_regularization, 0.0, 1e300)
        check_number("max_features", self.max_features, np.finfo(float).tiny, 1.0)
        check_number("max_bins", self.max_bins, 2, _MOST_BINS, integer=True)
        check_number("n_iter_no_change", self.n_iter_no_change, 1, 10**6, integer=True)
        check_number("tol", self.tol, 0.0)
        check_flag("warm_start", self.warm_start)
        check_flag("oblique", self.oblique)
        check_number("oblique_min_rows", self.oblique_min_rows, 2, 2**31 - 1, integer=True)
        most = self.max_features_per_test
        if most is not None:
            check_number("max_features_per_test", most, 2, 2**30, integer=True)
        if isinstance(self.early_stopping, str):
            check_choice("early_stopping", self.early_stopping, ("auto",))
        else:
            check_flag("early_stopping", self.early_stopping)
        _check_scoring(self.scoring)
        _check_part("oblique_features", self.oblique_features, least=2)
        _check_part("validation_fraction", self.validation_fraction, least=1)
        self._n_threads()
        self._progress()

    def _encoding_options(self) -> Options:
        check_choice("missing", self.missing, ("auto", "indicator"))
        # Growth handles missing values itself, so no indicator is needed to keep information.
        missing = "node_mean" if self.missing == "auto" else self.missing
        return replace(super()._encoding_options(), missing=missing)

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


def _weights_of(sample: Sample) -> Floats | None:
    """Return the weights of the rows, None if all are 1."""
    return None if (sample.weight == 1.0).all() else sample.weight


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


def _check_scoring(scoring: Any) -> None:
    allowed = "'loss', the name of a scorer of scikit-learn, a function or None"
    if scoring is None or callable(scoring):
        return
    if not isinstance(scoring, str):
        raise TypeError(f"scoring must be {allowed}, got {scoring!r}.")
    if scoring != "loss":
        from sklearn.metrics import get_scorer_names  # which takes long to import

        if scoring not in get_scorer_names():
            raise ValueError(f"scoring must be {allowed}, got {scoring!r}.")


def _check_part(name: str, value: Any, least: int) -> None:
    """Validate a parameter that is None, a number of things or a fraction of them."""
    if value is None:
        return
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(f"{name} must be None, an integer or a fraction, got {value!r}.")
    if isinstance(value, Integral):
        check_number(name, value, least, 2**31 - 1, integer=True)
    elif not 0.0 < float(value) < 1.0 and not (value == 1.0 and name == "oblique_features"):
        raise ValueError(f"{name} must be above 0 and below 1 as a fraction, got {value!r}.")
