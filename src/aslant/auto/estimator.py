"""The tree to try first."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from aslant.auto.candidates import Fitting
from aslant.auto.choosing import FINISHING, Choice, choose, out_of_fold_exponent, soft_gates
from aslant.auto.effort import EFFORTS, Effort
from aslant.auto.finishing import MOST_ROWS_TO_FIT, at_most, carried_on, leaf_of
from aslant.auto.work import Report, Work
from aslant.checks import check_choice, check_number
from aslant.ensemble.base import share_fit
from aslant.estimators import ObliqueDecisionTreeClassifier, TreeClassifier
from aslant.refine.gates import SoftGates
from aslant.refine.harden import most_digits, shortened
from aslant.refine.joint import Refined
from aslant.sample import Sample
from aslant.search import AxisParallel, FisherClimb, SplitSearch
from aslant.tree import Tree


class _Absent:
    """An attribute that instances do not have, though their parent class does."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        raise AttributeError(f"{owner.__name__} has no attribute {self._name!r}")


class AutoTreeClassifier(TreeClassifier):
    """One small tree that needs no choice of method: the one to try first.

    Two trees are grown, one with tests of single features and one with linear tests, pruned by
    cross-validation, and all their tests and leaves are then fitted together on a smooth likelihood
    (`aslant.refine.JointFit`) with several strengths, dense and sparse. Cross-validation chooses
    among the fits; the winner is made hard again and is an ordinary tree.

    Parameters
    ----------
    max_features_per_test : int or None, default=None
        Most features in a test.
    sparsity : float or None, default=0.5
        The tree with the fewest coefficients is taken whose cross-validated error is within so many
        standard errors of the lowest: more is sparser. None takes the lowest error and tries no
        sparse tests.
    effort : {"low", "medium", "high"}, default="medium"
        How many strengths and folds are tried, and on how many rows.
    probabilities : {"soft", "leaf"}, default="soft"
        ``"soft"``: tests are gates that a row passes with a probability, so rows near a test get
        probabilities in between; `predict` returns the most probable class, which for some rows is
        not the majority of the leaf they reach. ``"leaf"``: class frequencies of that leaf. A
        fitted soft tree becomes an ordinary one by ``set_params(probabilities="leaf")``.
    max_leaf_nodes : int or None, default=None
        Most leaves.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes.
    categorical_features : 'from_dtype', None, mask, indices or names, default='from_dtype'
        Features that are categories; by default the categorical and text columns of a data frame.
    missing : {'node_mean', 'training_mean'}, default='node_mean'
        What stands in for a missing value: the mean of the node, or of the training set.
    random_state : int, RandomState or None, default=None
        Seed of everything random. The same seed gives the same tree for any `n_jobs`.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 all cores.
    verbose : int or callable, default=0
        Progress on the standard error stream, or ``verbose(done, n_rows)`` with the share of the
        work that is done, counted in rows.

    Attributes
    ----------
    tree_ : Tree
        The tree, as flat arrays.
    candidates_ : list of dict
        What was compared: start, strength and l1 of the fit, cross-validated error and its standard
        error, mean leaves and coefficients of the trees of the folds, seconds.
    choice_ : str
        Why the winner was taken, in a sentence.
    gates_ : SoftGates or None
        What the soft probabilities need besides the tree; None after a fit with
        ``probabilities="leaf"``.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_classes_ : int
        Number of classes.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the data had names that are all text.
    n_samples_fit_ : int
        Training rows.
    column_spread_ : ndarray of shape (n_columns,)
        Standard deviation of every encoded column over the training rows.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total decrease of impurity.
    encoder_ : FeatureEncoder
        Which features are categories, and their levels.
    n_hyperplanes_ : int
        Hyperplanes considered while growing the starts.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import AutoTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> AutoTreeClassifier(random_state=0).fit(X, y).get_n_leaves()
    3
    """

    max_features_per_test: int | None
    sparsity: float | None
    effort: Literal["low", "medium", "high"]
    probabilities: Literal["soft", "leaf"]

    # How trees are grown and pruned is not for the caller to say.
    pruning = _Absent()
    refine = _Absent()
    max_depth = _Absent()
    min_samples_split = _Absent()
    min_samples_leaf = _Absent()
    min_weight_fraction_leaf = _Absent()
    min_impurity_decrease = _Absent()
    ccp_alpha = _Absent()
    search_rows = _Absent()
    search_finish = _Absent()

    def __init__(
        self,
        *,
        max_features_per_test: int | None = None,
        sparsity: float | None = 0.5,
        effort: Literal["low", "medium", "high"] = "medium",
        probabilities: Literal["soft", "leaf"] = "soft",
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        missing: str = "node_mean",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int | Callable[[int, int], None] = 0,
    ) -> None:
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features_per_test = max_features_per_test
        self.sparsity = sparsity
        self.effort = effort
        self.probabilities = probabilities
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    # ------------------------------------------------------------------ fitting

    def fit(  # type: ignore[override]
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> Self:
        """Choose, grow and fit a tree.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Weights, not negative: numbers of cases if they are whole numbers, else only their
            ratios count.

        Returns
        -------
        self
            The fitted estimator.
        """
        effort = self._checked()
        sample = self._prepare(X, y, sample_weight)
        return self._fit_with(effort, sample, self._draw_seed())

    def _checked(self) -> Effort:
        """Check the parameters that are not shared; return the effort."""
        check_choice("effort", self.effort, tuple(EFFORTS))
        check_choice("probabilities", self.probabilities, ("soft", "leaf"))
        check_choice("missing", self.missing, ("node_mean", "training_mean"))
        for name, least in (("max_leaf_nodes", 2), ("max_features_per_test", 1)):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name), least, 2**30, whole=True)
        if self.sparsity is not None:
            check_number("sparsity", self.sparsity, 0.0)
        return EFFORTS[self.effort]

    def _fit_with(self, effort: Effort, sample: Sample, seed: int) -> Self:
        work = Work(self._n_threads(), self._report(len(sample)))
        fitting = Fitting(
            effort,
            self.sparsity is not None,
            self.max_features_per_test,
            self.missing == "training_mean",
            work.check,
        )
        self.n_hyperplanes_ = 0
        chosen_on = at_most(sample, effort.most_rows, seed)
        choice = choose(
            chosen_on,
            leaf_of(sample, self.encoder_),
            {
                "linear tests": lambda rows: self._grown(effort.linear_tests, rows, seed, work),
                "single features": lambda rows: self._grown(AxisParallel(), rows, seed, work),
            },
            fitting,
            work,
            sparsity=self.sparsity,
            max_leaf_nodes=self.max_leaf_nodes,
            seed=seed,
        )
        self.candidates_ = [candidate.record() for candidate in choice.candidates]
        self.choice_ = choice.reason
        work.run([lambda: self._finish(choice, fitting, chosen_on, sample)], FINISHING)
        return self

    def _finish(self, choice: Choice, fitting: Fitting, chosen_on: Sample, sample: Sample) -> None:
        """Fit the winner on all rows and keep it."""
        refined = Refined(leaf_of(sample, self.encoder_), np.zeros(1))
        recipe = choice.winner.recipe
        if choice.winner.start is not None and recipe is not None:
            refined = fitting.fit(choice.winner.start.tree, chosen_on, recipe)
            if chosen_on is not sample and refined.tree.n_leaves > 1:
                refined = carried_on(refined, sample, recipe, fitting)
            refined = Refined(shortened(refined.tree, sample), refined.steepness)
        self.tree_ = self._with_impurity(refined.tree)
        self.gates_: SoftGates | None = None
        if self.probabilities == "soft":
            rows = at_most(sample, MOST_ROWS_TO_FIT, 0)
            gates = soft_gates(refined, rows, fitting)
            self.gates_ = gates.sharpened(out_of_fold_exponent(choice, fitting))
        self.feature_importances_ = self._importances(self.tree_, self.column_spread_)

    def _grown(self, search: SplitSearch, sample: Sample, seed: int, work: Work) -> Tree:
        """Grow a start until its leaves are pure or hold two cases."""
        grower = ObliqueDecisionTreeClassifier(
            search,
            criterion="entropy",
            # A share of the weight, not rows: a row of weight 2 is the row twice.
            min_weight_fraction_leaf=min(0.5, 1.999 / float(sample.weight.sum())),
            missing=self.missing,
            verbose=work.check,
        )
        share_fit(self, grower)
        tree, hyperplanes = grower._grow(sample, seed)
        self.n_hyperplanes_ += hyperplanes
        return tree

    def _make_search(self) -> SplitSearch:
        return FisherClimb()

    def _make_pruner(self) -> None:
        return None

    def _report(self, n_rows: int) -> Report | None:
        """Return what is called with the share of the work that is done."""
        if callable(self.verbose):
            tell = self.verbose
            return lambda done, _: tell(round(done * n_rows), n_rows)
        if self._progress(n_rows) is None:
            return None
        name = type(self).__name__

        def show(done: float, left: float) -> None:
            text = f"{name}: {100 * done:.0f} % done, about {left:.0f} s left "
            print(f"\r{text}", end="", file=sys.stderr)

        return show

    # ------------------------------------------------------------------ predicting

    @property
    def is_soft_(self) -> bool:
        """Whether probabilities are soft; no fit is needed to give that up."""
        return self.gates_ is not None and self.probabilities == "soft"

    def _frequencies_at(self, encoded: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        if self.gates_ is None or not self.is_soft_:
            return super()._frequencies_at(encoded)
        return self.gates_.probabilities(encoded, n_threads=self._n_threads())

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class; the first one on ties."""
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    @property
    def digits_(self) -> int:
        """Most significant digits of a coefficient or threshold of the tree."""
        return most_digits(np.concatenate([self.tree_.coef_value, self.tree_.offset]))

    # ------------------------------------------------------------------ keeping

    def _trees_to_state(self) -> dict[str, Any]:
        gates = None
        if self.gates_ is not None:
            gates = {
                "steepness": self.gates_.steepness,
                "share": self.gates_.share,
                "exponent": self.gates_.exponent,
            }
        return {
            **super()._trees_to_state(),
            "gates": gates,
            "candidates": self.candidates_,
            "choice": self.choice_,
        }

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        super()._trees_from_state(state)
        self.candidates_ = [dict(record) for record in state["candidates"]]
        self.choice_ = str(state["choice"])
        self.gates_ = None
        if state["gates"] is not None:
            self.gates_ = SoftGates(
                self.tree_,
                state["gates"]["steepness"],
                state["gates"]["share"],
                float(state["gates"]["exponent"]),
            )
            self.gates_.check()
