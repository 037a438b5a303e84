"""Pruners by the names that ``pruning=`` takes: adding one takes a file and a line here."""

from __future__ import annotations

from aslant.prune.base import Pruner
from aslant.prune.cost_complexity import CostComplexity
from aslant.prune.error_based import ErrorBased
from aslant.prune.mml import MessageLengthPruning
from aslant.prune.multivariate import MultivariateTreePruning
from aslant.prune.pessimistic import Pessimistic
from aslant.prune.reduced_error import ReducedError

#: Pruners by the name that ``pruning=`` of the estimators takes.
PRUNERS: dict[str, type[Pruner]] = {
    "cost_complexity": CostComplexity,
    "reduced_error": ReducedError,
    "pessimistic": Pessimistic,
    "error_based": ErrorBased,
    "multivariate": MultivariateTreePruning,
    "mml": MessageLengthPruning,
}
