"""What every estimator that grows trees shares: stopping rules, seed, threads, encoded rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import ThreadpoolController

from aslant import _core
from aslant.encoding import FeatureEncoder
from aslant.utils.checks import check_number
from aslant.utils.parameters import parameters

# More threads than this are never started, whatever `n_jobs` asks for.
_MOST_THREADS = 256


@parameters
class TreeGrower(BaseEstimator, ABC):
    """What trees and forests share; not to be used itself.

    Parameters
    ----------
    max_depth : int or None, default=None
        Greatest depth of a leaf.
    min_samples_split : int or float, default=2
        Rows a node needs to be split; a float is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Rows every child must hold; a float is a fraction of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Share of the total weight every child must hold.
    min_impurity_decrease : float, default=0.0
        Least score of a split, weighted by the share of the rows at the node.
    max_leaf_nodes : int or None, default=None
        Grow best-first, up to this many leaves.
    random_state : int, RandomState or None, default=None
        Seed of everything random. The same seed gives the same tree for any `n_jobs`.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 all cores.
    verbose : int or callable, default=0
        Progress on the standard error stream, or ``verbose(rows_done, n_rows)``.

    Attributes
    ----------
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the data had names that are all text.
    column_spread_ : ndarray of shape (n_columns,)
        Standard deviation of every encoded column over the training rows.
    """

    # Classes whose docstrings describe parameters that a subclass shares with them.
    _documented_in: ClassVar[tuple[type[Any], ...]] = ()

    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int | Callable[[int, int], None] = 0

    # ------------------------------------------------------------------ growing

    def _draw_seed(self) -> int:
        try:
            generator = check_random_state(self.random_state)
        except ValueError:
            raise ValueError(
                "random_state must be None, a whole number from 0 to 2**32 - 1 or a RandomState, "
                f"got {self.random_state!r}."
            ) from None
        return int(generator.randint(2**31 - 1))

    def _n_threads(self) -> int:
        if self.n_jobs is not None:
            check_number("n_jobs", self.n_jobs, -np.inf, whole=True)
            if self.n_jobs == 0:
                raise ValueError(
                    "n_jobs must be None, a number of threads or, counted from all cores down, "
                    "-1, -2, ..., got 0."
                )
        return min(effective_n_jobs(self.n_jobs), _MOST_THREADS)

    def _progress(self, n_parts: int) -> Callable[[int], None] | None:
        """Return what growth calls now and then, with how many parts of the work are done."""
        if callable(self.verbose):
            report = self.verbose
            return lambda done: report(done, n_parts)
        if not isinstance(self.verbose, bool | np.bool_):
            check_number("verbose", self.verbose, 0, whole=True)
        return self._shown_progress(n_parts) if self.verbose else None

    @abstractmethod
    def _shown_progress(self, n_parts: int) -> Callable[[int], None]:
        """Return what shows on the standard error stream how many parts of the work are done."""

    def _problem_of(
        self,
        features: _core.Features,
        target: _core.Target,
        rows: npt.NDArray[np.intp] | None,
        criterion: str | Callable[..., float],
        weight: npt.NDArray[np.float64],
        fill_with_training_mean: bool,
    ) -> _core.Problem:
        """Return rows of the data as the core sees them, with what every child must hold."""
        check_number("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0.0, 0.5)
        return _core.Problem(
            features=features,
            target=target,
            rows=rows,
            criterion=criterion,
            min_rows=min(self._min_leaf(len(weight)), len(weight) + 1),
            min_weight=self.min_weight_fraction_leaf * float(weight.sum()),
            fill_with_training_mean=fill_with_training_mean,
        )

    def _min_leaf(self, n_rows: int) -> int:
        return _rows("min_samples_leaf", self.min_samples_leaf, n_rows, 1)

    def _stopping_rules(self, n_rows: int) -> dict[str, Any]:
        """Return the stopping rules in rows and weights, from scikit-learn's parameters."""
        # Numbers beyond all rows mean the same as the number just beyond them, which the core's
        # integers can hold.
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 1, whole=True)
        if self.max_leaf_nodes is not None:
            check_number("max_leaf_nodes", self.max_leaf_nodes, 2, whole=True)
        check_number("min_impurity_decrease", self.min_impurity_decrease, 0.0)
        min_split = _rows("min_samples_split", self.min_samples_split, n_rows, 2)
        return {
            "max_depth": -1 if self.max_depth is None else min(int(self.max_depth), n_rows),
            "min_samples_split": min(max(min_split, 2 * self._min_leaf(n_rows)), n_rows + 1),
            "min_impurity_decrease": float(self.min_impurity_decrease),
            "max_leaf_nodes": min(int(self.max_leaf_nodes or 0), n_rows + 1),
        }

    # ------------------------------------------------------------------ predicting

    def _encoded(self, X: Any, *, dense: bool = False) -> npt.NDArray[np.floating[Any]]:
        """Return the rows as the tree reads them: sparse if X is, unless `dense` is asked for."""
        check_is_fitted(self)
        encoded = self.encoder_.transform(self, X)
        return encoded.toarray() if dense and issparse(encoded) else encoded  # type: ignore[attr-defined]

    def _check_before_predicting(self) -> None:
        """Raise one clear error if a parameter that predictions depend on is not valid."""
        self._n_threads()

    # ------------------------------------------------------------------ keeping

    def _features_to_state(self) -> dict[str, Any]:
        """Return what fitting learned of the features, as plain values and arrays."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        return {
            "n_features_in": self.n_features_in_,
            "feature_names_in": None if names is None else [str(name) for name in names],
            "encoder": self.encoder_.to_state(),
        }

    def _features_from_state(self, state: dict[str, Any]) -> None:
        """Set what `_features_to_state` returned."""
        self.n_features_in_ = whole(state["n_features_in"])
        if state["feature_names_in"] is not None:
            self.feature_names_in_ = np.array(state["feature_names_in"], dtype=object)
        self.encoder_ = FeatureEncoder.from_state(state["encoder"])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = tags.input_tags.string = True
        tags.input_tags.sparse = self._reads_sparse()
        return tags

    def _reads_sparse(self) -> bool:
        """Whether a sparse matrix is read as it is; an estimator that cannot refuses it."""
        return False


def one_blas_thread() -> AbstractContextManager[Any]:
    """Keep BLAS to one thread: its own take longer to wake than the work lasts.

    Eigenvectors of a node's few columns are all that is asked of it, and from several threads.
    """
    return _blas().limit(limits=1, user_api="blas")


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()


def whole(value: Any) -> int:
    """Return a value that must be a whole number, as state that was saved holds it."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{value!r:.80} stands where a whole number belongs")
    return int(value)


def _rows(name: str, value: Any, n_rows: int, least: int) -> int:
    """Rows meant by a count or a fraction."""
    number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if number and isinstance(value, Integral) and int(value) >= least:
        return int(value)
    if number and not isinstance(value, Integral) and 0.0 < value <= 1.0:
        return max(least, int(np.ceil(value * n_rows)))
    raise ValueError(
        f"The {name!r} parameter must be an int in the range [{least}, inf) or a float in the "
        f"range (0.0, 1.0], got {value!r}."
    )
