"""Trees and rows to refine."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.datasets import make_classification

from aslant import ObliqueDecisionTreeClassifier
from aslant.encoding.sample import Sample
from aslant.tree.tree import Tree


def sample_of(X: Any, y: Any, weight: Any = None) -> Sample:
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=np.int32)
    weight = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=float)
    return Sample(X, y, weight, int(y.max()) + 1)


def rows(n: int = 200, d: int = 5, n_classes: int = 3, seed: int = 0, noise: float = 0.1) -> Sample:
    X, y = make_classification(
        n,
        d,
        n_informative=min(d, 4),
        n_redundant=0,
        n_classes=n_classes,
        n_clusters_per_class=1,
        flip_y=noise,
        random_state=seed,
    )
    return sample_of(X, y)


def grown(sample: Sample, search: str = "axis_parallel", **settings: Any) -> Tree:
    clf = ObliqueDecisionTreeClassifier(
        search, criterion="entropy", random_state=0, **{"max_leaf_nodes": 8, **settings}
    )
    return clf.fit(sample.X, sample.y, sample.weight).tree_
