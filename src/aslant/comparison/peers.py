"""scikit-learn's own models beside our trees, with what they need to read any table."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

_MOST_ALPHAS = 30


class _AnyPeer(BaseEstimator):
    """A model of scikit-learn that also reads categories.

    Categories become indicators of their levels, a missing category being one more level; a level
    that was not there when fitting is none of them.

    Parameters
    ----------
    model : estimator
        The model, or a pipeline that ends in it.
    categorical_features : sequence of int, default=()
        Positions of the categories.
    random_state : int or None, default=None
        Seed, if the model takes one.
    """

    def __init__(
        self,
        model: Any,
        categorical_features: Sequence[int] = (),
        random_state: int | None = None,
    ) -> None:
        self.model = model
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X: npt.NDArray[Any], y: npt.NDArray[Any]) -> Self:
        """Encode the categories and fit the model."""
        self.model_ = clone(self.model)
        if "random_state" in self.model_.get_params():
            self.model_.set_params(random_state=self.random_state)
        levels = make_column_transformer(
            (OneHotEncoder(handle_unknown="ignore"), list(self.categorical_features)),
            remainder="passthrough",
            sparse_threshold=0.0,
        )
        self.steps_: Pipeline = make_pipeline(levels, self.model_).fit(X, y)
        return self

    def predict(self, X: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return what the model predicts."""
        return np.asarray(self.steps_.predict(X))

    def n_leaves(self) -> float:
        """Return the leaves of the tree, or of all trees; NaN of what is no tree."""
        if isinstance(self.model_, HistGradientBoostingClassifier):
            trees = [tree for stage in self.model_._predictors for tree in stage]
            return float(sum(tree.get_n_leaf_nodes() for tree in trees))
        trees = getattr(self.model_, "estimators_", [self.model_])
        return float(sum(tree.get_n_leaves() if _is_tree(tree) else np.nan for tree in trees))


class Peer(RegressorMixin, _AnyPeer):
    """A regressor of scikit-learn that also reads categories: see `_AnyPeer`."""


class ClassPeer(ClassifierMixin, _AnyPeer):
    """A classifier of scikit-learn that also reads categories: see `_AnyPeer`."""

    def fit(self, X: npt.NDArray[Any], y: npt.NDArray[Any]) -> Self:
        """Encode the categories and fit the model."""
        super().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return the probabilities of the classes."""
        return np.asarray(self.steps_.predict_proba(X))


class PrunedTree(DecisionTreeClassifier):
    """scikit-learn's tree with the ccp_alpha of the lowest error in 5-fold cross-validation."""

    def fit(self, X: Any, y: Any) -> Self:
        """Choose among at most 30 values of the pruning path, and grow the tree."""
        tree = DecisionTreeClassifier(random_state=self.random_state)
        path = tree.cost_complexity_pruning_path(X, y).ccp_alphas
        between = np.sqrt(np.maximum(path[:-1] * path[1:], 0.0))
        alphas = np.unique(np.quantile([*between, path[-1]], np.linspace(0.0, 1.0, _MOST_ALPHAS)))
        search = GridSearchCV(tree, {"ccp_alpha": alphas}, cv=5)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # classes with fewer rows than folds
            self.ccp_alpha = search.fit(X, y).best_params_["ccp_alpha"]
        super().fit(X, y)
        return self


def _is_tree(model: Any) -> bool:
    return hasattr(model, "get_n_leaves")


def _standardised(model: Any) -> Any:
    return make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(), model)


#: What takes part beside our methods when numbers are compared.
PEERS: dict[str, Callable[[], Peer]] = {
    "sklearn_tree": lambda: Peer(DecisionTreeRegressor()),
    "sklearn_forest": lambda: Peer(RandomForestRegressor()),
    "ridge": lambda: Peer(_standardised(RidgeCV(np.logspace(-3, 4, 15)))),
}
#: What takes part beside our methods in the overview of classes.
CLASS_PEERS: dict[str, Callable[[], ClassPeer]] = {
    "sklearn_tree": lambda: ClassPeer(DecisionTreeClassifier()),
    "sklearn_tree_pruned": lambda: ClassPeer(PrunedTree()),
    "logistic_regression": lambda: ClassPeer(_standardised(LogisticRegression(max_iter=1000))),
    "sklearn_forest": lambda: ClassPeer(RandomForestClassifier(200)),
    "sklearn_boosting": lambda: ClassPeer(HistGradientBoostingClassifier()),
}
