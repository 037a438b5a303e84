"""``aslant curves``: accuracy by the number of rows, a picture, errors in a line."""

import csv
import io

import pytest

from aslant.cli.program import run

CURVES = ["curves", "--methods", "fisher", "--jobs", "1"]


def test_a_line_for_each_method(folder, output_of):
    rows = list(csv.DictReader(io.StringIO(output_of(*CURVES, "--format", "csv"))))
    assert [row.pop("method") for row in rows] == ["cart", "fisher"]
    assert {"30_rows", "105_rows"} <= set(rows[0])
    assert all(50.0 < float(value) <= 100.0 for row in rows for value in row.values())


def test_the_picture(mixed, capsys):
    pytest.importorskip("matplotlib", reason="draws with matplotlib, which is optional")
    arguments = ["mixed.csv", "--target", "class", "--plot", "curves.svg"]
    assert run([*CURVES, *arguments]) == 0
    assert "The picture is in curves.svg." in capsys.readouterr().err
    assert "<svg" in (mixed.parent / "curves.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--plot", "curves.txt"], "--plot needs a name such as plot.png"),
        (["--budget", "0"], "--budget"),
        (["nothere.csv", "--target", "y"], "there is no such file"),
        (["--drop", "petal"], "name columns of DATA"),
    ],
)
def test_bad_input_is_one_line(folder, capsys, arguments, words):
    assert run(["curves", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert words in captured.err


def test_no_time_for_anything(folder, capsys, monkeypatch):
    from aslant.cli import comparison

    monkeypatch.setattr(
        comparison, "learning_curves", lambda *a, **more: comparison.LearningCurves({})
    )
    assert run(CURVES) == 2
    assert "no method was finished within 120 seconds" in capsys.readouterr().err
