"""Pipelines among the estimators, without loading scikit-learn's pipelines for all others."""

from __future__ import annotations

import sys
from typing import Any


def is_pipeline(clf: Any) -> bool:
    """Return whether an estimator is a pipeline: then its module is loaded."""
    module = sys.modules.get("sklearn.pipeline")
    return module is not None and isinstance(clf, module.Pipeline)


def without_pipeline(clf: Any, caller: str) -> Any:
    """Return the tree of a fitted pipeline in the units of its input; other estimators as they are.

    Raises
    ------
    TypeError
        If a step is no scaler, or the last one is no tree of this package.
    """
    if not is_pipeline(clf):
        return clf
    from aslant.inspection.pipeline import tree_in_input_units

    return tree_in_input_units(clf, caller)
