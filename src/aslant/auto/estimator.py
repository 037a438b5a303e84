"""The tree to try first, of classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from aslant.auto.base import AutoTree
from aslant.auto.candidates import Fitting
from aslant.auto.choosing import Choice, out_of_fold_exponent, soft_gates
from aslant.auto.effort import Effort
from aslant.auto.finishing import MOST_ROWS_TO_FIT, at_most, leaf_of
from aslant.auto.work import Work
from aslant.estimators import ObliqueDecisionTreeClassifier, TreeClassifier
from aslant.refine.gates import SoftGates
from aslant.refine.joint import Refined
from aslant.sample import Sample
from aslant.search import AxisParallel, SplitSearch
from aslant.tree import Tree


class AutoTreeClassifier(AutoTree, TreeClassifier):
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

    _soft_parameter = "probabilities"

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

    def _make_fitting(self, effort: Effort, sample: Sample, work: Work) -> Fitting:
        return Fitting(
            effort,
            self.sparsity is not None,
            self.max_features_per_test,
            self.missing == "training_mean",
            work.check,
            soft=self.probabilities == "soft",
        )

    def _growers(
        self, effort: Effort, seed: int, work: Work
    ) -> dict[str, Callable[[Sample], Tree]]:
        def grown(search: SplitSearch) -> Callable[[Sample], Tree]:
            def grow(rows: Sample) -> Tree:
                tree = ObliqueDecisionTreeClassifier(
                    search, criterion="entropy", missing=self.missing, verbose=work.check
                )
                return self._grown(tree, rows, seed, 2)

            return grow

        return {
            "linear tests": grown(effort.linear_tests),
            "single features": grown(AxisParallel()),
        }

    def _leaf_of(self, sample: Sample) -> Tree:
        return leaf_of(sample, self.encoder_)

    def _made_soft(
        self, refined: Refined, sample: Sample, choice: Choice, fitting: Fitting
    ) -> SoftGates:
        gates = soft_gates(refined, at_most(sample, MOST_ROWS_TO_FIT, 0), fitting)
        return gates.sharpened(out_of_fold_exponent(choice, fitting))

    # ------------------------------------------------------------------ predicting

    def _frequencies_at(self, encoded: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        if not self.is_soft_:
            return super()._frequencies_at(encoded)
        return cast(SoftGates, self.gates_).probabilities(encoded, n_threads=self._n_threads())

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class; the first one on ties."""
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def _gates_from(self, state: dict[str, Any]) -> SoftGates:
        return SoftGates(self.tree_, state["steepness"], state["share"], float(state["exponent"]))
