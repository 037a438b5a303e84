"""A forest in one tree that can be read.

L. Breiman and N. Shang, *Born Again Trees*, 1996: a single tree is grown on what the forest says of
its training rows and of many more rows that were never seen, so that it copies the forest and not
the noise of the labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from aslant.encoding import ENCODING_PARAMETERS
from aslant.encoding.sample import Columns, Matrix, Sample
from aslant.growth import Growth, StoppingRules, TreeSettings, build_tree
from aslant.search import SplitSearch
from aslant.search.base import chosen_search
from aslant.search.registry import REGRESSION_SEARCHES, SEARCHES
from aslant.search.residual_signs import for_regression
from aslant.tree.tree import Tree
from aslant.utils.checks import check_number

if TYPE_CHECKING:
    from aslant.estimators.forest.base import BaseForest

# A feature of a manufactured row comes from another row with this probability.
_EXCHANGED = 0.25
# A class with less than this probability is left out, which saves rows.
_LEAST_SHARE = 0.01
#: The least probability that a loss is computed from.
LEAST_PROBABILITY = 1e-6
_EXTRA_ROWS = 4  # manufactured ones for each that is there

Floats = npt.NDArray[np.float64]


def manufactured(
    X: Matrix, source: npt.NDArray[np.intp], n_rows: int, rng: np.random.Generator
) -> Matrix:
    """Return rows between the given ones: each takes some of its input columns from another row.

    `source` is the input column of each feature: what is derived from a column goes with it.
    """
    own, other = rng.integers(0, len(X), (2, n_rows))
    exchanged = rng.random((n_rows, source.max() + 1)) < _EXCHANGED
    return np.ascontiguousarray(np.where(exchanged[:, source], X[other], X[own]))


def taught(
    forest: BaseForest, X: Matrix, extra_rows: int | None, seed: int
) -> tuple[Matrix, Floats]:
    """Return the training rows and manufactured ones, and what the forest predicts for them.

    For a training row, only the trees predict that have not drawn it.
    """
    n_extra = _EXTRA_ROWS * len(X) if extra_rows is None else extra_rows
    check_number("extra_rows", n_extra, 0, integer=True)
    predicted = forest._mean(X)
    if forest._n_samples_bootstrap and len(X) == forest.n_samples_fit_:
        out_of_bag = forest._out_of_bag(X)
        predicted = np.where(np.isnan(out_of_bag), predicted, out_of_bag)
    if n_extra == 0:
        return X, predicted
    extra = manufactured(X, forest.encoder_.source, n_extra, np.random.default_rng(seed))
    return np.concatenate([X, extra]), np.concatenate([predicted, forest._mean(extra)])


def least_lossy(
    sample: Sample,
    loss: Callable[[Tree], float],
    searches: Sequence[str | SplitSearch],
    sizes: Sequence[int],
    forest: BaseForest,
    seed: int,
) -> tuple[Growth, dict[str, Any], float]:
    """Return the tree of least loss over all searches and sizes, its settings and its loss."""
    for name, values in (("searches", searches), ("sizes", sizes)):
        if isinstance(values, str) or not len(values):
            raise ValueError(f"{name} must be a list of at least one, got {values!r}.")
    classes = sample.n_classes > 0
    known, criterion = (SEARCHES, "entropy") if classes else (REGRESSION_SEARCHES, "squared_error")
    found = []
    for name in searches:
        search = chosen_search(name, known)
        for size in sizes:
            settings = TreeSettings(
                search=search if classes else for_regression(search),
                criterion=criterion,
                stopping=StoppingRules(max_leaf_nodes=size),
                fill_with_training_mean=forest.missing == "training_mean",
                n_threads=forest._n_threads(),
            )
            settings.check()
            growth = build_tree(sample, settings, seed)
            found.append((growth, name, size, loss(growth.tree)))
    growth, search_name, size, least = min(found, key=lambda one: one[3])
    chosen = {
        "search": search_name,
        "criterion": criterion,
        "max_leaf_nodes": size,
        **{name: getattr(forest, name) for name in ENCODING_PARAMETERS},
        "random_state": seed,
        "n_jobs": forest.n_jobs,
    }
    return growth, chosen, least


def soft_sample(X: Matrix, share: Floats, columns: Columns) -> Sample:
    """Return every row once for each of its likely classes, weighted by the probability."""
    kept = np.where(share >= _LEAST_SHARE, share, 0.0)
    kept /= kept.sum(axis=1, keepdims=True)
    row, label = np.nonzero(kept)
    codes = label.astype(np.int32)
    return Sample(X[row], codes, kept[row, label], share.shape[1], columns=columns)
