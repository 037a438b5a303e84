"""The forests that benchmarks/forests.py compares, each imported only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Maker = Callable[[np.ndarray], Any]  # from what columns are categories to an estimator


def scikit_learn(kind: str) -> Maker:
    def make(categories: np.ndarray) -> Any:
        from sklearn import ensemble

        return getattr(ensemble, f"{kind}Classifier")(random_state=0)

    return make


def aslant(kind: str, with_categories: bool = False, **settings: Any) -> Maker:
    def make(categories: np.ndarray) -> Any:
        import aslant

        mask = categories if with_categories and categories.any() else None
        forest = getattr(aslant, f"Oblique{kind}Classifier")
        return forest(categorical_features=mask, random_state=0, **settings)

    return make


def lightgbm(categories: np.ndarray) -> Any:
    import lightgbm

    return lightgbm.LGBMClassifier(random_state=0, verbose=-1, n_jobs=1)


def treeple(categories: np.ndarray) -> Any:
    """Return treeple's sparse oblique forest, behind means for the missing values it refuses."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from treeple import ObliqueRandomForestClassifier

    return make_pipeline(SimpleImputer(), ObliqueRandomForestClassifier(random_state=0))


class Ydf:
    """ydf's random forest, as an estimator; probabilities are averaged, as in all the others."""

    def __init__(self, split_axis: str) -> None:
        self.split_axis = split_axis

    def fit(self, X: np.ndarray, y: np.ndarray) -> Ydf:
        import ydf

        ydf.verbose(0)
        learner = ydf.RandomForestLearner(
            label="y",
            num_trees=100,
            split_axis=self.split_axis,
            random_seed=1,
            num_threads=1,
            compute_oob_performances=False,
            winner_take_all=False,
        )
        self.model = learner.train({"X": X.astype(np.float32), "y": y})
        self.classes = [int(label) for label in self.model.label_classes()]
        self.n_classes = int(y.max()) + 1
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        said = np.asarray(self.model.predict({"X": X.astype(np.float32)}))
        if said.ndim == 1:
            said = np.column_stack([1.0 - said, said])
        proba = np.zeros((len(X), self.n_classes))
        proba[:, self.classes] = said
        return proba


BASE = "sklearn forest"
CONTESTANTS: dict[str, Maker] = {
    BASE: scikit_learn("RandomForest"),
    "sklearn extra trees": scikit_learn("ExtraTrees"),
    "aslant forest": aslant("RandomForest"),
    "aslant forest, categories": aslant("RandomForest", with_categories=True),
    "aslant forest, calibrated": aslant("RandomForest", calibrate=True),
    "aslant axis-parallel": aslant("RandomForest", search="axis_parallel", criterion="entropy"),
    "aslant random projection": aslant("RandomForest", search="random_projection"),
    "aslant extra trees": aslant("ExtraTrees"),
    "lightgbm": lightgbm,
    "ydf axis": lambda categories: Ydf("AXIS_ALIGNED"),
    "ydf oblique": lambda categories: Ydf("SPARSE_OBLIQUE"),
    "treeple oblique": treeple,
}
# Needs an older scikit-learn, and an environment with it (peers-treeple.txt).
OLD = "treeple oblique"
