"""Estimators that predict classes: of one tree or several, and of one."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin

from aslant import _core
from aslant.encoding import check_labels
from aslant.encoding.sample import Matrix, Sample
from aslant.encoding.weights import row_weights
from aslant.estimators.base import BaseTree, Target
from aslant.estimators.single_tree import SingleTree
from aslant.refine import REFINEMENTS, JointFit
from aslant.search import CRITERIA, SplitSearch
from aslant.search.base import Criterion
from aslant.tree.smoothing import check_smoothing, node_probabilities
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice
from aslant.utils.parameters import parameters


@parameters
class BaseTreeClassifier(ClassifierMixin, BaseTree):
    """What classifiers of one tree and of several share; not to be used itself.

    Parameters
    ----------
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes; they change proportions, not the number of cases.
    refine : str, JointFit or None, default=None
        After growing and pruning, ``"joint"`` fits all tests and leaves together, on all rows; an
        `aslant.refine.JointFit` has parameters of its own. Trees with linear machines cannot be
        refined.
    smoothing : float or 'laplace', default=4.0
        Rows of a prior opinion that are mixed into the class frequencies of a leaf, for
        `predict_proba` only; 0 gives the frequencies, "laplace" as many rows as there are classes.
    smoothing_prior : {'uniform', 'root', 'parent'}, default='uniform'
        The prior opinion: all classes alike, the frequencies of all training rows, or those of the
        node above, smoothed in turn. With the latter two the most probable class of a small leaf
        may differ from its majority, which is what `predict` gives.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_classes_ : int
        Number of classes.
    """

    class_weight: Any = None
    refine: str | JointFit | None = None
    smoothing: float | str = 4.0
    smoothing_prior: str = "uniform"

    def _make_refinement(self) -> JointFit | None:
        if self.refine is None or isinstance(self.refine, JointFit):
            return self.refine
        if not isinstance(self.refine, str):
            raise TypeError(
                f"refine must be None, a name or an object from aslant.refine, got {self.refine!r}."
            )
        check_choice("refine", self.refine, tuple(REFINEMENTS))
        return REFINEMENTS[self.refine]()

    def _prepare(self, X: Any, y: Any, sample_weight: Any, prune_rows: Any = None) -> Sample:
        check_smoothing(self.smoothing, self.smoothing_prior)
        return super()._prepare(X, y, sample_weight, prune_rows)

    def _check_target(self, y: Any, n_rows: int, sample_weight: Any) -> Target:
        labels = check_labels(y, n_rows)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        weight = row_weights(sample_weight, self.class_weight, labels)
        return codes.astype(np.int32), self.n_classes_, weight

    def _learn_target(
        self, encoded: Matrix, target: npt.NDArray[Any], weight: npt.NDArray[np.float64]
    ) -> Matrix:
        names = [str(label) for label in self.classes_.tolist()]
        return self.encoder_.learn_classes(encoded, target, weight, names)

    def _check_before_predicting(self) -> None:
        super()._check_before_predicting()
        check_smoothing(self.smoothing, self.smoothing_prior)

    def __call__(self, X: Any) -> npt.NDArray[np.float64]:
        """Return `predict_proba`: what explainers that take any function explain, as shap's do."""
        return self.predict_proba(X)

    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def _target_to_state(self) -> dict[str, Any]:
        return {"classes": self.classes_}

    def _target_from_state(self, state: dict[str, Any]) -> None:
        self.classes_ = state["classes"]
        self.n_classes_ = len(self.classes_)


@parameters
class TreeClassifier(SingleTree, BaseTreeClassifier):
    """What every classifier of one tree shares; not to be used itself.

    A subclass says which search to run (`_make_search`).
    """

    def _criterion_of(self, search: SplitSearch) -> Criterion:
        criterion = getattr(self, "criterion", None)
        if search.default_criterion not in CRITERIA:
            raise ValueError(f"{type(search).__name__} needs numbers to predict, not classes.")
        if criterion is None:
            return search.default_criterion
        if callable(criterion):
            if not set(CRITERIA) <= set(search.criteria):
                raise ValueError(
                    f"{type(search).__name__} works with criterion "
                    f"{', '.join(map(repr, search.criteria))} only, not with one of your own."
                )
            return criterion
        check_choice("criterion", criterion, (*CRITERIA, "log_loss"))
        if criterion == "log_loss":  # scikit-learn's other name
            criterion = "entropy"
        if criterion not in search.criteria:
            raise ValueError(
                f"{type(search).__name__} works with criterion "
                f"{', '.join(map(repr, search.criteria))} only, got {criterion!r}."
            )
        return criterion

    def _with_impurity(self, tree: Tree) -> Tree:
        """Return the tree with impurities of its present counts: pruning may have changed them."""
        criterion = self._criterion_of(self._make_search())
        if callable(
            criterion
        ):  # it values two children, not one node: see core/criteria/criterion.hpp
            criterion = "gini"
        impurity = [_core.impurity(counts, criterion) for counts in tree.value]
        everything = np.arange(tree.n_nodes)
        return tree.rearranged(everything, tree.is_leaf, impurity=np.array(impurity))

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the class frequencies, smoothed, of the leaf that each row reaches."""
        return self._frequencies_at(self._encoded(X))

    def _frequencies_at(self, encoded: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        return self._node_probabilities()[self._leaves(encoded)]

    def _node_probabilities(self) -> npt.NDArray[np.float64]:
        """Return the class probabilities of every node of the tree."""
        return node_probabilities(self.tree_, self.smoothing, self.smoothing_prior)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the majority class of the leaf that each row reaches; the first one on ties."""
        leaves = self._leaves(self._encoded(X))
        return self.classes_[self.tree_.value.argmax(axis=1)][leaves]

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        super()._trees_from_state(state)
        if self.tree_.n_classes != self.n_classes_:
            raise ValueError("the tree has other classes than the estimator")
