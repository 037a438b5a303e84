"""The estimator at the end of a fitted pipeline in the units of the pipeline's input.

A scaler maps a feature x to a * x + b. The test ``w . (a * x + b) <= t`` is the same as
``(w * a) . x <= t - w . b``, so a tree at the end of a pipeline can be written in the units of the
input and needs the scaler no more. A column of OneHotEncoder is 1 for one level of a category,
which a tree reads as well, and SimpleImputer replaces the fills of missing values. Steps that do
anything else to the features are refused by name.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    RobustScaler,
    StandardScaler,
)

from aslant.encoding import Column, FeatureEncoder
from aslant.tree.linear_function import linear_leaves_of
from aslant.tree.tree import Tree

Array = npt.NDArray[np.float64]

_SCALERS = (StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler)


@dataclass(frozen=True)
class Affine:
    """An affine map of features: feature j is ``scale[j] * value + shift[j]``.

    The value is ``x[source[j]]``; if ``level[j]`` is not negative, it is 1 where the source has
    that one of its `levels`, else 0. ``fill[j]`` is the value of a missing one, NaN if it stays
    missing.
    """

    source: npt.NDArray[np.intp]
    scale: Array
    shift: Array
    level: npt.NDArray[np.intp]
    fill: Array
    levels: dict[int, list[Any]] = field(default_factory=dict)

    @classmethod
    def identity(cls, n_features: int) -> Affine:
        """Return the map that changes nothing."""
        return cls(
            np.arange(n_features),
            np.ones(n_features),
            np.zeros(n_features),
            np.full(n_features, -1, dtype=np.intp),
            np.full(n_features, np.nan),
        )

    def then(self, other: Affine, caller: str) -> Affine:
        """Return this map followed by another one."""
        place = other.source
        if not self._keeps(list(other.levels)):
            raise TypeError(
                f"{caller} writes a OneHotEncoder in the units of the pipeline's input if no step "
                "changes its columns before, got one that does."
            )
        scale, shift = self.scale[place], self.shift[place]
        return Affine(
            self.source[place],
            other.scale * scale,
            other.scale * shift + other.shift,
            np.where(other.level >= 0, other.level, self.level[place]),
            # What the first map fills is not missing in the second.
            np.where(np.isnan(self.fill[place]), (other.fill - shift) / scale, self.fill[place]),
            {**self.levels, **{int(self.source[j]): own for j, own in other.levels.items()}},
        )

    def _keeps(self, columns: list[int]) -> bool:
        """Whether some columns are inputs as they are."""
        plain = (self.scale == 1.0) & (self.shift == 0.0) & (self.level < 0) & np.isnan(self.fill)
        return bool(plain[columns].all())


def in_input_units(pipeline: Pipeline, caller: str) -> Any:
    """Return the estimator at the end of a fitted pipeline in the units of the pipeline's input.

    Raises
    ------
    TypeError
        If a step is none of those that can be written in these units.
    """
    final = pipeline.steps[-1][1]
    steps = [step for _, step in pipeline.steps[:-1] if step not in (None, "passthrough")]
    first = steps[0] if steps else final
    n_inputs = int(getattr(first, "n_features_in_", final.n_features_in_))
    affine = _affine_of_steps(steps, n_inputs, caller)
    _check_once(affine, final, caller)
    names = getattr(first, "feature_names_in_", getattr(pipeline, "feature_names_in_", None))
    return _in_input_units(final, affine, n_inputs, names)


def _check_once(affine: Affine, final: Any, caller: str) -> None:
    """Validate that no feature appears twice, and that filled and encoded ones are numbers."""
    pairs = list(zip(affine.source.tolist(), affine.level.tolist(), strict=True))
    both = any(level < 0 and source in affine.levels for source, level in pairs)
    if both or len(set(pairs)) < len(pairs):
        raise TypeError(
            f"{caller} cannot write a pipeline in the units of its input if a feature appears "
            "twice."
        )
    encoder = final.encoder_
    changed = np.flatnonzero((affine.level >= 0) | ~np.isnan(affine.fill))
    derived = {one.source for one in encoder.derived}
    for j in changed.tolist():
        if encoder.columns_[j].encoding != "number" or j in derived:
            raise TypeError(
                f"{caller} writes a pipeline in the units of its input if the last step reads "
                f"columns of OneHotEncoder and SimpleImputer as plain numbers, got "
                f"{encoder.columns_[j].name!r}."
            )


# ---------------------------------------------------------------------- steps


def _affine_of_steps(steps: Sequence[Any], n_features: int, caller: str) -> Affine:
    affine = Affine.identity(n_features)
    for step in steps:
        affine = affine.then(_affine_of(step, len(affine.source), caller), caller)
    return affine


def _affine_of(step: Any, n_features: int, caller: str) -> Affine:
    if isinstance(step, Pipeline):
        return _affine_of_steps([inner for _, inner in step.steps], n_features, caller)
    if isinstance(step, ColumnTransformer):
        return _affine_of_columns(step, caller)
    identity = Affine.identity(n_features)
    is_identity = isinstance(step, FunctionTransformer) and step.func is None
    if is_identity or (isinstance(step, str) and step == "passthrough"):
        return identity
    if isinstance(step, OneHotEncoder) and _is_plain(step):
        return _one_hot(step)
    if isinstance(step, SimpleImputer) and _fills_numbers(step):
        return replace(identity, fill=np.asarray(step.statistics_, dtype=np.float64))
    if not isinstance(step, _SCALERS) or getattr(step, "clip", False):
        raise TypeError(
            f"{caller} writes a pipeline in the units of its input through StandardScaler, "
            f"MinMaxScaler, MaxAbsScaler, RobustScaler, OneHotEncoder (without missing or "
            f"infrequent levels), SimpleImputer (of numbers) and a ColumnTransformer of these, got "
            f"{type(step).__name__}; pass the last step, which reads the output of "
            f"{type(step).__name__}."
        )
    if isinstance(step, MinMaxScaler):
        return replace(identity, scale=step.scale_, shift=step.min_)
    center = getattr(step, "mean_" if isinstance(step, StandardScaler) else "center_", None)
    if isinstance(step, StandardScaler) and not step.with_mean:
        center = None
    scale = identity.scale if step.scale_ is None else 1.0 / np.asarray(step.scale_, np.float64)
    shift = identity.shift if center is None else -np.asarray(center, np.float64) * scale
    return replace(identity, scale=scale, shift=shift)


def _is_plain(step: OneHotEncoder) -> bool:
    """Whether every column of an encoder is 1 for one level that is not missing."""
    if step.min_frequency is not None or step.max_categories is not None:
        return False
    levels = [level for own in step.categories_ for level in own.tolist()]
    return all(level is not None and level == level for level in levels)


def _one_hot(step: OneHotEncoder) -> Affine:
    dropped = step.drop_idx_ if step.drop_idx_ is not None else [None] * len(step.categories_)
    pairs = [
        (j, k)
        for j, own in enumerate(step.categories_)
        for k in range(len(own))
        if dropped[j] is None or k != dropped[j]
    ]
    made = Affine.identity(len(pairs))
    # An unknown level has no 1 at all; if it is an error, the tree's own fill does.
    fill = np.full(len(pairs), np.nan if step.handle_unknown == "error" else 0.0)
    return replace(
        made,
        source=np.array([j for j, _ in pairs], dtype=np.intp),
        level=np.array([k for _, k in pairs], dtype=np.intp),
        fill=fill,
        levels={j: own.tolist() for j, own in enumerate(step.categories_)},
    )


def _fills_numbers(step: SimpleImputer) -> bool:
    """Whether an imputer fills NaN by numbers and adds and drops no column."""
    statistics = np.asarray(step.statistics_)
    is_nan = isinstance(step.missing_values, float) and np.isnan(step.missing_values)
    plain = is_nan and not step.add_indicator and statistics.dtype.kind in "fiu"
    return bool(plain and not np.isnan(statistics.astype(np.float64)).any())


def _affine_of_columns(step: ColumnTransformer, caller: str) -> Affine:
    """Return the map of a ColumnTransformer that scales some columns and passes or drops others."""
    names = list(getattr(step, "feature_names_in_", []))
    parts = [Affine.identity(0)]
    for _, inner, columns in step.transformers_:
        chosen = _column_numbers(columns, names, step.n_features_in_)
        if len(chosen) == 0 or (isinstance(inner, str) and inner == "drop"):
            continue
        own = _affine_of(inner, len(chosen), caller)
        levels = {int(chosen[j]): names for j, names in own.levels.items()}
        parts.append(replace(own, source=chosen[own.source], levels=levels))
    joined = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("source", "scale", "shift", "level", "fill")
    }
    levels = {j: names for part in parts for j, names in part.levels.items()}
    return Affine(**joined, levels=levels)


def _column_numbers(columns: Any, names: list[str], n_features: int) -> npt.NDArray[np.intp]:
    """Return the numbers of columns given by number, name, mask or slice."""
    everything = np.arange(n_features)
    if isinstance(columns, slice):
        bounds = (columns.start, columns.stop)
        if any(isinstance(bound, str) for bound in bounds):  # by name, the last one included
            first = 0 if columns.start is None else names.index(columns.start)
            last = n_features - 1 if columns.stop is None else names.index(columns.stop)
            return everything[first : last + 1]
        return everything[columns]
    chosen = np.atleast_1d(np.asarray(columns))
    if chosen.dtype.kind in "OUT" and chosen.size:
        return np.array([names.index(name) for name in chosen.tolist()], dtype=np.intp)
    return everything[chosen if chosen.dtype.kind == "b" else chosen.astype(np.intp)]


# ---------------------------------------------------------------------- the estimator


def _in_input_units(final: Any, affine: Affine, n_inputs: int, names: Any) -> Any:
    """Return a copy of a fitted estimator that reads the input of the pipeline."""

    def widened(importances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        wide = np.zeros(n_inputs)
        np.add.at(wide, affine.source, importances)
        return wide

    made = copy.copy(final)
    made.encoder_ = _input_encoder(final.encoder_, affine, n_inputs, names)
    moved = _MovedColumns(final.encoder_, made.encoder_, affine)
    made.n_features_in_ = n_inputs
    made.__dict__.pop("feature_names_in_", None)
    if names is not None:
        made.feature_names_in_ = np.array([str(name) for name in names], dtype=object)
    if hasattr(final, "column_spread_"):
        made.column_spread_ = moved.spread(final.column_spread_)
    if "trees_" in final.__dict__:  # a forest makes its members and importances from these
        made.trees_ = [moved.tree(tree) for tree in final.trees_]
        made._made = {}
        if "feature_importances_" in final.__dict__:  # a vote keeps those of its trees
            made.feature_importances_ = widened(final.feature_importances_)
            made._importances = [widened(own) for own in final._importances]
        return made
    if hasattr(final, "tree_"):
        made.tree_ = moved.tree(final.tree_)
        if getattr(final, "gates_", None) is not None:
            made.gates_ = replace(final.gates_, tree=made.tree_)
    made.feature_importances_ = widened(final.feature_importances_)
    if hasattr(final, "estimators_"):
        made.estimators_ = [
            _in_input_units(member, affine, n_inputs, names) for member in final.estimators_
        ]
    return made


def _input_encoder(
    encoder: FeatureEncoder, affine: Affine, n_inputs: int, names: Any
) -> FeatureEncoder:
    columns = [
        Column(f"x{j}" if names is None else str(names[j]), "unused") for j in range(n_inputs)
    ]
    for place, column in zip(affine.source, encoder.columns_, strict=True):
        columns[place] = replace(column, name=columns[place].name)
    for place, levels in affine.levels.items():
        columns[place] = Column(
            columns[place].name, "category", levels=list(levels), encoding="levels"
        )
    derived = [replace(one, source=int(affine.source[one.source])) for one in encoder.derived]
    learned = {int(affine.source[j]): table for j, table in encoder.target_encodings.items()}
    return FeatureEncoder(columns, derived, encoder.class_names, learned)


class _MovedColumns:
    """The encoded columns of a pipeline's last step among those of the pipeline's input."""

    def __init__(self, old: FeatureEncoder, new: FeatureEncoder, affine: Affine) -> None:
        n_old, n_new = len(old.columns_), len(new.columns_)
        self.feature, self.level = new.columns()
        self.n_features = n_new + len(new.derived)
        place = {key: k for k, key in enumerate(zip(self.feature, self.level, strict=True))}
        pairs = list(zip(*old.columns(), strict=True))
        level = affine.level.tolist()
        self.column = np.array(
            [
                place[int(affine.source[j]), level[j] if level[j] >= 0 else k]
                if j < n_old
                else place[n_new + j - n_old, k]
                for j, k in pairs
            ],
            dtype=np.int32,
        )
        self.scale, self.shift = np.ones(len(pairs)), np.zeros(len(pairs))
        self.fill = np.full(len(pairs), np.nan)
        for column, (j, k) in enumerate(pairs):
            if j < n_old and k < 0 and old.columns_[j].encoding == "number":
                self.scale[column], self.shift[column] = affine.scale[j], affine.shift[j]
                self.fill[column] = affine.fill[j]

    def _filled(self, columns: npt.NDArray[Any], fill: Array) -> Array:
        """Return the fills of columns: what the pipeline fills, else those of the tree."""
        own = self.fill[columns]
        return np.asarray(np.where(np.isnan(own), fill, own))

    def spread(self, spread: Array) -> Array:
        """Return the standard deviations of the columns; zero for columns that no test reads."""
        moved = np.zeros(len(self.feature))
        moved[self.column] = spread / np.abs(self.scale)
        return moved

    def tree(self, tree: Tree) -> Tree:
        """Return the tree with its tests and linear leaves in the units of the input."""
        a, b = self.scale[tree.coef_column], self.shift[tree.coef_column]
        row = np.repeat(np.arange(len(tree.offset)), np.diff(tree.coef_start))
        moved = np.bincount(row, tree.coef_value * b, len(tree.offset))
        # The offset of a hyperplane is on the other side of its test than that of a machine.
        of_plane = np.repeat(np.diff(tree.row_start) == 1, np.diff(tree.row_start))
        columns = self.column[tree.coef_column]
        order = np.lexsort((columns, row))  # columns grow within a row of coefficients
        arrays = tree.arrays()
        arrays.update(
            coef_column=columns[order],
            coef_value=(tree.coef_value * a)[order],
            coef_fill=self._filled(tree.coef_column, (tree.coef_fill - b) / a)[order],
            offset=np.where(of_plane, tree.offset - moved, tree.offset + moved),
            column_feature=self.feature,
            column_level=self.level,
        )
        linear = linear_leaves_of(tree)
        if linear is not None:
            coef = np.zeros((*linear.leaf_coef.shape[:2], len(self.feature)))
            center = np.zeros((tree.n_nodes, len(self.feature)))
            coef[:, :, self.column] = linear.leaf_coef * self.scale
            own = (linear.leaf_center - self.shift) / self.scale
            filled = self._filled(np.arange(own.shape[1]), own)
            center[:, self.column] = filled
            # The function is the same, counted from another center.
            moved_by = np.einsum("nqj,nj->nq", linear.leaf_coef * self.scale, filled - own)
            at_center = "leaf_value" if "leaf_value" in arrays else "value"
            arrays[at_center] = arrays[at_center] + moved_by
            arrays.update(leaf_coef=coef, leaf_center=center)
        return type(tree)(n_features=self.n_features, **arrays)
