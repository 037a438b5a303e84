"""Forests of oblique trees for classes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin

from aslant.encoding import FeatureEncoder, check_labels
from aslant.encoding.weights import row_weights
from aslant.estimators import ObliqueDecisionTreeClassifier
from aslant.estimators.ensemble import share_fit
from aslant.estimators.forest.base import BaseForest
from aslant.estimators.forest.calibration import best_power, with_power
from aslant.estimators.forest.distil import distilled_classifier
from aslant.estimators.forest.grown import TOO_FEW_TREES, Encoded
from aslant.search.base import SplitSearch
from aslant.tree.tree import Tree
from aslant.utils.checks import check_flag
from aslant.utils.parameters import parameters


def _accuracy(y: npt.NDArray[Any], predicted: npt.NDArray[Any]) -> float:
    return float(np.mean(y == predicted))


@parameters
class ObliqueRandomForestClassifier(ClassifierMixin, BaseForest):
    """A random forest whose trees test single features and linear combinations.

    Trees are grown on bootstrapped rows; every node looks at features drawn anew. By default, in
    half of the nodes a linear combination competes with the single features: see
    `aslant.search.ForestSplit`.

    Parameters
    ----------
    class_weight : dict, 'balanced', 'balanced_subsample' or None, default=None
        Weights of the classes; ``"balanced_subsample"`` balances what each tree has drawn.
    calibrate : bool, default=False
        Whether probabilities are the trees' mean frequencies raised to the power under which rows
        that trees have not drawn have the least log-loss, or these frequencies themselves. Which
        class is the most likely does not depend on it. Needs `bootstrap`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_classes_ : int
        Number of classes.
    power_ : float or None
        With `calibrate`: the power; below 1 the trees were too sure, above 1 too cautious.
    oob_score_ : float
        With `oob_score`: the score on rows that trees have not drawn.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        With `oob_score`: the class probabilities of each row from trees that have not drawn it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import ObliqueRandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ObliqueRandomForestClassifier(oob_score=True, random_state=0).fit(X, y)
    >>> len(forest.estimators_)
    100
    """

    class_weight: Any = None
    calibrate: bool = False

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Weights, not negative. Rows are drawn regardless of them.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._check_parameters()
        check_flag("calibrate", self.calibrate)
        if self.calibrate and not self.bootstrap:
            raise ValueError("calibrate=True needs rows out of the bag: set bootstrap=True.")
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y "
                "is None."
            )
        known = self._known_trees()
        self.encoder_, encoded = FeatureEncoder.fit(
            self, X, self.categorical_features, sample_weight=sample_weight
        )
        y = check_labels(y, encoded.shape[0])
        classes, codes = np.unique(y, return_inverse=True)
        if known and not np.array_equal(classes, getattr(self, "classes_", ())):
            raise ValueError("a warm start needs the classes of the first fit.")
        self.classes_, self.n_classes_ = classes, len(classes)
        of_drawn = isinstance(self.class_weight, str) and self.class_weight == "balanced_subsample"
        balanced = of_drawn and self.bootstrap
        given = "balanced" if of_drawn and not balanced else self.class_weight
        weight = row_weights(sample_weight, None if balanced else given, y)
        rows = weight > 0  # a row of weight zero is no row at all
        used = (
            (encoded, codes, weight) if rows.all() else (encoded[rows], codes[rows], weight[rows])
        )
        target = used[1].astype(np.int32)
        grown = self._grow(used[0], target, self.n_classes_, used[2], balanced)
        if not self.calibrate:
            self.power_: float | None = None
        elif grown or getattr(self, "power_", None) is None:
            shares = self._out_of_bag(used[0])
            self.power_ = best_power(shares, target, used[2], len(self.trees_))
        if self.oob_score and (grown or not hasattr(self, "oob_score_")):
            self._score_out_of_bag(encoded, rows, y)
        return self

    def _score_out_of_bag(
        self, encoded: Encoded, rows: npt.NDArray[np.bool_], y: npt.NDArray[Any]
    ) -> None:
        """Set oob_decision_function_ and oob_score_; rows without weight were never drawn."""
        self.oob_decision_function_ = np.empty((len(y), self.n_classes_))
        self.oob_decision_function_[rows] = self._out_of_bag(encoded[rows])
        if not rows.all():
            self.oob_decision_function_[~rows] = self._mean(encoded[~rows])
        known = ~np.isnan(self.oob_decision_function_[:, 0])
        if not known.all():
            warnings.warn(TOO_FEW_TREES, UserWarning, stacklevel=3)
        shares = np.nan_to_num(self.oob_decision_function_)
        predicted = self.classes_[shares.argmax(axis=1)]
        score = self.oob_score if callable(self.oob_score) else _accuracy
        self.oob_score_ = score(y, predicted)

    def _criteria(self, search: SplitSearch) -> tuple[str, ...]:
        return tuple(search.criteria)

    def _says(self, tree: Tree) -> npt.NDArray[np.float64]:
        return np.asarray(tree.value / tree.value.sum(axis=1, keepdims=True))

    _NOT_OF_A_TREE: ClassVar = {
        "n_estimators", "max_features", "bootstrap", "oob_score", "max_samples", "warm_start",
        "calibrate",
    }  # fmt: skip

    def _member(self, tree: Tree) -> ObliqueDecisionTreeClassifier:
        settings = self.get_params(deep=False)
        settings = {k: v for k, v in settings.items() if k not in self._NOT_OF_A_TREE}
        if settings["class_weight"] == "balanced_subsample":
            settings["class_weight"] = "balanced"
        settings["search"] = self._make_search()
        settings["smoothing"] = 0.0  # a forest is the mean of its trees' frequencies
        member = ObliqueDecisionTreeClassifier(**settings)
        share_fit(self, member)
        member.tree_ = tree
        member.n_samples_fit_ = int(tree.n_node_samples[0])  # what it has drawn, each row once
        member.n_hyperplanes_ = 0
        member.feature_importances_ = self._importances_of(tree)
        return member

    # ------------------------------------------------------------------ predicting

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the mean over the trees of the class frequencies in the leaf of each row.

        With `calibrate` they are raised to `power_` and divided by their sum.
        """
        return self._calibrated(self._mean(self._encoded(X)))

    def _calibrated(self, share: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return share if self.power_ is None else with_power(share, self.power_, len(self.trees_))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of the highest mean frequency; the first one on ties."""
        share = self._mean(self._encoded(X))
        return self.classes_[share.argmax(axis=1)]

    def __call__(self, X: Any) -> npt.NDArray[np.float64]:
        """Return `predict_proba`: what explainers that take any function explain."""
        return self.predict_proba(X)

    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def distil(
        self,
        X: Any,
        y: Any,
        *,
        searches: Sequence[str | SplitSearch] = ("axis_parallel", "hhcart"),
        sizes: Sequence[int] = (4, 8, 16, 32),
        extra_rows: int | None = None,
        random_state: int = 0,
    ) -> ObliqueDecisionTreeClassifier:
        """Return one small tree that says what the forest says, as nearly as it can.

        Trees of several sizes and kinds are grown on the forest's probabilities of the training
        rows (from the trees that have not drawn them) and of manufactured rows between them. The
        tree is kept under which the labels `y` have the least log-loss.

        Parameters
        ----------
        X, y : array-like
            The training rows and labels.
        searches : sequence of str or SplitSearch, default=("axis_parallel", "hhcart")
            Kinds of trees to try.
        sizes : sequence of int, default=(4, 8, 16, 32)
            Numbers of leaves to try.
        extra_rows : int or None, default=None
            Rows to manufacture; None is four times as many as there are.
        random_state : int, default=0
            Seed.

        Returns
        -------
        ObliqueDecisionTreeClassifier
            The tree; its attribute ``loss_`` is the log-loss it was chosen by.
        """
        encoded = self._encoded(X)
        labels = check_labels(y, encoded.shape[0])
        codes = np.searchsorted(self.classes_, labels)
        if not np.array_equal(self.classes_[np.minimum(codes, self.n_classes_ - 1)], labels):
            raise ValueError("y must hold classes that the forest was fitted with.")
        return distilled_classifier(self, encoded, codes, searches, sizes, extra_rows, random_state)

    # ------------------------------------------------------------------ keeping

    def _to_state(self) -> dict[str, Any]:
        return {"classes": self.classes_, "power": self.power_, **super()._to_state()}

    def _from_state(self, state: dict[str, Any]) -> Self:
        self.classes_ = state["classes"]
        self.n_classes_ = len(self.classes_)
        power = state.get("power")  # older files have none
        self.power_ = None if power is None else float(power)
        if self.power_ is not None and not 0.0 < self.power_ < np.inf:
            raise ValueError(f"the power of a forest must be a number above 0, got {power!r}")
        return super()._from_state(state)


@parameters
class ObliqueExtraTreesClassifier(ObliqueRandomForestClassifier):
    """A forest whose thresholds are drawn at random.

    P. Geurts, D. Ernst and L. Wehenkel, *Extremely Randomized Trees*, 2006: every tree is grown on
    all rows, and of each drawn feature (here, in half of the nodes, of a linear combination too) a
    threshold between its lowest and highest value at the node is drawn. The best of them is taken.

    `search` must be ``"forest"``, ``"axis_parallel"`` or ``"random_projection"``.

    Parameters
    ----------
    bootstrap : bool, default=False
        Whether each tree draws its rows with replacement, or is grown on all.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import ObliqueExtraTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ObliqueExtraTreesClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> len(forest.estimators_)
    10
    """

    bootstrap: bool = False
    _random_thresholds = True
