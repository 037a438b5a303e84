"""Estimators with settings of all sorts, good and bad, drawn by a seeded generator."""

from __future__ import annotations

from typing import Any

import numpy as np
from fuzz.random_data import Generator, pick
from zoo import QUICK, RandomDirections

import aslant
from aslant.prune import (
    CostComplexity,
    ErrorBased,
    ReducedError,
)
from aslant.refine import JointFit
from aslant.search import (
    MML,
    OC1,
    SADT,
    AxisParallel,
    BestOf,
    CrimCoords,
    ForestSplit,
    RandomProjection,
    SequentialSelection,
    Standardize,
    ThresholdUnit,
)
from aslant.search.registry import SEARCHES

NAMES = [name for name in aslant.__all__ if name.endswith(("Classifier", "Regressor"))]


def search(rng: Generator, depth: int = 0) -> Any:
    """Return a search, wrapped or not."""
    plain = [SEARCHES[name]() for name in SEARCHES if name not in ("sadt", "mml", "oc1")]
    plain += [SADT(patience=50), MML(restarts=2, rounds=1), OC1(restarts=2), RandomDirections()]
    if depth == 2 or rng.random() < 0.6:
        return pick(rng, [*plain, *SEARCHES] if depth == 0 else plain)
    inner = search(rng, depth + 1)
    return pick(
        rng,
        [
            BestOf([AxisParallel(), inner]),
            Standardize(inner),
            CrimCoords(inner),
            SequentialSelection(ThresholdUnit(), method=pick(rng, ["sbe", "sfs", "dsbe", "hss"])),
        ],
    )


VALUES: dict[str, list[Any]] = {
    "max_depth": [1, 2, 5, None, 10**12],
    "min_samples_split": [2, 5, 0.3, 1.0, 10**12],
    "min_samples_leaf": [1, 3, 0.2, 10**12],
    "min_weight_fraction_leaf": [0.0, 0.1, 0.5],
    "min_impurity_decrease": [0.0, 0.05, 10.0],
    "max_leaf_nodes": [2, 3, 10, 10**12],
    "ccp_alpha": [0.0, 0.01, 1.0],
    "criterion": ["gini", "entropy", "gain_ratio", "twoing", "max_minority", "sum_minority",
                  "sum_of_variances", "squared_error", "poisson", "log_loss"],
    "pruning": [None, "cost_complexity", "reduced_error", "pessimistic", "error_based", "mml",
                "multivariate", CostComplexity(cv=3), CostComplexity(cv=2, leaf_matching=True),
                CostComplexity(validation=0.5, se_rule=1.0), ReducedError(ties="keep"),
                ErrorBased(confidence=0.4, raising=False)],
    "categorical_features": [None, "from_dtype", [0], [0, 1], ["f0"], [True], []],
    "min_frequency": [None, 2, 0.2, 1000],
    "max_levels": [None, 2, 5, 30],
    "high_cardinality": ["target", "merge"],
    "date_parts": [(), ("month",), ["year", "weekday", "hour"]],
    "missing": ["auto", "node_mean", "training_mean", "indicator"],
    "search_rows": [None, 2, 7, 50],
    "search_finish": ["threshold", "coefficients"],
    "random_state": [0, 1, 2**32 - 1, None],
    "n_jobs": [1, 2, 3, -1],
    "class_weight": [None, "balanced", "balanced_subsample", {0: 2.0}, {0: 0.0}, {1: 1e-20}],
    "refine": [None, "joint", JointFit(max_iter=20), JointFit(l2=1e3, max_iter=20)],
    "smoothing": [0.0, 4.0, "laplace", 1e6],
    "smoothing_prior": ["uniform", "root", "parent"],
    "leaf": ["mean", "linear"],
    "extrapolate": [True, False],
    "bootstrap": [True, False],
    "max_samples": [None, 1, 0.5, 1.0, 3.5],
    "max_features": ["sqrt", "log2", None, 1, 0.5, 100],
    "n_estimators": [1, 2, 5],
    "oob_score": [True, False],
    "warm_start": [True, False],
    "variant": ["all", "dominant"],
    "covariance": ["sample", "robust"],
    "clusters": [1, 2, "auto"],
    "depth_of_reflection": [None, 0, 1],
    "sign": ["auto", "both", "positive"],
    "tau": [0.0, 0.05, 2.0],
    "order": ["sequential", "best", "random"],
    "stagnation": ["counter", "probability"],
    "start": ["faithful", "through_point"],
    "origin": ["median", "original"],
    "legacy_sweep": [True, False],
    "axis_start": [True, False],
    "perturb_constant": [True, False],
    "min_samples_oblique": [None, 0, 10],
    "normalize": [True, False],
    "univariate": [True, False],
    "gammas": [(-0.25, 0.0, 0.25), [0.0], [-1e6, 1e6]],
    "max_cycles": [1, 3, 100],
    "beta": [None, 0.0, 0.5],
    "learner": ["rls", "pocket", "thermal", "cart"],
    "selection": [None, "sbe", "sfs", "dsbe", "hss", "cart"],
    "shortlist": [None, 1, 3],
    "multiclass": ["superclasses", "one_vs_rest"],
    "split": ["linear", "univariate"],
    "split_point": ["lda", "qda", "exact"],
    "significance": [0.05, 1.0, 1e-9],
    "pairs": ["opposite", "all"],
    "thresholds": ["midpoint", "all"],
    "scale": ["training", "raw", "node"],
    "exact_rows": [0, 5, 1000],
    "poles": [2, 10],
    "threshold_cost": [True, False],
    "min_samples_branch": [0, 1, 2.5, 100],
    "combine": ["shortest", "average"],
    "strategy": ["sweep", "random"],
    "alpha": [0.1, 1.0, "tree"],
    "direction": ["cap", "uniform"],
    "position": ["gap", "uniform"],
    "max_features_per_test": [1, 2, 10],
    "residuals": ["mean", "line"],
    "ridge": [1e-9, 1.0, 1e9],
    "voting": ["majority", "probability"],
    "sparsity": [None, 0.0, 1.0],
    "effort": ["low", "medium"],
    "probabilities": ["soft", "frequencies"],
    "temperature": [1e-9, 1.0, 1e9],
    "move": ["single", "all"],
    "step": [None, 1e-3, 10.0],
    "loss": ["log_loss", "squared_error", "absolute_error", "gamma", "poisson", "quantile"],
    "quantile": [None, 0.0, 0.3, 1.0],
    "learning_rate": [1e-9, 0.1, 1.0, 100.0],
    "l2_regularization": [0.0, 1.0, 1e9],
    "max_bins": [2, 7, 255],
    "monotonic_cst": [None, [1], [1, -1, 0]],
    "interaction_cst": [None, "pairwise", "no_interactions", [[0], [0, 1]]],
    "early_stopping": [True, False, "auto"],
    "scoring": ["loss", None, "accuracy", "r2"],
    "validation_fraction": [None, 0.1, 0.9, 3],
    "n_iter_no_change": [1, 5],
    "oblique_features": [None, 2, 1.0],
    "oblique_min_rows": [2, 20],
}  # fmt: skip
JUNK: list[Any] = [None, "x", -1, 0, 1.5, np.nan, np.inf, 10**30, [], {}, (), True, b"x", len,
                   np.float32(2), np.array([1, 2]), "balanced"]  # fmt: skip


def model(rng: Generator) -> Any:
    """Return an estimator that has not been fitted; constructing one never fails."""
    name = pick(rng, NAMES)
    cls = getattr(aslant, name)
    forest = {"n_estimators": 4} if "Forest" in name or "ExtraTrees" in name else {}
    boosting = {"max_iter": 4} if "Boosting" in name else {}
    settings = {**QUICK.get(name, {}), **forest, **boosting}
    known = cls().get_params(deep=False)
    if isinstance(known.get("search"), str) and rng.random() < 0.7:
        settings["search"] = search(rng)
        if forest and rng.random() < 0.5:
            settings["search"] = pick(rng, [ForestSplit(), RandomProjection(), "forest"])
    for parameter in rng.permutation(sorted(set(known) & set(VALUES)))[: int(rng.integers(6))]:
        settings[str(parameter)] = pick(rng, VALUES[str(parameter)])
    if rng.random() < 0.08:
        settings[pick(rng, sorted(known))] = pick(rng, JUNK)
    return cls(**settings)
