"""Classifiers: of any kind, of one tree, and the generic one."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin

from aslant.encoding.sample import Matrix, Sample
from aslant.encoding.targets import check_labels
from aslant.encoding.weights import row_weights
from aslant.estimators.base import BaseTree, Target
from aslant.estimators.single_tree import SingleTree
from aslant.estimators.tree_estimator import TreeEstimator
from aslant.growth import TreeSettings, build_tree
from aslant.refine import JointFit
from aslant.refine.registry import REFINEMENTS
from aslant.search import SplitSearch
from aslant.search.base import CRITERIA, Criterion, chosen_search
from aslant.search.registry import SEARCHES
from aslant.tree.smoothing import check_smoothing, node_probabilities
from aslant.utils.checks import check_choice
from aslant.utils.parameters import parameters


@parameters
class BaseTreeClassifier(ClassifierMixin, BaseTree):
    """What all classifiers share; not to be used itself.

    Parameters
    ----------
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes; they change proportions, not the number of cases.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_classes_ : int
        Number of classes.
    """

    class_weight: Any = None

    def _class_weight(self) -> Any:
        """Return the class weights that hold for all rows."""
        return self.class_weight

    def _check_target(self, y: Any, n_rows: int, sample_weight: Any, warm: bool) -> Target:
        labels = check_labels(y, n_rows)
        classes, codes = np.unique(labels, return_inverse=True)
        known: npt.NDArray[Any] = getattr(self, "classes_", classes)
        if warm and not np.array_equal(classes, known):
            raise ValueError(
                "warm_start=True needs the classes of the first fit, "
                f"{known.tolist()!r:.80}, got {classes.tolist()!r:.80}."
            )
        weight = row_weights(sample_weight, self._class_weight(), labels)
        self.classes_, self.n_classes_ = classes, len(classes)
        return Target(codes.astype(np.int32), len(classes), weight)

    def _learn_target(self, encoded: Matrix, target: Target) -> Matrix:
        names = [str(label) for label in self.classes_.tolist()]
        return self.encoder_.learn_classes(encoded, target.y, target.weight, names)

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
class SingleTreeClassifier(SingleTree, BaseTreeClassifier):
    """What every classifier of one tree shares; not to be used itself."""

    def _node_probabilities(self) -> npt.NDArray[np.float64]:
        """Return the class probabilities of every node of the tree."""
        return node_probabilities(self.tree_)

    def _frequencies_at(self, encoded: Matrix) -> npt.NDArray[np.float64]:
        return self._node_probabilities()[self._leaves(encoded)]

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the class frequencies, smoothed, of the leaf that each row reaches."""
        return self._frequencies_at(self._encoded(X))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the majority class of the leaf that each row reaches; the first one on ties."""
        leaves = self._leaves(self._encoded(X))
        return self.classes_[self.tree_.value.argmax(axis=1)][leaves]

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        super()._trees_from_state(state)
        if self.tree_.n_classes != self.n_classes_:
            raise ValueError("the tree has other classes than the estimator")


@parameters
class ClassifierParameters(TreeEstimator, BaseTreeClassifier):
    """What classifiers add to the parameters of growth; not to be used itself.

    Parameters
    ----------
    refine : str, JointFit or None, default=None
        After growing and pruning, ``"joint"`` fits all tests and leaves together, on all rows; an
        `aslant.refine.JointFit` has parameters of its own. Trees with linear machines cannot be
        refined.
    smoothing : float or 'laplace', default=4.0
        Rows of a prior that are mixed into the class frequencies of a leaf, for `predict_proba`
        only; 0 gives the frequencies, "laplace" as many rows as there are classes.
    smoothing_prior : {'uniform', 'root', 'parent'}, default='uniform'
        The prior: all classes alike, the frequencies of all training rows, or those of the node
        above, smoothed in turn. With the latter two the most probable class of a small leaf may
        differ from its majority, which is what `predict` gives.
    """

    refine: str | JointFit | None = None
    smoothing: float | str = 4.0
    smoothing_prior: str = "uniform"

    def _tree_settings(self) -> TreeSettings:
        check_smoothing(self.smoothing, self.smoothing_prior)
        return super()._tree_settings()

    def _check_before_predicting(self) -> None:
        super()._check_before_predicting()
        check_smoothing(self.smoothing, self.smoothing_prior)

    def _make_refinement(self) -> JointFit | None:
        if self.refine is None or isinstance(self.refine, JointFit):
            return self.refine
        if not isinstance(self.refine, str):
            raise TypeError(
                f"refine must be None, a name or an object from aslant.refine, got {self.refine!r}."
            )
        check_choice("refine", self.refine, tuple(REFINEMENTS))
        return REFINEMENTS[self.refine]()

    def _criterion_of(self, search: SplitSearch) -> Criterion:
        criterion = getattr(self, "criterion", None)
        if search.default_criterion not in CRITERIA:
            raise ValueError(f"{type(search).__name__} is a search of regression trees only.")
        if criterion is None:
            return search.default_criterion
        allowed = ", ".join(map(repr, search.criteria))
        if callable(criterion):
            if not set(CRITERIA) <= set(search.criteria):
                raise ValueError(
                    f"{type(search).__name__} works with criterion {allowed} only, got a function."
                )
            return criterion
        check_choice("criterion", criterion, (*CRITERIA, "log_loss"))
        if criterion == "log_loss":  # scikit-learn's other name
            criterion = "entropy"
        if criterion not in search.criteria:
            raise ValueError(
                f"{type(search).__name__} works with criterion {allowed} only, got {criterion!r}."
            )
        return criterion


@parameters
class TreeClassifier(ClassifierParameters, SingleTreeClassifier):
    """What every classifier of one grown tree shares; not to be used itself.

    A subclass says which search to run (`_make_search`).
    """

    def _grow(self, sample: Sample, settings: TreeSettings, seed: int) -> None:
        self._set_tree(*build_tree(sample, settings, seed))

    def _node_probabilities(self) -> npt.NDArray[np.float64]:
        return node_probabilities(self.tree_, self.smoothing, self.smoothing_prior)


@parameters
class ObliqueDecisionTreeClassifier(TreeClassifier):
    """A decision tree with any search, any criterion and any pruning.

    Parameters
    ----------
    search : str or SplitSearch, default='oc1'
        How a node looks for its split: a name of `aslant.search.registry`, a search of
        `aslant.search` with parameters of its own, or a `SplitSearch` you wrote.
    criterion : str, callable or None, default=None
        ``"gini"``, ``"entropy"`` (information gain), ``"gain_ratio"``, ``"twoing"``,
        ``"max_minority"``, ``"sum_minority"`` or ``"sum_of_variances"``; None is the search's own.
        Or a function of your own: it is given the class weights of both children as two arrays
        and returns the score of the split; higher is better, and 0 or less means no split. It
        is called for every threshold of every hyperplane, so such a tree takes much longer.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import ObliqueDecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> ObliqueDecisionTreeClassifier(random_state=0).fit(X, y).get_n_leaves()
    5
    """

    search: str | SplitSearch = field(default="oc1", kw_only=False)
    criterion: Criterion | None = None

    def _make_search(self) -> SplitSearch:
        return chosen_search(self.search, SEARCHES)
