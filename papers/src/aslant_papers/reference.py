"""Models of scikit-learn with the interface of the runner: the references of the overview."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from aslant.comparison.peers import PEERS, AnyPeer, Peer, standardized

_MOST_ALPHAS = 30


class ClassPeer(ClassifierMixin, AnyPeer):
    """A classifier of scikit-learn that also reads categories: see `AnyPeer`."""

    def fit(self, X: npt.NDArray[Any], y: npt.NDArray[Any]) -> Self:
        """Encode the categories and fit the model."""
        super().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return the probabilities of the classes."""
        return np.asarray(self.steps_.predict_proba(X))

    def n_leaves(self) -> float:
        """Return the leaves of the tree, or of all trees; NaN for other models."""
        if isinstance(self.model_, HistGradientBoostingClassifier):
            trees = [tree for stage in self.model_._predictors for tree in stage]
            return float(sum(tree.get_n_leaf_nodes() for tree in trees))
        return super().n_leaves()


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


#: What takes part beside our methods in the overview of classifiers.
CLASS_PEERS: dict[str, Callable[[], ClassPeer]] = {
    "sklearn_tree": lambda: ClassPeer(DecisionTreeClassifier()),
    "sklearn_tree_pruned": lambda: ClassPeer(PrunedTree()),
    "logistic_regression": lambda: ClassPeer(standardized(LogisticRegression(max_iter=1000))),
    "sklearn_forest": lambda: ClassPeer(RandomForestClassifier(200)),
    "sklearn_boosting": lambda: ClassPeer(HistGradientBoostingClassifier()),
}


@dataclass(frozen=True)
class PlainTree:
    """What the runner reads of a tree: see `aslant.tree.Tree`."""

    n_nodes: int
    n_leaves: int
    value: npt.NDArray[np.float64]
    features_in_test: npt.NDArray[np.intp]


class ScikitLearnCART(BaseEstimator):
    """``DecisionTreeClassifier`` at its defaults, with what it needs to read any data set.

    Categories are one-hot encoded, a missing category being one more level; an unseen level has no
    indicator. Missing numbers are left to scikit-learn, which
    tries them on either side of a threshold.

    Parameters
    ----------
    categorical_features : sequence of int
        Positions of the categories.
    random_state : int, optional
        Breaks ties between thresholds.
    """

    _kind = DecisionTreeClassifier

    def __init__(
        self, categorical_features: Sequence[int] = (), random_state: int | None = None
    ) -> None:
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X: npt.NDArray[Any], y: npt.NDArray[np.intp]) -> Self:
        """Encode the categories and grow the tree."""
        tree = self._kind(random_state=self.random_state)
        levels = make_column_transformer(
            (OneHotEncoder(handle_unknown="ignore"), list(self.categorical_features)),
            remainder="passthrough",
            sparse_threshold=0.0,
        )
        self.steps_: Pipeline = make_pipeline(levels, tree) if self.categorical_features else tree
        self.steps_.fit(X, y)
        self.classes_ = tree.classes_
        grown = tree.tree_
        self.tree_ = PlainTree(
            n_nodes=int(grown.node_count),
            n_leaves=int(grown.n_leaves),
            value=grown.value[:, 0, :] * grown.weighted_n_node_samples[:, None],
            features_in_test=(grown.children_left >= 0).astype(np.intp),
        )
        self.n_hyperplanes_ = 0  # not counted
        return self

    def predict(self, X: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
        """Return the class of each row."""
        return np.asarray(self.steps_.predict(X))

    def apply(self, X: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
        """Return the leaf that each row reaches."""
        if not self.categorical_features:
            return np.asarray(self.steps_.apply(X))
        return np.asarray(self.steps_[-1].apply(self.steps_[:-1].transform(X)))


class PrunedCART(ScikitLearnCART):
    """The same with a ``ccp_alpha`` chosen by 5-fold cross-validation."""

    _kind = PrunedTree


class _ClassPeer(ClassPeer):
    """One of scikit-learn's models of classes; a linear model is a single leaf."""

    name = ""

    def __init__(
        self, categorical_features: Sequence[int] = (), random_state: int | None = None
    ) -> None:
        super().__init__(CLASS_PEERS[self.name]().model, categorical_features, random_state)

    def fit(self, X: npt.NDArray[Any], y: npt.NDArray[np.intp]) -> Self:
        """Fit the model and count its leaves."""
        super().fit(X, y)
        self.tree_ = _leaves_only(self.n_leaves())
        self.n_hyperplanes_ = 0  # not counted
        return self


class Logistic(_ClassPeer):
    """``LogisticRegression`` on standardised columns, missing numbers being the mean."""

    name = "logistic_regression"


class ClassForest(_ClassPeer):
    """``RandomForestClassifier`` with 200 trees."""

    name = "sklearn_forest"


class Boosting(_ClassPeer):
    """``HistGradientBoostingClassifier``."""

    name = "sklearn_boosting"


def _leaves_only(leaves: float) -> PlainTree:
    """Return what the runner reads of a model of which only the leaves are counted, if any."""
    n_leaves = 1 if np.isnan(leaves) else int(leaves)
    none = np.zeros(0)
    return PlainTree(2 * n_leaves - 1, n_leaves, none, none.astype(np.intp))


class _NumberPeer(Peer):
    """One of scikit-learn's models of numbers, at the defaults; a linear model is a single leaf."""

    name = ""

    def __init__(
        self, categorical_features: Sequence[int] = (), random_state: int | None = None
    ) -> None:
        super().__init__(PEERS[self.name]().model, categorical_features, random_state)

    def fit(self, X: npt.NDArray[Any], y: npt.NDArray[np.float64]) -> Self:
        """Fit the model and count its leaves."""
        super().fit(X, y)
        self.tree_ = _leaves_only(self.n_leaves())
        self.n_hyperplanes_ = 0  # not counted
        return self


class ScikitLearnTree(_NumberPeer):
    """``DecisionTreeRegressor``."""

    name = "sklearn_tree"


class ScikitLearnForest(_NumberPeer):
    """``RandomForestRegressor``."""

    name = "sklearn_forest"


class Ridge(_NumberPeer):
    """``RidgeCV`` on standardised columns."""

    name = "ridge"
