"""Who takes part in the suite: all our estimators and other people's, each at its defaults.

The only settings are a seed, one thread, and silence. A maker imports its package when it is asked
for a model, so one that is not installed spoils nothing but its own rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import suite_adapters as adapters
from suite_data import CLASSIFICATION, REGRESSION, TASKS

TREE, FOREST, BOOSTING, OTHER = "tree", "forest", "boosting", "other model"
OURS = "aslant"


@dataclass(frozen=True)
class Contestant:
    """One line of the tables: package, kind of model, and the model for each of its tasks."""

    package: str
    kind: str
    makers: dict[str, Callable[[], Any]]


def named(
    package: str,
    kind: str,
    place: str,
    classifier: str | None,
    regressor: str | None,
    **settings: Any,
) -> Contestant:
    """Return a contestant whose classes are named in a module."""

    def make(name: str) -> Any:
        return getattr(import_module(place), name)(**settings)

    names = {CLASSIFICATION: classifier, REGRESSION: regressor}
    return Contestant(package, kind, {t: partial(make, n) for t, n in names.items() if n})


def adapted(package: str, kind: str, maker: Callable[[str], Any], *tasks: str) -> Contestant:
    """Return a contestant whose maker takes the task."""
    return Contestant(package, kind, {task: partial(maker, task) for task in tasks or TASKS})


def scikit_learn(kind: str, place: str, stem: str) -> Contestant:
    place = f"sklearn.{place}"
    names = f"{stem}Classifier", f"{stem}Regressor"
    return named("scikit-learn", kind, place, *names, random_state=0)


def ours() -> dict[str, Contestant]:
    """Return every public estimator of aslant."""
    import aslant

    found: dict[str, Contestant] = {}
    for stem in dict.fromkeys(_stem(name) for name in aslant.__all__ if _stem(name)):
        classes = [
            name if name in aslant.__all__ else None
            for name in (f"{stem}Classifier", f"{stem}Regressor")
        ]
        kind = BOOSTING if "Boosting" in stem else FOREST if stem.endswith(_ENSEMBLES) else TREE
        found[f"{OURS} {stem}"] = named(OURS, kind, OURS, *classes, random_state=0)
    # The model that may still get faster is fitted last.
    return dict(sorted(found.items(), key=lambda item: item[1].kind == BOOSTING))


_ENSEMBLES = ("Forest", "ExtraTrees", "KDT")


def _stem(name: str) -> str:
    for ending in ("Classifier", "Regressor"):
        if name.endswith(ending):
            return name.removesuffix(ending)
    return ""


THEIRS: dict[str, Contestant] = {
    "scikit-learn tree": scikit_learn(TREE, "tree", "DecisionTree"),
    "scikit-learn forest": scikit_learn(FOREST, "ensemble", "RandomForest"),
    "scikit-learn extra trees": scikit_learn(FOREST, "ensemble", "ExtraTrees"),
    "HistGradientBoosting": scikit_learn(BOOSTING, "ensemble", "HistGradientBoosting"),
    "logistic regression / ridge": adapted("scikit-learn", OTHER, adapters.linear_model),
    "LightGBM": named(
        *("lightgbm", BOOSTING, "lightgbm", "LGBMClassifier", "LGBMRegressor"),
        **{"n_jobs": 1, "random_state": 0, "verbose": -1},
    ),
    "XGBoost": named(
        *("xgboost", BOOSTING, "xgboost", "XGBClassifier", "XGBRegressor"),
        **{"n_jobs": 1, "random_state": 0},
    ),
    "CatBoost": named(
        *("catboost", BOOSTING, "catboost", "CatBoostClassifier", "CatBoostRegressor"),
        **{"thread_count": 1, "random_state": 0, "verbose": 0, "allow_writing_files": False},
    ),
    "EBM": named(
        *("interpret-core", OTHER, "interpret.glassbox"),
        *("ExplainableBoostingClassifier", "ExplainableBoostingRegressor"),
        **{"n_jobs": 1, "random_state": 0},
    ),
    "YDF tree": adapted("ydf", TREE, lambda task: adapters.Ydf(task, "Cart")),
    "YDF forest": adapted("ydf", FOREST, lambda task: adapters.Ydf(task, "RandomForest")),
    "YDF forest, sparse oblique": adapted(
        "ydf", FOREST, lambda task: adapters.Ydf(task, "RandomForest", "SPARSE_OBLIQUE")
    ),
    "YDF boosting": adapted(
        "ydf", BOOSTING, lambda task: adapters.Ydf(task, "GradientBoostedTrees")
    ),
    "YDF boosting, sparse oblique": adapted(
        "ydf", BOOSTING, lambda task: adapters.Ydf(task, "GradientBoostedTrees", "SPARSE_OBLIQUE")
    ),
    "treeple tree": named(
        *("treeple", TREE, "treeple.tree", "ObliqueDecisionTreeClassifier"),
        "ObliqueDecisionTreeRegressor",
        random_state=0,
    ),
    "treeple forest": named(
        *("treeple", FOREST, "treeple", "ObliqueRandomForestClassifier"),
        "ObliqueRandomForestRegressor",
        random_state=0,
    ),
    "obliquetree": adapted("obliquetree", TREE, adapters.ObliqueTree),
    "STree": named("STree", TREE, "stree", "Stree", None, random_state=0),
    "OQBoost": named("oqboost", BOOSTING, "oqboost", "OQBoostClassifier", "OQBoostRegressor"),
    "linear-tree": adapted("linear-tree", TREE, adapters.linear_tree),
    "imodels FIGS": named(
        "imodels", TREE, "imodels", "FIGSClassifier", "FIGSRegressor", random_state=0
    ),
    "imodels HSTree": adapted("imodels", TREE, adapters.shrunk_tree),
    "imodels C4.5": named("imodels", TREE, "imodels", "C45TreeClassifier", None),
    "imodels optimal tree": named("imodels", TREE, "imodels", "FastSmallTreeClassifier", None),
    "STreeD": named("pystreed", TREE, "pystreed", "STreeDClassifier", "STreeDRegressor"),
    "GOSDT": adapted("gosdt", TREE, adapters.guessed_optimal_tree, CLASSIFICATION),
    "fastforest": adapted("fastforest", FOREST, adapters.fast_forest),
}
# Those that need more time than all others together, or reach the limit on many sets.
SLOW = (
    "CatBoost",
    "YDF forest, sparse oblique",
    "YDF boosting, sparse oblique",
    "imodels C4.5",
    "EBM",
    "GOSDT",
    "imodels optimal tree",
)
# Those that need an older scikit-learn, and an environment with it (peers-treeple.txt).
OLD = ("treeple tree", "treeple forest", "linear-tree", "GOSDT")
# Those that could not take part, and why.
ABSENT = {
    "ppforest2": "no release on PyPI for Python 3.11 on Linux (November 2026)",
    "imodels AutoOptTree": "not in imodels 3.0.4, the newest release (November 2026)",
}


def contestants() -> dict[str, Contestant]:
    """Return all contestants by name, ours last."""
    return {**THEIRS, **ours()}
