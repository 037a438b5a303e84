"""Every failure is one line and a code, and leaves files as they were."""

import os
import re
import subprocess
import sys
import warnings

import pytest

import aslant
from aslant.cli.program import run

FIT = ["fit", "mixed.csv", "--target", "class", "--method", "oc1"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fit", "mixed.csv"], "--target COLUMN is needed"),
        (["fit", "--target", "class"], "none was given"),
        (["fit", "--method", "oc1", "--set", "restarts=many"], "restarts must be an integer"),
        (
            ["fit", "--method", "kdt", "--set", "n_estimators=many"],
            "n_estimators must be an integer",
        ),
        (["fit", "nowhere.csv", "--target", "class"], "no such file"),
        (["fit", ".", "--target", "class"], "this is a folder"),
        (["fit", "mixed.csv", "--target", "clas"], "did you mean 'class'?"),
        (["fit", "mixed.csv", "--target", "age"], "every row needs a class label"),
        ([*FIT, "--method", "oc2"], "Did you mean 'oc1'?"),
        ([*FIT, "--set", "restart=3"], "Did you mean 'restarts'?"),
        ([*FIT, "--set", "restarts=many"], "restarts must be an integer, got 'many'"),
        ([*FIT, "--set", "restarts=0"], "restarts must be"),
        ([*FIT, "--set", "restarts"], "NAME=VALUE"),
        ([*FIT, "--set", "=3"], "NAME=VALUE"),
        ([*FIT, "--set", "jumps=1", "--set", "jumps=2"], "twice"),
        ([*FIT, "--set", "random_state=1"], "use --seed"),
        ([*FIT, "--set", "criterion=ginny"], "Did you mean 'gini'?"),
        ([*FIT, "--prune", "cost"], "pruning must be one of"),
        ([*FIT, "--categorical", "color"], "did you mean 'colour'?"),
        ([*FIT, "--cv", "1"], "--cv"),
        ([*FIT, "--cv", "89"], "--cv must be at most"),
        ([*FIT, "--seed", "-1"], "2**32 - 1"),
        ([*FIT, "--jobs", "0"], "n_jobs"),
        ([*FIT, "--jobs", "two"], "--jobs"),
        ([*FIT, "--format", "xml"], "'xml' is not one of"),
        ([*FIT, "--out", "nowhere/m.aslant"], "there is no folder"),
        ([*FIT, "--out", "."], "it is a folder"),
        ([*FIT, "--out", "mixed.csv"], "it is also the input"),
        ([*FIT, "--colour"], "--colour"),
        (["grow"], "'grow'"),
        (["predict", "m.aslant"], "DATA"),
        (["predict", "mixed.csv", "mixed.csv"], "not a model file"),
        (["predict", "nowhere.aslant", "mixed.csv"], "nowhere.aslant"),
        (["predict", "m.aslant", "nowhere.csv"], "no such file"),
        (["predict", "m.aslant", "few.csv"], "lacks the columns 'age', 'colour'"),
        (["predict", "m.aslant", "text.csv"], "'age' must hold numbers"),
        (["predict", "m.aslant", "mixed.csv", "--out", "m.aslant"], "it is also the input"),
        (["show", "mixed.csv"], "not a model file"),
        (["show", "m.aslant", "--digits", "0"], "digits must be between 1 and 17"),
        (["show", "m.aslant", "--drop", "2"], "drop must be between 0 and 1"),
        (["show", "m.aslant", "--drop", "0.1", "--format", "json"], "exact tree"),
        (["show", "m.aslant", "--tree", "2"], "--tree must be at most 1"),
        (["show", "m.aslant", "--picture", "tree"], "tree.png"),
        (["show", "m.aslant", "--picture", "tree.xyz"], "xyz"),
        (["methods", "oc3"], "method must be one of"),
    ],
)
def test_bad_input_is_one_line_and_code_2(model, folder, capsys, arguments, words):
    (folder / "few.csv").write_text("weight\n70\n")
    (folder / "text.csv").write_text("age,colour,weight,x\n3,red,7,1\nold,pink,7,1\n")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("Error: ")
    assert words in lines[0]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "Interrupted."),
        (MemoryError(), 2, "Error: there is not enough memory for this."),
        (OSError(28, "No space left on device", "disk"), 2, "Error: disk: No space left on device"),
        (ImportError("needs\n  matplotlib"), 2, "Error: needs matplotlib"),
        (ValueError(), 2, "Error: ValueError"),
    ],
)
def test_failure_during_the_fit_keeps_an_old_file(folder, capsys, monkeypatch, error, code, line):
    def fail(*arguments):
        raise error

    monkeypatch.setattr(aslant.CARTClassifier, "fit", fail)
    (folder / "m.aslant").write_text("old")
    assert run(["fit", "--method", "cart", "--out", "m.aslant"]) == code
    assert capsys.readouterr().err.splitlines()[-1] == line
    assert [path.name for path in folder.iterdir()] == ["m.aslant"]
    assert (folder / "m.aslant").read_text() == "old"


def test_interrupted_writing_keeps_an_old_file(model, folder, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    (folder / "p.csv").write_text("old")
    monkeypatch.setattr(os, "replace", interrupt)
    assert run(["predict", "m.aslant", "mixed.csv", "--out", "p.csv"]) == 130
    assert (folder / "p.csv").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["m.aslant", "mixed.csv", "p.csv"]


def test_picture_without_matplotlib_says_what_to_install(model, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(["show", "m.aslant", "--picture", "tree.png"]) == 2
    assert (
        capsys.readouterr().err == "Error: --picture needs matplotlib: pip install aslant[plot]\n"
    )


def test_warnings_are_notes_of_one_line(folder, capsys, monkeypatch):
    def warn(self, X, y):
        warnings.warn("something\n  odd", UserWarning, stacklevel=1)
        raise ValueError("the end")

    monkeypatch.setattr(aslant.CARTClassifier, "fit", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        run(["fit", "--method", "cart"])
    lines = capsys.readouterr().err.splitlines()
    assert lines[-2:] == ["Warning: something odd", "Error: the end"]


@pytest.mark.parametrize("library", ["polars", "rich", "typer"])
def test_a_library_of_the_command_line_is_missing(library: str) -> None:
    code = (
        f"import sys; sys.modules[{library!r}] = None; sys.argv = ['aslant', 'fit'];"
        "from aslant.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert re.fullmatch(
        rf"Error: .* needs {library}, not installed here: pip install 'aslant\[cli\]'.\n",
        done.stderr,
    ), done.stderr


def test_read_csv_without_polars() -> None:
    code = (
        "import sys; sys.modules['polars'] = None; from aslant.datasets import make_pol, read_csv"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "read_csv needs polars, not installed here: pip install 'aslant[cli]'." in done.stderr
