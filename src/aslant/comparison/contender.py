"""A method in the comparison: its results so far, and the expected time of a fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor

from aslant.comparison.fold import FoldResult
from aslant.comparison.peers import PEERS
from aslant.estimators.ensemble import TreeEnsemble
from aslant.estimators.methods import METHODS, REGRESSION_METHODS, TASKS
from aslant.prune import CostComplexity
from aslant.utils.checks import check_choice

Kind = Literal["axis-parallel", "oblique", "several trees", "scikit-learn's", "yours"]

REFERENCE = "cart"
"""The method whose time is the unit; it takes part in every comparison."""

_AXIS_PARALLEL = (REFERENCE, "cart_pruned", "cart_linear", "c45")
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "cart_pruned": (REFERENCE, {"pruning": CostComplexity(cv=10)}),
}
"""Methods that also take part with parameters other than their defaults."""
REGRESSION_VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "cart_pruned": (REFERENCE, {"pruning": CostComplexity(cv=10)}),
    "cart_linear": (
        REFERENCE,
        {"leaf": "linear", "min_samples_leaf": 5, "pruning": CostComplexity(cv=10)},
    ),
    "least_squares_linear": ("least_squares", {"leaf": "linear", "min_samples_leaf": 5}),
}
"""The same for regression."""

# Shorter times are too noisy to extrapolate.
_CLEAR_SECONDS = 0.05
# Exponent of the rows in the time of a fit: default and bounds.
_USUAL_POWER, _LEAST_POWER, _LARGEST_POWER = 1.3, 1.0, 2.5


@dataclass
class Contender:
    """A method, its results and its times.

    Attributes
    ----------
    name : str
        Its name in `aslant.estimators.methods.METHODS`.
    label : str
        Its name in sentences.
    kind : {"axis-parallel", "oblique", "several trees", "scikit-learn's", "yours"}
        The kind of its models.
    estimator : estimator
        The method at its defaults, or the caller's own.
    folds : list of FoldResult
        Results of the repeated cross-validation.
    halves : list of FoldResult
        Results of the five divisions into halves, two each, for the F test.
    seconds : dict of int to float
        How long a fit took, by the number of rows.
    reason : str
        Why there are no results.
    """

    name: str
    label: str
    kind: Kind
    estimator: Any
    folds: list[FoldResult] = field(default_factory=list)
    halves: list[FoldResult] = field(default_factory=list)
    seconds: dict[int, float] = field(default_factory=dict)
    reason: str = ""

    def make(self, seed: int) -> Any:
        """Return the estimator, unfitted, with this seed; the caller's own keep theirs."""
        made = clone(self.estimator)
        return made if self.kind == "yours" else made.set_params(random_state=seed)

    def learn(self, n_rows: int, seconds: float) -> None:
        """Record the time of a fit to a number of rows."""
        self.seconds[n_rows] = seconds

    def expected_seconds(self, n_rows: int) -> float:
        """Return the expected time of a fit to a number of rows; 0 if unknown."""
        if not self.seconds:
            return 0.0
        nearest = min(self.seconds, key=lambda rows: abs(np.log(rows / n_rows)))
        return self.seconds[nearest] * (n_rows / nearest) ** self._power()

    def _power(self) -> float:
        """Return the exponent of the number of rows in the time."""
        clear = sorted(rows for rows, time in self.seconds.items() if time > _CLEAR_SECONDS)
        if len(clear) < 2:
            return _USUAL_POWER
        few, many = clear[0], clear[-1]
        growth = np.log(self.seconds[many] / self.seconds[few]) / np.log(many / few)
        return float(np.clip(growth, _LEAST_POWER, _LARGEST_POWER))


def make_contenders(
    methods: Sequence[str] | None,
    estimators: Mapping[str, Any] | None = None,
    task: str = "classification",
) -> list[Contender]:
    """Return the methods of these names, the reference, and the caller's own estimators."""
    if isinstance(methods, str):
        raise TypeError(f"methods must be a list of names, got the text {methods!r}.")
    known = _known(task)
    chosen = set(known) if methods is None else set(_checked(methods, known))
    chosen.add(REFERENCE)
    return [
        *(_contender(name, task) for name in known if name in chosen),
        *_own_contenders(estimators or {}, known, task),
    ]


def _known(task: str) -> list[str]:
    """Return the names that can be compared."""
    if task == "regression":
        return [*REGRESSION_METHODS, *REGRESSION_VARIANTS, *PEERS]
    return [*METHODS, *VARIANTS]


def _checked(methods: Iterable[str], known: list[str]) -> list[str]:
    names = list(methods)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"methods must be a list of names, got {name!r} in it.")
    if not names:
        raise ValueError("methods must name at least one method, got an empty list.")
    return [find_name(name, known) for name in names]


def find_name(name: str, known: list[str] | None = None) -> str:
    """Return the name of a method as it is listed; ``CART-LC`` is ``cart_lc``."""
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    of_any_task = dict.fromkeys(known for task in TASKS for known in _known(task))
    check_choice("method", key, tuple(known or of_any_task))
    return key


def _contender(name: str, task: str) -> Contender:
    if task == "regression" and name in PEERS:
        return Contender(name, name, "scikit-learn's", PEERS[name]())
    variants = REGRESSION_VARIANTS if task == "regression" else VARIANTS
    method, changed = variants.get(name, (name, {}))
    estimator = TASKS[task][method].estimator(**changed)
    kind: Kind = "oblique"
    if name in _AXIS_PARALLEL:
        kind = "axis-parallel"
    elif isinstance(estimator, TreeEnsemble) or estimator.get_params().get("n_estimators", 1) > 1:
        kind = "several trees"
    label = type(estimator).__name__.removesuffix("Classifier").removesuffix("Regressor")
    if name in variants:
        label += f" ({', '.join(f'{key}={value}' for key, value in changed.items())})"
    return Contender(name, label, kind, estimator)


def _own_contenders(estimators: Mapping[Any, Any], known: list[str], task: str) -> list[Contender]:
    found = []
    fits, wanted = (
        (is_regressor, "regressors") if task == "regression" else (is_classifier, "classifiers")
    )
    for name, estimator in estimators.items():
        if not isinstance(name, str) or name in known:
            raise ValueError(
                f"estimators must have names that no method has, got {name!r} among them."
            )
        is_model = hasattr(estimator, "get_params") and not isinstance(estimator, type)
        if not (is_model and fits(estimator)):
            shown = " ".join(repr(estimator).split())  # one line
            raise TypeError(
                f"estimators must be {wanted} with scikit-learn's interface, got {shown:.80} as "
                f"{name!r}."
            )
        found.append(Contender(name, name, "yours", estimator))
    return found
