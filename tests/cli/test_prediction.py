"""`aslant predict`: columns find their features, rows their classes."""

import csv
import io
import json

import numpy as np

import aslant
from aslant.cli.program import run


def table_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_columns_go_by_name(model, mixed, output_of, capsys):
    expected = output_of("predict", "m.aslant", "mixed.csv")
    rows = list(csv.reader(mixed.read_text().splitlines()))
    shuffled = [[row[2], "x,y", row[0], row[1]] for row in rows]
    shuffled[0][1] = "comment"
    with open("other.csv", "w", newline="") as file:
        csv.writer(file).writerows(shuffled)
    assert run(["predict", "m.aslant", "other.csv"]) == 0
    captured = capsys.readouterr()
    assert captured.out == expected
    assert captured.err == "Note: the model does not use the column 'comment' of other.csv.\n"


def test_categories_that_look_like_numbers(folder, output_of):
    lines = [
        f"{code},{x},{'in' if code in (1, 3) else 'out'}" for code in range(4) for x in range(9)
    ]
    (folder / "codes.csv").write_text("code,x,class\n" + "\n".join(lines) + "\n")
    fit = ["fit", "codes.csv", "--target", "class", "--method", "c45", "--out", "m.aslant"]
    output_of(*fit, "--categorical", "code")
    assert list(aslant.load("m.aslant").encoder_.categories) == [0]
    (folder / "new.csv").write_text("code,x\n1,0\n2,0\n")
    assert output_of("predict", "m.aslant", "new.csv") == "prediction\nin\nout\n"


def test_unseen_levels_are_missing_values_and_said_so(model, folder, output_of, capsys):
    (folder / "unseen.csv").write_text("age,colour,weight\n20,violet,90\n")
    (folder / "missing.csv").write_text("age,colour,weight\n20,,90\n")
    assert run(["predict", "m.aslant", "unseen.csv", "--proba"]) == 0
    captured = capsys.readouterr()
    assert "'violet'" in captured.err and "count as missing" in captured.err
    assert captured.out == output_of("predict", "m.aslant", "missing.csv", "--proba")


def test_levels_of_a_python_model_may_be_numbers(folder, output_of):
    X = np.array([[1.0, 5.0], [2.0, 6.0], [1.0, 7.0], [2.0, 8.0]], dtype=object)
    clf = aslant.CARTClassifier(categorical_features=[0]).fit(X, ["a", "b", "a", "b"])
    aslant.save(clf, "m.aslant")
    (folder / "new.csv").write_text("p,q\n2,5\n1.0,5\n")
    assert output_of("predict", "m.aslant", "new.csv") == "prediction\nb\na\n"


def test_model_without_names_takes_columns_by_place(folder, output_of, capsys):
    clf = aslant.CARTClassifier().fit([[0.0, 1.0], [1.0, 0.0]], [10, 20])
    aslant.save(clf, "m.aslant")
    (folder / "new.csv").write_text("p,q\n1,0\n0,1\n")
    assert output_of("predict", "m.aslant", "new.csv") == "prediction\n20\n10\n"
    (folder / "wide.csv").write_text("p,q,r\n1,0,3\n")
    assert run(["predict", "m.aslant", "wide.csv"]) == 2
    assert "has 3 columns" in capsys.readouterr().err


def test_predictions_as_json(model, output_of):
    rows = table_of(output_of("predict", "m.aslant", "mixed.csv", "--proba"))
    predict = ["predict", "m.aslant", "mixed.csv", "--format", "json"]
    records = json.loads(output_of(*predict, "--proba"))
    assert [record["prediction"] for record in records] == [row["prediction"] for row in rows]
    assert records[0]["probability"]["yes"] == float(rows[0]["probability_yes"])
    assert json.loads(output_of(*predict))[0] == {"prediction": rows[0]["prediction"]}


def test_out_file_holds_what_the_output_would(model, mixed, output_of):
    expected = output_of("predict", "m.aslant", "mixed.csv")
    assert output_of("predict", "m.aslant", "mixed.csv", "--out", "p.csv") == ""
    assert (mixed.parent / "p.csv").read_text() == expected
