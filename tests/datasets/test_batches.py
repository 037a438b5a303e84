"""Files read in batches say what they say when they are read whole."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from aslant import HHCARTClassifier
from aslant.cli.prediction import Predictions
from aslant.datasets import data_file, text_file
from aslant.datasets.data_file import read_batches
from aslant.datasets.errors import DatasetError

ROWS = 1000


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_file, "CHUNK", 4000)
    monkeypatch.setattr(text_file, "_LOOKED_AT", 1000)
    monkeypatch.setattr(data_file, "ROWS_AT_A_TIME", 130)


def fitted() -> tuple[Any, pd.DataFrame]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(ROWS, 3)).round(4), columns=list("abc"))
    frame["kind"] = np.array(["u", "v, w", 'x"y'])[rng.integers(0, 3, ROWS)]
    y = (frame["a"] + frame["b"] > 0) ^ (frame["kind"] == "u")
    return HHCARTClassifier(random_state=0, pruning=None).fit(frame, y.to_numpy()), frame


def text_of(model: Any, path: Path, **how: Any) -> str:
    return "".join(Predictions(model, path, **how))


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet", "semicolons"])
def test_predictions_in_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, as_json: bool
) -> None:
    model, frame = fitted()
    path = tmp_path / f"rows.{kind}"
    if kind == "parquet":
        frame.to_parquet(path)
    elif kind == "semicolons":
        frame.to_csv(path, index=False, sep=";", decimal=",")
    else:
        frame.to_csv(path, index=False)
    whole = text_of(model, path, probabilities=True, as_json=as_json)
    monkeypatch.setattr(text_file, "CHUNK", 4000)
    monkeypatch.setattr(text_file, "_LOOKED_AT", 1000)
    monkeypatch.setattr(data_file, "ROWS_AT_A_TIME", 130)
    assert len(list(read_batches(path))) > 5
    assert text_of(model, path, probabilities=True, as_json=as_json) == whole
    assert whole.count("true" if as_json else "True") > 100


def test_remarks_are_about_the_whole_file(tmp_path: Path, small_batches: None) -> None:
    model, frame = fitted()
    frame["more"] = 1
    frame.loc[[5, 900], "kind"] = ["new", "newer"]
    path = tmp_path / "rows.csv"
    frame.to_csv(path, index=False)
    found = Predictions(model, path)
    list(found)
    assert len(found.remarks) == 2
    assert "does not use the column 'more'" in found.remarks[0]
    assert "2 of the values in the column 'kind'" in found.remarks[1]


def test_errors_name_the_line(tmp_path: Path, small_batches: None) -> None:
    path = tmp_path / "rows.csv"
    lines = ["a,b", *["1,2"] * 500, "1,2,3"]
    path.write_text("\n".join(lines))
    with pytest.raises(DatasetError, match="line 502 has 3 cells"):
        list(read_batches(path))
    path.write_bytes(b"a,b\n" + b"1,2\n" * 500 + b"1,\xff\n")
    with pytest.raises(DatasetError, match="not UTF-8 text"):
        list(read_batches(path))
    packed = gzip.compress(("a,b\n" + "1,2\n" * 5000).encode())
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(DatasetError, match="damaged or cut short"):
        list(read_batches(path))
    path.write_text("a,b\n" + "\n" * 200)
    with pytest.raises(DatasetError, match="no rows"):
        list(read_batches(path))
