"""``aslant compare``: every format, what is wrong with a file in one line, Ctrl-C."""

import csv
import io
import json
import subprocess
import sys

import numpy as np
import pytest

from aslant.cli.program import run

FAST = ["--methods", "fisher,c45", "--budget", "10", "--jobs", "1"]
COMPARE = ["compare", "mixed.csv", "--target", "class", *FAST]


@pytest.fixture(autouse=True)
def two_repetitions(monkeypatch):
    """Time for the tests: the budget would allow ten."""
    import aslant.cli.comparison

    whole = aslant.cli.comparison.compare
    monkeypatch.setattr(
        aslant.cli.comparison, "compare", lambda *a, **more: whole(*a, **more, repeats=1)
    )


def test_a_table_in_every_format(mixed, output_of):
    text = output_of(*COMPARE)
    assert text.startswith("method") and "5x2cv F test" in text and "90 rows" in text
    markdown = output_of(*COMPARE, "--format", "md")
    assert markdown.startswith("**") and "| method | accuracy % |" in markdown
    rows = list(csv.DictReader(io.StringIO(output_of(*COMPARE, "--format", "csv"))))
    assert {row["method"] for row in rows} == {"cart", "c45", "fisher"}
    document = json.loads(output_of(*COMPARE, "--format", "json"))
    assert document["methods"][0]["accuracy"] == pytest.approx(float(rows[0]["accuracy"]))
    assert document["advice"] and document["test"]["p_value"] >= 0.0


def test_without_a_file_the_built_in_sample(folder, capsys):
    assert run(["compare", *FAST]) == 0
    captured = capsys.readouterr()
    assert "150 rows" in captured.out
    assert captured.err == "Note: no DATA was given; this is the built-in sample 'iris'.\n"


def test_into_files(mixed, capsys):
    assert run([*COMPARE, "--out", "table.md", "--format", "md", "--plot", "plot.svg"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "The picture is in plot.svg." in captured.err
    assert "The table is in table.md." in captured.err
    assert "| fisher |" in (mixed.parent / "table.md").read_text(encoding="utf-8")
    assert "<svg" in (mixed.parent / "plot.svg").read_text(encoding="utf-8")


def write(path, header, columns):
    lines = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")


@pytest.fixture
def bad(folder):
    """Files with one thing wrong each."""
    rng = np.random.default_rng(0)
    x, label = rng.normal(size=60).round(3), ["a", "b"] * 30
    write(folder / "one.csv", "x,class", [x, ["a"] * 60])
    write(folder / "quantity.csv", "x,class", [x, rng.normal(size=60)])
    write(folder / "ages.csv", "x,class", [x, rng.permutation(60) % 15])
    write(folder / "headless.csv", "0.5,a", [x, label])
    write(folder / "text_headless.csv", "yes,a", [["yes", "no", "no"] * 20, label])
    dates = [f"2024-{1 + k % 12:02}-{1 + k % 28:02}" for k in range(60)]
    write(folder / "dates.csv", "when,x,class", [dates, x, label])
    european = [f"{1 + k % 28}.{1 + k % 12}.2024" for k in range(60)]
    write(folder / "european.csv", "when,x,class", [european, x, label])
    texts = [f"the patient number {k} was very well" for k in range(60)]
    write(folder / "text.csv", "remark,x,class", [texts, x, label])
    write(folder / "twice.csv", "x,x,class", [x, x, label])
    write(folder / "unlabelled.csv", "x,class", [x, ["a", ""] * 30])
    (folder / "empty.csv").write_text("x,class\n")
    (folder / "nothing.csv").write_text("")
    (folder / "good.csv").write_text("x,class\n1,a\n2,b\n3,a\n4,b\n")
    return folder


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["one.csv"], "the target has only one class, 'a'"),
        (["quantity.csv", "--task", "classification"], "a different value in each of the 60 rows"),
        (["ages.csv"], "looks like a quantity, not like classes: it has 15 distinct numbers"),
        (["one.csv", "--task", "regression"], "--task regression needs a numeric target"),
        (["headless.csv"], "seems to have no header: its first line, 0.5, a,"),
        (["text_headless.csv"], "seems to have no header"),
        (["text.csv"], "Feature 'remark' holds free text"),
        (["twice.csv"], "two columns have the same name 'x'"),
        (["unlabelled.csv"], "every row needs a class label"),
        (["empty.csv"], "a header but no rows"),
        (["nothing.csv"], "the file is empty"),
        (["nowhere.csv"], "no such file"),
        (["good.csv", "--target", "clas"], "did you mean 'class'?"),
        (["good.csv", "--methods", "oc2"], "Did you mean 'oc1'?"),
        (["good.csv", "--methods", ","], "--methods must name methods"),
        (["good.csv", "--budget", "0"], "--budget"),
        (["good.csv", "--jobs", "0"], "n_jobs must be"),
        (["good.csv", "--drop", "y"], "there is no column 'y' to leave out"),
        (["good.csv", "--drop", "x"], "there is no column beside the target"),
        (["good.csv", "--drop", "class"], "cannot be left out"),
        (["good.csv", "--plot", "plot.xyz"], "plot.png"),
        (["good.csv", "--plot", "nowhere/plot.png"], "there is no folder"),
        (["good.csv", "--out", "good.csv"], "it is also the input"),
        (["good.csv", "--format", "xml"], "'xml' is not one of"),
    ],
)
def test_bad_input_is_one_line_and_code_2(bad, capsys, arguments, words):
    arguments = arguments if "--target" in arguments else [*arguments, "--target", "class"]
    assert run(["compare", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("Error: ")
    assert captured.err.count("\n") == 1
    assert words in captured.err


def test_no_target(bad, capsys):
    assert run(["compare", "good.csv"]) == 2
    assert "--target COLUMN is needed" in capsys.readouterr().err


@pytest.mark.filterwarnings("always")
def test_ids_are_warned_of_in_one_line_each(bad, capsys):
    rng = np.random.default_rng(0)
    x = rng.normal(size=60).round(3)
    keys = [f"p{k}" for k in range(60)]
    write(bad / "ids.csv", "key,number,x,class", [keys, range(60), x, np.where(x > 0, "a", "b")])
    assert run(["compare", "ids.csv", "--target", "class", *FAST]) == 2
    assert "'key' looks like an identifier: 60 different values" in capsys.readouterr().err
    assert run(["compare", "ids.csv", "--target", "class", *FAST, "--drop", "key"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in lines] == ["Warning"]
    assert "column 'number' looks like an identifier" in lines[0]
    dropped = ["--drop", "key", "--drop", "number"]
    assert run(["compare", "ids.csv", "--target", "class", *FAST, *dropped]) == 0
    assert capsys.readouterr().err == ""


def test_a_bad_column_can_be_dropped(bad, output_of):
    text = output_of("compare", "dates.csv", "--target", "class", *FAST, "--drop", "when")
    assert "60 rows, 1 features" in text


def test_names_that_count_are_a_header(bad, output_of):
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=60).round(3) for _ in range(3)]
    write(bad / "counted.csv", "0,1,2,class", [*columns, ["a", "b"] * 30])
    assert "60 rows, 3 features" in output_of("compare", "counted.csv", "--target", "class", *FAST)


INTERRUPTING = """
import os, signal, sys
from aslant.cli.program import run
from aslant.comparison.contest import Contest

name, jobs = sys.argv[1:]
whole_round = getattr(Contest, name)

def interrupted_round(self, *rounds):
    os.killpg(os.getpgrp(), signal.SIGINT)
    whole_round(self, *rounds)

setattr(Contest, name, interrupted_round)
sys.exit(run(["compare", "--methods", "fisher", "--jobs", jobs]))
"""


def interrupted_compare(during, jobs):
    """Run the command with Ctrl-C as from a terminal: all its processes get the signal."""
    return subprocess.run(
        [sys.executable, "-c", INTERRUPTING, during, jobs],
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for process groups")
def test_control_c_prints_what_there_is(folder):
    ended = interrupted_compare("_halves_round", "2")
    assert ended.returncode == 130
    assert "fisher" in ended.stdout and "cart" in ended.stdout
    assert "interrupted: this is what was finished until then" in ended.stdout
    assert ended.stderr.splitlines() == [
        "Note: no DATA was given; this is the built-in sample 'iris'.",
        "Interrupted: this is what was finished until then.",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for process groups")
def test_control_c_before_anything_is_finished(folder):
    ended = interrupted_compare("_first_round", "1")
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "Interrupted.\n")
