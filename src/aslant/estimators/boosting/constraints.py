"""Monotonic and interaction constraints, from the columns of the input to encoded features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.encoding import FeatureEncoder

INTERACTIONS = ("pairwise", "no_interactions")


def monotonic_signs(
    given: Any, encoder: FeatureEncoder, names: npt.NDArray[Any] | None
) -> list[int]:
    """Return the constraint of every encoded feature: 1 increasing, -1 decreasing, 0 none."""
    n_columns = len(encoder.columns_)
    signs = _by_column(given, n_columns, names)
    for j in np.flatnonzero(signs):
        if encoder.columns_[j].kind == "category":
            raise ValueError(
                f"Categorical features cannot have monotonic constraints: column {j} is a category."
            )
    own = np.arange(len(encoder.source)) < n_columns  # what is derived of a column is free
    return np.where(own, signs[encoder.source], 0).tolist()


def _by_column(given: Any, n_columns: int, names: npt.NDArray[Any] | None) -> npt.NDArray[np.int8]:
    signs = np.zeros(n_columns, dtype=np.int8)
    if given is None:
        return signs
    if isinstance(given, Mapping):
        if names is None:
            raise ValueError(
                "monotonic_cst as a dict needs X to be a data frame with column names."
            )
        unknown = [name for name in given if name not in set(names)]
        if unknown:
            raise ValueError(f"monotonic_cst names {unknown[0]!r}, which is not a column of X.")
        pairs = {list(names).index(name): sign for name, sign in given.items()}
    else:
        values = np.asarray(given)
        if values.shape != (n_columns,):
            raise ValueError(
                f"monotonic_cst must hold a value for each of the {n_columns} features, got an "
                f"array of shape {values.shape}."
            )
        pairs = dict(enumerate(values.tolist()))
    for j, sign in pairs.items():
        if sign not in (-1, 0, 1):
            raise ValueError(f"monotonic_cst must hold -1, 0 or 1 for each feature, got {sign!r}.")
        signs[j] = sign
    return signs


def interaction_groups(given: Any, encoder: FeatureEncoder) -> list[list[int]]:
    """Return groups of encoded features that may interact; an empty list means no constraint.

    Columns that no group names are a group of their own.
    """
    if given is None:
        return []
    n_columns = len(encoder.columns_)
    groups = _column_groups(given, n_columns)
    rest = set(range(n_columns)).difference(*groups)
    groups += [rest] if rest else []
    source = np.asarray(encoder.source)
    return [np.flatnonzero(np.isin(source, sorted(group))).tolist() for group in groups]


def _column_groups(given: Any, n_columns: int) -> list[set[int]]:
    if isinstance(given, str):
        if given not in INTERACTIONS:
            raise ValueError(
                "interaction_cst must be None, 'pairwise', 'no_interactions' or a sequence of "
                f"groups of column numbers, got {given!r}."
            )
        size = min(2 if given == "pairwise" else 1, n_columns)
        return [set(group) for group in combinations(range(n_columns), size)]
    if not isinstance(given, Iterable):
        raise TypeError(
            "interaction_cst must be None, 'pairwise', 'no_interactions' or a sequence of groups "
            f"of column numbers, got {given!r}."
        )
    groups = []
    for group in given:
        if isinstance(group, str) or not isinstance(group, Iterable):
            raise TypeError(f"interaction_cst must hold groups of column numbers, got {group!r}.")
        members = list(group)
        for j in members:
            whole = isinstance(j, Integral) and not isinstance(j, bool | np.bool_)
            if not whole or not 0 <= j < n_columns:
                raise ValueError(
                    f"interaction_cst must hold column numbers from 0 to {n_columns - 1}, "
                    f"got {j!r}."
                )
        if members:
            groups.append({int(j) for j in members})
    return groups
