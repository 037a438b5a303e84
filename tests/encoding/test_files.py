"""Files as people keep them, through the command line: read right, or refused in one line."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import aslant
from aslant.cli.program import run
from aslant.datasets import DatasetError, read_csv

N = 120


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def columns() -> dict[str, list[Any]]:
    rng = np.random.default_rng(0)
    size = rng.normal(1500.0, 400.0, N).round(2)
    return {
        "name": rng.choice(["red", "green"], N).tolist(),
        "size": size.tolist(),
        "class": np.where(size > 1500.0, "big", "small").tolist(),
    }


def written(path: Path, sep: str = ",", encoding: str = "utf-8", **changed: Any) -> str:
    """Write the columns, some of them changed, and return the name of the file."""
    table = {**columns(), **changed}
    rows = zip(*table.values(), strict=True)
    lines = [sep.join(table), *(sep.join(map(str, row)) for row in rows)]
    content = ("\n".join(lines) + "\n").encode(encoding)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path.name


def fitted(capsys: Any, *arguments: str) -> tuple[Any, str]:
    """Fit a tree on the command line; return the model and the notes."""
    command = ["fit", *arguments, "--target", "class", "--method", "cart", "--out", "m.aslant"]
    assert run(command) == 0, capsys.readouterr().err
    return aslant.load("m.aslant"), capsys.readouterr().err


def error(capsys: Any, *arguments: str) -> str:
    """Run a command that must fail with one line, and return the line."""
    assert run(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.fullmatch(r"Error: .*\n", captured.err)
    return captured.err


def european(value: float) -> str:
    return f"{value:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")


@pytest.mark.parametrize(
    ("sep", "words"), [(";", "semicolons"), ("\t", "tabs"), ("|", "bars"), (",", "")]
)
def test_separators_are_found_out(folder: Path, capsys: Any, sep: str, words: str) -> None:
    model, notes = fitted(capsys, written(folder / "t.csv", sep))
    assert model.encoder_.input_names == ["name", "size"]
    assert ("columns are separated by" in notes) == bool(words)
    assert words in notes


def test_quoted_header_with_semicolons(folder: Path, capsys: Any) -> None:
    """As spreadsheets save it: everything in quotes, decimal commas, points between thousands."""
    table = {**columns(), "size": [european(v) for v in columns()["size"]]}
    rows = [table, *zip(*table.values(), strict=True)]
    lines = [";".join(f'"{cell}"' for cell in row) for row in rows]
    (folder / "t.csv").write_text("\r\n".join(lines) + "\r\n")
    model, notes = fitted(capsys, "t.csv")
    assert "decimal comma" in notes
    assert [column.kind for column in model.encoder_.columns_] == ["category", "number"]
    assert model.tree_.threshold[0] == pytest.approx(1500.0, abs=30.0)
    assert run(["predict", "m.aslant", "t.csv"]) == 0
    assert capsys.readouterr().out.split() == ["prediction", *table["class"]]


def test_a_decimal_comma_can_be_named(folder: Path, capsys: Any) -> None:
    """1,015 alone could be either: without a word it stays text, and that is refused."""
    size = [f"{1 + k},{500 + k}" for k in range(N)]
    name = written(folder / "t.csv", ";", size=size)
    assert "'size' holds numbers written as text" in error(capsys, "fit", name, "--target", "class")
    model, _ = fitted(capsys, name, "--decimal", ",")
    assert model.encoder_.columns_[1].kind == "number"
    assert read_csv(name, "class", decimal=",").data["size"][3] == 4.503


def test_thousands_and_words_for_missing(folder: Path, capsys: Any) -> None:
    size = [f'"{value:,.2f}"' for value in columns()["size"]]
    size[3], size[4], size[5] = "n/a", "-", "unknown"
    model, notes = fitted(capsys, written(folder / "t.csv", size=size))
    assert model.encoder_.columns_[1].kind == "number"
    assert model.encoder_.columns_[1].missing == pytest.approx(3 / N)
    assert "'size' holds numbers: '-' (1 cells), 'unknown' (1 cells) count as missing" in notes
    assert "106 cells are written like '1,550.29'" in notes


def test_words_beside_few_numbers_are_levels(folder: Path, capsys: Any) -> None:
    grade = ["1", "2", "unknown"] * (N // 3)
    model, _ = fitted(capsys, written(folder / "t.csv", grade=grade))
    assert model.encoder_.columns_[-1].levels == ["1", "2", "unknown"]


def test_a_word_of_ones_own(folder: Path, capsys: Any) -> None:
    size = [*columns()["size"][:-2], "x", "x"]
    name = written(folder / "t.csv", size=size)
    message = error(capsys, "fit", name, "--target", "class")
    assert "'size' holds 118 different numbers beside 'x'" in message
    assert "--drop" in message and "--categorical" in message
    model, _ = fitted(capsys, name, "--na", "x")
    assert model.encoder_.columns_[1].kind == "number"


def test_encodings(folder: Path, capsys: Any) -> None:
    name = [f"Gr{'ö' if k % 2 else 'ü'}n" for k in range(N)]
    latin = written(folder / "latin.csv", encoding="latin-1", name=name)
    for given in ([], ["--encoding", "latin-1"]):
        model, notes = fitted(capsys, latin, *given)
        assert model.encoder_.columns_[0].levels == ["Grön", "Grün"]
        assert ("was read as cp1252" in notes) == (given == [])
    wide, notes = fitted(capsys, written(folder / "wide.csv", encoding="utf-16", name=name))
    assert wide.encoder_.columns_[0].levels == ["Grön", "Grün"]
    assert "UTF-16" in notes
    assert "no encoding 'klingon'" in error(
        capsys, "fit", latin, "--target", "class", "--encoding", "klingon"
    )


def test_gzip(folder: Path, capsys: Any) -> None:
    model, _ = fitted(capsys, written(folder / "t.csv.gz", ";"))
    assert model.encoder_.input_names == ["name", "size"]


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_parquet_and_feather(folder: Path, capsys: Any, suffix: str) -> None:
    day = pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 4, 29), eager=True)
    frame = pl.DataFrame(columns()).with_columns(
        when=day, ok=pl.Series([True, False, None] * (N // 3)), size=pl.col("size").cast(float)
    )
    path = folder / f"t.{suffix}"
    frame.write_parquet(path) if suffix == "parquet" else frame.write_ipc(path)
    model, notes = fitted(capsys, path.name)
    kinds = {column.name: column.kind for column in model.encoder_.columns_}
    assert kinds == {"name": "category", "size": "number", "when": "date", "ok": "boolean"}
    assert "Column 'when': date." in notes
    assert run(["predict", "m.aslant", path.name]) == 0
    assert capsys.readouterr().out.split() == ["prediction", *frame["class"]]
    path.write_bytes(b"not really")
    with pytest.raises(DatasetError, match="cannot be read"):
        read_csv(path)


def test_dates_in_a_file(folder: Path, capsys: Any) -> None:
    """One date a row: a date, not a level; new rows are not all of the same class."""
    when = [f"2020-{1 + k // 28:02}-{1 + k % 28:02}" for k in range(N)]
    late = ["late" if day > "2020-03-01" else "early" for day in when]
    name = written(folder / "t.csv", when=when, **{"class": late})
    model, notes = fitted(capsys, name)
    assert aslant.export_text(model).splitlines()[0] == "when <= 2020-03-01"
    assert "Column 'when': date." in notes
    (folder / "new.csv").write_text("name,size,when\nred,1,2021-05-01\nred,1,2019-05-01\nred,1,\n")
    assert run(["predict", "m.aslant", "new.csv"]) == 0
    assert capsys.readouterr().out.split()[1:3] == ["late", "early"]


@pytest.mark.parametrize("command", ["fit", "compare", "curves"])
@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"class": ["one"] * N}, "only one class, 'one'"),
        ({"class": [f"c{k}" for k in range(N)]}, "different value in each of the 120 rows"),
        ({"key": [f"p{k}" for k in range(N)]}, "'key' looks like an identifier"),
        ({"remark": [f"we saw him {k} times" for k in range(N)]}, "'remark' holds free text"),
        ({"when": [f"{1 + k % 9}/{1 + k % 7}/2020" for k in range(N)]}, "day and month cannot"),
    ],
)
def test_what_one_command_refuses_all_refuse(
    folder: Path, capsys: Any, command: str, changed: Any, words: str
) -> None:
    name = written(folder / "t.csv", **changed)
    assert words in error(capsys, command, name, "--target", "class")
    extra = next(iter(changed))
    if extra != "class":
        drop = ["fit", name, "--target", "class", "--method", "cart", "--drop", extra]
        assert run(drop) == 0


@pytest.mark.parametrize("command", ["fit", "compare", "curves"])
def test_a_quantity_that_is_said_to_be_classes_is_refused(
    folder: Path, capsys: Any, command: str
) -> None:
    name = written(folder / "t.csv", **{"class": [f"{k / 7:.3f}" for k in range(N)]})
    as_classes = [name, "--target", "class", "--task", "classification"]
    assert "different value in each of the 120 rows" in error(capsys, command, *as_classes)


def test_a_quantity_is_predicted_as_numbers(folder: Path, capsys: Any) -> None:
    name = written(folder / "t.csv", **{"class": [f"{k / 7:.3f}" for k in range(N)]})
    assert run(["fit", name, "--target", "class"]) == 0
    assert "so this is regression" in capsys.readouterr().err


def test_levels_that_the_model_does_not_know(folder: Path, capsys: Any) -> None:
    fitted(capsys, written(folder / "t.csv"), "--set", "min_frequency=80")
    (folder / "new.csv").write_text("name,size\nviolet,1\n")
    assert run(["predict", "m.aslant", "new.csv"]) == 0
    assert "('violet'); they count as 'other'" in capsys.readouterr().err


def test_set_takes_json(folder: Path, capsys: Any) -> None:
    name = written(folder / "t.csv")
    model, _ = fitted(capsys, name, "--set", 'class_weight={"big": 2, "small": 1.5}')
    assert model.class_weight == {"big": 2, "small": 1.5}
    model, _ = fitted(capsys, name, "--set", 'date_parts=["month", "year"]')
    assert model.date_parts == ["month", "year"]
    wrong = error(capsys, "fit", name, "--target", "class", "--set", "class_weight={big: 2}")
    assert "--set has a value that is not valid JSON" in wrong


def test_the_command_tells_what_columns_are(folder: Path, capsys: Any) -> None:
    zips = [f"z{k % 40}" for k in range(N)]
    _, notes = fitted(capsys, written(folder / "t.csv", zip=zips))
    assert "Columns: 2 category, 1 number.\n" in notes
    assert "Column 'zip': category, 40 levels, target encoded.\n" in notes


def test_bad_ways_to_read(folder: Path, capsys: Any) -> None:
    name = written(folder / "t.csv")
    for option, value, words in (
        ("--sep", ";;", "separator must be one character"),
        ("--decimal", "x", "decimal mark must be"),
        ("--drop", "sise", "no column 'sise' to leave out; did you mean 'size'"),
    ):
        assert words in error(capsys, "fit", name, "--target", "class", option, value)


def test_class_weights_of_integer_labels(folder: Path, capsys: Any) -> None:
    """JSON has no keys but texts, and the labels of the file are integers."""
    name = written(folder / "t.csv", **{"class": [str(k % 2) for k in range(N)]})
    model, _ = fitted(capsys, name, "--set", 'class_weight={"0": 5, "1": 1}')
    assert model.class_weight == {0: 5, 1: 1}


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("€{:,.2f}", 1.0),
        ("{:,.2f} EUR", 1.0),
        ("USD {:.2f}", 1.0),
        ("{:.1f}%", 1.0),
        ("({:,.2f})", -1.0),
        ("-${:,.2f}", -1.0),
        ("{:,.2f}", 1.0),
        ("{:.3e}", 1.0),
    ],
)
def test_written_numbers(folder: Path, cell: str, value: float) -> None:
    size = columns()["size"]
    name = written(folder / "t.csv", size=[f'"{cell.format(number)}"' for number in size])
    found = read_csv(name, "class").data["size"]
    np.testing.assert_allclose(found, value * np.array(size), rtol=1e-3)


@pytest.mark.parametrize(
    "cells",
    [["€5", "$6"], ["5%", "6"], ["5 apples", "6"], ["1,23", "4"], ["1_000", "2"], ["0x1f", "2"]],
)
def test_what_is_no_written_number(folder: Path, cells: list[str]) -> None:
    name = written(folder / "t.csv", size=[f'"{cell}"' for cell in cells * (N // 2)])
    assert read_csv(name, "class").data["size"].to_list()[:2] == cells


def test_all_refusals_at_once_with_a_command_that_works(folder: Path, capsys: Any) -> None:
    key, remark = [f"p{k}" for k in range(N)], [f"we saw him {k} times" for k in range(N)]
    name = written(folder / "t.csv", key=key, remark=remark)
    message = error(capsys, "fit", name, "--target", "class", "--method", "cart")
    assert "Feature 'key' looks like an identifier" in message
    assert "feature 'remark' holds free text" in message
    command = message.split("This works: aslant ")[1].split()
    assert command[-2:] == ["--drop", "key,remark"]
    assert run(command) == 0


def test_the_data_is_summed_up(folder: Path, capsys: Any) -> None:
    changed = {
        "case": list(range(5000, 5000 + N)),
        "bmi": [-999 if k % 10 == 0 else 20 + k % 7 for k in range(N)],
        "side": ["North", "north", "South"] * (N // 3),
        "copy": columns()["size"],
    }
    _, notes = fitted(capsys, written(folder / "t.csv", **changed))
    assert "Rows: 120. Target: 2 classes, big 65, small 55." in notes
    for words in (
        "column 'case' looks like an identifier",
        "column 'bmi' holds -999 in 12 rows",
        "'North' and 'north'",
        "column 'copy' equals column 'size' in every row",
    ):
        assert re.search(rf"^Check: .*{re.escape(words)}", notes, re.MULTILINE), notes


UNUSUAL = {
    "quotes within cells": 'name,size,class\n5" pipe,1,a\n"6, ""in""",2,b\n',
    "blanks before quotes": 'name,size,class\n5" pipe, 1,a\n  "6, ""in""",2,b\n',
    "blank lines": '\nname,size,class\n\n5" pipe,1,a\n\n\n"6, ""in""",2,b\n\n',
    "line ends of Windows": 'name,size,class\r\n5" pipe,1,a\r\n"6, ""in""",2,b\r\n',
    "no last line end": 'name,size,class\n5" pipe,1,a\n"6, ""in""",2,b',
}


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_unusual_text(folder: Path, text: str) -> None:
    (folder / "t.csv").write_bytes(text.encode())
    found = read_csv("t.csv", "class")
    assert found.data.rows() == [('5" pipe', 1.0), ('6, "in"', 2.0)]
    assert found.target.tolist() == ["a", "b"]


def test_zstandard(folder: Path) -> None:
    name = written(folder / "t.csv")
    packed = pa.compress((folder / name).read_bytes(), "zstd", asbytes=True)
    (folder / "t.csv.zst").write_bytes(packed)
    assert read_csv("t.csv.zst", "class").data.equals(read_csv(name, "class").data)


@pytest.mark.parametrize("order", ["{2}.{1}.{0}", "{1}/{2}/{0}", "{0}-{1}-{2}"])
def test_dates_keep_their_order(folder: Path, capsys: Any, order: str) -> None:
    """A file to predict whose days are all below 13 is read as the training file was."""
    when = [order.format(2020, f"{1 + k % 12:02}", f"{1 + k % 28:02}") for k in range(N)]
    late = ["late" if k % 12 > 5 else "early" for k in range(N)]
    fitted(capsys, written(folder / "t.csv", when=when, **{"class": late}))
    new = "\n".join(f"red,1,{order.format(2020, month, '02')}" for month in ("11", "01"))
    (folder / "new.csv").write_text(f"name,size,when\n{new}\n")
    assert run(["predict", "m.aslant", "new.csv"]) == 0
    assert capsys.readouterr().out.split()[1:] == ["late", "early"]


def test_offsets_equal_timestamps(folder: Path) -> None:
    """A date with an offset is the moment that it names, in text and as a type."""
    texts = ["2020-05-01T12:30:00+02:00", "2020-05-02 10:30:00Z", "2020-05-03 10:30"] * (N // 3)
    found = read_csv(written(folder / "t.csv", when=texts), "class").data["when"]
    assert found.dt.hour().unique().to_list() == [10]
    assert found.dt.day()[:3].to_list() == [1, 2, 3]
