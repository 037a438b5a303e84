"""Pruners: one method, one file.

Adding one takes a file and a line in `aslant.prune.registry`; the contract tests then run on it.
"""

from aslant.prune.base import Pruner
from aslant.prune.cost_complexity import CostComplexity
from aslant.prune.error_based import ErrorBased
from aslant.prune.mml import MessageLengthPruning
from aslant.prune.multivariate import MultivariateTreePruning
from aslant.prune.pessimistic import Pessimistic
from aslant.prune.reduced_error import ReducedError

__all__ = [
    "CostComplexity",
    "ErrorBased",
    "MessageLengthPruning",
    "MultivariateTreePruning",
    "Pessimistic",
    "Pruner",
    "ReducedError",
]
