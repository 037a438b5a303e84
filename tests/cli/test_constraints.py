"""Constraints on the command line."""

import json

import numpy as np
import pandas as pd
import pytest

import aslant
from aslant.cli.program import run

FIT = ["fit", "mixed.csv", "--target", "class", "--method", "cart", "--out", "model.json"]


def test_monotone(mixed, capsys):
    assert run([*FIT, "--monotone", "age:+1,weight:-1", "--cv", "3", "--format", "json"]) == 0
    printed = capsys.readouterr()
    result = json.loads(printed.out)
    assert "cross_validated_accuracy_without_constraints" in result
    assert "The probability of yes never falls as age grows." in printed.err
    tree = aslant.load("model.json").tree_
    assert tree.column_sign[tree.column_level < 0].tolist() == [1, -1]


def test_a_file_of_constraints(mixed, capsys):
    (mixed.parent / "rules.json").write_text('{"interaction_cst": [["age"], ["colour", "weight"]]}')
    assert run([*FIT, "--constraints", "rules.json"]) == 0
    model = aslant.load("model.json")
    assert model.interaction_cst == [["age"], ["colour", "weight"]]
    assert "may read together: colour, weight." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--monotone", "age"], "--monotone needs COLUMN:+1 or COLUMN:-1, got 'age'"),
        (["--monotone", "age:2"], "--monotone needs COLUMN:+1 or COLUMN:-1, got 'age:2'"),
        (["--monotone", "size:1"], "monotonic_cst names 'size', which is not a column of X"),
        (["--monotone", "colour:1"], "Categorical features cannot have monotonic constraints"),
        (["--constraints", "none.json"], "--constraints cannot read none.json"),
        (["--constraints", "mixed.csv"], "--constraints needs JSON, and mixed.csv holds none"),
        (["--constraints", "wrong.json"], "--constraints needs a JSON object with some of"),
    ],
)
def test_refusals(mixed, capsys, options, message):
    (mixed.parent / "wrong.json").write_text(json.dumps({"monotone": 1}))
    assert run([*FIT, *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_predictions_of_a_saved_model_are_ordered(mixed):
    assert run([*FIT, "--monotone", "age:+1", "--set", "max_depth=4"]) == 0
    model = aslant.load("model.json")
    ages = np.linspace(0.0, 90.0, 50)
    rows = {"age": ages, "colour": ["red"] * 50, "weight": np.full(50, 70.0)}
    assert (np.diff(model.predict_proba(pd.DataFrame(rows))[:, 1]) >= 0.0).all()
