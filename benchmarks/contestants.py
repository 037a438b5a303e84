"""Who takes part: our trees and the peers', each behind the same four methods.

Everyone grows one tree on one thread, unpruned and until its leaves are pure; other settings are
the defaults of their authors. A peer is imported when it is built, so one that does not install
or import spoils nothing but its own rows. Peers whose interface is not scikit-learn's have an
adapter here; its cost is a few Python statements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from aslant import CARTClassifier, FisherTreeClassifier, HHCARTClassifier, OC1Classifier


class Tree(Protocol):
    """What the measurements ask of a contestant."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Any: ...

    def predict(self, X: np.ndarray) -> np.ndarray: ...

    def get_n_leaves(self) -> int: ...


class ObliqueTree:
    """An obliquetree classifier, which does not say how many leaves it has."""

    def __init__(self, max_depth: int | None, all_features: bool) -> None:
        self.max_depth = -1 if max_depth is None else max_depth
        self.all_features = all_features

    def fit(self, X: np.ndarray, y: np.ndarray) -> None:
        from obliquetree import Classifier

        n_pair = X.shape[1] if self.all_features else min(2, X.shape[1])
        self.model = Classifier(max_depth=self.max_depth, n_pair=n_pair, random_state=0)
        self.model.fit(X, y)
        self.training = X

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.model.predict(X)

    def get_n_leaves(self) -> int:
        return len(np.unique(self.model.apply(self.training)))


class STree:
    """STree, whose count of leaves has another name."""

    def __init__(self, max_depth: int | None) -> None:
        from stree import Stree

        self.model = Stree(random_state=0, max_depth=max_depth)

    def fit(self, X: np.ndarray, y: np.ndarray) -> None:
        self.model.fit(X, y)

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.model.predict(X)

    def get_n_leaves(self) -> int:
        return int(self.model.nodes_leaves()[1])


class YDFTree:
    """The CART learner of Yggdrasil decision forests, with the tests named by split_axis."""

    def __init__(self, max_depth: int | None, split_axis: str) -> None:
        import ydf

        ydf.verbose(0)
        self.learner = ydf.CartLearner(
            label="label",
            split_axis=split_axis,
            # Its root has depth 1; -1 is unlimited.
            max_depth=-1 if max_depth is None else max_depth + 1,
            min_examples=1,
            validation_ratio=0.0,
            num_threads=1,
        )

    def fit(self, X: np.ndarray, y: np.ndarray) -> None:
        self.model = self.learner.train({"x": X, "label": y})
        self.classes = np.array([int(name) for name in self.model.label_classes()])

    def predict(self, X: np.ndarray) -> np.ndarray:
        probability = self.model.predict({"x": X})
        if probability.ndim == 1:
            return self.classes[(probability > 0.5).astype(int)]
        return self.classes[probability.argmax(axis=1)]

    def get_n_leaves(self) -> int:
        open_nodes, leaves = [self.model.get_tree(0).root], 0
        while open_nodes:
            node = open_nodes.pop()
            if node.is_leaf:
                leaves += 1
            else:
                open_nodes += [node.pos_child, node.neg_child]
        return leaves


class LightGBM:
    """LightGBM: the given rounds of boosting; from three classes on, a round is a tree per class.

    One round takes a whole step and has no limit on leaves: a single tree, grown on histograms.
    """

    def __init__(self, max_depth: int | None, rounds: int) -> None:
        from lightgbm import LGBMClassifier

        self.one_tree = rounds == 1
        depth = -1 if max_depth is None else max_depth
        self.model = LGBMClassifier(
            n_estimators=rounds, max_depth=depth, n_jobs=1, random_state=0, verbosity=-1
        )

    def fit(self, X: np.ndarray, y: np.ndarray) -> None:
        if self.one_tree:
            self.model.set_params(
                learning_rate=1.0,
                min_child_samples=1,
                min_child_weight=0.0,
                num_leaves=min(len(X), 131_072),  # the most it allows
                histogram_pool_size=64,  # megabytes; else it makes room for all leaves in advance
            )
        self.model.fit(X, y)

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.model.predict(X)

    def get_n_leaves(self) -> int:
        trees = self.model.booster_.dump_model()["tree_info"]
        return sum(tree["num_leaves"] for tree in trees)


def treeple(max_depth: int | None) -> Tree:
    from treeple.tree import ObliqueDecisionTreeClassifier

    return ObliqueDecisionTreeClassifier(max_depth=max_depth, random_state=0)


def oc1(max_depth: int | None = None, n_jobs: int = 1) -> OC1Classifier:
    """OC1 as in the comparisons with the original program: 20 restarts, 5 jumps, unpruned."""
    return OC1Classifier(
        restarts=20, jumps=5, pruning=None, max_depth=max_depth, n_jobs=n_jobs, random_state=0
    )


def hhcart(variant: Literal["all", "dominant"], max_depth: int | None = None) -> HHCARTClassifier:
    return HHCARTClassifier(variant=variant, pruning=None, max_depth=max_depth, random_state=0)


def cart(max_depth: int | None = None) -> CARTClassifier:
    return CARTClassifier(max_depth=max_depth, random_state=0)


def scikit_learn(max_depth: int | None = None) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(max_depth=max_depth, random_state=0)


@dataclass(frozen=True)
class Contestant:
    """One line of the tables: whose it is, and how it is built for a depth (None: unlimited)."""

    package: str
    build: Callable[[int | None], Tree]


CONTESTANTS: dict[str, Contestant] = {
    "aslant CART": Contestant("aslant", cart),
    "aslant HHCART(D)": Contestant("aslant", lambda depth: hhcart("dominant", depth)),
    "aslant HHCART(A)": Contestant("aslant", lambda depth: hhcart("all", depth)),
    "aslant Fisher": Contestant(
        "aslant", lambda depth: FisherTreeClassifier(pruning=None, max_depth=depth)
    ),
    "aslant OC1": Contestant("aslant", oc1),
    "scikit-learn CART": Contestant("scikit-learn", scikit_learn),
    "treeple": Contestant("treeple", treeple),
    "obliquetree": Contestant("obliquetree", lambda depth: ObliqueTree(depth, False)),
    "obliquetree, all features": Contestant("obliquetree", lambda depth: ObliqueTree(depth, True)),
    "STree": Contestant("STree", STree),
    "ydf axis": Contestant("ydf", lambda depth: YDFTree(depth, "AXIS_ALIGNED")),
    "ydf sparse oblique": Contestant("ydf", lambda depth: YDFTree(depth, "SPARSE_OBLIQUE")),
    "ydf MHLD": Contestant("ydf", lambda depth: YDFTree(depth, "MHLD_OBLIQUE")),
    "LightGBM, one tree": Contestant("lightgbm", lambda depth: LightGBM(depth, 1)),
    "LightGBM, 100 rounds": Contestant("lightgbm", lambda depth: LightGBM(depth, 100)),
}
