"""Trees and forests on a real cluster of worker processes."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client, KilledWorker, LocalCluster
from sklearn.datasets import make_classification, make_friedman1

from aslant import (
    HHCARTClassifier,
    ObliqueDecisionTreeClassifier,
    ObliqueDecisionTreeRegressor,
    ObliqueRandomForestClassifier,
)
from aslant.dask import DaskForest, DaskTree
from aslant.search.registry import SEARCHES

# Dask's own objects warn while they are taken down.
pytestmark = pytest.mark.filterwarnings("ignore")

X, Y = make_classification(2000, 5, n_informative=4, n_redundant=0, n_classes=3, random_state=1)
TREE = HHCARTClassifier(pruning=None, search_rows=200, max_depth=5, random_state=0)


def started(n_workers: int, memory: str = "1GiB") -> LocalCluster:
    return LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        memory_limit=memory,
        dashboard_address="127.0.0.1:0",
        processes=True,
    )


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with started(2) as cluster, Client(cluster) as connected:
        yield connected


def arrays(n_parts: int) -> tuple[Any, Any]:
    size = -(-len(Y) // n_parts)
    return da.from_array(X, chunks=(size, X.shape[1])), da.from_array(Y, chunks=size)


@pytest.mark.parametrize("n_parts", [1, 7])
def test_the_tree_is_that_of_the_ordinary_estimator(client: Client, n_parts: int) -> None:
    rows, labels = arrays(n_parts)
    tree = DaskTree(TREE, client, local_rows=500).fit(rows, labels)
    ordinary = TREE.fit(X, Y)
    assert tree.to_local().tree_ == ordinary.tree_
    for method in ("predict", "predict_proba", "apply"):
        lazy = getattr(tree, method)(rows)
        assert isinstance(lazy, da.Array)
        np.testing.assert_array_equal(lazy.compute(), getattr(ordinary, method)(X))
    assert tree.score(rows, labels) == pytest.approx(ordinary.score(X, Y))


def test_data_frames(client: Client, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame["kind"] = pd.Categorical(np.array(["u", "v", "w"])[rng.integers(0, 3, len(Y))])
    frame.loc[rng.random(len(Y)) < 0.1, "b"] = np.nan
    frame["y"] = np.array(["one", "two", "three"])[Y]
    table = dd.from_pandas(frame, npartitions=3)
    rows, labels = table.drop(columns="y"), table["y"]
    weight = dd.from_pandas(pd.Series(1.0 + rng.random(len(Y))), npartitions=3)
    tree = DaskTree(TREE, client, local_rows=500).fit(rows, labels, weight)
    plain = frame.drop(columns="y")
    ordinary = TREE.fit(plain, frame["y"].to_numpy(), weight.compute().to_numpy())
    assert tree.to_local().tree_ == ordinary.tree_
    predicted = tree.predict(rows)
    assert isinstance(predicted, dd.Series)
    np.testing.assert_array_equal(predicted.compute().to_numpy(), ordinary.predict(plain))
    shares = tree.predict_proba(rows).compute()
    np.testing.assert_array_equal(shares.to_numpy(), ordinary.predict_proba(plain))


def test_numbers(client: Client) -> None:
    rows, numbers = make_friedman1(1500, random_state=0)
    estimator = ObliqueDecisionTreeRegressor(
        "least_squares", search_rows=200, max_depth=4, random_state=0
    )
    lazy = da.from_array(rows, chunks=(400, 10)), da.from_array(numbers, chunks=400)
    tree = DaskTree(estimator, client, local_rows=400).fit(*lazy)
    ordinary = estimator.fit(rows, numbers)
    assert tree.to_local().tree_ == ordinary.tree_
    assert tree.score(*lazy) == pytest.approx(ordinary.score(rows, numbers))


def test_forests(client: Client) -> None:
    forest = ObliqueRandomForestClassifier(4, max_samples=300, max_depth=5, random_state=0)
    rows, labels = arrays(3)
    over = DaskForest(forest, client).fit(rows, labels)
    ordinary = forest.fit(X, Y)
    assert over.to_local().trees_ == ordinary.trees_
    np.testing.assert_array_equal(over.predict(rows).compute(), ordinary.predict(X))


def test_a_level_takes_a_constant_number_of_passes(client: Client) -> None:
    rows, labels = arrays(3)
    for local_rows in (400, 1200):
        tree = DaskTree(TREE, client, local_rows=local_rows).fit(rows, labels)
        # Gathering, bins, rows; twice where a first sample shows nothing. Then the small nodes.
        assert len(tree.passes_) >= 3
        assert max(tree.passes_[:-1]) <= 6
        assert min(tree.passes_[:-2]) >= 3


def test_rows_do_not_come_to_the_client(client: Client) -> None:
    rng = np.random.default_rng(0)
    big = rng.normal(size=(200_000, 8)).astype(np.float32)
    y = (big[:, :3].sum(axis=1) > 0).astype(int)
    estimator = HHCARTClassifier(pruning=None, search_rows=2000, max_depth=3, random_state=0)
    lazy = da.from_array(big, chunks=(50_000, 8)), da.from_array(y, chunks=50_000)
    tree = DaskTree(estimator, client, local_rows=20_000).fit(*lazy)
    assert 0 < tree.bytes_to_client_ < big.nbytes / 10


def test_a_lost_worker_changes_nothing(client: Client) -> None:
    rows, labels = arrays(6)
    ordinary = TREE.fit(X, Y)
    pids = client.run(os.getpid)
    tree = DaskTree(
        TREE.set_params(verbose=_Killer(next(iter(pids.values())))), client, local_rows=300
    )
    try:
        tree.fit(rows, labels)
    finally:
        TREE.set_params(verbose=0)
        client.wait_for_workers(2)  # for the tests that follow: the lost one is started again
    assert set(client.run(os.getpid).values()) != set(pids.values())
    assert tree.to_local().tree_ == ordinary.tree_


class _Killer:
    """A report of progress that kills a process when it is first called."""

    def __init__(self, pid: int) -> None:
        self.pid, self.done = pid, False

    def __call__(self, rows_done: int, n_rows: int) -> None:
        if not self.done:
            self.done = True
            os.kill(self.pid, signal.SIGKILL)


def _die(block: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_a_worker_that_dies_again_and_again_ends_the_fit() -> None:
    rows, labels = arrays(2)
    with started(1) as cluster, Client(cluster) as client:
        deadly = rows.map_blocks(_die, dtype=float, meta=np.zeros((0, 0)))
        with pytest.raises(KilledWorker, match="Attempted to run task"):
            DaskTree(TREE, client).fit(deadly, labels)


@pytest.mark.slow
def test_data_larger_than_memory(tmp_path: Path) -> None:
    """1.1 GB of rows on a worker with a limit of 0.5 GB, which is not started again."""
    rng = np.random.default_rng(0)
    n_files, n_rows, n_columns = 64, 110_000, 40
    for number in range(n_files):
        values = rng.normal(size=(n_rows, n_columns)).astype(np.float32)
        frame = pd.DataFrame(values, columns=[f"x{j}" for j in range(n_columns)])
        frame["y"] = (values[:, :3].sum(axis=1) > 0).astype(np.int8)
        frame.to_parquet(tmp_path / f"part-{number:02d}.parquet")
    limit = 512 << 20
    assert n_files * n_rows * (4 * n_columns + 1) > 2 * limit
    estimator = HHCARTClassifier(
        variant="dominant", pruning=None, search_rows=2000, max_depth=3, random_state=0
    )
    with started(1, str(limit)) as cluster, Client(cluster) as client:
        before = set(client.run(os.getpid).values())
        table = dd.read_parquet(tmp_path)
        tree = DaskTree(estimator, client, local_rows=50_000)
        tree.fit(table.drop(columns="y"), table["y"])
        assert set(client.run(os.getpid).values()) == before
    assert tree.to_local().n_samples_fit_ == n_files * n_rows
    assert tree.to_local().get_depth() == 3


@pytest.mark.slow
@pytest.mark.parametrize("n_workers", [1, 2])
@pytest.mark.parametrize("name", sorted(set(SEARCHES) - {"mml"}))
def test_every_search_on_a_cluster(n_workers: int, name: str) -> None:
    estimator = ObliqueDecisionTreeClassifier(name, search_rows=150, max_depth=4, random_state=0)
    ordinary = estimator.fit(X, Y).tree_
    with started(n_workers) as cluster, Client(cluster) as client:
        for n_parts in (1, 3, 7):
            tree = DaskTree(estimator, client, local_rows=500).fit(*arrays(n_parts))
            assert tree.to_local().tree_ == ordinary


@pytest.mark.slow
def test_an_interrupt_cancels_what_is_under_way(client: Client, tmp_path: Path) -> None:
    """The blocks wait for the interrupt, and the interrupt for the first of them."""
    begun, ended = tmp_path / "begun", tmp_path / "ended"

    def wait_for(path: Path) -> None:
        while not path.exists():
            time.sleep(0.05)

    def waiting(block: Any) -> Any:
        begun.touch()
        wait_for(ended)
        return block

    def interrupt() -> None:
        wait_for(begun)
        signal.raise_signal(signal.SIGINT)

    rows, labels = arrays(7)
    lazy = rows.map_blocks(waiting, dtype=float, meta=np.zeros((0, 0)))
    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            DaskTree(TREE, client, local_rows=300).fit(lazy, labels)
    finally:
        ended.touch()
    thread.join()
    while any(client.processing().values()):
        time.sleep(0.1)
