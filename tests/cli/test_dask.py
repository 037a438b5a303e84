"""``--dask``: fits on a cluster, and what is said where that cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster

from aslant.cli.cluster import with_address
from aslant.cli.program import run

pytestmark = pytest.mark.filterwarnings("ignore")


def write_parts(folder: Path) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(3000, 3)), columns=list("abc"))
    frame["kind"] = np.array(["u", "v"])[rng.integers(0, 2, 3000)]
    frame["y"] = np.where(frame["a"] + frame["b"] > 0, "yes", "no")
    for number in range(3):
        part = frame.iloc[1000 * number : 1000 * number + 1000]
        part.to_parquet(folder / f"part-{number}.parquet")
    return frame


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["fit", "--dask"], ["fit", "--dask=here"]),
        (["fit", "--dask", "--seed", "1"], ["fit", "--dask=here", "--seed", "1"]),
        (["fit", "--dask", "tcp://a:1"], ["fit", "--dask", "tcp://a:1"]),
        (["fit", "--dask", "data.csv"], ["fit", "--dask=here", "data.csv"]),
    ],
)
def test_an_address_may_be_left_out(given: list[str], meant: list[str]) -> None:
    assert with_address(given) == meant


def test_a_tree_is_fitted_on_a_cluster_and_predicts(tmp_path: Path, capsys: Any) -> None:
    frame = write_parts(tmp_path)
    model = tmp_path / "model.aslant"
    pattern = str(tmp_path / "part-*.parquet")
    command = ["fit", pattern, "--target", "y", "--method", "hhcart", "--dask", "--out", str(model)]
    assert run([*command, "--set", "max_depth=3", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["training_rows"] == 3000
    assert found["accuracy_on_training_rows"] > 0.9
    assert run(["predict", str(model), str(tmp_path / "part-0.parquet")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "prediction"
    assert np.mean(np.array(lines[1:]) == frame["y"].iloc[:1000]) > 0.9


def test_bad_input_is_one_line(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A client waits for a scheduler that may still start: here not for ten seconds.
    monkeypatch.setattr("distributed.Client", lambda address, timeout: Client(address, timeout=0.5))
    write_parts(tmp_path)
    pattern = str(tmp_path / "part-*.parquet")
    for arguments, message in (
        (["fit", pattern, "--target", "y", "--dask", "tcp://127.0.0.1:1"], "no Dask scheduler"),
        (["fit", pattern, "--target", "y", "--dask", "--cv", "5"], "--cv fits on one machine"),
    ):
        assert run(arguments) == 2
        lines = capsys.readouterr().err.strip().splitlines()
        assert message in lines[-1], lines


@pytest.mark.slow
def test_comparisons_run_on_a_cluster(tmp_path: Path, capsys: Any) -> None:
    command = ["--methods", "hhcart", "--budget", "60", "--seed", "1"]
    assert run(["compare", *command, "--dask", "--format", "csv"]) == 0
    there = capsys.readouterr().out
    assert "hhcart" in there
    assert run(["curves", "--methods", "hhcart", "--budget", "20", "--dask"]) == 0


@pytest.mark.parametrize("chunk", [4000, 10**6])
def test_text_files_are_read_as_without_a_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    """Kinds of columns are decided on all pieces, by the reader of ``aslant fit``."""
    from aslant.cli.options import ReadingOptions, TrainingOptions
    from aslant.cli.partitions import read_collection
    from aslant.datasets import read_csv, text_file

    monkeypatch.setattr(text_file, "CHUNK", chunk)
    n = 600
    lines = [
        f"{'?' if k % 50 == 0 else k / 7:};{'unknown' if k > 500 else k};€{k:,}.50;"
        f"{1 + k % 28}.{1 + k % 12}.2020;{'new' if k == 599 else 'old'};{k % 2}"
        for k in range(n)
    ]
    path = tmp_path / "rows.csv"
    path.write_text("size;age;price;when;state;y\n" + "\n".join(lines) + "\n")
    X, y = read_collection(TrainingOptions(path, "y"), ReadingOptions())
    assert (X.npartitions > 3) == (chunk == 4000)
    here, whole = X.compute(), read_csv(path, "y")
    for name in ("size", "age", "price"):
        np.testing.assert_array_equal(here[name], whole.frame[name].to_numpy())
    np.testing.assert_array_equal(
        here["when"].to_numpy().astype("M8[us]"), whole.frame["when"].to_numpy()
    )
    assert list(here["state"]) == whole.frame["state"].to_list()
    assert y.compute().tolist() == whole.target.tolist()


def test_a_text_file_is_fitted_on_a_cluster(tmp_path: Path, capsys: Any) -> None:
    """On a cluster that is there already: one whose workers are threads starts at once."""
    frame = write_parts(tmp_path)
    frame.loc[::40, "a"] = np.nan
    for number in range(2):
        part = frame.iloc[1500 * number : 1500 * number + 1500]
        part.to_csv(tmp_path / f"part-{number}.csv", index=False, na_rep="?")
    pattern = str(tmp_path / "part-*.csv")
    command = ["fit", pattern, "--target", "y", "--method", "cart", "--format", "json"]
    with LocalCluster(
        n_workers=1, processes=False, protocol="tcp", dashboard_address="127.0.0.1:0"
    ) as cluster:
        address = cluster.scheduler_address
        assert run([*command, "--set", "max_depth=3", "--dask", address]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["training_rows"] == 3000
    assert "Columns: 3 number, 1 category." in captured.err
