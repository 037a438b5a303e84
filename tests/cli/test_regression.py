"""The command line with numbers to predict."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from aslant.cli.program import run as run_program


@pytest.fixture
def run(capsys):
    """Run a command and return how it ended and what it wrote."""

    def run_it(*arguments):
        code = run_program([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return SimpleNamespace(returncode=code, stdout=captured.out, stderr=captured.err)

    return run_it


@pytest.fixture
def numbers(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 2))
    y = x[:, 0] + np.abs(x[:, 1])
    lines = ["a,b,price", *(f"{p},{q},{t}" for (p, q), t in zip(x, y, strict=True))]
    path = tmp_path / "numbers.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_numeric_target_is_recognised_and_said(run, numbers, tmp_path):
    model = tmp_path / "model.aslant"
    done = run("fit", numbers, "--target", "price", "--method", "cart", "--out", model,
               "--format", "json", "--cv", "4")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "80 different numbers, so this is regression" in done.stderr
    record = json.loads(done.stdout)
    assert record["r2_on_training_rows"] == pytest.approx(1.0)
    assert record["cross_validated_r2"] > 0.4
    assert "classes" not in record
    shown = run("show", model).stdout
    assert "value: " in shown
    document = json.loads(run("show", model, "--format", "json").stdout)
    assert document["outputs"] == 1
    assert len(document["trees"][0][0]["value"]) == 1
    predicted = run("predict", model, numbers).stdout.splitlines()
    assert predicted[0] == "prediction"
    assert len(predicted) == 81
    assert isinstance(float(predicted[1]), float)
    refused = run("predict", model, numbers, "--proba")
    assert refused.returncode != 0
    assert "--proba needs a classifier" in refused.stderr


def test_the_task_can_be_given(run, numbers, tmp_path):
    whole = tmp_path / "whole.csv"
    whole.write_text("a,y\n" + "".join(f"{i},{i % 3}\n" for i in range(30)))
    assert "classes" in run("fit", whole, "--target", "y", "--method", "cart").stdout
    said = run("fit", whole, "--target", "y", "--method", "cart", "--task", "regression")
    assert "r2 on training rows" in said.stdout
    assert "different numbers" not in said.stderr
    texts = tmp_path / "texts.csv"
    texts.write_text("a,y\n1,red\n2,blue\n3,red\n")
    refused = run("fit", texts, "--target", "y", "--task", "regression", "--method", "cart")
    assert "--task regression needs a numeric target, got" in refused.stderr


def test_a_method_that_cannot_is_refused_in_one_sentence(run, numbers):
    refused = run("fit", numbers, "--target", "price", "--method", "c45")
    assert refused.returncode != 0
    assert "The method 'c45' predicts classes only" in refused.stderr
    refused = run("fit", numbers, "--target", "price", "--method", "least_squares",
                  "--task", "classification")  # fmt: skip
    assert "The method 'least_squares' predicts numbers only" in refused.stderr


def test_linear_leaves_are_shown_as_formulas(run, numbers, tmp_path):
    model = tmp_path / "model.aslant"
    done = run("fit", numbers, "--target", "price", "--method", "least_squares",
               "--set", "leaf=linear", "--set", "max_depth=2", "--out", model)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "*a" in run("show", model).stdout
    document = json.loads(run("show", model, "--format", "json").stdout)
    leaf = next(node for node in document["trees"][0] if node["test"] is None)
    assert {"terms", "constant", "range"} == set(leaf["functions"][0])


def test_parameters_of_a_method_for_numbers(run):
    said = run("methods", "oc1", "--task", "regression", "--format", "json").stdout
    assert {"leaf", "extrapolate"} <= {record["parameter"] for record in json.loads(said)}
    assert "ridge" in run("methods", "least_squares").stdout


def test_numbers_are_predicted_by_auto_unless_a_method_is_named(run, numbers):
    done = run("fit", numbers, "--target", "price", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["method"] == "auto"


def test_a_decimal_comma_in_the_target(run, tmp_path):
    path = tmp_path / "commas.csv"
    path.write_text("a;y\n" + "".join(f"{i},5;{i * i},25\n" for i in range(40)))
    done = run("fit", path, "--target", "y", "--method", "cart", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["r2_on_training_rows"] == pytest.approx(1.0)


def test_identifiers_and_unclear_targets_are_refused(run, tmp_path):
    path = tmp_path / "keys.csv"
    path.write_text("key,a,y\n" + "".join(f"p{i}x,{i},{i / 7}\n" for i in range(60)))
    assert "'key' looks like an identifier" in run("fit", path, "--target", "y").stderr
    assert run("fit", path, "--target", "y", "--drop", "key").returncode == 0
    path.write_text("a,y\n" + "".join(f"{i},{i % 15}\n" for i in range(30)))
    refused = run("fit", path, "--target", "y", "--method", "cart").stderr
    assert "looks like a quantity" in refused
    assert "--task regression predicts numbers" in refused
    for task in ("regression", "classification"):
        arguments = ("fit", path, "--target", "y", "--method", "cart", "--task", task)
        assert run(*arguments).returncode == 0


def test_a_forest_of_numbers(run, numbers, tmp_path):
    model = tmp_path / "model.aslant"
    done = run("fit", numbers, "--target", "price", "--method", "forest", "--out", model,
               "--set", "n_estimators=5", "--format", "json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["r2_on_training_rows"] > 0.8
    assert len(run("predict", model, numbers).stdout.splitlines()) == 81
    shown = run("show", model)
    assert shown.returncode == 0, shown.stderr
    assert "value: " in shown.stdout
    assert "ObliqueRandomForestRegressor" in run("methods", "--format", "json").stdout


def test_methods_are_compared_on_numbers(run, numbers):
    compared = run("compare", numbers, "--target", "price", "--methods", "cart,ridge",
                   "--budget", "20", "--jobs", "1", "--format", "json")  # fmt: skip
    assert compared.returncode == 0, compared.stderr
    assert "80 different numbers, so this is regression" in compared.stderr
    document = json.loads(compared.stdout)
    assert document["task"] == "regression"
    assert {record["method"] for record in document["methods"]} == {"cart", "ridge"}
    assert all(record["rmse"] > 0.0 for record in document["methods"])
    curves = run("curves", numbers, "--target", "price", "--methods", "cart", "--jobs", "1",
                 "--format", "json")  # fmt: skip
    assert curves.returncode == 0, curves.stderr
    (record,) = json.loads(curves.stdout)
    assert -2.0 < record["56_rows"] < 1.0
    refused = run("compare", numbers, "--target", "price", "--methods", "c45")
    assert "method must be one of" in refused.stderr


def test_the_task_of_a_comparison_can_be_given(run, tmp_path):
    whole = tmp_path / "whole.csv"
    whole.write_text("a,y\n" + "".join(f"{i / 4},{i % 3}\n" for i in range(30)))
    done = run("compare", whole, "--target", "y", "--methods", "cart", "--task", "regression",
               "--budget", "5", "--jobs", "1", "--format", "json")  # fmt: skip
    assert json.loads(done.stdout)["task"] == "regression"
    assert "different numbers" not in done.stderr
