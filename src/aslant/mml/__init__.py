"""Minimum message length: what a tree is worth, in bits.

`message_length` measures the tree of any method; `MessageCode` says which code is used for what,
and `aslant.mml.code` has the formulas. `rcl_score` measures class probabilities on other rows.
"""

from aslant.mml.code import ALPHAS, MessageCode
from aslant.mml.message import MessageLength, message_length, tree_message
from aslant.mml.prediction import laplace_proba, rcl_score, rcl_scorer

__all__ = [
    "ALPHAS",
    "MessageCode",
    "MessageLength",
    "laplace_proba",
    "message_length",
    "rcl_score",
    "rcl_scorer",
    "tree_message",
]
