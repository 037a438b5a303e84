"""Pruners: one method, one file.

Adding one takes a file and a line in `PRUNERS`; the contract tests then run on it.
"""

from aslant.prune.base import Grown, Pruner
from aslant.prune.cost_complexity import CostComplexity
from aslant.prune.error_based import ErrorBased
from aslant.prune.mml import MessageLengthPruning
from aslant.prune.multivariate import MultivariateTreePruning
from aslant.prune.pessimistic import Pessimistic
from aslant.prune.reduced_error import ReducedError
from aslant.prune.sequence import PruningSequence, prune_by_alpha, pruning_path, weakest_links

#: Pruners by the name that ``pruning=`` of the estimators takes.
PRUNERS: dict[str, type[Pruner]] = {
    "cost_complexity": CostComplexity,
    "reduced_error": ReducedError,
    "pessimistic": Pessimistic,
    "error_based": ErrorBased,
    "multivariate": MultivariateTreePruning,
    "mml": MessageLengthPruning,
}

__all__ = [
    "PRUNERS",
    "CostComplexity",
    "ErrorBased",
    "Grown",
    "MessageLengthPruning",
    "MultivariateTreePruning",
    "Pessimistic",
    "Pruner",
    "PruningSequence",
    "ReducedError",
    "prune_by_alpha",
    "pruning_path",
    "weakest_links",
]
