"""A forest that has grown: its trees asked, shown one by one, and kept."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, hstack
from sklearn.utils.validation import check_is_fitted

from aslant import _core
from aslant.estimators.forest.packing import pack, pack_trees, unpack, unpack_trees
from aslant.estimators.growing import TreeGrower
from aslant.growth.importances import importances, mean_importances
from aslant.tree.tree import Tree
from aslant.utils.parameters import parameters

Encoded = npt.NDArray[np.floating[Any]]

TOO_FEW_TREES = (
    "Some inputs do not have OOB scores. This probably means too few trees were used to compute "
    "any reliable OOB estimates."
)


@parameters
class GrownForest(TreeGrower):
    """What is asked of a fitted forest; not to be used itself.

    Attributes
    ----------
    trees_ : list of Tree
        The trees as flat arrays.
    estimators_ : list
        The trees as estimators of their own.
    estimators_samples_ : list of ndarray
        The rows that each tree was grown on.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total decrease of impurity, the mean over the trees.
    encoder_ : FeatureEncoder
        The encoding of the features.
    n_samples_fit_ : int
        Training rows that weigh something.
    n_hyperplanes_ : int
        Lines considered while growing.
    """

    # ------------------------------------------------------------------ what subclasses say

    _tree_type: ClassVar[type[Tree]] = Tree

    @abstractmethod
    def _says(self, tree: Tree) -> npt.NDArray[np.float64]:
        """Return what each node of a tree says, one row a node."""

    @abstractmethod
    def _member(self, tree: Tree) -> Any:
        """Return one tree as an estimator of its own."""

    # ------------------------------------------------------------------ asking

    @property
    def _asked(self) -> _core.Forest:
        """The trees as prediction reads them, made when they are first asked."""
        forest: _core.Forest | None = self._made.get("asked")
        if forest is None:
            first = self.trees_[0]
            forest = _core.Forest(first.n_features, self._says(first).shape[1])
            for tree in self.trees_:
                forest.add(**tree.structure(), says=self._says(tree))
            self._made["asked"] = forest
        return forest

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_made": {}} if "_made" in state else state

    def _mean(self, encoded: Encoded) -> npt.NDArray[np.float64]:
        """Return the mean of what the trees say of each row."""
        return self._asked.predict(encoded, self._n_threads()) / len(self.trees_)

    def _out_of_bag(self, encoded: Encoded) -> npt.NDArray[np.float64]:
        """Return the mean over the trees that have not drawn a row; NaN where all have."""
        sums, asked = self._asked.predict_out_of_bag(
            encoded, self._seeds, self._n_samples_bootstrap, self._n_threads()
        )
        with np.errstate(invalid="ignore"):
            return np.asarray(sums / asked[:, None])

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the leaf that each row reaches in each tree, shape (n_samples, n_estimators)."""
        encoded = self._encoded(X)
        return self._asked.apply(encoded, self._n_threads()).astype(np.int64)

    def decision_path(self, X: Any) -> tuple[csr_array, npt.NDArray[np.intp]]:
        """Return the nodes each row passes in all trees, and where each tree's columns begin."""
        encoded = self._encoded(X)
        paths = [tree.decision_path(encoded) for tree in self.trees_]
        return csr_array(hstack(paths)), np.cumsum([0, *(path.shape[1] for path in paths)])

    def proximity(self, X: Any, Z: Any = None) -> npt.NDArray[np.float64]:
        """Return the share of the trees in which two rows end in the same leaf.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        Z : array-like of shape (n_others, n_features), optional
            The rows to compare them with; by default X itself.

        Returns
        -------
        ndarray of shape (n_samples, n_others)
            Breiman's proximities, between 0 and 1.
        """
        leaves = self.apply(X)
        others = leaves if Z is None else self.apply(Z)
        shared = np.zeros((len(leaves), len(others)))
        for mine, theirs in zip(leaves.T, others.T, strict=True):
            shared += mine[:, None] == theirs
        return shared / len(self.trees_)

    # ------------------------------------------------------------------ what fitting learned

    @property
    def estimators_(self) -> list[Any]:
        """The trees as estimators of their own."""
        if "trees_" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        if "members" not in self._made:
            self._made["members"] = [self._member(tree) for tree in self.trees_]
        members: list[Any] = self._made["members"]
        return members

    @property
    def estimators_samples_(self) -> list[npt.NDArray[np.int32]]:
        """The rows that each tree was grown on, as often as it has drawn them."""
        check_is_fitted(self)
        if not self._n_samples_bootstrap:
            return [np.arange(self.n_samples_fit_, dtype=np.int32) for _ in self.trees_]
        return [
            _core.drawn_rows(seed, self.n_samples_fit_, self._n_samples_bootstrap)
            for seed in self._seeds
        ]

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Share of each feature in the decrease of impurity, the mean over the trees."""
        check_is_fitted(self)
        return mean_importances([self._importances_of(tree) for tree in self.trees_])

    def _importances_of(self, tree: Tree) -> npt.NDArray[np.float64]:
        return importances(tree, self.column_spread_)

    def __len__(self) -> int:
        return len(self.estimators_)

    def __getitem__(self, index: int) -> Any:
        return self.estimators_[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    def get_depth(self) -> int:
        """Return the depth of the deepest tree."""
        check_is_fitted(self)
        return max(tree.max_depth for tree in self.trees_)

    def get_n_leaves(self) -> int:
        """Return the number of leaves of all trees together."""
        check_is_fitted(self)
        return sum(tree.n_leaves for tree in self.trees_)

    # ------------------------------------------------------------------ keeping

    def _to_state(self) -> dict[str, Any]:
        """Everything that fitting learned, as plain values and arrays."""
        return {
            **self._features_to_state(),
            "n_hyperplanes": self.n_hyperplanes_,
            "seeds": pack(np.array(self._seeds, dtype=np.uint64)),
            "seed": self._seed,
            "n_drawn": self._n_samples_bootstrap,
            "n_samples": self.n_samples_fit_,
            "spread": self.column_spread_,
            "trees": pack_trees(self.trees_),
        }

    def _from_state(self, state: dict[str, Any]) -> Self:
        """Become fitted again from what `_to_state` returned."""
        self._features_from_state(state)
        self.n_hyperplanes_ = int(state["n_hyperplanes"])
        self._seeds: list[int] = unpack(state["seeds"]).tolist()
        self._seed = int(state["seed"])
        self._n_samples_bootstrap = int(state["n_drawn"])
        self.n_samples_fit_ = int(state["n_samples"])
        self.column_spread_ = np.asarray(state["spread"], dtype=np.float64)
        columns = self.encoder_.columns()
        self.trees_: list[Tree] = unpack_trees(
            state["trees"], self.n_features_in_, *columns, self._tree_type
        )
        self._made: dict[str, Any] = {}
        if not self.trees_ or len(self._seeds) != len(self.trees_):
            raise ValueError("a forest needs a seed for each of its trees")
        return self
