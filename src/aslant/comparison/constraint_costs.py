"""What constraints cost: the cross-validated score of a model with and without each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.utils import get_tags

from aslant.estimators.constraints import CONSTRAINTS
from aslant.utils.checks import check_number


@dataclass(frozen=True)
class ConstraintCost:
    """The score of a model without one constraint, on the folds of the model with all.

    Attributes
    ----------
    constraint : str
        What was left out: ``monotonic_cst of income``, ``interaction_cst``, or ``all``.
    score : float
        Mean score without it.
    cost : float
        How much it is higher than with all constraints; below 0 the constraint helps.
    standard_error : float
        Of the cost, over the folds.
    """

    constraint: str
    score: float
    cost: float
    standard_error: float


@dataclass(frozen=True)
class ConstraintCosts:
    """The score of a model with all its constraints, and what each of them costs.

    Attributes
    ----------
    scoring : str
        The score.
    score : float
        Mean score with all constraints.
    costs : list of ConstraintCost
        One entry for each constraint, and one for all of them together.
    """

    scoring: str
    score: float
    costs: list[ConstraintCost]

    def lines(self) -> list[str]:
        """Return a sentence for each constraint."""
        return [
            f"Without {one.constraint} the cross-validated {self.scoring} is {one.score:.3f} "
            f"instead of {self.score:.3f} ({one.cost:+.3f} ± {one.standard_error:.3f})."
            for one in self.costs
        ]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def constraint_costs(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: int = 5,
    scoring: str | Callable[..., float] | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> ConstraintCosts:
    """Cross-validate an estimator with all its constraints and without each of them.

    Parameters
    ----------
    estimator : estimator
        One of this package with constraints among its parameters, fitted or not.
    X : array-like or data frame of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,)
        Their targets.
    cv : int, default=5
        Number of folds, the same for all.
    scoring : str, callable or None, default=None
        A score of scikit-learn; None is accuracy or, for regression, R2.
    random_state : int, default=0
        Seed of the folds.
    n_jobs : int or None, default=None
        Processes.

    Returns
    -------
    ConstraintCosts
        Scores and differences; printed as sentences.
    """
    without = _without_each(estimator)
    if not without:
        raise ValueError(
            f"constraint_costs needs an estimator with constraints, got {type(estimator).__name__} "
            "without any."
        )
    is_regression = get_tags(estimator).estimator_type == "regressor"
    check_number("cv", cv, 2, integer=True)
    divide = KFold if is_regression else StratifiedKFold
    folds = divide(int(cv), shuffle=True, random_state=random_state)

    def scores(**changed: Any) -> Any:
        other = clone(estimator).set_params(**changed)
        return cross_val_score(other, X, y, cv=folds, scoring=scoring, n_jobs=n_jobs)

    own = scores()
    costs = []
    for name, changed in without.items():
        found = scores(**changed)
        error = float(np.std(found - own, ddof=1) / np.sqrt(len(own)))
        costs.append(ConstraintCost(name, float(found.mean()), float((found - own).mean()), error))
    default = "R2" if is_regression else "accuracy"
    name = default if scoring is None else getattr(scoring, "__name__", str(scoring))
    return ConstraintCosts(name, float(own.mean()), costs)


def _without_each(estimator: Any) -> dict[str, dict[str, Any]]:
    """Return the changes of the parameters that leave out each constraint, and all."""
    given = {
        name: getattr(estimator, name)
        for name in CONSTRAINTS
        if getattr(estimator, name, None) is not None
    }
    without: dict[str, dict[str, Any]] = {}
    for name, value in given.items():
        for label, other in _others(value) if name == "monotonic_cst" else [("", None)]:
            without[f"{name} of {label}" if label else name] = {name: other}
    if len(without) > 1:
        without["all constraints"] = dict.fromkeys(given)
    return without


def _others(signs: Any) -> list[tuple[str, Any]]:
    """Return the monotonic constraints without each one, by the feature that it is on."""
    if isinstance(signs, Mapping):
        return [
            (str(name), {key: sign for key, sign in signs.items() if key != name})
            for name, sign in signs.items()
            if sign
        ]
    values = np.asarray(signs)
    found = []
    for j in np.flatnonzero(values):
        others = values.copy()
        others[j] = 0
        found.append((f"feature {j}", others))
    return found
