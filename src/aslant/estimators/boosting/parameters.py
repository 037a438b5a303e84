"""The parameters of gradient boosting, and what they allow."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from aslant.encoding import Options
from aslant.estimators.distillation import Distillable
from aslant.utils.checks import check_choice, check_flag, check_number
from aslant.utils.parameters import parameters

_MOST_BINS = 255


@parameters
class BoostingParameters(Distillable):
    """Parameters of gradient boosting; not to be used itself.

    Parameters
    ----------
    learning_rate : float, default=0.1
        Factor of what each tree adds.
    max_iter : int, default=100
        Most rounds; with more than two classes each round grows a tree for every class.
    max_leaf_nodes : int or None, default=31
        Most leaves of a tree.
    max_depth : int or None, default=None
        Greatest depth of a leaf.
    min_samples_leaf : int, default=20
        Rows every leaf must hold.
    l2_regularization : float, default=1.0
        L2 penalty on the values of leaves.
    max_features : float, default=1.0
        Fraction of the features that each node looks at, drawn at random.
    max_bins : int, default=255
        Most bins of a numeric feature; missing values have a bin of their own.
    monotonic_cst : array-like of int, dict or None, default=None
        For each feature 1 if predictions must not decrease with it, -1 if they must not increase,
        0 otherwise; or a dict of those by column name. Constrained features are tested alone,
        never in combinations. Not for more than two classes.
    interaction_cst : {'pairwise', 'no_interactions'}, sequence of groups or None, default=None
        Groups of column numbers that may interact: all tests on a path, and all features of a
        combination, are of one group. Columns that no group names are a group of their own.
    warm_start : bool, default=False
        Whether another `fit` keeps the rounds and adds those that `max_iter` asks for. Not with
        categories of so many levels that they are encoded by the target.
    early_stopping : 'auto' or bool, default='auto'
        Whether to stop when the score has not improved for `n_iter_no_change` rounds, and to go
        back to the round of the best validation score. 'auto' does with more than 10,000 rows.
    scoring : str, callable or None, default='loss'
        What early stopping compares: the loss, or a score of scikit-learn; None is that of `score`.
    validation_fraction : int, float or None, default=0.1
        Rows to hold out for early stopping, a number or a fraction; None scores the training rows.
    n_iter_no_change : int, default=10
        Rounds without an improvement that end the fit.
    tol : float, default=1e-7
        Least improvement of the score.
    oblique : bool, default=True
        Whether linear combinations compete with single features. False is ordinary boosting.
    oblique_features : int, float or None, default=None
        Features that a combination is drawn from: a number, a fraction of those that can be in
        combinations, or twice the square root of their number. Categories, and numbers of three
        or four distinct values, are never in combinations.
    oblique_min_rows : int, default=100
        Nodes with fewer rows look at single features only.
    max_features_per_test : int or None, default=None
        Most features of a combination: those that contribute most are kept. None keeps all.
    missing : {'auto', 'indicator'}, default='auto'
        A test of a single feature sends missing values to either side, whichever gains more;
        combinations read the training mean. With "indicator" a feature that has missing values is
        joined by one that says where they are, which combinations can read too.
    verbose : int or callable, default=0
        Progress on the standard error stream, or ``verbose(rounds_done, max_iter)``.
    """

    learning_rate: float = 0.1
    max_iter: int = 100
    max_leaf_nodes: int | None = 31
    max_depth: int | None = None
    min_samples_leaf: int = 20
    l2_regularization: float = 1.0
    max_features: float = 1.0
    max_bins: int = 255
    monotonic_cst: Any = None
    interaction_cst: Any = None
    warm_start: bool = False
    early_stopping: str | bool = "auto"
    scoring: Any = "loss"
    validation_fraction: float | None = 0.1
    n_iter_no_change: int = 10
    tol: float = 1e-7
    oblique: bool = True
    oblique_features: float | None = None
    oblique_min_rows: int = 100
    max_features_per_test: int | None = None

    def _check_parameters(self) -> None:
        check_number("learning_rate", self.learning_rate, np.finfo(float).tiny, 1e10)
        check_number("max_iter", self.max_iter, 1, 10**6, integer=True)
        if self.max_leaf_nodes is not None:
            check_number("max_leaf_nodes", self.max_leaf_nodes, 2, 2**30, integer=True)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 1, 2**30, integer=True)
        check_number("min_samples_leaf", self.min_samples_leaf, 1, 2**31 - 1, integer=True)
        check_number("l2_regularization", self.l2_regularization, 0.0, 1e300)
        check_number("max_features", self.max_features, np.finfo(float).tiny, 1.0)
        check_number("max_bins", self.max_bins, 2, _MOST_BINS, integer=True)
        check_number("n_iter_no_change", self.n_iter_no_change, 1, 10**6, integer=True)
        check_number("tol", self.tol, 0.0)
        check_flag("warm_start", self.warm_start)
        check_flag("oblique", self.oblique)
        check_number("oblique_min_rows", self.oblique_min_rows, 2, 2**31 - 1, integer=True)
        most = self.max_features_per_test
        if most is not None:
            check_number("max_features_per_test", most, 2, 2**30, integer=True)
        if isinstance(self.early_stopping, str):
            check_choice("early_stopping", self.early_stopping, ("auto",))
        else:
            check_flag("early_stopping", self.early_stopping)
        _check_scoring(self.scoring)
        _check_part("oblique_features", self.oblique_features, least=2)
        _check_part("validation_fraction", self.validation_fraction, least=1)
        self._n_threads()
        self._progress()

    def _encoding_options(self) -> Options:
        check_choice("missing", self.missing, ("auto", "indicator"))
        # Growth handles missing values itself, so no indicator is needed to keep information.
        missing = "node_mean" if self.missing == "auto" else self.missing
        return replace(super()._encoding_options(), missing=missing)

    def _features_to_draw(self, n_eligible: int) -> int:
        """Return the features that a combination is drawn from; 0 if there are none."""
        if not self.oblique or n_eligible < 2:
            return 0
        value: Any = self.oblique_features
        if value is None:
            n = round(2.0 * np.sqrt(n_eligible))
        else:
            n = int(value) if isinstance(value, Integral) else round(float(value) * n_eligible)
        return min(n_eligible, max(2, n))

    def _validation_part(self, n_rows: int) -> float:
        """Return the fraction of the rows to hold out."""
        value: Any = self.validation_fraction
        return float(value) / n_rows if isinstance(value, Integral) else float(value)


def _check_scoring(scoring: Any) -> None:
    allowed = "'loss', the name of a scorer of scikit-learn, a function or None"
    if scoring is None or callable(scoring):
        return
    if not isinstance(scoring, str):
        raise TypeError(f"scoring must be {allowed}, got {scoring!r}.")
    if scoring != "loss":
        from sklearn.metrics import get_scorer_names  # which takes long to import

        if scoring not in get_scorer_names():
            raise ValueError(f"scoring must be {allowed}, got {scoring!r}.")


def _check_part(name: str, value: Any, least: int) -> None:
    """Validate a parameter that is None, a number of things or a fraction of them."""
    if value is None:
        return
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(f"{name} must be None, an integer or a fraction, got {value!r}.")
    if isinstance(value, Integral):
        check_number(name, value, least, 2**31 - 1, integer=True)
    elif not 0.0 < float(value) < 1.0 and not (value == 1.0 and name == "oblique_features"):
        raise ValueError(f"{name} must be above 0 and below 1 as a fraction, got {value!r}.")
