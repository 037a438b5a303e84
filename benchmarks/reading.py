"""What reading costs: the command line against polars plus the same fit, and memory of predictions.

    python benchmarks/reading.py                 500,000 rows x 14 columns, CSV and Parquet
    python benchmarks/reading.py --rows 100000   fewer
    python benchmarks/reading.py --large         also 10 million rows x 10, predicted in batches

Times are CPU seconds of a process, with all its threads and with starting Python; figures are
ratios to a process that reads the file with polars and fits the same model. Memory is the largest
that a process held.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

IN_PYTHON = """
import sys
import polars as pl
from aslant import CARTClassifier, save
path, model = sys.argv[1:]
read = pl.read_parquet if path.endswith("parquet") else pl.read_csv
frame = read(path) if read is pl.read_parquet else read(path, try_parse_dates=True)
y = frame["y"].to_numpy().astype(str)
tree = CARTClassifier(random_state=0).fit(frame.drop("y"), y)
print(tree.score(frame.drop("y"), y))
save(tree, model)
"""


def table(n_rows: int, n_numbers: int, seed: int = 0) -> pl.DataFrame:
    """Return numbers, categories of 2, 3 and 300 levels, a date, and two classes."""
    rng = np.random.default_rng(seed)
    numbers = {f"n{j}": rng.normal(size=n_rows).round(4) for j in range(n_numbers)}
    days = rng.integers(18_000, 19_000, n_rows).astype("datetime64[D]")
    insured = rng.choice(["No", "Yes"], n_rows)
    signal = numbers["n0"] + numbers["n1"] + (insured == "Yes") + rng.normal(size=n_rows)
    return pl.DataFrame(
        {
            **numbers,
            "ward": rng.choice(["north", "south", "east"], n_rows),
            "zip": [f"z{code}" for code in rng.integers(0, 300, n_rows)],
            "insured": insured,
            "when": days,
            "y": np.where(signal > 0.5, "a", "b"),
        }
    )


def cpu_seconds(command: list[str]) -> tuple[float, float]:
    """Run a command; return its CPU seconds, and the largest memory in GB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss / 2**20


def ratios(folder: Path, n_rows: int) -> None:
    """Print the cost of ``aslant fit`` as a ratio to polars and the same fit."""
    frame = table(n_rows, 9)
    frame.write_csv(folder / "rows.csv")
    frame.write_parquet(folder / "rows.parquet")
    for name in ("rows.csv", "rows.parquet"):
        path, model = str(folder / name), str(folder / "model.aslant")
        python, _ = cpu_seconds([sys.executable, "-c", IN_PYTHON, path, model])
        command = ["fit", path, "--target", "y", "--method", "cart", "--out", model]
        ours, _ = cpu_seconds([sys.executable, "-m", "aslant", *command])
        print(
            f"{name}: {ours:.1f} s, {ours / python:.2f} times polars and the fit ({python:.1f} s)"
        )


def large(folder: Path, n_rows: int = 10_000_000) -> None:
    """Print time and memory of predicting a file that is written part by part."""
    rows, model = folder / "large.csv", str(folder / "large.aslant")
    small = folder / "small.csv"
    table(100_000, 6).write_csv(small)
    command = ["fit", str(small), "--target", "y", "--method", "cart", "--set", "max_depth=8"]
    subprocess.run([sys.executable, "-m", "aslant", *command, "--out", model], check=True)
    with open(rows, "wb") as file:
        for part in range(n_rows // 500_000):
            piece = table(500_000, 6, seed=part).drop("y")
            piece.write_csv(file, include_header=part == 0)
    start = time.perf_counter()
    predict = ["predict", model, str(rows), "--out", str(folder / "predictions.csv")]
    seconds, gigabytes = cpu_seconds([sys.executable, "-m", "aslant", *predict])
    waited = time.perf_counter() - start
    size = rows.stat().st_size / 2**30
    print(
        f"{n_rows} rows x 10 ({size:.2f} GB): predicted in {waited:.0f} s ({seconds:.0f} s of "
        f"CPU), largest memory {gigabytes:.2f} GB"
    )


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--large", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.large:  # first: the largest memory of any child so far is what is reported
            large(Path(folder))
        ratios(Path(folder), given.rows)


if __name__ == "__main__":
    main()
