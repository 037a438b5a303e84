"""The form in which every data set is returned.

`data` is a float matrix when all features are numeric. Mixed data need a type per column: a
pandas DataFrame with ``category`` columns where pandas is installed, else an object array.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.utils import Bunch

from aslant_papers.datasets.table import FloatArray, ObjectArray

Features: TypeAlias = Mapping[str, FloatArray | ObjectArray]
"""Columns by name: floats for a numeric feature, objects (text or NaN) for a categorical one."""


def bundle(
    name: str,
    features: Features,
    target: npt.NDArray[Any] | None,
    split: npt.NDArray[np.str_] | None,
    description: str,
) -> Bunch:
    """Put features, labels and what is known about them into a scikit-learn `Bunch`."""
    categorical = np.array([column.dtype == object for column in features.values()], dtype=bool)
    return Bunch(
        data=_mixed(features) if categorical.any() else np.column_stack(list(features.values())),
        target=target,
        feature_names=list(features),
        categorical=categorical,
        split=split,
        name=name,
        DESCR=description,
    )


def _mixed(features: Features) -> Any:
    """Return columns of several types as a DataFrame, or as an object array without pandas."""
    try:
        import pandas as pd
    except ImportError:
        return np.column_stack([column.astype(object) for column in features.values()])
    return pd.DataFrame(
        {
            name: pd.Categorical(column) if column.dtype == object else column
            for name, column in features.items()
        }
    )
