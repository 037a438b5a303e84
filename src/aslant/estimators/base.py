"""What estimators of one tree and of several share: parameters, rows prepared, state kept."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from aslant.encoding import FeatureEncoder, Options, check_prune_rows
from aslant.encoding.sample import Matrix, Sample
from aslant.estimators.growing import TreeGrower, whole
from aslant.growth.importances import column_spread
from aslant.prune import PRUNERS, Pruner
from aslant.refine import JointFit
from aslant.utils.checks import check_choice
from aslant.utils.parameters import parameters
from aslant.utils.progress import counter

# Class codes or numbers, the number of classes, the weights of the rows.
Target = tuple[npt.NDArray[Any], int, npt.NDArray[np.float64]]

# What stands in for a missing value.
MISSING = ("auto", "node_mean", "training_mean", "indicator")
_INDICATOR: dict[str, Literal["informative", "always"]] = {
    "auto": "informative",
    "indicator": "always",
}


@parameters
class BaseTree(TreeGrower):
    """What estimators of one tree and of several share; not to be used itself.

    Parameters
    ----------
    pruning : str, Pruner or None, default=None
        ``"cost_complexity"``, ``"reduced_error"``, ``"pessimistic"``, ``"error_based"``,
        ``"multivariate"`` or ``"mml"``: a pruner of `aslant.prune` with its own defaults; or such
        an object, with parameters of its choice. None prunes nothing.
    ccp_alpha : float, default=0.0
        Minimal cost-complexity pruning after growth (and after `pruning`), as in scikit-learn.
    categorical_features : 'from_dtype', None, mask, indices or names, default='from_dtype'
        Features that are categories. By default types and values decide: categorical and text
        columns of a data frame, columns of text in an array of objects. Columns that look like
        identifiers or free text are refused unless they are named here.
    min_frequency : int, float or None, default=None
        Levels with fewer rows (a float: a smaller share of the rows) are merged into one, "other",
        which is also what levels unseen in training then count as.
    max_levels : int or None, default=30
        A category with more levels than this is treated as `many_levels` says.
    many_levels : {'target', 'merge'}, default='target'
        Target encoding: each level becomes the smoothed share of each class among its rows, learned
        out of fold; or only the most frequent levels are kept and the others merged into "other".
    date_parts : sequence of {'year', 'month', 'day', 'weekday', 'hour'}, default=()
        Parts of dates that become features beside the days since 1970.
    missing : {'auto', 'node_mean', 'training_mean', 'indicator'}, default='auto'
        What stands in for a missing value: the mean of the node, or of the training set as in OC1.
        With "indicator" a feature that has missing values is joined by one that says where they
        are; with "auto" only if that differs between the classes (chi-squared test).
    search_rows : int or None, default=None
        A node with more rows than this is searched on a random sample of so many, and the test is
        finished on all rows by the search's own rules. Faster on large data, and another tree. None
        searches all rows.
    search_finish : {'threshold', 'coefficients'}, default='threshold'
        With `search_rows`: the threshold of a test is the best for all rows; or its coefficients
        too are moved, one after the other, to their best places on all rows.

    Attributes
    ----------
    n_samples_fit_ : int
        Training rows, those held out for pruning included.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total decrease of impurity. A test's decrease is divided among
        its features by the size of their coefficients times their standard deviations.
    encoder_ : FeatureEncoder
        How columns became numbers; ``encoder_.columns_`` tells the kind of each, its levels, which
        of them were merged, and the share of missing values.
    n_hyperplanes_ : int
        Hyperplanes considered while growing.
    """

    pruning: str | Pruner | None = None
    ccp_alpha: float = 0.0
    categorical_features: Any = "from_dtype"
    min_frequency: float | None = None
    max_levels: int | None = 30
    many_levels: str = "target"
    date_parts: Sequence[str] = ()
    missing: str = "auto"
    search_rows: int | None = None
    search_finish: Literal["threshold", "coefficients"] = "threshold"

    # ------------------------------------------------------------------ fitting

    def _make_refinement(self) -> JointFit | None:
        """Return what fits the pruned tree as a whole, if anything does."""
        return None

    def _make_pruner(self) -> Pruner | None:
        if self.pruning is None or isinstance(self.pruning, Pruner):
            return self.pruning
        if not isinstance(self.pruning, str):
            raise TypeError(
                "pruning must be None, a name or an object from aslant.prune, got "
                f"{self.pruning!r}."
            )
        check_choice("pruning", self.pruning, tuple(PRUNERS))
        return PRUNERS[self.pruning]()

    @abstractmethod
    def _check_target(self, y: Any, n_rows: int, sample_weight: Any) -> Target:
        """Return what to predict as numbers, the number of classes (0: none), and the weights."""

    @abstractmethod
    def _learn_target(
        self, encoded: Matrix, target: npt.NDArray[Any], weight: npt.NDArray[np.float64]
    ) -> Matrix:
        """Let the encoder learn what depends on the target; return the rows with what it adds."""

    def _prepare(self, X: Any, y: Any, sample_weight: Any, prune_rows: Any = None) -> Sample:
        """Validate and encode; sets encoder_, what y tells, and the scikit-learn attributes."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y "
                "is None."
            )
        self.encoder_, encoded = FeatureEncoder.fit(
            self, X, self.categorical_features, self._encoding_options(), sample_weight
        )
        target, n_classes, weight = self._check_target(y, encoded.shape[0], sample_weight)
        chosen = None if prune_rows is None else check_prune_rows(prune_rows, encoded.shape[0])
        encoded = self._learn_target(encoded, target, weight)
        sample = Sample(encoded, target, weight, n_classes, chosen)
        # A row of weight zero is no row at all.
        sample = sample if (weight > 0).all() else sample.take(weight > 0)
        self.n_samples_fit_ = len(sample)
        self.column_spread_ = column_spread(sample.X, *self.encoder_.columns())
        return sample

    def _encoding_options(self) -> Options:
        """Return how columns become numbers, from the parameters."""
        check_choice("missing", self.missing, MISSING)
        return Options(
            self.min_frequency,
            self.max_levels,
            self.many_levels,
            self.date_parts,
            _INDICATOR.get(self.missing, "never"),
        )

    def _shown_progress(self, n_rows: int) -> Callable[[int], None]:
        return counter(type(self).__name__, n_rows, "rows in leaves")

    # ------------------------------------------------------------------ keeping

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
        """Everything that fitting learned, as plain values and arrays."""
        features = self._features_to_state()
        return {
            **self._target_to_state(),
            **features,
            "n_samples_fit": getattr(self, "n_samples_fit_", None),
            "column_spread": getattr(self, "column_spread_", None),
            **self._trees_to_state(),
        }

    def _from_state(self, state: dict[str, Any]) -> Self:
        """Become fitted again from what `_to_state` returned."""
        self._target_from_state(state)
        self._features_from_state(state)
        # Files of version 1 may not know these two.
        if state.get("n_samples_fit") is not None:
            self.n_samples_fit_ = whole(state["n_samples_fit"])
        if state.get("column_spread") is not None:
            self.column_spread_ = np.asarray(state["column_spread"], dtype=np.float64)
        self._trees_from_state(state)
        return self

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Show the tree below scikit-learn's table of parameters in a notebook."""
        from aslant.inspection.notebook import notebook_html

        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:
            bundle["text/html"] += notebook_html(self)
        return bundle
