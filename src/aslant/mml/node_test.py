"""What the message says about the test of one node.

A test is described by the rows it divides, not by its coefficients: columns that do not vary there
are left out, and whatever tells the rows apart alike costs the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aslant.mml.code import (
    MessageCode,
    attribute_bits,
    choice_bits,
    direction_bits,
    grouping_bits,
    level_bits,
    machine_bits,
    outcome_bits,
    position_bits,
)
from aslant.tree.split import HyperplaneSplit, Split
from aslant.tree.tree import Tree

Matrix = npt.NDArray[np.float64]

# Values beyond this are divided by a power of two; tests do not depend on the unit.
_LARGE, _POWER_OF_LARGE = 1e300, 40


@dataclass(frozen=True)
class CodedTest:
    """The bits of one test."""

    attributes: float
    direction: float
    position: float


class NodeTestCoder:
    """Codes the tests of a tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    X : ndarray of shape (n_rows, n_features)
        Encoded rows.
    code : MessageCode
        Which code is used for what.
    """

    def __init__(self, tree: Tree, X: npt.NDArray[np.floating], code: MessageCode) -> None:
        self.tree = tree
        self.X = X
        self.code = code
        self.is_category = np.zeros(tree.n_features, dtype=bool)
        self.is_category[tree.column_feature[tree.column_level >= 0]] = True
        # Where some tests are linear machines, every test says which of three kinds it is.
        has_machines = bool((np.diff(tree.row_start) > 1).any())
        self.kind = choice_bits(3) if has_machines else 0.0

    def n_varying(self, rows: npt.NDArray[np.intp]) -> int:
        """Count the features that vary among these rows."""
        return int(self._varies(self.X[rows]).sum())

    @staticmethod
    def _varies(values: npt.NDArray[np.floating]) -> npt.NDArray[np.bool_]:
        low, high = np.fmin.reduce(values), np.fmax.reduce(values)
        return np.asarray((low < high) & ~np.isnan(low))

    def bits(self, node: int, rows: npt.NDArray[np.intp], child: npt.NDArray[np.intp]) -> CodedTest:
        """Return the bits of a node's test, which sends these rows to these children."""
        split = self.tree.split(node)
        assert split is not None
        used = split.coef != 0.0 if isinstance(split, HyperplaneSplit) else split.weights.any(0)
        columns = np.flatnonzero(used)
        values = self._columns(columns, rows, split)
        varies = self._varies(values)
        columns, values, fixed = columns[varies], values[:, varies], values[0, ~varies]
        features = np.unique(self.tree.column_feature[columns])
        n_features = max(self.n_varying(rows), len(features))
        most = self.code.max_features_per_test
        if most is not None and len(features) > most:
            raise ValueError(
                f"max_features_per_test must be at least the {len(features)} features that a test "
                f"of this tree reads, got {most}."
            )
        fewest = min(self.code.min_features_per_test, n_features)
        if len(features) < fewest:
            raise ValueError(
                f"min_features_per_test must be at most the {len(features)} features that a test "
                f"of this tree reads, got {self.code.min_features_per_test}."
            )
        choice = self.kind + attribute_bits(
            n_features, len(features), most, fewest, self.code.attributes
        )
        if len(features) == 1 and self.is_category[features[0]]:
            codes = self.X[rows, features[0]]
            if isinstance(split, HyperplaneSplit):
                return CodedTest(choice + _grouping(codes, child), 0.0, 0.0)
            if _is_branch_per_level(codes, child):
                missing = choice_bits(child.max() + 1) if np.isnan(codes).any() else 0.0
                return CodedTest(choice + missing, 0.0, 0.0)
        choice += self._level_choice(columns, rows)
        # Differences of the largest values would leave the range.
        power = -_POWER_OF_LARGE if np.abs(values).max(initial=0.0) > _LARGE else 0
        values, fixed = np.ldexp(values, power), np.ldexp(fixed, power)
        low, spread = values.min(axis=0), np.ptp(values, axis=0)
        if isinstance(split, HyperplaneSplit):
            w = _near_one(_near_one(split.coef[columns]) * spread)
            return self._hyperplane(choice, columns, (values - low) / spread, w, rows, child)
        weights = split.weights[:, columns] * spread
        bias = np.ldexp(split.bias, power) + split.weights[:, columns] @ low
        bias = bias + split.weights[:, np.flatnonzero(used)[~varies]] @ fixed
        outcomes = len(bias)
        lead = _least_lead((values - low) / spread, weights, bias)
        return CodedTest(
            choice + outcome_bits(outcomes),
            machine_bits(self.code.direction, outcomes, len(columns), lead),
            0.0,
        )

    def _columns(
        self, columns: npt.NDArray[np.intp], rows: npt.NDArray[np.intp], split: Split
    ) -> Matrix:
        """Return what the test reads: indicators for levels, fills for missing values."""
        values = self.X[np.ix_(rows, self.tree.column_feature[columns])].astype(np.float64)
        level = self.tree.column_level[columns]
        missing = np.isnan(values)
        values = np.where(level >= 0, values == level, values)
        assert split.fill is not None
        return np.where(missing, split.fill[columns], values)

    def _level_choice(self, columns: npt.NDArray[np.intp], rows: npt.NDArray[np.intp]) -> float:
        """Bits for the levels through which categories are read."""
        bits = 0.0
        features = self.tree.column_feature[columns]
        for feature in np.unique(features[self.tree.column_level[columns] >= 0]):
            codes = self.X[rows, feature]
            n_levels = len(np.unique(codes[~np.isnan(codes)]))
            used = int(np.sum(features == feature))
            bits += level_bits(n_levels, min(used, n_levels - 1))
        return bits

    def _hyperplane(
        self,
        choice: float,
        columns: npt.NDArray[np.intp],
        cube: Matrix,
        w: Matrix,
        rows: npt.NDArray[np.intp],
        child: npt.NDArray[np.intp],
    ) -> CodedTest:
        projection = cube @ w
        cube, w = self._without_redundant_levels(columns, cube, w, rows)
        margin = projection[child == 1].min() - projection[child == 0].max()
        n_points = len(np.unique(cube, axis=0))
        d = len(w)
        if self.code.direction == "paper_all" and d > 1:
            d = max(d, self.n_varying(rows))
        return CodedTest(
            choice,
            direction_bits(self.code.direction, d, margin / float(np.linalg.norm(w))),
            position_bits(self.code.position, n_points),
        )

    def _without_redundant_levels(
        self, columns: npt.NDArray[np.intp], cube: Matrix, w: Matrix, rows: npt.NDArray[np.intp]
    ) -> tuple[Matrix, Matrix]:
        """Drop one column of every category that is read through all its levels.

        The indicators sum to 1, so its coefficient can be taken off the others and the threshold.
        """
        kept = np.ones(len(columns), dtype=bool)
        w = w.copy()
        features = self.tree.column_feature[columns]
        for feature in np.unique(features[self.tree.column_level[columns] >= 0]):
            codes = self.X[rows, feature]
            own = np.flatnonzero(features == feature)
            if len(own) == len(np.unique(codes[~np.isnan(codes)])):
                w[own] -= w[own[-1]]
                kept[own[-1]] = False
        return cube[:, kept], w[kept]


def _grouping(codes: npt.NDArray[np.floating], child: npt.NDArray[np.intp]) -> float:
    """Bits for which levels go where; one more says where the rows without a level go."""
    known = ~np.isnan(codes)
    levels = [np.unique(codes[known & (child == side)]) for side in (0, 1)]
    n_levels = len(levels[0]) + len(levels[1])
    smaller = min(len(levels[0]), len(levels[1]))
    return grouping_bits(n_levels, smaller) + (0.0 if known.all() else 1.0)


def _is_branch_per_level(codes: npt.NDArray[np.floating], child: npt.NDArray[np.intp]) -> bool:
    known = ~np.isnan(codes)
    pairs = np.unique(np.column_stack([codes[known], child[known]]), axis=0)
    n_levels, n_children = (len(np.unique(pairs[:, side])) for side in (0, 1))
    return n_levels == n_children == len(pairs) == child.max() + 1


def _least_lead(cube: Matrix, weights: Matrix, bias: Matrix) -> float:
    """Least lead of the winner over another outcome, for centred weights of total length 1."""
    whole = np.column_stack([weights, bias])
    whole = whole - whole.mean(axis=0)
    scores = cube @ whole[:, :-1].T + whole[:, -1]
    scores.sort(axis=1)
    length = float(np.linalg.norm(whole))
    return float((scores[:, -1] - scores[:, -2]).min()) / length if length > 0.0 else 0.0


def _near_one(vector: Matrix) -> Matrix:
    """Return a multiple of a vector, by a power of two, whose largest number is near 1."""
    return np.ldexp(vector, -np.frexp(np.abs(vector).max(initial=0.0))[1])
