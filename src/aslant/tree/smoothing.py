"""Class probabilities from the counts in a tree.

The frequencies of a leaf are extreme where it is small: one row of one row is no certainty. So a
leaf's counts are mixed with m rows of a prior opinion::

    p(k) = (n(k) + m * prior(k)) / (n + m)

With m = 0 these are the frequencies; with m = number of classes and a uniform prior they are
Laplace's (n(k) + 1) / (n + K). The prior may also be the frequencies of all training rows (root),
or the probabilities of the node above (parent), which have been smoothed in turn.

Rows of whole weight count as so many rows; other weights are first brought to the number of rows,
so that their unit does not matter.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aslant.tree.monotone import ordered_probabilities
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_number

Array = npt.NDArray[np.float64]

LAPLACE = "laplace"
PRIORS = ("uniform", "root", "parent")
# More rows than any table has; infinitely many would give no probabilities.
_MOST_ROWS = 1e15


def check_smoothing(smoothing: float | str, prior: str) -> None:
    """Validate the parameters."""
    if isinstance(smoothing, str):
        if smoothing != LAPLACE:
            raise ValueError(
                f"smoothing must be a number of rows, 0 or more, or {LAPLACE!r}, got {smoothing!r}."
            )
    else:
        check_number("smoothing", smoothing, 0.0, _MOST_ROWS)
    check_choice("smoothing_prior", prior, PRIORS)


def prior_rows(smoothing: float | str, n_classes: int) -> float:
    """Return m, the rows that the prior counts as."""
    return float(n_classes if isinstance(smoothing, str) else smoothing)


def mixed(counts: Array, prior: Array | float, m: float) -> Array:
    """Return the probabilities of classes with these counts, mixed with m rows of the prior."""
    total = counts.sum(axis=-1, keepdims=True)
    return np.asarray((counts + m * prior) / (total + m))


def laplace(counts: Array) -> Array:
    """Return (n_k + 1) / (n + K)."""
    n_classes = counts.shape[-1]
    return mixed(counts, 1.0 / n_classes, float(n_classes))


def node_probabilities(tree: Tree, smoothing: float | str = 4.0, prior: str = "uniform") -> Array:
    """Return the class probabilities of every node, shape (n_nodes, n_classes).

    Those of leaves keep the monotonic constraints of the tree: smoothing alone may exchange the
    order of a small and a large leaf.
    """
    check_smoothing(smoothing, prior)
    return ordered_probabilities(tree, _mixed_probabilities(tree, smoothing, prior))


def _mixed_probabilities(tree: Tree, smoothing: float | str, prior: str) -> Array:
    m = prior_rows(smoothing, tree.n_classes)
    if m == 0.0:
        return np.asarray(tree.value / tree.value.sum(axis=1, keepdims=True))
    counts = _cases(tree)
    uniform = np.full(tree.n_classes, 1.0 / tree.n_classes)
    if prior == "uniform":
        return mixed(counts, uniform, m)
    if prior == "root":
        return mixed(counts, counts[0] / counts[0].sum(), m)
    found = np.empty_like(counts)
    for node, above in enumerate(tree.parent.tolist()):  # a parent comes before its children
        found[node] = mixed(counts[node], uniform if above < 0 else found[above], m)
    return found


def _cases(tree: Tree) -> Array:
    """Return the class counts in rows: as they are if whole, else scaled to the number of rows."""
    if (tree.value == np.floor(tree.value)).all():
        return tree.value
    return np.asarray(tree.value * (tree.n_node_samples[0] / tree.value[0].sum()))
