"""Minimum message length: the length of a tree and its training labels, in bits.

`message_length` measures the tree of any method; `MessageCode` says which code is used for what,
and `aslant.mml.code` has the formulas.
"""

from aslant.mml.code import MessageCode
from aslant.mml.message import MessageLength, message_length

__all__ = ["MessageCode", "MessageLength", "message_length"]
