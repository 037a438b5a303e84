"""``aslant overview``: ranks in every format, a diagram, errors in a line."""

import csv
import io
import json

import pytest

from aslant.cli.program import run

SMALL = ["overview", "--datasets", "iris,wine", "--methods", "cart,ltu", "--runs", "1"]
QUICK = [*SMALL, "--jobs", "1", "--cache", "cache"]


def test_ranks_in_every_format(folder, output_of):
    text = output_of(*QUICK)
    assert "rank of accuracy" in text and "scikit-learn" in text
    assert "2 data sets, 1 stratified 5-fold cross-validations each" in text
    assert "Nemenyi's critical difference" in text
    assert "left out: glass_float (has rows of glass)" in text
    markdown = output_of(*QUICK, "--format", "md")
    assert "| method | rank of accuracy |" in markdown and "aslant 0." in markdown
    rows = list(csv.DictReader(io.StringIO(output_of(*QUICK, "--format", "csv"))))
    assert [row["method"] for row in rows] == 2 * ["cart", "ltu", "scikit-learn"]
    assert {row["time"] for row in rows if row["method"] == "scikit-learn"} == {"1.0"}
    document = json.loads(output_of(*QUICK, "--format", "json"))
    assert len(document["methods"]) == 3
    assert sum(m["mean_ranks"]["accuracy"] for m in document["methods"]) == pytest.approx(6.0)


def test_more_runs_keep_the_first_ones(folder, output_of):
    output_of(*QUICK)
    journal = folder / "cache" / "runs.jsonl"
    assert len(journal.read_text().splitlines()) == 6
    output_of(*QUICK[:-5], "2", *QUICK[-4:])
    assert len(journal.read_text().splitlines()) == 12


def test_the_diagram_and_the_file(folder, capsys):
    pytest.importorskip("matplotlib", reason="draws with matplotlib, which is optional")
    assert run([*QUICK, "--plot", "ranks.png", "--out", "ranks.md", "--format", "md"]) == 0
    notes = capsys.readouterr().err
    assert "The picture is in ranks.png." in notes and "The overview is in ranks.md." in notes
    assert (folder / "ranks.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--runs", "0"], "--runs must be 1 or more, got 0"),
        (["--runs", "many"], "--runs"),
        (["--datasets", "irs"], "nearest: iris"),
        (["--methods", "quset"], "nearest: quest"),
        (["--plot", "ranks.txt"], "--plot needs a name such as plot.png"),
        (["--out", "nowhere/t.md"], "there is no folder"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_bad_input_is_one_line(folder, capsys, arguments, words):
    assert run(["overview", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert words in captured.err


def test_numbers(output_of, tmp_path):
    chosen = ["--task", "regression", "--datasets", "diabetes_progression,planes", "--runs", "1",
              "--methods", "cart,ridge", "--cache", str(tmp_path), "--jobs", "1"]  # fmt: skip
    text = output_of("overview", *chosen, "--format", "md")
    assert "| method | rank of R2 |" in text
    assert "accuracy" not in text
    document = json.loads(output_of("overview", *chosen, "--format", "json"))
    assert {cell["method"] for cell in document["cells"]} == {"cart", "ridge", "scikit-learn"}
    assert all(-1.0 < cell["r2"] < 1.0 for cell in document["cells"])
