"""Prediction through the flat tree against a walk down the tree one row at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import tree as oracle
from oracles.problems import examples

from aslant import HHCARTClassifier
from aslant.tree.tree import Tree

# Three numeric features, then a category with four levels, of which the tree knows three.
COLUMN_FEATURE = np.array([0, 1, 2, 3, 3, 3], dtype=np.int32)
COLUMN_LEVEL = np.array([-1, -1, -1, 0, 1, 2], dtype=np.int32)
N_COLUMNS = len(COLUMN_FEATURE)
N_CLASSES = 3


class TreeGrower:
    """Grows a random tree node by node, in depth-first preorder.

    Coefficients, fills and offsets are small whole numbers, so that sums are exact and rows often
    stand exactly on a boundary or between two equal classes of a linear machine. Tests read one
    to three columns, or three to six in a dense tree, which is predicted in blocks of rows.
    """

    def __init__(self, rng: np.random.Generator, machines: bool, dense: bool = False) -> None:
        self.rng = rng
        self.machines = machines
        self.fewest, self.most = (3, N_COLUMNS) if dense else (1, 3)
        self.children: list[list[int]] = []
        self.n_rows: list[int] = []
        self.rows: list[np.ndarray] = []

    def grow(self, depth: int) -> int:
        node = len(self.children)
        leaf = depth == 0 or self.rng.random() < 0.2
        width = 0 if leaf else int(self.rng.integers(2, 4)) if self.machines else 2
        self.children.append([])
        self.n_rows.append(0 if leaf else width if self.is_machine(width) else 1)
        for _ in range(self.n_rows[node]):
            size = self.rng.integers(self.fewest, self.most + 1)
            self.rows.append(np.sort(self.rng.choice(N_COLUMNS, size, replace=False)))
        self.children[node] = [self.grow(depth - 1) for _ in range(width)]
        return node

    def is_machine(self, width: int) -> bool:
        return width > 2 or (self.machines and bool(self.rng.random() < 0.5))

    def tree(self) -> Tree:
        n_nodes = len(self.children)
        sizes = [len(row) for row in self.rows]
        entries = sum(sizes)
        children = np.full((n_nodes, max(2, *map(len, self.children))), -1, dtype=np.int32)
        for node, own in enumerate(self.children):
            children[node, : len(own)] = own
        small = self.rng.integers
        columns = np.concatenate([np.empty(0, int), *self.rows]).astype(np.int32)
        return Tree(
            n_features=4,
            children=children,
            value=np.ones((n_nodes, N_CLASSES)),
            n_node_samples=np.full(n_nodes, N_CLASSES, dtype=np.int64),
            impurity=np.zeros(n_nodes),
            row_start=np.cumsum([0, *self.n_rows], dtype=np.int32),
            coef_start=np.cumsum([0, *sizes], dtype=np.int64),
            coef_column=columns,
            coef_value=small(-3, 4, entries).astype(float),
            coef_fill=small(-2, 3, entries).astype(float),
            offset=small(-3, 4, len(self.rows)).astype(float),
            column_feature=COLUMN_FEATURE,
            column_level=COLUMN_LEVEL,
        )


def random_rows(rng: np.random.Generator, n: int) -> np.ndarray:
    X = rng.integers(-2, 4, (n, 4)).astype(float)
    X[:, 3] = rng.integers(0, 4, n)
    X[rng.random((n, 4)) < 0.15] = np.nan
    return X


def random_case(seed: int, machines: bool, dense: bool = False) -> tuple[Tree, np.ndarray]:
    rng = np.random.default_rng(seed)
    grower = TreeGrower(rng, machines, dense)
    grower.grow(depth=int(rng.integers(0, 5)))
    return grower.tree(), random_rows(rng, 40)


@pytest.mark.parametrize("machines", [False, True])
@pytest.mark.parametrize("dense", [False, True])
@examples(100)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_row_reaches_the_leaf_of_the_walk(machines: bool, dense: bool, seed: int) -> None:
    tree, X = random_case(seed, machines, dense)
    np.testing.assert_array_equal(tree.apply(X), oracle.apply(tree, X))


@examples(50)
@given(seed=st.integers(0, 2**32 - 1), data=st.data())
def test_the_walk_may_begin_anywhere(seed: int, data: st.DataObject) -> None:
    tree, X = random_case(seed, machines=True)
    start = data.draw(st.integers(0, tree.n_nodes - 1))
    np.testing.assert_array_equal(tree.apply(X, start=start), oracle.apply(tree, X, start))


@pytest.mark.parametrize(
    "layout",
    [
        pytest.param(np.asfortranarray, id="columns first"),
        pytest.param(lambda X: np.repeat(X, 2, axis=0)[::2], id="strided"),
        pytest.param(lambda X: X.astype(np.float32), id="single precision"),
    ],
)
@pytest.mark.parametrize("dense", [False, True])
def test_the_layout_of_the_rows_does_not_matter(layout: object, dense: bool) -> None:
    assert callable(layout)
    tree, X = random_case(5, machines=False, dense=dense)
    np.testing.assert_array_equal(tree.apply(layout(X)), oracle.apply(tree, X))


@pytest.mark.parametrize("width", [3, 4, 5, 9, 13, 16, 17, 50])
def test_rows_end_where_they_did_while_the_tree_grew(width: int) -> None:
    rng = np.random.default_rng(width)
    X = rng.normal(size=(300, width)) * 10.0 ** rng.integers(-8, 8, width)
    y = (X / X.std(axis=0)).sum(axis=1) + rng.normal(size=300) > 0
    tree = HHCARTClassifier(pruning=None).fit(X, y).tree_
    arrived = np.bincount(tree.apply(X), minlength=tree.n_nodes)
    np.testing.assert_array_equal(arrived[tree.is_leaf], tree.n_node_samples[tree.is_leaf])


def test_no_rows_reach_no_leaf() -> None:
    tree, _ = random_case(5, machines=False)
    assert tree.apply(np.empty((0, 4))).shape == (0,)


def test_a_row_on_the_boundary_goes_to_child_0() -> None:
    grower = TreeGrower(np.random.default_rng(0), machines=False)
    grower.children, grower.n_rows = [[1, 2], [], []], [1, 0, 0]
    grower.rows = [np.array([0])]
    arrays = grower.tree().arrays() | {"coef_value": np.ones(1), "offset": np.array([0.5])}
    X = np.array([[0.5, 0, 0, 0], [np.nextafter(0.5, 1.0), 0, 0, 0]])
    assert Tree(n_features=4, **arrays).apply(X).tolist() == [1, 2]
