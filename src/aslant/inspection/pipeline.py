"""A fitted pipeline as one tree: coefficients brought back through scalers to the units of X.

A scaler maps a feature x to a * x + b. The test ``w . (a * x + b) <= t`` is the same as
``(w * a) . x <= t - w . b``, so the tree at the end of a pipeline can be written in the units that
went into it, and needs the scaler no more. Steps that do something else to the features are refused
by name.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    RobustScaler,
    StandardScaler,
)

from aslant.encoding import Column, FeatureEncoder
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Affine:
    """What became of the input: feature j is now ``scale[j] * x[source[j]] + shift[j]``."""

    source: npt.NDArray[np.intp]
    scale: Array
    shift: Array

    @classmethod
    def identity(cls, n_features: int) -> Affine:
        """Return the map that changes nothing."""
        return cls(np.arange(n_features), np.ones(n_features), np.zeros(n_features))

    def then(self, other: Affine) -> Affine:
        """Return this map followed by another one."""
        scale, shift = self.scale[other.source], self.shift[other.source]
        return Affine(
            self.source[other.source], other.scale * scale, other.scale * shift + other.shift
        )


def tree_in_input_units(clf: Pipeline, caller: str) -> Any:
    """Return the tree of a fitted pipeline in the units of its input.

    Raises
    ------
    TypeError
        If a step is no scaler, or the last one is no tree of this package.
    """
    final = clf.steps[-1][1]
    if not isinstance(getattr(final, "encoder_", None), FeatureEncoder):
        raise TypeError(
            f"{caller} needs a pipeline that ends in a fitted tree of aslant, got "
            f"{type(final).__name__} at its end."
        )
    steps = [step for _, step in clf.steps[:-1] if step is not None and step != "passthrough"]
    n_inputs = int(getattr(steps[0] if steps else final, "n_features_in_", final.n_features_in_))
    affine = Affine.identity(n_inputs)
    for step in steps:
        affine = affine.then(_affine_of(step, len(affine.source), caller))
    if len(np.unique(affine.source)) < len(affine.source):
        raise TypeError(
            f"{caller} cannot bring a pipeline back to the units of its input in which a feature "
            "appears twice."
        )
    names = getattr(steps[0], "feature_names_in_", None) if steps else None
    if names is None:
        names = getattr(clf, "feature_names_in_", None) if steps else final.encoder_.input_names
    return _in_input_units(final, affine, n_inputs, names)


# ---------------------------------------------------------------------- steps


def _affine_of(step: Any, n_features: int, caller: str) -> Affine:
    everything = np.arange(n_features)
    passes = isinstance(step, FunctionTransformer) and step.func is None
    if passes or (isinstance(step, str) and step == "passthrough"):
        return Affine.identity(n_features)
    if isinstance(step, ColumnTransformer):
        return _affine_of_columns(step, caller)
    scale, shift = np.ones(n_features), np.zeros(n_features)
    if isinstance(step, MinMaxScaler):
        if step.clip:
            raise _refused(step, caller)
        return Affine(everything, step.scale_, step.min_)
    if isinstance(step, StandardScaler):
        centre, width = step.mean_ if step.with_mean else None, step.scale_
    elif isinstance(step, RobustScaler):
        centre, width = step.center_, step.scale_
    elif isinstance(step, MaxAbsScaler):
        if getattr(step, "clip", False):
            raise _refused(step, caller)
        centre, width = None, step.scale_
    else:
        raise _refused(step, caller)
    if width is not None:
        scale = 1.0 / np.asarray(width, dtype=np.float64)
    if centre is not None:
        shift = -np.asarray(centre, dtype=np.float64) * scale
    return Affine(everything, scale, shift)


def _affine_of_columns(step: ColumnTransformer, caller: str) -> Affine:
    """Return the map of a ColumnTransformer that scales some columns and passes or drops others."""
    names = list(getattr(step, "feature_names_in_", []))
    parts = []
    for _, inner, columns in step.transformers_:
        if isinstance(inner, str) and inner == "drop":
            continue
        chosen = _numbers_of(columns, names, step.n_features_in_)
        own = _affine_of(inner, len(chosen), caller)
        parts.append(replace(own, source=chosen[own.source]))
    return Affine(
        np.concatenate([part.source for part in parts]),
        np.concatenate([part.scale for part in parts]),
        np.concatenate([part.shift for part in parts]),
    )


def _numbers_of(columns: Any, names: list[str], n_features: int) -> npt.NDArray[np.intp]:
    """Return the numbers of columns given by number, name, mask or slice."""
    if isinstance(columns, slice):
        return np.arange(n_features)[columns]
    chosen = np.atleast_1d(np.asarray(columns))
    if chosen.dtype.kind == "b":
        return np.flatnonzero(chosen)
    if chosen.dtype.kind in "OU":
        return np.array([names.index(name) for name in chosen.tolist()], dtype=np.intp)
    return np.arange(n_features)[chosen]


def _refused(step: Any, caller: str) -> TypeError:
    return TypeError(
        f"{caller} brings a pipeline back to the units of its input through StandardScaler, "
        f"MinMaxScaler, MaxAbsScaler, RobustScaler and a ColumnTransformer of these, got "
        f"{type(step).__name__}; give it the last step, which reads what {type(step).__name__} "
        "makes of the features."
    )


# ---------------------------------------------------------------------- the tree


def _in_input_units(final: Any, affine: Affine, n_inputs: int, names: Any) -> Any:
    """Return a copy of the tree estimator that reads the input of the pipeline."""
    made = copy.copy(final)
    made.encoder_ = _input_encoder(final.encoder_, affine, n_inputs, names)
    made.n_features_in_ = n_inputs
    made.__dict__.pop("feature_names_in_", None)
    made.__dict__.pop("column_spread_", None)  # in the units of the scaled columns
    if names is not None:
        made.feature_names_in_ = np.array([str(name) for name in names], dtype=object)
    if hasattr(final, "tree_"):
        made.tree_ = _input_tree(final.tree_, final.encoder_, made.encoder_, affine)
        if getattr(final, "gates_", None) is not None:
            made.gates_ = replace(final.gates_, tree=made.tree_)
    if hasattr(final, "feature_importances_"):
        made.feature_importances_ = np.zeros(n_inputs)
        made.feature_importances_[affine.source] = final.feature_importances_
    if hasattr(final, "estimators_"):
        made.estimators_ = [
            _in_input_units(member, affine, n_inputs, names) for member in final.estimators_
        ]
    return made


def _input_encoder(
    encoder: FeatureEncoder, affine: Affine, n_inputs: int, names: Any
) -> FeatureEncoder:
    columns = [
        Column(f"x{j}" if names is None else str(names[j]), "number") for j in range(n_inputs)
    ]
    for place, column in zip(affine.source, encoder.columns_, strict=True):
        columns[place] = replace(column, name=columns[place].name)
    derived = [replace(one, source=int(affine.source[one.source])) for one in encoder.derived]
    learned = {int(affine.source[j]): table for j, table in encoder.target_encodings.items()}
    return FeatureEncoder(columns, derived, encoder.class_names, learned)


def _input_tree(tree: Tree, old: FeatureEncoder, new: FeatureEncoder, affine: Affine) -> Tree:
    """Return the tree with its tests in the units of the input."""
    n_old, n_new = len(old.columns_), len(new.columns_)
    feature, level = new.columns()
    place = {key: number for number, key in enumerate(zip(feature, level, strict=True))}
    column_of = [
        place[int(affine.source[j]) if j < n_old else n_new + int(j) - n_old, k]
        for j, k in zip(tree.column_feature, tree.column_level, strict=True)
    ]
    scale, shift = np.ones(tree.n_columns), np.zeros(tree.n_columns)
    for column, (j, k) in enumerate(zip(tree.column_feature, tree.column_level, strict=True)):
        if j < n_old and k < 0 and old.columns_[j].encoding == "number":
            scale[column], shift[column] = affine.scale[j], affine.shift[j]
    a, b = scale[tree.coef_column], shift[tree.coef_column]
    row = np.repeat(np.arange(len(tree.offset)), np.diff(tree.coef_start))
    moved = np.bincount(row, tree.coef_value * b, len(tree.offset))
    # The constant of a hyperplane is on the other side of its test than that of a machine.
    of_plane = np.repeat(np.diff(tree.row_start) == 1, np.diff(tree.row_start))
    arrays = tree.arrays()
    order, columns = _sorted_rows(row, np.array(column_of, dtype=np.int32)[tree.coef_column])
    arrays.update(
        coef_column=columns,
        coef_value=(tree.coef_value * a)[order],
        coef_fill=((tree.coef_fill - b) / a)[order],
        offset=np.where(of_plane, tree.offset - moved, tree.offset + moved),
        column_feature=feature,
        column_level=level,
    )
    if isinstance(tree, RegressionTree) and tree.is_linear:
        coef = np.zeros((*tree.leaf_coef.shape[:2], len(feature)))
        center = np.zeros((tree.n_nodes, len(feature)))
        coef[:, :, column_of] = tree.leaf_coef * scale
        center[:, column_of] = (tree.leaf_center - shift) / scale
        arrays.update(leaf_coef=coef, leaf_center=center)
    return type(tree)(n_features=n_new + len(new.derived), **arrays)


def _sorted_rows(
    row: npt.NDArray[np.intp], columns: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int32]]:
    """Return the order in which columns grow within every coefficient row, and the columns so."""
    order = np.lexsort((columns, row))
    return order, columns[order]
