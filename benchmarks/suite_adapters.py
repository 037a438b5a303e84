"""Peers whose interface is not that of scikit-learn, or who need an estimator inside."""

from __future__ import annotations

from typing import Any

import numpy as np
from suite_data import CLASSIFICATION


def linear_model(task: str) -> Any:
    """Return logistic regression, or ridge regression with a chosen penalty, on scaled columns."""
    from sklearn.linear_model import LogisticRegression, RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = LogisticRegression(max_iter=1000) if task == CLASSIFICATION else RidgeCV()
    return make_pipeline(StandardScaler(), model)


class Ydf:
    """A learner of YDF by name."""

    def __init__(self, task: str, learner: str, split_axis: str = "AXIS_ALIGNED") -> None:
        self.task, self.learner, self.split_axis = task, learner, split_axis

    def fit(self, X: np.ndarray, y: np.ndarray) -> Ydf:
        import ydf

        ydf.verbose(0)
        self.is_classifier = self.task == CLASSIFICATION
        task = ydf.Task.CLASSIFICATION if self.is_classifier else ydf.Task.REGRESSION
        learner = getattr(ydf, f"{self.learner}Learner")(
            label="y", task=task, split_axis=self.split_axis, num_threads=1, random_seed=0
        )
        self.model = learner.train({"x": X.astype(np.float32), "y": y})
        if self.is_classifier:
            self.classes_ = np.unique(y)
        return self

    def _predicted(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(self.model.predict({"x": X.astype(np.float32)}))

    def predict(self, X: np.ndarray) -> np.ndarray:
        if self.is_classifier:
            return self.classes_[self.predict_proba(X).argmax(axis=1)]
        return self._predicted(X)

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        found = self._predicted(X)
        found = np.column_stack([1.0 - found, found]) if found.ndim == 1 else found
        names = [int(name) for name in self.model.label_classes()]
        proba = np.zeros((len(X), len(self.classes_)))
        proba[:, names] = found
        return proba

    def size(self) -> dict[str, float]:
        """Count leaves, and features of the tests."""
        leaves = coefficients = 0
        open_nodes = [tree.root for tree in self.model.get_all_trees()]
        while open_nodes:
            node = open_nodes.pop()
            if node.is_leaf:
                leaves += 1
                continue
            coefficients += len(getattr(node.condition, "attributes", [0]))
            open_nodes += [node.pos_child, node.neg_child]
        return {"leaves": float(leaves), "coefficients": float(coefficients)}


class ObliqueTree:
    """obliquetree, which combines two features and has other names for its classes."""

    def __init__(self, task: str) -> None:
        self.task = task

    def fit(self, X: np.ndarray, y: np.ndarray) -> ObliqueTree:
        import obliquetree

        kind = obliquetree.Classifier if self.task == CLASSIFICATION else obliquetree.Regressor
        self.model = kind(random_state=0)
        self.model.fit(X, y)
        self.n_leaves = len(np.unique(self.model.apply(X)))
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.model.predict(X)

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return self.model.predict_proba(X)

    def size(self) -> dict[str, float]:
        return {"leaves": float(self.n_leaves)}


def linear_tree(task: str) -> Any:
    """Return a tree with linear models in its leaves, those of its documentation."""
    from lineartree import LinearTreeClassifier, LinearTreeRegressor
    from sklearn.linear_model import LinearRegression, RidgeClassifier

    if task == CLASSIFICATION:
        return LinearTreeClassifier(RidgeClassifier())
    return LinearTreeRegressor(LinearRegression())


def shrunk_tree(task: str) -> Any:
    """Return hierarchical shrinkage with its strength chosen by cross-validation."""
    import imodels

    kind = imodels.HSTreeClassifierCV if task == CLASSIFICATION else imodels.HSTreeRegressorCV
    return kind()


def guessed_optimal_tree(task: str) -> Any:
    """Return GOSDT behind its own choice of thresholds, since it reads binary features only."""
    from gosdt import GOSDTClassifier, ThresholdGuessBinarizer
    from sklearn.pipeline import make_pipeline

    return make_pipeline(ThresholdGuessBinarizer(), GOSDTClassifier())


def fast_forest(task: str) -> Any:
    """Return the forest of fastforest, which says seed for random_state."""
    import fastforest

    kind = fastforest.FastForestClassifier if task == CLASSIFICATION else fastforest.FastForest
    return kind(seed=0)
