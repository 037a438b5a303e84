"""`resolve`: the fitted estimator behind a tree, a forest, or a pipeline that ends in one.

Everything that shows, explains, exports or saves a model begins here. So all of it accepts the same
estimators and refuses others in the same sentence.
"""

from __future__ import annotations

import copy
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from aslant.encoding import FeatureEncoder
from aslant.estimators import access
from aslant.tree.tree import Tree

Array = npt.NDArray[np.float64]


# Where other estimators keep those that they are made of.
_INSIDE = {
    "best_estimator_": ": pass its best_estimator_",
    "calibrated_classifiers_": ": pass the estimator of one of its calibrated_classifiers_",
    "estimator_": ": pass its estimator_",
    "estimators_": ": pass one of its estimators_",
}


def resolve(estimator: Any, caller: str) -> Any:
    """Return the fitted aslant estimator behind `estimator`.

    Parameters
    ----------
    estimator : fitted estimator
        A tree, a forest (calibrated or not) or another ensemble of this package, or a pipeline of
        scalers that ends in one. The end of a pipeline is returned in the units of the pipeline's
        input, so it needs the scalers no more.
    caller : str
        The function that messages name.

    Raises
    ------
    TypeError
        If the estimator is none of these.
    """
    check_is_fitted(estimator)
    is_pipeline = _is_pipeline(estimator)
    final = estimator.steps[-1][1] if is_pipeline else estimator
    # By attributes: importing estimators here would be a cycle, since they show themselves.
    if not isinstance(getattr(final, "encoder_", None), FeatureEncoder):
        where = " at the end of a pipeline" if is_pipeline else ""
        hint = next((text for name, text in _INSIDE.items() if hasattr(final, name)), "")
        raise TypeError(
            f"{caller} needs a fitted tree or forest of aslant, or a pipeline of scalers that ends "
            f"in one, got {type(final).__name__}{where}{hint}."
        )
    if not is_pipeline:
        return estimator
    # Deferred: loads scikit-learn's pipelines and column transformers.
    from aslant.inspection.pipeline import in_input_units

    return in_input_units(estimator, caller)


def resolve_tree(estimator: Any, caller: str) -> Any:
    """Return what `resolve` does, for functions that show a single tree."""
    resolved = resolve(estimator, caller)
    if hasattr(resolved, "estimators_"):
        raise TypeError(
            f"{caller} shows one tree, and {type(resolved).__name__} holds "
            f"{len(resolved.estimators_)}: pass one of its estimators_."
        )
    return resolved


def members_of(resolved: Any) -> list[Any]:
    """Return the trees of a resolved estimator, each an estimator of its own."""
    return list(getattr(resolved, "estimators_", [resolved]))


def trees_of(resolved: Any) -> list[Tree]:
    """Return the trees of a resolved estimator as flat arrays."""
    return [member.tree_ for member in members_of(resolved)]


def on_encoded_rows(resolved: Any) -> Any:
    """Return a copy of a resolved estimator whose methods take rows that are encoded already."""
    made = copy.copy(resolved)
    made._encoded = lambda X, *, dense=False: X
    return made


def encoded_rows(resolved: Any, X: Any) -> Array:
    """Return the rows as the trees read them: a dense matrix of float64."""
    return np.asarray(access.encoded_rows(resolved, X), dtype=np.float64)


def outputs(resolved: Any, encoded: Array) -> Array:
    """Return ``predict_proba``, of a regressor ``predict``, of encoded rows: a column an output."""
    made = on_encoded_rows(resolved)
    if is_regressor(resolved):
        return np.asarray(made.predict(encoded)).reshape(len(encoded), -1)
    return np.asarray(made.predict_proba(encoded))


def _is_pipeline(estimator: Any) -> bool:
    """Whether an estimator is a pipeline: then its module is loaded already."""
    module = sys.modules.get("sklearn.pipeline")
    return module is not None and isinstance(estimator, module.Pipeline)
