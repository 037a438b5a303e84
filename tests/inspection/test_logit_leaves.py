"""Classification trees with linear leaves: every view says what `predict_proba` does."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
import zoo
from linear_leaf import with_linear_leaf
from products.operations import OPERATIONS, Case
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import aslant

mpl.use("Agg")

TABLES = ("numbers", "missing values", "pandas categories", "pandas dates", "one class", "two")
NAMES = ("x0", "x1", "x2")
VIEWS = (
    "predict",
    "apply, decision_path",
    "pickle",
    "export_text",
    "export_graphviz",
    "plot_tree",
    "plot_importances",
    "explain",
    "shapley_values",
    "report",
    "save, load",
    "export_code python",
    "export_code c",
    "export_code javascript",
    "export_code sql",
    "export_code rules, markdown",
    "export_onnx",
)


@cache
def case(name: str) -> tuple[Any, zoo.Table]:
    table = zoo.table("missing values" if name == "two" else name)
    if name == "two":
        table = replace(table, classes=np.where(table.classes > 0, "b", "a"))
    fitted = zoo.fit(zoo.estimator("auto"), table)
    return with_linear_leaf(fitted, table.X, table.classes), table


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", TABLES)
def test_views(name: str, view: str, tmp_path: Path) -> None:
    model, table = case(name)
    OPERATIONS[view](Case(model, table, tmp_path))


def log_odds(model: Any, X: Any) -> np.ndarray:
    proba = model.predict_proba(X)
    return np.log(proba[:, 1] / proba[:, 0])


def formula_value(text: str, row: dict[str, float]) -> float:
    """Return the value of ``-1.2 + 0.8*a - 0.03*b, from -4 to 5``, as a person reads it."""
    formula, low, high = re.fullmatch(r"(.*), from (\S+) to (\S+)", text).groups()
    total = 0.0
    for sign, term in re.findall(r"(^-|[+-] |^)(\S+)", formula):
        size, _, name = term.partition("*")
        total += (-1.0 if "-" in sign else 1.0) * float(size) * (row[name] if name else 1.0)
    return min(max(total, float(low)), float(high))


def test_text_is_the_formula_of_the_log_odds() -> None:
    model, table = case("two")
    first, *remarks = aslant.export_text(model, digits=17, width=None).splitlines()
    formula = re.fullmatch(r"log-odds of b: (.*) \(66 rows\)", first)[1]
    known = table.X[~np.isnan(table.X).any(axis=1)]
    found = [formula_value(formula, dict(zip(NAMES, row, strict=True))) for row in known]
    np.testing.assert_allclose(found, log_odds(model, known), rtol=1e-9)
    assert remarks == ["(The probability of b is 1 / (1 + exp(-log-odds)).)"]


def test_text_has_a_line_for_each_of_several_classes() -> None:
    model, _ = case("numbers")
    *lines, remark = aslant.export_text(model).splitlines()
    assert [line.split(":")[0] for line in lines] == ["logit of 0", "logit of 1", "logit of 2"]
    assert "exp(its logit)" in remark


def test_explanation_sums_to_the_log_odds() -> None:
    model, table = case("two")
    found = aslant.explain(model, table.X)
    low, high = model.tree_.leaf_low[0, 1], model.tree_.leaf_high[0, 1]
    sums = [np.clip(steps[-1].margin, low, high) for steps in found.steps]
    np.testing.assert_allclose(sums, log_odds(model, table.X), rtol=1e-9, atol=1e-12)
    missing = found.steps[0][-1]
    assert missing.values[0] is None
    assert missing.parts[0] == 0.0
    assert "log-odds of b" in found.to_text()


def test_a_sum_beyond_the_bounds_is_said_to_be_clipped() -> None:
    model, _ = case("two")
    text = aslant.explain(model, [[1e6, 1e6, 0.0]]).to_text()
    assert "the upper bound" in text


def test_importances_are_sizes_of_slopes_times_deviations() -> None:
    model, _ = case("two")
    size = np.abs(model.tree_.leaf_coef[0, 1]) * model.column_spread_
    np.testing.assert_allclose(model.feature_importances_, size / size.sum())


def test_pipelines_are_shown_in_the_units_of_their_input() -> None:
    _, table = case("two")
    scaler = StandardScaler().fit(table.X)
    scaled = scaler.transform(table.X)
    fitted = zoo.estimator("auto").fit(scaled, table.classes)
    pipeline = make_pipeline(scaler, with_linear_leaf(fitted, scaled, table.classes))
    module: dict[str, Any] = {}
    exec(aslant.export_code(pipeline, "python"), module)
    found = [module["predict_proba"](row) for row in table.rows]
    np.testing.assert_allclose(found, pipeline.predict_proba(table.X), rtol=1e-9)


def test_json_has_the_functions() -> None:
    model, table = case("two")
    from aslant.inspection.tree_json import model_json

    node = json.loads(model_json(model, [model]))["trees"][0][0]
    zero, one = node["functions"]
    assert (zero["terms"], zero["constant"], zero["range"]) == ([], 0.0, [0.0, 0.0])
    row = table.X[1]
    terms = {term["feature"]: term["coefficient"] for term in one["terms"]}
    total = one["constant"] + sum(c * row[int(name[1:])] for name, c in terms.items())
    np.testing.assert_allclose(np.clip(total, *one["range"]), log_odds(model, row[np.newaxis])[0])


def test_rules_state_logits_and_fills() -> None:
    model, _ = case("two")
    text = aslant.export_code(model, "rules")
    assert "then log-odds of b: " in text
    assert f"x0: {model.tree_.leaf_center[0, 0]:.17g}"[:12] in text
    assert "1 / (1 + exp(-log-odds))" in text
    assert "| p(" not in aslant.export_code(model, "markdown")


def test_long_formulas_fit_the_width() -> None:
    model, _ = case("pandas categories")
    *lines, _ = aslant.export_text(model, width=80).splitlines()
    assert max(map(len, lines)) <= 80
    assert "smaller" in lines[0]
