"""`aslant show`, `methods` and `datasets`: every format, and help."""

import csv
import io
import json
import re

import matplotlib.image
import numpy as np
import pytest
from aslant_papers.datasets import available
from typer.testing import CliRunner

import aslant
from aslant.cli.commands import app
from aslant.cli.program import run
from aslant.estimators.methods import METHODS, REGRESSION_METHODS
from aslant.utils.text_tables import Format, print_records


def table_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_show_text_and_dot(model, output_of):
    clf = aslant.load(model)
    assert output_of("show", "m.aslant") == aslant.export_text(clf)
    assert output_of("show", "m.aslant", "--digits", "2", "--drop", "0.5") == aslant.export_text(
        clf, digits=2, drop=0.5
    )
    assert output_of("show", "m.aslant", "--format", "dot") == aslant.export_graphviz(clf)


@pytest.mark.parametrize("method", ["oc1", "c45"])
def test_show_json_is_enough_to_predict(mixed, output_of, method):
    fit = ["fit", "mixed.csv", "--target", "class", "--method", method, "--prune", "none"]
    output_of(*fit, "--out", "m.aslant")
    document = json.loads(output_of("show", "m.aslant", "--format", "json"))
    nodes = document["trees"][0]

    def total(terms, row):
        result = 0.0
        for term in terms:
            value = row[term["feature"]]
            if value in ("", "?"):
                value = term["if_missing"]
            elif "level" in term:
                value = float(value == term["level"])
            result += term["coefficient"] * float(value)
        return result

    def descend(row):
        node = nodes[0]
        while node["test"] is not None:
            test = node["test"]
            if "threshold" in test:
                child = int(total(test["terms"], row) > test["threshold"])
            else:
                sums = [total(branch["terms"], row) + branch["bias"] for branch in test["branches"]]
                child = int(np.argmax(sums))
            node = nodes[node["children"][child]]
        return node["class"]

    rows = table_of(mixed.read_text())
    predicted = table_of(output_of("predict", "m.aslant", "mixed.csv"))
    assert [descend(row) for row in rows] == [row["prediction"] for row in predicted]


def test_show_several_trees(folder, output_of, capsys):
    fit = ["fit", "--method", "kdt", "--set", "search=oc1", "--set", "n_estimators=2"]
    output_of(*fit, "--out", "k.aslant")
    members = aslant.load("k.aslant").estimators_
    first, second = map(aslant.export_text, members)
    assert output_of("show", "k.aslant") == f"tree 1\n{first}\ntree 2\n{second}"
    assert output_of("show", "k.aslant", "--tree", "2") == second
    assert output_of("show", "k.aslant", "--format", "dot").count("digraph") == 2
    assert run(["show", "k.aslant", "--picture", "k.png"]) == 2
    assert capsys.readouterr().err.endswith("choose it with --tree.\n")


def test_show_draws_a_picture(model, folder, capsys):
    assert run(["show", "m.aslant", "--picture", "tree.png"]) == 0
    assert capsys.readouterr().err == "The picture is in tree.png.\n"
    assert (folder / "tree.png").read_bytes().startswith(b"\x89PNG\r\n")


def test_a_large_tree_gets_a_picture_that_opens(folder, capsys):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 3))
    clf = aslant.CARTClassifier().fit(X, rng.integers(0, 5, 1000))
    aslant.save(clf, "large.aslant")
    assert run(["show", "large.aslant", "--picture", "tree.png"]) == 0
    notes = capsys.readouterr().err.splitlines()
    assert notes[0] == "The picture is in tree.png."
    assert re.fullmatch(
        rf"It shows the tree down to depth \d+ of {clf.get_depth()}; --max-depth shows more.",
        notes[1],
    )
    height, width = matplotlib.image.imread("tree.png").shape[:2]
    assert width <= 6100 and height <= 3800


def test_methods_in_every_format(output_of):
    records = json.loads(output_of("methods", "--format", "json"))
    assert [record["name"] for record in records] == list(METHODS | REGRESSION_METHODS)
    assert table_of(output_of("methods", "--format", "csv")) == records
    lines = output_of("methods", "--format", "md").splitlines()
    assert len(lines) == 2 + len(METHODS | REGRESSION_METHODS)
    text = output_of("methods")
    assert "\x1b" not in text  # no colours where nobody sees them
    for method in METHODS.values():
        assert method.description in text


def test_parameters_of_a_method_are_those_that_set_takes(output_of):
    records = json.loads(output_of("methods", "hhcart", "--format", "json"))
    defaults = {record["parameter"]: record["default"] for record in records}
    assert (defaults["variant"], defaults["search"]) == ("all", None)
    assert "random_state" not in defaults and "verbose" not in defaults


def test_datasets_in_every_format(folder, output_of):
    infos = available()
    records = json.loads(output_of("datasets", "--format", "json"))
    assert [record["name"] for record in records] == [info.name for info in infos]
    rows = table_of(output_of("datasets", "--format", "csv"))
    assert {row["name"]: row["here"] for row in rows}["pol"] == "true"
    assert len(output_of("datasets", "--format", "md").splitlines()) == len(infos) + 2
    assert "star_galaxy_bright" in output_of("datasets")


def test_markdown_and_text_keep_odd_cells(capsys):
    records = [{"a_b": "x|y\nz", "c": "[bold]"}]
    print_records(records, Format.md)
    assert capsys.readouterr().out == "| a b | c |\n| --- | --- |\n| x\\|y z | [bold] |\n"
    print_records(records, Format.text)
    assert "[bold]" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_lists_the_commands(output_of, arguments):
    text = output_of(*arguments)
    for command in ("fit", "predict", "show", "methods", "datasets"):
        assert command in text


def test_version(output_of):
    assert output_of("--version") == f"aslant {aslant.__version__}\n"


def test_commands_run_under_typers_own_runner(model):
    runner = CliRunner()
    assert runner.invoke(app, ["show", str(model)]).output == aslant.export_text(aslant.load(model))
    assert runner.invoke(app, ["fit", "--help"]).exit_code == 0
