"""The tree to try first, for classification."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.estimators.auto.base import CRITERION, AutoTree
from aslant.estimators.auto.competitors import (
    MOST_LINEAR_COEFFICIENTS,
    Competitor,
    LinearLeaf,
    SingleLeaf,
)
from aslant.estimators.auto.effort import Effort
from aslant.estimators.auto.fitting import ClassFitting, Fitting, class_probabilities
from aslant.estimators.auto.leaf import leaf_of
from aslant.estimators.auto.starts import Fold
from aslant.estimators.auto.work import Work
from aslant.estimators.classifier import SingleTreeClassifier
from aslant.growth import Constraints, TreeSettings
from aslant.refine.gates import SoftGates
from aslant.refine.joint import Refined
from aslant.search import AxisParallel
from aslant.tree.logit_tree import LogitTree
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice
from aslant.utils.parameters import parameters


@parameters
class AutoTreeClassifier(AutoTree, SingleTreeClassifier):
    """One small tree that needs no choice of method: the one to try first.

    Two trees are grown, one with tests of single features and one with linear tests, pruned by
    cross-validation, and all their tests and leaves are then fitted together on a smooth likelihood
    (`aslant.refine.JointFit`) with several L2 penalties, dense and sparse. Cross-validation
    compares the fits, the plain pruned tree and a single linear leaf by error and log-loss; the
    winner is an ordinary tree of at most 32 leaves.

    Parameters
    ----------
    leaf : {"auto", "constant", "linear"}, default="auto"
        What leaves predict: class probabilities that are the same for all rows of a leaf, or
        penalized multinomial logistic regression, which is a single linear leaf without a test. By
        default cross-validation chooses.
    probabilities : {"soft", "leaf"}, default="soft"
        ``"soft"``: tests are gates that a row passes with a probability, so rows near a test get
        probabilities in between; `predict` returns the most probable class, which for some rows is
        not the majority of the leaf they reach. ``"leaf"``: class frequencies of that leaf. A
        fitted soft tree becomes an ordinary one by ``set_params(probabilities="leaf")``.

    Attributes
    ----------
    gates_ : SoftGates or None
        What the soft probabilities need besides the tree; None after a fit with
        ``probabilities="leaf"``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import AutoTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> AutoTreeClassifier(random_state=0).fit(X, y).get_n_leaves()
    4
    """

    leaf: Literal["auto", "constant", "linear"] = "auto"
    probabilities: Literal["soft", "leaf"] = "soft"

    _soft_parameter = "probabilities"

    # ------------------------------------------------------------------ fitting

    def _checked(self) -> Effort:
        check_choice("leaf", self.leaf, ("auto", "constant", "linear"))
        return super()._checked()

    def _make_fitting(
        self, effort: Effort, sample: Sample, work: Work, constraints: Constraints
    ) -> Fitting:
        return ClassFitting(
            effort,
            self.sparsity is not None,
            self.max_features_per_test,
            self._least_rows(sample),
            self.missing == "training_mean",
            work.check,
            soft=self.probabilities == "soft",
            leaves=("constant", "linear") if self.leaf == "auto" else (self.leaf,),
            constraints=constraints,
        )

    def _ways(self, effort: Effort, common: dict[str, Any]) -> dict[str, TreeSettings]:
        if self.leaf == "linear":
            return {}
        searches = {"linear tests": effort.linear_tests, "single features": AxisParallel()}
        return {
            name: TreeSettings(search=search, criterion=CRITERION, **common)
            for name, search in searches.items()
        }

    def _single_leaves(self, fitting: Fitting, folds: Sequence[Fold]) -> list[Competitor]:
        name = "single leaf without a test"
        make = partial(leaf_of, column_sign=fitting.constraints.column_sign)
        found: list[Competitor] = [SingleLeaf(name, fitting, folds, make, is_constant=True)]
        n_coefficients = len(self.encoder_.columns()[0]) * self.n_classes_
        affordable = self.leaf == "linear" or n_coefficients <= MOST_LINEAR_COEFFICIENTS
        if "linear" in fitting.leaves and affordable:
            found.append(LinearLeaf("single linear leaf", fitting, folds, make))
        return found

    def _scored_target(self, sample: Sample) -> tuple[Any, Any]:
        return self.classes_[sample.shared_y], self.classes_

    def _made_soft(self, refined: Refined, sample: Sample, exponent: float) -> SoftGates:
        return SoftGates.fitted(*refined, sample).sharpened(exponent)

    # ------------------------------------------------------------------ predicting

    def _frequencies_at(self, encoded: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        if isinstance(self.tree_, LogitTree):
            return self.tree_.probabilities(encoded, n_threads=self._n_threads())
        if not self.is_soft_:
            return super()._frequencies_at(encoded)
        return cast(SoftGates, self.gates_).probabilities(encoded, n_threads=self._n_threads())

    def _node_probabilities(self) -> npt.NDArray[np.float64]:
        return class_probabilities(self.tree_)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class; the first one on ties."""
        proba = self.predict_proba(X)
        return self.classes_[proba.argmax(axis=1)]

    def _tree_from(self, arrays: dict[str, Any]) -> Tree:
        return (LogitTree if "leaf_coef" in arrays else Tree)(**arrays)

    def _gates_from(self, state: dict[str, Any]) -> SoftGates:
        return SoftGates(self.tree_, state["steepness"], state["share"], float(state["exponent"]))
