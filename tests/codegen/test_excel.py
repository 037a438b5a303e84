"""The formulas of a sheet agree with `predict`: those of every kind of model, on 300 rows."""

import numpy as np
import pandas as pd
import pytest
from codegen.problems import MODELS, problem
from codegen.sheet import Sheet
from codegen.test_code import chain
from sklearn.base import is_regressor

from aslant import CARTClassifier, ObliqueRandomForestClassifier, export_code
from aslant.codegen.excel_cells import cell

SEVERAL = {"votes", "soft votes", "average", "forest", "forest of numbers"}
KINDS = pytest.mark.parametrize("kind", [kind for kind in MODELS if kind not in SEVERAL])
N_ROWS = 300


def sheet_rows(made):
    """Return rows as cells hold them: dates are serial numbers, an empty cell is an empty text."""
    dates = [column.kind == "date" for column in made.model.encoder_.columns_]
    return [
        [
            "" if value is None else value + 25569 if is_date else value
            for value, is_date in zip(row, dates, strict=True)
        ]
        for row in made.records()[:N_ROWS]
    ]


def values(answer, start):
    return [float(value) for name, value in answer.items() if name.startswith(start)]


@KINDS
def test_every_row_as_predict(kind):
    made = problem(kind)
    sheet = Sheet(export_code(made.model, "excel"))
    rows = made.rows[:N_ROWS]
    predicted = made.model.predict(rows)
    proba = None if is_regressor(made.model) else made.model.predict_proba(rows)
    for i, row in enumerate(sheet_rows(made)):
        answer = sheet.answer(row)
        if is_regressor(made.model):
            found = values(answer, "prediction")
            np.testing.assert_allclose(found, np.ravel(predicted[i]), rtol=1e-9, atol=1e-9)
            continue
        assert answer["prediction"] == predicted[i]
        names = [f"probability of {label}".replace('"', "'") for label in made.model.classes_]
        found = [answer[name] for name in names]
        np.testing.assert_allclose(np.array(found, float), proba[i], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", ["soft", "one soft linear leaf", "machines and categories"])
def test_another_program_reads_the_formulas_in_the_same_way(kind):
    formulas = pytest.importorskip("formulas", reason="evaluates the formulas")
    made = problem(kind)
    sheet = Sheet(export_code(made.model, "excel"))
    parser = formulas.Parser()
    for row in sheet_rows(made)[:2]:
        cells = list(sheet.answer(row).values())
        known = {cell(j): value for j, value in enumerate(cells)}
        places = {name: j for j, name in enumerate(known)}
        for text, expected in zip(sheet.formulas, cells, strict=True):
            if not text:
                continue
            formula = parser.ast(text)[1].compile()
            given = []
            for name in formula.inputs:
                first, _, last = name.partition(":")
                span = range(places[first], places[last or first] + 1)
                given.append(np.array([[cells[k] for k in span]], object))
            found = np.ravel(np.asarray(formula(*given), object))[0]
            if isinstance(expected, str | bool):
                assert found == expected, text
            else:
                assert float(found) == pytest.approx(expected, rel=1e-9, abs=1e-12), text


def test_columns_have_letters():
    assert [cell(j) for j in (0, 25, 26, 701, 702)] == ["A2", "Z2", "AA2", "ZZ2", "AAA2"]


def test_levels_are_compared_with_case_and_quotes_are_kept():
    X = pd.DataFrame({"=sign": ["a", "A", 'say "b"', "c"] * 20})
    y = ['is "A"' if one == "A" else "other" for one in X["=sign"]]
    tree = CARTClassifier().fit(X, y)
    sheet = Sheet(export_code(tree, "excel"))
    assert sheet.headings[0] == "'=sign"
    found = [sheet.answer([one])["prediction"] for one in X["=sign"][:4]]
    assert found == ["other", 'is "A"', "other", "other"]


def test_what_excel_cannot_hold_is_refused():
    X = np.random.default_rng(0).normal(size=(80, 3))
    forest = ObliqueRandomForestClassifier(n_estimators=1, random_state=0).fit(X, X[:, 0] > 0)
    with pytest.raises(ValueError, match="Excel needs a single tree, got the ensemble Oblique"):
        export_code(forest, "excel")
    with pytest.raises(ValueError, match="Excel nests at most 64 functions"):
        export_code(chain(70, 1), "excel")
    lines = CARTClassifier().fit([[1.0], [2.0], [6.0]] * 5, ["a\tb", "a\tb", "c"] * 5)
    with pytest.raises(ValueError, match="at most 255 printable characters"):
        export_code(lines, "excel")
