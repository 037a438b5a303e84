"""A single linear leaf: penalized multinomial logistic regression as a tree without a test.

The likelihood, the penalties and the optimizer are those of the joint fit
(`aslant.refine.joint`); the mathematics of the leaf is in ``src/core/refine/logit_leaves.cpp``. As
there, an L1 penalty falls with the root of the coefficient in the fit without it (adaptive lasso,
H. Zou, JASA 101, 2006), and what is left is fitted once more without it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.refine.harden import rounded
from aslant.refine.soft import SoftModel
from aslant.tree.linear_function import columns_of, deviations
from aslant.tree.logit_tree import LogitTree

Vector = npt.NDArray[np.float64]
Progress = Callable[[], None] | None

# Most steps of a fit, of one with an L1 penalty, and of the coefficients that are left.
_STEPS, _SPARSE_STEPS, _REFIT_STEPS = 60, 36, 20
# Rounding may move the logits of the training rows by so much, as a root mean square.
_ROUNDING = 0.02
# Logits beyond this are certainty anyway.
_LARGEST_LOGIT = 700.0


class LogitModel(SoftModel):
    """The likelihood of a sample under one linear leaf; its tree has no test.

    Its parameters are w and b of the logit of every class, or of the log-odds of the second of two
    classes.
    """

    _linear_leaves: ClassVar[bool] = True

    def _fills(self) -> Vector:
        """Return NaN: missing values are the means of the training rows."""
        return np.full((self._n_logits, self.tree.n_columns), np.nan)

    @property
    def _n_logits(self) -> int:
        return 1 if self.tree.n_classes == 2 else self.tree.n_classes

    def _start_of_leaves(self) -> Vector:
        """Return no slopes, and the logits of the smoothed class frequencies."""
        planes = np.zeros((self._n_logits, self.n_columns + 1))
        n_classes = self.tree.n_classes
        logits = np.log(self.tree.value[0] + 1.0 / n_classes)
        planes[:, -1] = logits[1] - logits[0] if n_classes == 2 else logits - logits.mean()
        return planes.ravel()

    def _upper(self) -> npt.NDArray[np.int32]:
        """Return nothing: there is no test."""
        return np.zeros(0, dtype=np.int32)

    @cached_property
    def _signs(self) -> npt.NDArray[np.int32]:
        """The sign that each slope of the log-odds must have."""
        signs = super()._signs
        if len(signs):
            self.weights(signs)[...] = self.tree.column_sign
        return signs

    def _l2(self, l2: float) -> float:
        """Return the L2 penalty of the parameters.

        That of two classes penalizes both logits, each half of the log-odds with either sign.
        """
        return 0.5 * l2 if self.tree.n_classes == 2 else l2

    def dense(self, l2: float, progress: Progress = None) -> Vector:
        """Return the parameters of the fit without an L1 penalty."""
        return self.minimise(self.start(), l2=self._l2(l2), max_iter=_STEPS, progress=progress)

    def path(
        self,
        dense: Vector,
        l2: float,
        l1_penalties: Sequence[float],
        wanted: Container[float],
        progress: Progress = None,
    ) -> Iterator[tuple[float, Vector]]:
        """Yield the wanted fits under an L1 penalty, each from the one before."""
        relative, sparse = self.relative_penalties(dense), dense
        for l1 in l1_penalties:
            sparse = self.minimise(
                sparse,
                l2=self._l2(l2),
                l1=l1,
                relative=relative,
                max_iter=_SPARSE_STEPS,
                progress=progress,
            )
            if l1 in wanted:
                yield (
                    l1,
                    self.minimise(
                        sparse,
                        l2=self._l2(l2),
                        fixed=self.without(self.weights(sparse) == 0.0),
                        max_iter=_REFIT_STEPS,
                        progress=progress,
                    ),
                )

    def limited(
        self, fitted: Vector, l2: float, most_features: int | None, progress: Progress = None
    ) -> Vector:
        """Keep the features of largest weight, if there is a limit, and fit again."""
        if most_features is None:
            return fitted
        feature = self.tree.column_feature
        with np.errstate(over="ignore"):  # what is infinite is the largest, too
            squares = (self.weights(fitted) ** 2).sum(axis=0)
        size = np.bincount(feature, squares, self.tree.n_features)
        kept = np.argsort(-size, kind="stable")[:most_features]
        removed = self.weights(fitted) == 0.0
        removed[:, ~np.isin(feature, kept)] = True
        start = fitted.copy()
        self.weights(start)[removed] = 0.0
        return self.minimise(
            start,
            l2=self._l2(l2),
            fixed=self.without(removed),
            max_iter=_REFIT_STEPS,
            progress=progress,
        )

    def n_coefficients(self, parameters: Vector) -> int:
        """Return the number of coefficients that are not zero."""
        return int(np.count_nonzero(self.weights(parameters)))

    def logits(self, parameters: Vector, Z: Vector) -> Vector:
        """Return the logits of rows on the scale of the model, shape (n_rows, n_classes)."""
        v, c = self._planes_on_scale(parameters)
        found = np.where(np.isnan(Z), 0.0, Z) @ v.T + c
        return np.column_stack([np.zeros(len(Z)), found]) if len(c) == 1 else found

    def _planes_on_scale(self, parameters: Vector) -> tuple[Vector, Vector]:
        planes = parameters.reshape(self._n_logits, self.n_columns + 1)
        v = planes[:, :-1] / self._core.scale
        return v, planes[:, -1] - (v * self._core.mean).sum(axis=1)

    def logit_tree(self, parameters: Vector, sample: Sample, exponent: float = 1.0) -> LogitTree:
        """Return the tree of some parameters, counted on a sample, its coefficients rounded.

        Parameters
        ----------
        parameters : ndarray
            What was fitted.
        sample : Sample
            The rows to count; the logits stay within their range.
        exponent : float, default=1.0
            Probabilities are raised to this exponent and normalized.
        """
        v, c = self._planes_on_scale(parameters * exponent)
        columns = self.columns
        with np.errstate(over="ignore", under="ignore"):
            coef = v / columns.deviation / columns.unit
        coef[~np.isfinite(coef)] = 0.0
        center = columns.fills_to_input(np.zeros(self.n_columns))
        coef, value = _short(coef, c, center, deviations(columns_of(self.tree, sample.X), center))
        if len(value) == 1:
            coef = np.concatenate([np.zeros_like(coef), coef])
            value = np.concatenate([[0.0], value])
        counts = np.bincount(sample.y, sample.weight, minlength=self.tree.n_classes)
        arrays = self.tree.arrays() | {
            "value": counts[np.newaxis],
            "n_node_samples": np.array([len(sample)]),
            "leaf_value": value[np.newaxis],
            "leaf_coef": coef[np.newaxis],
            "leaf_center": center[np.newaxis],
            "leaf_low": np.full((1, len(value)), -_LARGEST_LOGIT),
            "leaf_high": np.full((1, len(value)), _LARGEST_LOGIT),
        }
        tree = LogitTree(n_features=self.tree.n_features, **arrays)
        logits = tree.logits(sample.X)
        arrays["leaf_low"] = logits.min(axis=0)[np.newaxis]
        arrays["leaf_high"] = logits.max(axis=0)[np.newaxis]
        return LogitTree(n_features=self.tree.n_features, **arrays)


def _short(coef: Vector, value: Vector, center: Vector, distance: Vector) -> tuple[Vector, Vector]:
    """Return coefficients and values at the center with few digits.

    As many as keep the logits where they are, but for `_ROUNDING`; the constants of the formulas,
    ``value - coef @ center``, get few digits too.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        logits = distance @ coef.T
        for digits in range(2, 17):
            short = rounded(coef.ravel(), digits).reshape(coef.shape)
            moved = distance @ short.T - logits
            constant = np.round(value - moved.mean(axis=0) - short @ center, digits)
            at_center = constant + short @ center
            off = moved + (at_center - value)
            if np.sqrt((off**2).mean(axis=0)).max() <= _ROUNDING:
                return short, at_center
    return coef, value
