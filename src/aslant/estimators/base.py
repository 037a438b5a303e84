"""The base of every estimator: random state, threads, encoded rows, what fitting learned."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from aslant.encoding import FeatureEncoder, Options
from aslant.encoding.data_summary import warn_about
from aslant.encoding.sample import Matrix, Sample
from aslant.encoding.table import is_frame
from aslant.encoding.targets import check_prune_rows
from aslant.growth.importances import column_spread, importances
from aslant.growth.settings import Progress
from aslant.tree.tree import Tree
from aslant.utils.checks import check_number
from aslant.utils.parameters import parameters
from aslant.utils.progress import counter

# More threads than this are never started, whatever `n_jobs` asks for.
_MOST_THREADS = 256


class Target(NamedTuple):
    """The validated target: class codes or numbers, the number of classes (or 0), the weights."""

    y: npt.NDArray[Any]
    n_classes: int
    weight: npt.NDArray[np.float64]


@parameters
class BaseTree(BaseEstimator, ABC):
    """What every estimator shares; not to be used itself.

    Parameters
    ----------
    categorical_features : 'from_dtype', None, mask, indices or names, default='from_dtype'
        Features that are categories. By default types and values decide: categorical and text
        columns of a data frame, columns of text in an array of objects. Columns that look like
        identifiers or free text are refused unless they are named here.
    max_levels : int or None, default=30
        A category with more levels than this is encoded as `high_cardinality` says.
    min_frequency : int, float or None, default=None
        Levels with fewer rows (a float: a smaller fraction of the rows) are merged into one,
        "other", which is also what levels unseen in training then count as.
    high_cardinality : {'target', 'merge'}, default='target'
        Target encoding: each level becomes the smoothed frequency of each class among its rows (for
        regression, of rows whose first target is above the mean), learned out of fold. Or only the
        most frequent levels are kept and the others are merged into "other".
    missing : {'auto', 'node_mean', 'training_mean', 'indicator'}, default='auto'
        What stands in for a missing value: the mean of the node, or of the training set as in OC1.
        With "indicator" a feature that has missing values is joined by one that says where they
        are; with "auto" only if missingness differs between the classes (for regression, between
        the rows whose first target is above the mean and the others) by a chi-squared test.
    date_parts : sequence of {'year', 'month', 'day', 'weekday', 'hour'}, default=()
        Parts of dates that become features beside the days since 1970.
    random_state : int, RandomState or None, default=None
        Seed of everything random. The same seed gives the same model for any `n_jobs`.
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
    n_samples_fit_ : int
        Training rows with a weight above zero, including rows held out for pruning.
    encoder_ : FeatureEncoder
        How columns became numbers; ``encoder_.columns_`` tells the kind of each, its levels, which
        of them were merged, and the fraction of missing values.
    column_spread_ : ndarray of shape (n_columns,)
        Standard deviation of every encoded column over the training rows.
    """

    # Classes whose docstrings describe parameters that a subclass shares with them.
    _documented_in: ClassVar[tuple[type[Any], ...]] = ()

    categorical_features: Any = "from_dtype"
    max_levels: int | None = 30
    min_frequency: float | None = None
    high_cardinality: str = "target"
    missing: str = "auto"
    date_parts: Sequence[str] = ()
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int | Callable[[int, int], None] = 0

    #: What the progress counts.
    _progress_unit: ClassVar[str] = "rows in leaves"

    # ------------------------------------------------------------------ parameters

    def _draw_seed(self) -> int:
        try:
            generator = check_random_state(self.random_state)
        except ValueError:
            raise ValueError(
                "random_state must be None, an integer from 0 to 2**32 - 1 or a RandomState, "
                f"got {self.random_state!r}."
            ) from None
        return int(generator.randint(2**31 - 1))

    def _n_threads(self) -> int:
        if self.n_jobs is not None:
            check_number("n_jobs", self.n_jobs, -np.inf, integer=True)
            if self.n_jobs == 0:
                raise ValueError(
                    "n_jobs must be None, a number of threads or, counted from all cores down, "
                    "-1, -2, ..., got 0."
                )
        return min(effective_n_jobs(self.n_jobs), _MOST_THREADS)

    def _progress(self) -> Progress | None:
        """Return what growth calls now and then with the work done and all work."""
        if callable(self.verbose):
            return self.verbose
        if not isinstance(self.verbose, bool | np.bool_):
            check_number("verbose", self.verbose, 0, integer=True)
        return counter(type(self).__name__, self._progress_unit) if self.verbose else None

    def _encoding_options(self) -> Options:
        """Return how columns become numbers."""
        return Options(
            self.min_frequency,
            self.max_levels,
            self.high_cardinality,
            self.date_parts,
            self.missing,
        )

    def _check_before_predicting(self) -> None:
        """Validate the parameters that predictions depend on."""
        self._n_threads()

    # ------------------------------------------------------------------ fitting

    @abstractmethod
    def _check_target(self, y: Any, n_rows: int, sample_weight: Any, warm: bool) -> Target:
        """Validate what to predict and set what it tells; a warm start keeps what is set."""

    @abstractmethod
    def _learn_target(self, encoded: Matrix, target: Target) -> Matrix:
        """Let the encoder learn what depends on the target; return the rows with what it adds."""

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, prune_rows: Any = None, *, warm: bool = False
    ) -> Sample:
        """Validate and encode the training rows.

        Sets encoder_, what y tells, and the attributes of scikit-learn; a warm start keeps all of
        them and reads the rows as `predict` does.
        """
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y "
                "is None."
            )
        if warm:
            encoded = self._encoded(X)
        else:
            self.encoder_, encoded = FeatureEncoder.fit(
                self, X, self.categorical_features, self._encoding_options(), sample_weight
            )
        n_rows = encoded.shape[0]
        target = self._check_target(y, n_rows, sample_weight, warm)
        chosen = None if prune_rows is None else check_prune_rows(prune_rows, n_rows)
        if not warm:
            if is_frame(X):
                warn_about(self.encoder_.columns_, encoded, target.y, target.n_classes)
            encoded = self._learn_target(encoded, target)
        sample = Sample(
            encoded, target.y, target.weight, target.n_classes, chosen, self.encoder_.columns()
        )
        # A row of weight zero is no row at all.
        sample = sample if (target.weight > 0).all() else sample.take(target.weight > 0)
        self.n_samples_fit_ = len(sample)
        if not warm:
            self.column_spread_ = column_spread(sample.X, *sample.columns)
        return sample

    def _importances_of(self, tree: Tree) -> npt.NDArray[np.float64]:
        """Return the importance of each input feature, with that of what is derived from it."""
        own = importances(tree, self.column_spread_)
        return np.bincount(self.encoder_.source, own, self.n_features_in_).astype(np.float64)

    # ------------------------------------------------------------------ predicting

    def _encoded(self, X: Any, *, dense: bool = False) -> Matrix:
        """Return the rows as the tree reads them: sparse if X is, unless `dense` is asked for."""
        # scikit-learn's check reads the tags, and for these the search is made: too much for a row.
        if not hasattr(self, "encoder_"):
            check_is_fitted(self)
        encoded = self.encoder_.transform(self, X)
        return encoded.toarray() if dense and issparse(encoded) else encoded  # type: ignore[attr-defined]

    # ------------------------------------------------------------------ saving

    @abstractmethod
    def _trees_to_state(self) -> dict[str, Any]:
        """Return the trees as plain values and arrays."""

    @abstractmethod
    def _trees_from_state(self, state: dict[str, Any]) -> None:
        """Set the trees from what `_trees_to_state` returned."""

    @abstractmethod
    def _target_to_state(self) -> dict[str, Any]:
        """Return what fitting learned of the target, as plain values and arrays."""

    @abstractmethod
    def _target_from_state(self, state: dict[str, Any]) -> None:
        """Set what `_target_to_state` returned."""

    def _to_state(self) -> dict[str, Any]:
        """Return everything that fitting learned, as plain values and arrays."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        return {
            **self._target_to_state(),
            "n_features_in": self.n_features_in_,
            "feature_names_in": None if names is None else [str(name) for name in names],
            "encoder": self.encoder_.to_state(),
            **self._rows_to_state(),
            **self._trees_to_state(),
        }

    def _from_state(self, state: dict[str, Any]) -> Self:
        """Become fitted again from what `_to_state` returned."""
        self._target_from_state(state)
        self.n_features_in_ = integer(state["n_features_in"])
        if state["feature_names_in"] is not None:
            self.feature_names_in_ = np.array(state["feature_names_in"], dtype=object)
        self.encoder_ = FeatureEncoder.from_state(state["encoder"])
        self._rows_from_state(state)
        self._trees_from_state(state)
        return self

    def _rows_to_state(self) -> dict[str, Any]:
        """Return what fitting learned of the rows; a model made from a pipeline knows neither."""
        return {
            "n_samples_fit": getattr(self, "n_samples_fit_", None),
            "column_spread": getattr(self, "column_spread_", None),
        }

    def _rows_from_state(self, state: dict[str, Any]) -> None:
        """Set what `_rows_to_state` returned."""
        # Files of earlier releases may not know these two.
        if state.get("n_samples_fit") is not None:
            self.n_samples_fit_ = integer(state["n_samples_fit"])
        if state.get("column_spread") is not None:
            self.column_spread_ = np.asarray(state["column_spread"], dtype=np.float64)

    # ------------------------------------------------------------------ showing

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Show the tree below scikit-learn's table of parameters in a notebook."""
        from aslant.inspection.notebook import notebook_html

        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:
            bundle["text/html"] += notebook_html(self)
        return bundle

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = tags.input_tags.string = True
        try:
            tags.input_tags.sparse = self._reads_sparse()
        except (ValueError, TypeError):  # a parameter is wrong, which fit will say
            tags.input_tags.sparse = False
        return tags

    def _reads_sparse(self) -> bool:
        """Whether a sparse matrix is read as it is; an estimator that cannot refuses it."""
        return False


def integer(value: Any) -> int:
    """Return an integer of a saved model."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"expected an integer, got {value!r:.80}")
    return int(value)
