"""Forests of oblique trees for classification."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Matrix, Sample
from aslant.encoding.targets import check_labels
from aslant.estimators.classifier import ObliqueDecisionTreeClassifier
from aslant.estimators.distillation import DistillableClassifier
from aslant.estimators.forest.base import BaseForest
from aslant.estimators.forest.calibration import best_power, with_power
from aslant.estimators.single_tree import SingleTree
from aslant.search.base import SplitSearch
from aslant.tree.smoothing import node_probabilities
from aslant.tree.tree import Tree
from aslant.utils.checks import check_flag
from aslant.utils.parameters import parameters


@parameters
class ObliqueRandomForestClassifier(BaseForest, DistillableClassifier):
    """A random forest whose trees test single features and linear combinations.

    Trees are grown on bootstrapped rows; every node looks at features drawn afresh. By default, in
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

    _member_type: ClassVar[type[SingleTree]] = ObliqueDecisionTreeClassifier

    # ------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_flag("calibrate", self.calibrate)
        if self.calibrate and not self.bootstrap:
            raise ValueError("calibrate=True needs out-of-bag rows: set bootstrap=True.")

    def _wants_balanced_draws(self) -> bool:
        weight = self.class_weight
        return isinstance(weight, str) and weight == "balanced_subsample"

    def _balances_draws(self) -> bool:
        return self._wants_balanced_draws() and self.bootstrap

    def _class_weight(self) -> Any:
        if not self._wants_balanced_draws():
            return self.class_weight
        return None if self.bootstrap else "balanced"

    def _set_target_exponent(self, exponent: int) -> None:
        self.power_: float | None = None  # trees that were grown elsewhere are not calibrated

    def _calibrate(self, sample: Sample) -> None:
        self.power_ = None
        if self.calibrate:
            share = self._out_of_bag(sample.X)
            self.power_ = best_power(share, sample.y, sample.weight, len(self.trees_))

    def _score_out_of_bag(self, output: npt.NDArray[np.float64], y: Any) -> None:
        self.oob_decision_function_ = output
        predicted = self.classes_[np.nan_to_num(output).argmax(axis=1)]
        labels = check_labels(y, len(output))
        score = self.oob_score if callable(self.oob_score) else _accuracy
        self.oob_score_ = score(labels, predicted)

    def _criteria(self, search: SplitSearch) -> tuple[str, ...]:
        return tuple(search.criteria)

    def _node_outputs(self, tree: Tree) -> npt.NDArray[np.float64]:
        return node_probabilities(tree, smoothing=0.0)

    def _member_settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        settings["smoothing"] = 0.0  # a forest is the mean of its trees' frequencies
        if self._wants_balanced_draws():
            settings["class_weight"] = "balanced"
        return super()._member_settings(settings)

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

    def _distil_predictions(self, encoded: Matrix) -> npt.NDArray[np.float64]:
        return self._calibrated(self._mean(encoded))

    def _distil_training_predictions(self, encoded: Matrix) -> npt.NDArray[np.float64]:
        return self._calibrated(self._out_of_bag_where_known(encoded))

    # ------------------------------------------------------------------ saving

    def _target_to_state(self) -> dict[str, Any]:
        return {**super()._target_to_state(), "power": self.power_}

    def _target_from_state(self, state: dict[str, Any]) -> None:
        super()._target_from_state(state)
        power = state.get("power")  # files of earlier versions have none
        self.power_ = None if power is None else float(power)
        if self.power_ is not None and not 0.0 < self.power_ < np.inf:
            raise ValueError(f"the power of a forest must be above 0, got {power!r}")


def _accuracy(y: npt.NDArray[Any], predicted: npt.NDArray[Any]) -> float:
    return float(np.mean(y == predicted))


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
