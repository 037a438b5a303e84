"""Writes one small model of each kind, and what it predicts, beside this file.

A file that is there already is never written again: it is kept to prove that later releases still
load it. So run this after a new version of the format, or with a new kind of model.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import aslant
from aslant.model_file.file import VERSION
from aslant.prune import CostComplexity
from aslant.search import AxisParallel, BestOf, LinearMachineSplit, SplitSearch, Standardize

HERE = Path(__file__).parent
sys.path.append(str(HERE.parents[1]))
from linear_leaf import with_linear_leaf  # noqa: E402


class NearestMean(SplitSearch):
    """A linear machine: the class with the nearest mean."""

    def find(self, node, rng):
        classes = np.flatnonzero(node.class_weight)
        means = np.array([node.X[node.y == k].mean(axis=0) for k in classes])
        return LinearMachineSplit(means, -0.5 * np.sum(means**2, axis=1))


def data():
    """Return rows with a category and missing values, and three classes."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(np.round(rng.normal(size=(60, 2)), 3), columns=["width", "height"])
    frame["colour"] = rng.choice(["red", "blue", "grün"], 60)
    frame.loc[::9, "width"] = np.nan
    frame.loc[::11, "colour"] = None
    slope = frame["width"].fillna(0.0) + frame["height"]
    classes = np.where(slope > 0.3, "up", np.where(frame["colour"] == "red", "red", "down"))
    return frame, classes


def models():
    """Yield a name, an estimator, its rows and its classes."""
    frame, y = data()
    numbers = frame[["width", "height"]].to_numpy()
    codes = np.unique(y, return_inverse=True)[1]
    yield "cart", aslant.CARTClassifier(pruning=CostComplexity(validation=0.2)), frame, y
    yield "c45", aslant.C45Classifier(class_weight={"up": 2.0}), frame, y
    yield "oc1", aslant.OC1Classifier(restarts=2, random_state=0), numbers, codes
    yield "kdt", aslant.KDTClassifier(n_estimators=3, random_state=0), frame, y == "up"
    yield "lmdt", aslant.LMDTClassifier(random_state=0), numbers, codes
    averaged = aslant.MMLTreeClassifier(
        n_estimators=2, combine="average", restarts=2, random_state=0
    )
    yield "mml", averaged, frame, y
    wrapped = BestOf([AxisParallel(), Standardize(AxisParallel())])
    generic = aslant.ObliqueDecisionTreeClassifier
    yield "generic", generic(wrapped, max_leaf_nodes=5), frame, y.astype(object)
    yield "own-search", generic(NearestMean(), max_depth=2), numbers, codes
    yield from systems(frame, y)
    yield from later_models(frame, y)


def later_models(frame, y):
    """Yield the kinds that came after the first files of version 2."""
    rng = np.random.default_rng(1)
    plain = frame.assign(colour=frame["colour"].fillna("none"))
    yield "forest", aslant.ObliqueRandomForestClassifier(4, max_depth=4, random_state=0), frame, y
    extra = aslant.ObliqueExtraTreesClassifier(3, max_depth=3, search="axis_parallel")
    yield "extra-trees", extra.set_params(random_state=0), plain, y
    yield "auto", aslant.AutoTreeClassifier(effort="low", random_state=0), frame, y
    yield "refined", aslant.HHCARTClassifier(refine="joint", random_state=0), frame, y
    indicators = aslant.CARTClassifier(missing="indicator", smoothing_prior="parent", max_depth=3)
    yield "indicators", indicators, frame, y
    levels = frame.assign(place=[f"place {k}" for k in rng.integers(0, 20, len(frame))])
    shares = {"max_levels": 5, "categorical_features": ["colour", "place"], "max_depth": 3}
    yield "shares", aslant.CARTClassifier(**shares), levels, y
    target = np.round(frame["height"] + (frame["colour"] == "red") + rng.normal(size=60) / 9, 3)
    yield (
        "regressor",
        aslant.CARTRegressor(pruning="cost_complexity", random_state=0),
        frame,
        target,
    )
    linear = aslant.LeastSquaresTreeRegressor(leaf="linear", max_depth=2, pruning=None)
    yield "linear-leaves", linear, frame, np.column_stack([target, -2.0 * target])
    yield "auto-regressor", aslant.AutoTreeRegressor(effort="low", random_state=0), frame, target
    yield "regressor-shares", aslant.OC1Regressor(restarts=2, **shares), levels, target
    small = {"max_depth": 3, "random_state": 0}
    yield "number-forest", aslant.ObliqueRandomForestRegressor(3, **small), frame, target
    extra = aslant.ObliqueExtraTreesRegressor(3, **small)
    yield "number-extra-trees", extra, plain, np.column_stack([target, 1.0 + target])
    logit = aslant.AutoTreeClassifier(effort="low", random_state=0)
    yield "logit", LinearLeaf(logit), frame, y
    residuals = aslant.HHCARTRegressor(residuals="line", pruning=None, max_depth=2)
    yield "residuals", residuals, frame, target
    few = {"max_iter": 2, "min_samples_leaf": 5, "oblique_min_rows": 20, "random_state": 0}
    yield "boosting", aslant.ObliqueGradientBoostingClassifier(**few), frame, y
    counts = aslant.ObliqueGradientBoostingRegressor(loss="poisson", **few)
    yield "regression-boosting", counts, frame, np.round(np.exp(target))


def systems(frame, y):
    """Yield the systems that version 1 knew as well, and that are not among the first files."""
    numbers = frame[["width", "height"]].to_numpy()
    codes = np.unique(y, return_inverse=True)[1]
    yield "hhcart", aslant.HHCARTClassifier(random_state=0), frame, y
    yield "fisher", aslant.FisherTreeClassifier(random_state=0), frame, y
    yield "quest", aslant.QUESTClassifier(random_state=0), frame, y
    yield "pole-pair", aslant.PolePairClassifier(random_state=0), numbers, codes
    yield "cart-lc", aslant.CARTLCClassifier(random_state=0), numbers, codes
    yield "sadt", aslant.SADTClassifier(patience=200, random_state=0), numbers, codes
    yield "ltu", aslant.LTUTreeClassifier(selection="sfs", random_state=0), frame, y


class LinearLeaf:
    """Fits a classifier and replaces its tree by a single linear leaf."""

    def __init__(self, classifier):
        self.classifier = classifier

    def fit(self, X, y):
        return with_linear_leaf(self.classifier.fit(X, y), X, y)


def main():
    for name, clf, rows, y in models():
        path = HERE / f"v{VERSION}-{name}.aslant"
        if path.exists():
            continue
        clf = clf.fit(rows, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the search of one's own is kept as text
            aslant.save(clf, path)
        is_frame = isinstance(rows, pd.DataFrame)
        listed = rows.astype(object).where(rows.notna(), None) if is_frame else rows
        plain = np.asarray(listed, dtype=object)
        expected = {
            "columns": list(rows.columns) if is_frame else None,
            "rows": [[None if v != v else v for v in row] for row in plain.tolist()],
            "predict": clf.predict(rows).tolist(),
        }
        if hasattr(clf, "predict_proba"):
            expected["predict_proba"] = clf.predict_proba(rows).tolist()
        path.with_suffix(".json").write_text(json.dumps(expected, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
