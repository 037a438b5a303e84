"""A tree on a Dask cluster beside the ordinary estimator, on the same Parquet files.

    python benchmarks/on_dask.py [--rows 5000000] [--out benchmarks/results/on_dask.json]

HHCART(D), depth 10, `search_rows` 10,000, on rows x 20 float32. Every fit is a process of its own
that reads the files itself: its wall time, the CPU time of the workers, and the greatest memory of
any of its processes. The ordinary estimator has one thread, each worker of a cluster has one.
LightGBM's Dask tree (one tree of as many leaves) is the yardstick where it is installed. Ratios of
one run are kept: compare them, not the seconds.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import time
from pathlib import Path
from queue import Empty
from typing import Any

import numpy as np
from provenance import environment, write_results

FEATURES, DEPTH, SEARCH_ROWS, FILES = 20, 10, 10_000, 20
FOLDER = Path("build/bench-dask")


def make_files(n_rows: int) -> Path:
    """Write the rows once, and return their folder."""
    import pandas as pd

    folder = FOLDER / str(n_rows)
    complete = FOLDER / f"{n_rows}.complete"
    if complete.exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    plane = rng.normal(size=(2, FEATURES))
    for number in range(FILES):
        X = rng.normal(size=(n_rows // FILES, FEATURES)).astype(np.float32)
        side = (X @ plane.T > 0).astype(int)
        y = np.where(
            rng.random(len(X)) < 0.1, rng.integers(0, 4, len(X)), 2 * side[:, 0] + side[:, 1]
        )
        frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(FEATURES)])
        frame["y"] = y.astype(np.int8)
        frame.to_parquet(folder / f"part-{number:02d}.parquet")
    complete.touch()
    return folder


def tree() -> Any:
    from aslant import HHCARTClassifier

    return HHCARTClassifier(
        variant="dominant",
        max_depth=DEPTH,
        search_rows=SEARCH_ROWS,
        pruning=None,
        random_state=0,
    )


def ordinary(folder: Path) -> dict[str, Any]:
    """Fit the ordinary estimator, rows read at once."""
    import pandas as pd

    began, used = time.perf_counter(), time.process_time()
    frame = pd.read_parquet(folder)
    y = frame.pop("y").to_numpy()
    X = frame.to_numpy()
    del frame
    fitted = tree().fit(X, y)
    seconds = time.perf_counter() - began
    return {
        "seconds": seconds,
        "cpu": time.process_time() - used,
        "peak": _peak(),
        "leaves": fitted.get_n_leaves(),
    }


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def on_cluster(folder: Path, n_workers: int, kind: str = "aslant") -> dict[str, Any]:
    """Fit on a cluster of so many processes; starting it is not counted."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=n_workers, threads_per_worker=1, memory_limit="4GiB", dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        began, used = time.perf_counter(), sum(client.run(time.process_time).values())
        table = dd.read_parquet(folder)
        X, y = table.drop(columns="y"), table["y"]
        if kind == "lightgbm":
            from lightgbm import DaskLGBMClassifier

            # It asks for as many partitions of the targets as of the rows; Dask joins narrow ones.
            rows = table.to_dask_array(lengths=True)
            model = DaskLGBMClassifier(n_estimators=1, num_leaves=2**DEPTH, max_depth=DEPTH)
            model.fit(rows[:, :-1], rows[:, -1])
            leaves, passes = 2**DEPTH, []
        else:
            from aslant.dask import DaskTree

            found = DaskTree(tree(), client).fit(X, y)
            leaves, passes = found.to_local().get_n_leaves(), found.passes_
        seconds = time.perf_counter() - began
        cpu = sum(client.run(time.process_time).values()) - used
        peak = max(client.run(_peak).values())
    return {"seconds": seconds, "cpu": cpu, "peak": peak, "leaves": leaves, "passes": passes}


def _measured(queue: Any, function: Any, args: tuple[Any, ...]) -> None:
    queue.put(function(*args))


def in_a_process(function: Any, *args: Any) -> dict[str, Any]:
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=_measured, args=(queue, function, args))
    process.start()
    while True:
        try:
            found: dict[str, Any] = queue.get(timeout=1.0)
            break
        except Empty:
            if not process.is_alive():
                raise RuntimeError(f"{function.__name__} failed") from None
    process.join()
    return found


def measure(n_rows: int) -> dict[str, Any]:
    folder, smaller = make_files(n_rows), make_files(n_rows // 5)
    found = {
        "ordinary": in_a_process(ordinary, folder),
        "1 worker": in_a_process(on_cluster, folder, 1),
        "2 workers": in_a_process(on_cluster, folder, 2),
        "2 workers, a fifth of the rows": in_a_process(on_cluster, smaller, 2),
    }
    try:
        import lightgbm  # noqa: F401

        found["LightGBM on Dask, 2 workers"] = in_a_process(on_cluster, folder, 2, "lightgbm")
    except (ImportError, RuntimeError) as error:
        print(f"without LightGBM: {error}")
    two, one = found["2 workers"], found["1 worker"]
    few = found["2 workers, a fifth of the rows"]
    ratios = {
        "2 workers to ordinary, wall time": two["seconds"] / found["ordinary"]["seconds"],
        "2 workers to ordinary, CPU time of all": two["cpu"] / found["ordinary"]["cpu"],
        "2 workers to ordinary, peak memory of a process": two["peak"] / found["ordinary"]["peak"],
        "2 workers to 1": two["seconds"] / one["seconds"],
        "exponent of the rows": float(np.log(two["seconds"] / few["seconds"]) / np.log(5.0)),
        "same leaves": two["leaves"] == found["ordinary"]["leaves"],
    }
    if (theirs := found.get("LightGBM on Dask, 2 workers")) is not None:
        ratios["2 workers to LightGBM's, wall time"] = two["seconds"] / theirs["seconds"]
    return {"rows": n_rows, "load": os.getloadavg()[0], "fits": found, "ratios": ratios}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/on_dask.json"))
    arguments = parser.parse_args()
    begun = environment()
    found = measure(arguments.rows)
    write_results(arguments.out, found, begun)
    for name, value in found["ratios"].items():
        print(f"{name}: {value if isinstance(value, bool) else f'{value:.2f}'}")


if __name__ == "__main__":
    sys.exit(main())
