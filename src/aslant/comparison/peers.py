"""Models of scikit-learn, with the preprocessing that they need for any table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeRegressor


class AnyPeer(BaseEstimator):
    """A model of scikit-learn that also reads categories.

    Categories are one-hot encoded, a missing category being one more level; an unseen level has no
    indicator.

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
        """Return the leaves of the tree, or of all trees; NaN for other models."""
        trees = getattr(self.model_, "estimators_", [self.model_])
        return float(sum(tree.get_n_leaves() if _is_tree(tree) else np.nan for tree in trees))


class Peer(RegressorMixin, AnyPeer):
    """A regressor of scikit-learn that also reads categories: see `AnyPeer`."""


def _is_tree(model: Any) -> bool:
    return hasattr(model, "get_n_leaves")


def standardized(model: Any) -> Any:
    """Return a model after imputation of means and standardization."""
    return make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(), model)


#: What takes part beside our methods in comparisons of regressors.
PEERS: dict[str, Callable[[], Peer]] = {
    "sklearn_tree": lambda: Peer(DecisionTreeRegressor()),
    "sklearn_forest": lambda: Peer(RandomForestRegressor()),
    "ridge": lambda: Peer(standardized(RidgeCV(np.logspace(-3, 4, 15)))),
}
