"""`aslant fit`: the model is the one Python gives, and the report is right."""

import csv
import io
import json
import sys

import pytest

import aslant
from aslant.cli.program import run
from aslant.cli.training import parse_value
from aslant.datasets import read_csv
from aslant.estimators.methods import METHODS


def table_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_fit_without_data_takes_the_sample_and_says_so(folder, capsys):
    assert run(["fit", "--method", "cart", "--out", "m.aslant"]) == 0
    captured = capsys.readouterr()
    assert "built-in sample 'iris'" in captured.err
    assert "Saved to m.aslant." in captured.err
    for words in ("training rows", "150", "accuracy on training rows", "features per test"):
        assert words in captured.out
    assert len(aslant.load("m.aslant").feature_names_in_) == 4


def test_fit_without_out_says_that_nothing_is_kept(folder, capsys):
    assert run(["fit", "--method", "cart"]) == 0
    assert "--out FILE" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("method", ["cart", "c45", "oc1", "cart_lc"])
def test_round_trip_equals_the_python_interface(mixed, output_of, method):
    fit = ["fit", "mixed.csv", "--target", "class", "--method", method, "--seed", "5"]
    output_of(*fit, "--out", "m.aslant")
    out = output_of("predict", "m.aslant", "mixed.csv", "--proba")

    bunch = read_csv(mixed, target="class")
    clf = METHODS[method].make({"random_state": 5}).fit(bunch.data, bunch.target)
    rows = table_of(out)
    assert [row["prediction"] for row in rows] == clf.predict(bunch.data).tolist()
    probability = [[float(row[f"probability_{c}"]) for c in clf.classes_] for row in rows]
    assert probability == clf.predict_proba(bunch.data).tolist()


def test_saved_model_is_at_home_in_python(model, mixed):
    clf = aslant.load(model)
    assert clf.feature_names_in_.tolist() == ["age", "colour", "weight"]
    assert clf.get_params()["verbose"] == 0
    bunch = read_csv(mixed, target="class")
    assert clf.score(bunch.data, bunch.target) > 0.8  # a frame with the same names, no warning


class WithoutPandas:
    """An importer that makes it look as if pandas were not installed."""

    def find_spec(self, name, path=None, target=None):
        if name == "pandas":
            raise ImportError(name)


def test_model_is_the_same_without_pandas(model, mixed, output_of, monkeypatch):
    predicted = output_of("predict", "m.aslant", "mixed.csv")
    monkeypatch.delitem(sys.modules, "pandas")
    monkeypatch.setattr(sys, "meta_path", [WithoutPandas(), *sys.meta_path])
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
        "n.aslant",
    ]
    output_of(*fit)
    assert (mixed.parent / "n.aslant").read_bytes() == model.read_bytes()
    assert output_of("predict", "n.aslant", "mixed.csv") == predicted


def test_fit_reports_json_csv_and_markdown(mixed, output_of):
    fit = ["fit", "mixed.csv", "--target", "class", "--method", "cart", "--format"]
    record = json.loads(output_of(*fit, "json"))
    clf = aslant.CARTClassifier(random_state=0)
    bunch = read_csv(mixed, target="class")
    clf.fit(bunch.data, bunch.target)
    assert record == {
        "method": "cart",
        "training_rows": 90,
        "features": 3,
        "classes": 2,
        "accuracy_on_training_rows": 1.0,
        "trees": 1,
        "leaves": clf.get_n_leaves(),
        "depth": clf.get_depth(),
        "features_per_test": clf.tree_.features_per_test,
    }
    assert table_of(output_of(*fit, "csv")) == [{k: str(v) for k, v in record.items()}]
    header, rule, row = output_of(*fit, "md").splitlines()
    assert header.count("|") == rule.count("|") == row.count("|") == len(record) + 1


def test_settings_reach_the_estimator(mixed, output_of):
    fit = ["fit", "mixed.csv", "--target", "class", "--out", "m.aslant"]
    settings = [
        "--method",
        "oc1",
        "--set",
        "restarts=2",
        "--set",
        "order=best",
        "--set",
        "axis_start=false",
    ]
    output_of(*fit, *settings, "--prune", "none", "--seed", "7", "--jobs", "2")
    parameters = aslant.load("m.aslant").get_params()
    assert (parameters["restarts"], parameters["order"], parameters["axis_start"]) == (
        2,
        "best",
        False,
    )
    assert (parameters["pruning"], parameters["random_state"], parameters["n_jobs"]) == (None, 7, 2)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("50", 50),
        ("-0.5", -0.5),
        ("1e-4", 1e-4),
        ("True", True),
        ("false", False),
        ("none", None),
        ("best", "best"),
        ("-0.25, 0,0.25", (-0.25, 0, 0.25)),
        ("3,", (3,)),
        ("", ""),
    ],
)
def test_values_of_settings(text, value):
    parsed = parse_value(text)
    assert parsed == value
    assert type(parsed) is type(value)


def test_cross_validation_is_repeatable_and_leaves_the_model_alone(mixed, output_of):
    fit = [
        "fit",
        "mixed.csv",
        "--target",
        "class",
        "--method",
        "oc1",
        "--set",
        "restarts=2",
        "--format",
        "json",
    ]
    plain = json.loads(output_of(*fit, "--out", "a.aslant"))
    first = json.loads(output_of(*fit, "--cv", "3", "--out", "b.aslant"))
    assert first == json.loads(output_of(*fit, "--cv", "3"))
    assert first.pop("folds") == 3
    assert 0.5 < first.pop("cross_validated_accuracy") <= 1.0
    assert first.pop("standard_deviation") >= 0.0
    assert first == plain
    assert (mixed.parent / "a.aslant").read_bytes() == (mixed.parent / "b.aslant").read_bytes()


def test_ensemble_reports_all_its_trees(mixed, output_of):
    fit = ["fit", "mixed.csv", "--target", "class", "--method", "kdt", "--set", "search=oc1"]
    fit += ["--set", "n_estimators=3", "--jobs", "2", "--out", "k.aslant", "--format", "json"]
    record = json.loads(output_of(*fit))
    clf = aslant.load("k.aslant")
    assert record["trees"] == len(clf.estimators_) == 3
    assert record["leaves"] == sum(member.get_n_leaves() for member in clf.estimators_)
