"""Checks of parameters: one clear sentence for what is wrong."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator


def check_number(
    name: str, value: Any, low: float, high: float = np.inf, *, integer: bool = False
) -> None:
    """Validate that a parameter is a number, or an integer, between two bounds."""
    kinds = (int, np.integer) if integer else (int, float, np.integer, np.floating)
    if isinstance(value, bool | np.bool_) or not isinstance(value, kinds):
        kind = "an integer" if integer else "a number"
        raise TypeError(f"{name} must be {kind}, got {value!r}.")
    if not low <= value <= high:
        limit = f"at least {low:g}" if high == np.inf else f"between {low:g} and {high:g}"
        raise ValueError(f"{name} must be {limit}, got {value!r}.")


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Validate that a parameter is one of the choices; the error names the nearest one."""
    if isinstance(value, str) and value in choices:
        return
    near = difflib.get_close_matches(str(value), choices, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}.{hint}")


def check_flag(name: str, value: Any) -> None:
    """Validate that a parameter is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}.")


def check_no_effect(owner: BaseEstimator, name: str, unless: str) -> None:
    """Validate that a parameter that has no effect has its default value.

    Parameters
    ----------
    owner : BaseEstimator
        What has the parameter.
    name : str
        The parameter, which has no effect.
    unless : str
        The setting under which it would have one.
    """
    default = inspect.signature(type(owner)).parameters[name].default
    value = getattr(owner, name)
    if value != default:
        raise ValueError(f"{name} has no effect unless {unless}, got {value!r}.")
