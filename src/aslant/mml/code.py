"""The parts of the message, in bits, one formula each.

The receiver knows the features of all rows and learns their classes. The message states the tree,
from the root down, and then the classes of the rows in each leaf. Every part is the length of a
code that can be decoded: over all possible messages, the sum of 2^-length is at most
1 (Kraft), with the three exceptions named below.

C. S. Wallace and J. D. Patrick, *Coding Decision Trees*, Machine Learning 11:7-22, 1993, for the
structure and the leaves; P. J. Tan and D. L. Dowe, *MML Inference of Oblique Decision Trees*, 2004,
for the directions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, gammaln

from aslant.utils.checks import check_choice, check_number

#: Prior counts among which ``alpha="tree"`` chooses.
ALPHAS = (1.0, 0.7, 0.5, 0.3, 0.2, 0.1)
_LN2 = math.log(2.0)
# A margin below the precision of the numbers is stated as that.
_LEAST_MARGIN = 2.0**-52


@dataclass(frozen=True)
class MessageCode:
    """Which code is used for what.

    Attributes
    ----------
    alpha : float or "tree"
        Prior count of every class in a leaf; ``"tree"`` chooses the best of `ALPHAS` for the whole
        tree, which costs log2(6) bits.
    direction : {"cap", "paper", "paper_all"}
        See `direction_bits`.
    position : {"gap", "pair", "none"}
        See `position_bits`.
    max_features_per_test : int or None
        Most features a test may read, which sender and receiver have agreed on; None: all.
    min_features_per_test : int
        The fewest a test may read, unless fewer vary at its node.
    attributes : {"subset", "none"}
        See `attribute_bits`.
    """

    alpha: float | Literal["tree"] = 1.0
    direction: Literal["cap", "paper", "paper_all"] = "cap"
    position: Literal["gap", "pair", "none"] = "gap"
    max_features_per_test: int | None = None
    min_features_per_test: int = 1
    attributes: Literal["subset", "none"] = "subset"

    def check(self) -> None:
        """Validate the parameters."""
        check_alpha(self.alpha)
        check_choice("direction", self.direction, ("cap", "paper", "paper_all"))
        check_choice("position", self.position, ("gap", "pair", "none"))
        if self.max_features_per_test is not None:
            check_number("max_features_per_test", self.max_features_per_test, 1, integer=True)
        check_number("min_features_per_test", self.min_features_per_test, 1, integer=True)
        most = self.max_features_per_test
        if most is not None and self.min_features_per_test > most:
            raise ValueError(
                f"min_features_per_test must be at most max_features_per_test={most}, got "
                f"{self.min_features_per_test}."
            )
        check_choice("attributes", self.attributes, ("subset", "none"))

    def alphas(self) -> tuple[float, ...]:
        """Return the prior counts to choose from."""
        return ALPHAS if self.alpha == "tree" else (float(self.alpha),)


def check_alpha(alpha: float | str) -> None:
    """Validate that alpha is a prior count or "tree"."""
    if isinstance(alpha, str):
        if alpha != "tree":
            raise ValueError(f"alpha must be a number or 'tree', got {alpha!r}.")
    else:
        check_number("alpha", alpha, 1e-6, 1e6)


def choice_bits(n: float) -> float:
    """One of n equally likely things: log2 n."""
    return math.log2(n) if n > 1 else 0.0


def subset_bits(n: int, k: int) -> float:
    """Which k of n things: log2 C(n, k)."""
    return float(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)) / _LN2


# ---------------------------------------------------------------------- structure


def root_bits(is_leaf: bool, n_features: int) -> float:
    """Whether the root is a leaf, which it is with probability 1/n_features.

    log2 n for a leaf, -log2(1 - 1/n) otherwise; with fewer than two features one bit.
    """
    if n_features < 2:
        return 1.0
    return math.log2(n_features) if is_leaf else -math.log2(1.0 - 1.0 / n_features)


def node_bits(is_leaf: bool, n_siblings: int) -> float:
    """Whether a node below the root is a leaf.

    A child of a test with k outcomes is itself tested with probability 1/k: -log2(1 - 1/k) for a
    leaf, log2 k otherwise. In a binary tree that is one bit a node.
    """
    return -math.log2(1.0 - 1.0 / n_siblings) if is_leaf else math.log2(n_siblings)


# ---------------------------------------------------------------------- attributes


def attribute_bits(
    n_features: int, used: int, most: int | None, fewest: int = 1, code: str = "subset"
) -> float:
    """Which features a test reads: how many, from `fewest` to `most`, and which of those that vary.

    ``"subset"``: log2(min(most, n) - min(fewest, n) + 1) + log2 C(n, used). ``"none"``: nothing,
    which cannot be decoded.
    """
    if code == "none":
        return 0.0
    sizes = min(most or n_features, n_features) - min(fewest, n_features) + 1
    return choice_bits(sizes) + subset_bits(n_features, used)


def grouping_bits(n_levels: int, smaller: int) -> float:
    """How a test of one category groups the levels that occur: the size s of the smaller group.

    log2 floor(L/2) + log2 C(L, s), less one bit if s = L/2, where either half names the grouping.
    """
    mirrored = 1.0 if 2 * smaller == n_levels else 0.0
    return choice_bits(n_levels // 2) + subset_bits(n_levels, smaller) - mirrored


def level_bits(n_levels: int, used: int) -> float:
    """Through which levels a linear test reads a category: how many, below all L, and which.

    log2(L - 1) + log2 C(L, used); nothing for two levels, whose indicators mirror each other.
    """
    return 0.0 if n_levels <= 2 else choice_bits(n_levels - 1) + subset_bits(n_levels, used)


# ---------------------------------------------------------------------- direction and position


def direction_bits(code: str, d: int, margin: float) -> float:
    """Which direction the cut has, among all of d coordinates.

    The points lie in the unit cube and the nearest on either side of the cut are `margin` apart.
    Then every direction within the angle theta of this one, tan theta = margin / sqrt(d), divides
    the points alike if as many of them are put on one side, so only the cap of those directions
    need be stated. ``"cap"``: its share of the sphere,

        -log2( I_x((d - 1)/2, 1/2) / 2 ),   x = sin^2 theta = margin^2 / (margin^2 + d),

    with I the regularised incomplete beta function. Caps of different divisions into the same
    numbers of points cannot overlap, so the shares add up to at most 1. ``"paper"``: the formula of
    Tan and Dowe,

        -log2 (sin theta)^(2 (d - 1)) = (d - 1) log2(1 + d / margin^2),

    which is the share of a ball in complex projective space. It charges more than the cap for
    narrow margins and less for wide ones, where Kraft's sum can exceed 1. ``"paper_all"``: the same
    formula, where the caller gives as d the number of all features that vary, which is how the
    paper defines it.
    """
    if d < 2:
        return 0.0
    ratio = max(margin, _LEAST_MARGIN) ** 2 / d
    return _angle_bits(code, d, ratio / (1.0 + ratio))


def machine_bits(code: str, n_outcomes: int, d: int, margin: float) -> float:
    """Which weights a linear machine has, biases included: one direction.

    Its k vectors of d + 1 numbers, less their mean, are a direction of D = (k - 1)(d + 1)
    coordinates. `margin` is the least lead of a winning outcome over another, for vectors of total
    length 1. A row enters these leads as a vector of length at most sqrt(2 (d + 1)), so every
    direction within the angle theta, sin theta = margin / sqrt(2 (d + 1)), divides the rows alike;
    it is charged as in `direction_bits`.
    """
    sine = max(margin, _LEAST_MARGIN) / math.sqrt(2.0 * (d + 1))
    return _angle_bits(code, (n_outcomes - 1) * (d + 1), min(sine * sine, 1.0))


def _angle_bits(code: str, d: int, sine_squared: float) -> float:
    if code != "cap":
        return -(d - 1) * math.log2(sine_squared)
    return cap_bits(d, sine_squared)


def cap_bits(d: int, sine_squared: float) -> float:
    """Return -log2 of the share of the sphere in d dimensions within an angle of a point."""
    a, x = 0.5 * (d - 1), sine_squared
    if x > 0.5:
        return -math.log2(0.5 * float(betainc(a, 0.5, x)))
    # The series of the incomplete beta function, in logarithms: tiny shares must not underflow.
    term, total, k = 1.0, 1.0, 0
    while term > 1e-17 * total:
        term *= x * (a + 0.5 + k) / (a + 1.0 + k)
        total += term
        k += 1
    log_beta = math.lgamma(a) + math.lgamma(0.5) - math.lgamma(a + 0.5)
    log_share = a * math.log(x) + 0.5 * math.log1p(-x) - math.log(2.0 * a) - log_beta
    return -(log_share + math.log(total)) / _LN2


def outcome_bits(n_outcomes: int) -> float:
    """How many outcomes k >= 2 a linear machine has: log2(k (k - 1)); 1/(k (k - 1)) sum to 1."""
    return math.log2(n_outcomes * (n_outcomes - 1))


def position_bits(code: str, n_points: int) -> float:
    """Where along its direction the cut is, among n different points.

    ``"gap"``: one of the gaps between neighbors, log2(n - 1). ``"pair"``: the two points next to
    the cut, log2 C(n, 2). ``"none"``: nothing, which cannot be decoded.
    """
    if code == "gap":
        return choice_bits(n_points - 1)
    return choice_bits(n_points * (n_points - 1) / 2) if code == "pair" else 0.0


# ---------------------------------------------------------------------- leaves


def leaf_bits(class_weight: npt.ArrayLike, alpha: float) -> npt.NDArray[np.float64]:
    """Return the bits of the classes in leaves with these class weights, by the adaptive code.

    The next row is of class k with probability (n_k + alpha) / (n + K alpha), where n_k of the n
    rows before it are. Over all rows, in any order,

        log2 G(n + K alpha)/G(K alpha) - sum_k log2 G(n_k + alpha)/G(alpha),   G the gamma function,

    which also serves for weights that are not whole.
    """
    weight = np.asarray(class_weight, dtype=np.float64)
    k = weight.shape[-1]
    nats = gammaln(weight.sum(axis=-1) + k * alpha) - gammaln(k * alpha)
    nats = nats - (gammaln(weight + alpha) - gammaln(alpha)).sum(axis=-1)
    return np.asarray(nats / _LN2)
