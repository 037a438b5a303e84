"""A tree on a Dask cluster."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from aslant import _core
from aslant.dask import collections
from aslant.dask.cluster import DaskWorkers, client_of
from aslant.dask.fitting import TreeFit, check_estimator
from aslant.dask.scoring import score_of
from aslant.dask.survey import columns_to_count
from aslant.utils.checks import check_number


class DaskPredictor(BaseEstimator):
    """Base of trees and forests on a cluster: lazy predictions; not to be used directly."""

    estimator: Any
    client: Any

    def to_local(self) -> Any:
        """Return the ordinary estimator, fitted: to export, save, plot or explain."""
        check_is_fitted(self, "estimator_")
        return self.estimator_

    def predict(self, X: Any) -> Any:
        """Return the predictions, lazily: a series or an array like X.

        Parameters
        ----------
        X : Dask data frame or array of shape (n_samples, n_features)
            Rows; NaN is a missing value.

        Returns
        -------
        Dask series or array
            Class labels or regression predictions.
        """
        local = self.to_local()
        n_outputs = getattr(local, "n_outputs_", 1)
        dtype = np.float64 if is_regressor(local) else local.classes_.dtype
        return self._mapped(X, "predict", dtype, None if n_outputs == 1 else n_outputs)

    def predict_proba(self, X: Any) -> Any:
        """Return the class probabilities, lazily: a column for each class, as in `classes_`.

        Parameters
        ----------
        X : Dask data frame or array of shape (n_samples, n_features)
            Rows; NaN is a missing value.

        Returns
        -------
        Dask data frame or array
            Probabilities.
        """
        local = self.to_local()
        if is_regressor(local):
            raise AttributeError(f"{type(local).__name__} is a regressor: it has no probabilities.")
        return self._mapped(X, "predict_proba", np.float64, len(local.classes_))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy, or R2 for regression.

        Parameters
        ----------
        X : Dask data frame or array of shape (n_samples, n_features)
            Rows.
        y : Dask series or array of shape (n_samples,)
            True labels or targets, with the partitions of X.
        sample_weight : Dask series or array of shape (n_samples,), optional
            Weights.

        Returns
        -------
        float
            The score.
        """
        local = self.to_local()
        blocks = collections.blocks_of(X, y, sample_weight)
        workers = DaskWorkers(client_of(self.client), 1)
        return score_of(workers, blocks, _to_be_sent(local))

    def __sklearn_tags__(self) -> Any:
        tags, local = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type = local.estimator_type
        tags.classifier_tags, tags.regressor_tags = local.classifier_tags, local.regressor_tags
        tags.target_tags, tags.input_tags = local.target_tags, local.input_tags
        return tags

    def _mapped(self, X: Any, method: str, dtype: Any, n_columns: int | None) -> Any:
        local = _to_be_sent(self.to_local())
        return collections.mapped(X, _Method(local, method, dtype, n_columns), dtype, n_columns)

    @property
    def classes_(self) -> Any:
        """The class labels."""
        return self.to_local().classes_

    @property
    def feature_importances_(self) -> Any:
        """The importance of each feature."""
        return self.to_local().feature_importances_


def _to_be_sent(estimator: Any) -> Any:
    """Return the estimator without its progress callback, which may not be picklable."""
    other = copy(estimator)
    other.verbose = 0
    return other


class _Method:
    """A method of an estimator as a function of rows; there may be no rows."""

    def __init__(self, estimator: Any, name: str, dtype: Any, n_columns: int | None) -> None:
        self.estimator, self.name, self.dtype, self.n_columns = estimator, name, dtype, n_columns

    def __call__(self, X: Any) -> Any:
        if len(X) == 0:
            return np.zeros(0 if self.n_columns is None else (0, self.n_columns), dtype=self.dtype)
        return getattr(self.estimator, self.name)(X)


class DaskTree(DaskPredictor):
    """One tree, grown on a Dask cluster.

    The tree is the one that the ordinary estimator grows with the same `search_rows` and seed,
    whatever the number of partitions and workers.

    Parameters
    ----------
    estimator : estimator of one tree
        A classifier or regressor of one tree; it is not changed. A node is searched on its
        `search_rows` rows, or on `local_rows` if that is None.
    client : distributed.Client or None, default=None
        The cluster; None is the client that is connected.
    local_rows : int, default=200_000
        A node with at most this many rows is grown by one worker.
    bins : int, default=1024
        Bins along a line in which all rows are counted before few of them are sorted. More bins
        cost more to send and leave fewer rows to sort; the tree is the same.

    Attributes
    ----------
    estimator_ : estimator
        The ordinary estimator, fitted: what `to_local` returns.
    passes_ : list of int
        The number of passes over all rows, level by level.
    bytes_to_client_ : int
        Bytes that the fit brought to the client.

    Examples
    --------
    >>> import dask.array as da
    >>> import numpy as np
    >>> from distributed import Client
    >>> from aslant import HHCARTClassifier
    >>> from aslant.dask import DaskTree
    >>> X = np.random.default_rng(0).normal(size=(5000, 4))
    >>> y = (X[:, :2].sum(axis=1) > 0).astype(int)
    >>> with Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=":0"):
    ...     rows, labels = da.from_array(X, chunks=(1000, 4)), da.from_array(y, chunks=1000)
    ...     tree = DaskTree(HHCARTClassifier(search_rows=500, random_state=0), local_rows=2000)
    ...     tree = tree.fit(rows, labels)
    ...     score = tree.score(rows, labels)
    >>> score > 0.95
    True
    """

    def __init__(
        self,
        estimator: Any,
        client: Any = None,
        *,
        local_rows: int = 200_000,
        bins: int = _core.LINE_BINS,
    ) -> None:
        self.estimator = estimator
        self.client = client
        self.local_rows = local_rows
        self.bins = bins

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow and prune the tree.

        Parameters
        ----------
        X : Dask data frame or array of shape (n_samples, n_features)
            Training rows; NaN is a missing value. Categorical columns must have known categories.
        y : Dask series or array of shape (n_samples,)
            Class labels or regression targets, with the partitions of X.
        sample_weight : Dask series or array of shape (n_samples,), optional
            Weights, not negative, with the partitions of X.

        Returns
        -------
        self
            The fitted estimator.
        """
        check_number("local_rows", self.local_rows, 1, integer=True)
        check_number("bins", self.bins, 2, 2**20, integer=True)
        check_estimator(self.estimator)
        meta = collections.meta_of(X)
        columns_to_count(meta, self.estimator)
        blocks = collections.blocks_of(X, y, sample_weight)
        workers = DaskWorkers(client_of(self.client), int(self.local_rows))
        fit = TreeFit(self.estimator, workers, int(self.local_rows), int(self.bins))
        self.estimator_ = fit.run(blocks, meta)
        self.passes_ = fit.passes
        self.bytes_to_client_ = workers.bytes_here
        return self

    def apply(self, X: Any) -> Any:
        """Return the leaf that each row reaches, lazily: a series or an array like X."""
        return self._mapped(X, "apply", np.int64, None)
