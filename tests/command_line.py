"""A file to fit, a fitted model, and a way to run a command."""

import numpy as np
import pytest

from aslant.cli.program import run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, without the papers' data."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASLANT_DATA", raising=False)
    return tmp_path


@pytest.fixture
def mixed(folder):
    """A CSV file with numbers, categories and missing values of both kinds."""
    rng = np.random.default_rng(0)
    lines = ["age,colour,weight,class"]
    for _ in range(90):
        age, weight = rng.normal(40, 10), rng.normal(70, 10)
        colour = rng.choice(["red", "green", "blue"])
        label = "yes" if age + 10 * (colour == "red") > weight - 28 else "no"
        age_cell = "" if rng.random() < 0.1 else f"{age:.2f}"
        colour_cell = "?" if rng.random() < 0.1 else colour
        lines.append(f"{age_cell},{colour_cell},{weight:.2f},{label}")
    (folder / "mixed.csv").write_text("\n".join(lines) + "\n")
    return folder / "mixed.csv"


@pytest.fixture
def model(mixed, capsys):
    """A model file fitted to the mixed data."""
    fit = [
        "fit",
        "mixed.csv",
        "--target",
        "class",
        "--method",
        "oc1",
        "--set",
        "restarts=3",
        "--out",
        "m.aslant",
    ]
    assert run(fit) == 0
    capsys.readouterr()
    return mixed.parent / "m.aslant"


@pytest.fixture
def output_of(capsys):
    """Run a command that must succeed and return its standard output."""

    def run_well(*arguments):
        assert run(list(arguments)) == 0
        return capsys.readouterr().out

    return run_well
