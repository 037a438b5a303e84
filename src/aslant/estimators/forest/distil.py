"""A forest in one tree that can be read.

L. Breiman and N. Shang, *Born Again Trees*, 1996: a single tree is grown on what the forest says of
its training rows and of many more rows that were never seen, so that it copies the forest and not
the noise of the labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.estimators import ObliqueDecisionTreeClassifier
from aslant.estimators.ensemble import share_fit
from aslant.estimators.forest.grown import Encoded, GrownForest
from aslant.estimators.regressor import ObliqueDecisionTreeRegressor, exponent_of
from aslant.search import SplitSearch
from aslant.utils.checks import check_number

# A feature of a manufactured row comes from another row with this probability.
_EXCHANGED = 0.25
# A class with less than this probability is left out, which saves rows.
_LEAST_SHARE = 0.01
_LEAST_PROBABILITY = 1e-6  # of a loss
_EXTRA_ROWS = 4  # manufactured ones for each that is there

Floats = npt.NDArray[np.float64]


class FitsSample(Protocol):
    """What is asked of either kind of tree."""

    loss_: float

    def _fit_sample(self, sample: Sample, seed: int) -> Any: ...


TreeKind = TypeVar("TreeKind", bound=FitsSample)


def manufactured(X: Encoded, n_rows: int, rng: np.random.Generator) -> Encoded:
    """Return rows between the given ones: each takes some of its features from another row."""
    own, other = rng.integers(0, len(X), (2, n_rows))
    exchanged = rng.random((n_rows, X.shape[1])) < _EXCHANGED
    return np.ascontiguousarray(np.where(exchanged, X[other], X[own]))


def taught(
    forest: GrownForest, X: Encoded, extra_rows: int | None, seed: int
) -> tuple[Encoded, Floats]:
    """Return the training rows and manufactured ones, and what the forest says of them.

    Of a training row, only the trees are asked that have not drawn it.
    """
    n_extra = _EXTRA_ROWS * len(X) if extra_rows is None else extra_rows
    check_number("extra_rows", n_extra, 0, whole=True)
    said = forest._mean(X)
    if forest._n_samples_bootstrap and len(X) == forest.n_samples_fit_:
        unseen = forest._out_of_bag(X)
        said = np.where(np.isnan(unseen), said, unseen)
    if n_extra == 0:
        return X, said
    extra = manufactured(X, n_extra, np.random.default_rng(seed))
    return np.concatenate([X, extra]), np.concatenate([said, forest._mean(extra)])


def least_lossy(
    make: Callable[[str | SplitSearch, int], TreeKind],
    loss: Callable[[TreeKind], float],
    sample: Sample,
    searches: Sequence[str | SplitSearch],
    sizes: Sequence[int],
    seed: int,
) -> TreeKind:
    """Return the tree of least loss among those grown with each search and size."""
    for name, values in (("searches", searches), ("sizes", sizes)):
        if isinstance(values, str) or not len(values):
            raise ValueError(f"{name} must be a list of at least one, got {values!r}.")
    best: TreeKind | None = None
    for search in searches:
        for size in sizes:
            tree = make(search, size)
            tree._fit_sample(sample, seed)
            tree.loss_ = loss(tree)
            if best is None or tree.loss_ < best.loss_:
                best = tree
    assert best is not None
    return best


def _settings(forest: Any, size: int, seed: int) -> dict[str, Any]:
    return {
        "max_leaf_nodes": size,
        "categorical_features": forest.categorical_features,
        "missing": forest.missing,
        "random_state": seed,
        "n_jobs": forest.n_jobs,
    }


# ---------------------------------------------------------------------- classes


def soft_sample(X: Encoded, share: Floats) -> Sample:
    """Return every row once for each of its likely classes, weighted by the probability."""
    kept = np.where(share >= _LEAST_SHARE, share, 0.0)
    kept /= kept.sum(axis=1, keepdims=True)
    row, label = np.nonzero(kept)
    return Sample(X[row], label.astype(np.int32), kept[row, label], share.shape[1])


def distilled_classifier(
    forest: Any,
    X: Encoded,
    codes: npt.NDArray[Any],
    searches: Sequence[str | SplitSearch],
    sizes: Sequence[int],
    extra_rows: int | None,
    seed: int,
) -> ObliqueDecisionTreeClassifier:
    """Return the tree under which the classes have the least mean of -ln p."""

    def make(search: str | SplitSearch, size: int) -> ObliqueDecisionTreeClassifier:
        settings = _settings(forest, size, seed)
        tree = ObliqueDecisionTreeClassifier(search, criterion="entropy", **settings)
        share_fit(forest, tree)
        return tree

    def loss(tree: ObliqueDecisionTreeClassifier) -> float:
        share = tree._frequencies_at(X)[np.arange(len(codes)), codes]
        return -float(np.log(np.maximum(share, _LEAST_PROBABILITY)).mean())

    rows, said = taught(forest, X, extra_rows, seed)
    sample = soft_sample(rows, forest._calibrated(said))
    return least_lossy(make, loss, sample, searches, sizes, seed)


# ---------------------------------------------------------------------- numbers


def distilled_regressor(
    forest: Any,
    X: Encoded,
    y: Floats,
    searches: Sequence[str | SplitSearch],
    sizes: Sequence[int],
    extra_rows: int | None,
    seed: int,
) -> ObliqueDecisionTreeRegressor:
    """Return the tree of least mean squared error, the mean over rows and outputs."""
    exponent = exponent_of(y)
    true = np.ldexp(y.reshape(len(y), -1), -exponent)  # squares of such numbers are finite

    def make(search: str | SplitSearch, size: int) -> ObliqueDecisionTreeRegressor:
        tree = ObliqueDecisionTreeRegressor(search, **_settings(forest, size, seed))
        share_fit(forest, tree)
        tree.n_outputs_ = forest.n_outputs_
        return tree

    def loss(tree: ObliqueDecisionTreeRegressor) -> float:
        said = np.ldexp(tree._predictions_at(X).reshape(true.shape), -exponent)
        return float(np.mean((said - true) ** 2))

    rows, said = taught(forest, X, extra_rows, seed)
    targets = said[:, 0] if forest.n_outputs_ == 1 else said
    sample = Sample(rows, np.ascontiguousarray(targets), np.ones(len(rows)), 0)
    best = least_lossy(make, loss, sample, searches, sizes, seed)
    with np.errstate(over="ignore"):
        best.loss_ = float(np.ldexp(best.loss_, 2 * exponent))
    return best
