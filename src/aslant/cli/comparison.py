"""What ``aslant compare`` and ``aslant curves`` do, within their budgets."""

from __future__ import annotations

import json
from statistics import fmean
from typing import Any

from aslant.cli.training import Rows
from aslant.comparison import (
    DEFAULT_BUDGET,
    ComparisonTable,
    LearningCurves,
    compare,
    learning_curves,
)
from aslant.comparison.contender import find_name
from aslant.estimators.methods import METHODS
from aslant.utils.progress import Bar
from aslant.utils.text_tables import Format, csv_text, markdown_text


def parse_methods(text: str | None) -> list[str] | None:
    """Return the names in a comma-separated list, each of which must be known."""
    if text is None:
        return None
    names = [name for name in text.split(",") if name.strip()]
    if not names:
        raise ValueError(f"--methods must name methods, such as {', '.join(list(METHODS)[:3])}.")
    return [find_name(name) for name in names]


def compare_rows(
    rows: Rows,
    methods: list[str] | None,
    *,
    budget: float | None,
    jobs: int,
    seed: int,
    scoring: str | None = None,
) -> ComparisonTable:
    """Return the table, showing a bar meanwhile."""
    with Bar("Comparing") as bar:
        return compare(
            rows.X,
            rows.y,
            methods=methods,
            budget=DEFAULT_BUDGET if budget is None else budget,
            random_state=seed,
            n_jobs=jobs,
            categorical_features=rows.categorical or "from_dtype",
            task=rows.task,
            scoring=scoring,
            verbose=bar,
        )


def table_text(table: ComparisonTable, form: Format) -> str:
    """Return a table in the format asked for."""
    if form is Format.json:
        return json.dumps(table.to_dict(), indent=2, ensure_ascii=False) + "\n"
    if form is Format.csv:
        records = table.to_records()
        rows = [["" if v is None else v for v in record.values()] for record in records]
        return csv_text([list(records[0]), *rows])
    if form is Format.md:
        first, *rest = table.sentences()
        remarks = "".join(f"- {sentence}\n" for sentence in rest)
        return f"**{first}**\n\n{markdown_text(*table.header_and_cells())}\n{remarks}"
    return f"{table}\n"


# ---------------------------------------------------------------------- learning curves


def curves_of(
    rows: Rows, methods: list[str] | None, *, budget: float, jobs: int, seed: int
) -> LearningCurves:
    """Return the learning curves of methods, showing a bar meanwhile."""
    with Bar("Learning curves") as bar:
        curves = learning_curves(
            rows.X,
            rows.y,
            methods=methods,
            budget=budget,
            random_state=seed,
            n_jobs=jobs,
            categorical_features=rows.categorical or "from_dtype",
            task=rows.task,
            verbose=bar,
        )
    if not curves.scores:
        raise ValueError(f"no method was finished within {budget:g} seconds; try --budget.")
    return curves


def curve_records(curves: LearningCurves) -> list[dict[str, Any]]:
    """Return a record for each method: its mean accuracy in %, or R2, by number of rows."""
    sizes = sorted({size for curve in curves.scores.values() for size in curve})
    factor, digits = (1.0, 3) if curves.task == "regression" else (100.0, 1)
    return [
        {
            "method": method,
            **{
                f"{size}_rows": round(factor * fmean(curve[size]), digits)
                if size in curve
                else None
                for size in sizes
            },
        }
        for method, curve in curves.scores.items()
    ]
