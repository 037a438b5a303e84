"""A tree on flights that need not fit into memory: made, written as Parquet, fitted with Dask.

    python examples/dask_airline.py [--rows 5000000] [--workers 2] [--folder flights]

The flights are made here: departure, distance, carrier, weather, and whether the flight was late.
Lateness depends on sums of them: one oblique test expresses a sum, an ordinary tree needs many.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client, LocalCluster

from aslant import HHCARTClassifier
from aslant.dask import DaskTree
from aslant.inspection import export_text

CARRIERS = ("AS", "BX", "CQ", "DZ")


def make_flights(n_rows: int, seed: int) -> pd.DataFrame:
    """Return some flights."""
    rng = np.random.default_rng(seed)
    flights = pd.DataFrame(
        {
            "hour": rng.uniform(5.0, 23.0, n_rows).astype(np.float32),
            "distance": rng.gamma(2.0, 600.0, n_rows).astype(np.float32),
            "wind": rng.gamma(2.0, 8.0, n_rows).astype(np.float32),
            "turnaround": rng.normal(50.0, 15.0, n_rows).astype(np.float32),
            "carrier": pd.Categorical.from_codes(rng.integers(0, 4, n_rows), CARRIERS),
        }
    )
    flights.loc[rng.random(n_rows) < 0.05, "wind"] = np.nan
    wind = flights["wind"].fillna(16.0)
    delay = 2.0 * flights["hour"] + wind - flights["turnaround"] + rng.normal(0.0, 6.0, n_rows)
    delay += (
        flights["carrier"]
        .map(dict(zip(CARRIERS, (0.0, 0.0, 8.0, -8.0), strict=True)))
        .astype(float)
    )
    flights["late"] = np.where(delay > 0.0, "late", "on time")
    return flights


def write_flights(folder: Path, n_rows: int, n_files: int = 20) -> None:
    """Write flights as Parquet files."""
    for number in range(n_files):
        flights = make_flights(n_rows // n_files, number)
        flights.to_parquet(folder / f"part-{number:02d}.parquet")


def main() -> None:
    """Make flights, fit a tree to them, and show it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=None)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        write_flights(folder, arguments.rows)
        with (
            LocalCluster(
                n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None
            ) as cluster,
            Client(cluster),
        ):
            # Dask does not read the categories of a file: a pass over the column finds them.
            flights = dd.read_parquet(folder).categorize(columns=["carrier"])
            X, y = flights.drop(columns="late"), flights["late"]
            estimator = HHCARTClassifier(max_depth=4, search_rows=20_000, random_state=0)
            tree = DaskTree(estimator).fit(X, y)
            print(f"{arguments.rows} flights, accuracy {tree.score(X, y):.3f}")
            print(f"passes over the rows, level by level: {tree.passes_}")
        print(export_text(tree.to_local(), max_depth=1))


if __name__ == "__main__":
    main()
