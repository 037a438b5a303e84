"""Constraints as parameters, from the columns of the input to encoded features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from aslant.encoding import FeatureEncoder
from aslant.encoding.derived import MISSING
from aslant.encoding.sample import Sample
from aslant.estimators.stopping import StoppingParameters
from aslant.growth import Constraints, TreeSettings
from aslant.prune import ErrorBased, MultivariateTreePruning
from aslant.search import MML, LinearMachine
from aslant.search.base import Wrapper
from aslant.tree.split import HyperplaneSplit
from aslant.utils.checks import check_choice, check_number
from aslant.utils.parameters import parameters

Vector = npt.NDArray[np.float64]

INTERACTIONS = ("pairwise", "no_interactions")


def monotonic_signs(
    given: Any, encoder: FeatureEncoder, names: npt.NDArray[Any] | None
) -> list[int]:
    """Return the constraint of every encoded feature: 1 increasing, -1 decreasing, 0 none."""
    n_columns = len(encoder.columns_)
    signs = _by_column(given, n_columns, names)
    for j in np.flatnonzero(signs):
        if encoder.columns_[j].kind == "category":
            raise ValueError(
                f"Categorical features cannot have monotonic constraints: column {j} is a category."
            )
        if any(one.source == j and one.what != MISSING for one in encoder.derived):
            raise ValueError(
                f"Dates with date_parts cannot have monotonic constraints: column {j} is a date."
            )
    own = np.arange(len(encoder.source)) < n_columns  # what is derived of a column is free
    return np.where(own, signs[encoder.source], 0).tolist()


def _by_column(given: Any, n_columns: int, names: npt.NDArray[Any] | None) -> npt.NDArray[np.int8]:
    signs = np.zeros(n_columns, dtype=np.int8)
    if given is None:
        return signs
    if isinstance(given, Mapping):
        if names is None:
            raise ValueError(
                "monotonic_cst as a dict needs X to be a data frame with column names."
            )
        unknown = [name for name in given if name not in set(names)]
        if unknown:
            raise ValueError(f"monotonic_cst names {unknown[0]!r}, which is not a column of X.")
        pairs = {list(names).index(name): sign for name, sign in given.items()}
    else:
        values = np.asarray(given)
        if values.shape != (n_columns,):
            raise ValueError(
                f"monotonic_cst must hold a value for each of the {n_columns} features, got an "
                f"array of shape {values.shape}."
            )
        pairs = dict(enumerate(values.tolist()))
    for j, sign in pairs.items():
        if sign not in (-1, 0, 1):
            raise ValueError(f"monotonic_cst must hold -1, 0 or 1 for each feature, got {sign!r}.")
        signs[j] = sign
    return signs


def interaction_groups(
    given: Any, encoder: FeatureEncoder, names: npt.NDArray[Any] | None = None
) -> list[list[int]]:
    """Return groups of encoded features that may interact; an empty list means no constraint.

    Columns that no group names are a group of their own.
    """
    if given is None:
        return []
    n_columns = len(encoder.columns_)
    groups = _column_groups(given, n_columns, names)
    rest = set(range(n_columns)).difference(*groups)
    groups += [rest] if rest else []
    return [_encoded_features(encoder, group) for group in groups]


def _encoded_features(encoder: FeatureEncoder, columns: Iterable[int]) -> list[int]:
    """Return the encoded features of some columns, with what is derived from them."""
    return np.flatnonzero(np.isin(np.asarray(encoder.source), sorted(columns))).tolist()


def _column_groups(given: Any, n_columns: int, names: npt.NDArray[Any] | None) -> list[set[int]]:
    if isinstance(given, str):
        if given not in INTERACTIONS:
            raise ValueError(
                "interaction_cst must be None, 'pairwise', 'no_interactions' or a sequence of "
                f"groups of column numbers, got {given!r}."
            )
        size = min(2 if given == "pairwise" else 1, n_columns)
        return [set(group) for group in combinations(range(n_columns), size)]
    if not isinstance(given, Iterable):
        raise TypeError(
            "interaction_cst must be None, 'pairwise', 'no_interactions' or a sequence of groups "
            f"of column numbers, got {given!r}."
        )
    groups = []
    for group in given:
        if isinstance(group, str) or not isinstance(group, Iterable):
            raise TypeError(f"interaction_cst must hold groups of column numbers, got {group!r}.")
        members = {_column("interaction_cst", j, n_columns, names) for j in group}
        if members:
            groups.append(members)
    return groups


def _column(parameter: str, given: Any, n_columns: int, names: npt.NDArray[Any] | None) -> int:
    """Return the number of the column that a parameter names, by number or by name."""
    if isinstance(given, str):
        if names is None or given not in set(names):
            raise ValueError(f"{parameter} must name columns of X, got {given!r}.")
        return list(names).index(given)
    whole = isinstance(given, Integral) and not isinstance(given, bool | np.bool_)
    if not whole or not 0 <= given < n_columns:
        raise ValueError(
            f"{parameter} must hold column numbers from 0 to {n_columns - 1}, got {given!r}."
        )
    return int(given)


def feature_costs_of(
    given: Any, encoder: FeatureEncoder, names: npt.NDArray[Any] | None
) -> Vector | None:
    """Return the cost of every encoded feature; None if all are free."""
    if given is None:
        return None
    n_columns = len(encoder.columns_)
    costs = np.zeros(n_columns)
    if isinstance(given, Mapping):
        pairs = {_column("feature_costs", j, n_columns, names): c for j, c in given.items()}
    else:
        values = np.asarray(given, dtype=object)
        if values.shape != (n_columns,):
            raise ValueError(
                f"feature_costs must hold a cost for each of the {n_columns} features, got an "
                f"array of shape {values.shape}."
            )
        pairs = dict(enumerate(values.tolist()))
    for j, cost in pairs.items():
        number = isinstance(cost, Real) and not isinstance(cost, bool | np.bool_)
        if not number or not 0.0 <= cost < np.inf:
            raise ValueError(f"feature_costs must hold costs, 0 or more, got {cost!r}.")
        costs[j] = cost
    return np.asarray(costs[np.asarray(encoder.source)])


def features_by_depth(
    given: Any, encoder: FeatureEncoder, names: npt.NDArray[Any] | None
) -> list[list[int]]:
    """Return the encoded features that tests may read at each depth, the last for all below."""
    if given is None:
        return []
    n_columns = len(encoder.columns_)
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise TypeError(
            "allowed_features must be a sequence with the features, or None for all, of each "
            f"depth, got {given!r}."
        )
    depths = []
    for features in given:
        if isinstance(features, str) or not isinstance(features, Iterable | None):
            raise TypeError(
                f"allowed_features must hold a sequence of features for each depth, got "
                f"{features!r}."
            )
        columns = range(n_columns) if features is None else features
        chosen = {_column("allowed_features", j, n_columns, names) for j in columns}
        depths.append(_encoded_features(encoder, chosen))
    if not depths:
        raise ValueError("allowed_features must hold the features of at least one depth, got none.")
    return depths


def root_test(
    given: HyperplaneSplit,
    encoder: FeatureEncoder,
    columns: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]],
) -> HyperplaneSplit:
    """Return a test of input columns, all numeric, as a test of encoded columns."""
    coef = np.asarray(given.coef, dtype=np.float64)
    n_columns = len(encoder.columns_)
    if coef.shape != (n_columns,) or not np.isfinite(coef).all() or not coef.any():
        raise ValueError(
            f"forced_root must have a finite coefficient for each of the {n_columns} columns of X, "
            f"not all zero, got {given.coef!r}."
        )
    check_number("the threshold of forced_root", given.threshold, -np.inf)
    feature, level = columns
    encoded = np.zeros(len(feature))
    for j in np.flatnonzero(coef):
        own = np.flatnonzero(feature == j)
        if len(own) != 1 or level[own[0]] >= 0:
            raise ValueError(f"forced_root reads column {j}, which is a category, not a number.")
        encoded[own[0]] = coef[j]
    return HyperplaneSplit(encoded, float(given.threshold))


@parameters
class ConstraintParameters(StoppingParameters):
    """Parameters that say what tests may read; not to be used itself.

    Parameters
    ----------
    monotonic_cst : array-like of int or dict, default=None
        For each feature 1 if predictions must not fall as it grows, -1 if they must not rise, 0 if
        there is no constraint; a dict is by column name. For regression, and for the probability of
        the second of two classes.
    interaction_cst : {'pairwise', 'no_interactions'} or sequence of groups, default=None
        Groups of features, by number or name, that may appear together in one test and along one
        path; features that no group names are a group of their own.
    feature_costs : array-like of float or dict, default=None
        Cost of each feature in units of the criterion. A test is chosen by its decrease of the
        impurity less the costs of its features, and is not made if nothing remains.
    feature_costs_paid : {'path', 'test'}, default='path'
        Whether a feature is paid once on the path of a row, or in each test.
    forced_root : int, str, HyperplaneSplit or None, default=None
        The feature that the first test reads, or the test itself, with a coefficient for each
        column of X.
    allowed_features : sequence of sequences, default=None
        The features that tests may read, by depth from the root; the last entry holds for all
        deeper tests. None in place of an entry allows all.
    max_features_per_test : int or None, default=None
        Most features of a test.
    """

    monotonic_cst: Any = None
    interaction_cst: Any = None
    feature_costs: Any = None
    feature_costs_paid: Literal["path", "test"] = "path"
    forced_root: int | str | HyperplaneSplit | None = None
    allowed_features: Any = None
    max_features_per_test: int | None = None

    def _constraints(self, sample: Sample) -> Constraints:
        """Return the constraints for the encoded columns of the training rows."""
        check_choice("feature_costs_paid", self.feature_costs_paid, ("path", "test"))
        if self.max_features_per_test is not None:
            check_number("max_features_per_test", self.max_features_per_test, 1, integer=True)
        names = getattr(self, "feature_names_in_", None)
        encoder = self.encoder_
        allowed = features_by_depth(self.allowed_features, encoder, names)
        root = None
        if isinstance(self.forced_root, HyperplaneSplit):
            root = root_test(self.forced_root, encoder, sample.columns)
        elif self.forced_root is not None:
            first = _column("forced_root", self.forced_root, len(encoder.columns_), names)
            everything = list(range(len(encoder.source)))
            allowed = [_encoded_features(encoder, [first]), *(allowed[1:] or [everything])]
        return Constraints(
            column_feature=sample.columns[0],
            column_sign=column_signs(self.monotonic_cst, encoder, names, sample),
            groups=interaction_groups(self.interaction_cst, encoder, names),
            allowed=allowed,
            costs=feature_costs_of(self.feature_costs, encoder, names),
            pay_per_test=self.feature_costs_paid == "test",
            max_features_per_test=self.max_features_per_test,
            root=root,
        )


def column_signs(
    given: Any, encoder: FeatureEncoder, names: npt.NDArray[Any] | None, sample: Sample
) -> npt.NDArray[np.int8]:
    """Return the monotonic constraint of every encoded column, validated for the target."""
    signs = np.asarray(monotonic_signs(given, encoder, names), dtype=np.int8)
    if sample.n_classes == 1:  # a constant is monotone
        signs[:] = 0
    if signs.any() and sample.n_classes not in (0, 2):
        raise ValueError(
            "Monotonicity constraints need two classes or regression, got "
            f"{sample.n_classes} classes."
        )
    if signs.any() and sample.n_classes == 0 and sample.y.ndim > 1 and sample.y.shape[1] > 1:
        raise ValueError(
            "Monotonicity constraints need one output, got a target with "
            f"{sample.y.shape[1]} outputs."
        )
    feature, level = sample.columns
    return np.where(level < 0, signs[feature], 0).astype(np.int8)


#: Parameters that all estimators have that take constraints.
SHARED_CONSTRAINTS = ("monotonic_cst", "interaction_cst")


def shared_constraints(model: Any, sample: Sample) -> Constraints:
    """Return the monotonic and interaction constraints of a fitted model, for its columns."""
    names = getattr(model, "feature_names_in_", None)
    return Constraints(
        column_feature=sample.columns[0],
        column_sign=column_signs(model.monotonic_cst, model.encoder_, names, sample),
        groups=interaction_groups(model.interaction_cst, model.encoder_, names),
    )


def check_combination(constraints: Constraints, settings: TreeSettings) -> None:
    """Validate that search, pruning and refinement can keep the constraints."""
    if not constraints.any:
        return
    search, pruner = settings.search, settings.pruner
    while isinstance(search, Wrapper):
        search = search.search
    if constraints.is_monotone and isinstance(search, LinearMachine | MML):
        raise ValueError(
            f"monotonic_cst needs tests that are hyperplanes; {type(search).__name__} makes other "
            "tests."
        )
    if constraints.is_monotone and settings.linear_leaves:
        raise ValueError(
            "monotonic_cst needs leaves that predict means, because linear functions of different "
            "leaves cross, got leaf='linear'."
        )
    by_depth = constraints.allowed or constraints.root is not None
    if settings.refinement is not None and (by_depth or constraints.costs is not None):
        raise ValueError(
            "refine moves all coefficients of a tree, which feature_costs, forced_root and "
            "allowed_features do not allow; give one or the other."
        )
    if (by_depth or constraints.groups) and isinstance(
        pruner, ErrorBased | MultivariateTreePruning
    ):
        raise ValueError(
            f"pruning by {type(pruner).__name__} moves or changes tests, which interaction_cst, "
            "forced_root and allowed_features do not allow; take another pruning."
        )


#: Parameters that constrain tests, but for `max_features_per_test`, which some searches have too.
CONSTRAINTS = (
    "monotonic_cst",
    "interaction_cst",
    "feature_costs",
    "forced_root",
    "allowed_features",
)


def refuse_constraints(estimator: Any, why: str, names: Sequence[str] = CONSTRAINTS) -> None:
    """Validate that an estimator that cannot keep constraints has none of them."""
    for name in names:
        if getattr(estimator, name, None) is not None:
            raise ValueError(
                f"{name} must be None for {type(estimator).__name__}, because {why}, got "
                f"{getattr(estimator, name)!r}."
            )
