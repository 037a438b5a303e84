"""The overview of all methods on all data sets as text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.utils.text_tables import Format, csv_text, markdown_text, rich_text
from aslant_papers.overview import (
    COPIES,
    REFERENCE,
    Overview,
)
from aslant_papers.report_text import produced_by

_EXPLANATION = (
    "Ranks are means over the data sets; 1 is the most accurate, the smallest, the fastest. "
    "{merit} is the mean{unit}; leaves and time of a fit are multiples of scikit-learn's, "
    "geometric means. Better and worse: data sets on which the mean {name} is above and below "
    "scikit-learn's; clearly: those with p < 0.05 in a paired t test over the folds, corrected for "
    "rows that they share (Nadeau and Bengio)."
)
_PREPARATION = (
    f"{REFERENCE} is its DecisionTreeClassifier at the defaults; categories become indicators, "
    "missing numbers are left to it. sklearn_tree_pruned has a ccp_alpha chosen by 5-fold "
    "cross-validation, sklearn_forest 200 trees; logistic_regression, on standardised columns with "
    "the mean for missing numbers, counts as a single leaf; _refined is refine='joint'. Our "
    "methods read categories and missing values themselves"
)
_NUMBER_PREPARATION = (
    f"{REFERENCE} is its DecisionTreeRegressor, scikit-learn's forest its RandomForestRegressor, "
    "both at the defaults; ridge is its RidgeCV on standardised columns, which counts as a single "
    "leaf"
)
_MERIT = {"accuracy": ("accuracy", "accuracy, %", 1), "r2": ("R2", "R2", 3)}
_OF_TREES = (("leaves", "leaves", 1), ("time", "time of a fit", 1))


def overview_text(overview: Overview, form: Format, command: str) -> str:
    """Return an overview in the format asked for."""
    if form is Format.csv:
        records = _records(overview)
        return csv_text([list(records[0]), *(list(record.values()) for record in records)])
    if form is Format.json:
        return json.dumps(_document(overview, command), indent=2, ensure_ascii=False) + "\n"
    made = produced_by(command)
    versions = ", ".join(f"{name} {made[name]}" for name in list(made)[2:])
    is_markdown = form is Format.md
    title = overview.layout.table.title
    parts = [f"# {title}\n\n`{command}`, {made['date']}, {versions}.\n" if is_markdown else title]
    parts += [
        _explanation(overview) + "\n",
        _written(*ranking(overview), form),
        _list(findings(overview)),
    ]
    _, title_of_merit, digits_of_merit = _MERIT[overview.measure]
    for name, title, digits in (("merit", title_of_merit, digits_of_merit), *_OF_TREES):
        parts.append(f"## {title}\n" if is_markdown else title)
        parts.append(_written(*_grid(overview, name, digits), form))
    return "\n".join(parts)


def _written(header: list[str], rows: list[list[str]], form: Format) -> str:
    return markdown_text(header, rows) if form is Format.md else rich_text(header, rows)


def _explanation(overview: Overview) -> str:
    name = _MERIT[overview.measure][0]
    unit = " in %" if overview.measure == "accuracy" else ""
    return _EXPLANATION.format(merit=name[0].upper() + name[1:], name=name, unit=unit)


def ranking(overview: Overview) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the table of ranks, the most accurate method first."""
    merit, _, digits = _MERIT[overview.measure]
    header = [
        *("method", f"rank of {merit}", "of leaves", "of time"),
        *(merit, "leaves", "time", "better / worse", "clearly"),
    ]
    ranks = overview.ranks
    reference = overview.methods.index(REFERENCE)
    leaves = overview.leaves / overview.leaves[:, [reference]]
    rows = []
    for i in np.argsort(ranks[overview.measure], kind="stable"):
        duel = overview.duels[i]
        is_reference = i == reference
        rows.append(
            [
                overview.methods[i],
                *(f"{ranks[name][i]:.1f}" for name in (overview.measure, "leaves", "time")),
                f"{overview.merit[:, i].mean():.{digits}f}",
                f"{_geometric_mean(leaves[:, i]):.2f}",
                f"{_geometric_mean(overview.time[:, i]):.1f}",
                "" if is_reference else f"{duel.better} / {duel.worse}",
                "" if is_reference else f"{duel.clearly_better} / {duel.clearly_worse}",
            ]
        )
    return header, rows


def _geometric_mean(values: npt.NDArray[np.float64]) -> float:
    return float(np.exp(np.log(values).mean()))


def findings(overview: Overview) -> list[str]:
    """Return sentences about the ranks and the data."""
    layout, plan = overview.layout, overview.layout.table.plan
    lines = []
    if len(overview.methods) > 2 and len(overview.datasets) > 1:
        lines += _tested(overview)
    of_classes = overview.measure == "accuracy"
    lines.append(
        f"{len(overview.datasets)} data sets, {plan.runs} {'stratified ' if of_classes else ''}"
        f"{plan.fits}-fold cross-validations each, the same folds for all methods; leaves of "
        f"{'kdt, boosting and ' if of_classes else ''}forests are those of all their trees"
    )
    lines.append(_PREPARATION if of_classes else _NUMBER_PREPARATION)
    lines += [f"sampled: {remark}" for remark in layout.remarks]
    if of_classes:
        lines += [f"left out: {copy} (has rows of {whole})" for copy, whole in COPIES.items()]
    lines += [f"not available: {name} ({why})" for name, why in layout.absent.items()]
    lines += [f"not finished: {name} ({why})" for name, why in overview.unfinished.items()]
    return lines


def _tested(overview: Overview) -> list[str]:
    """Return the results of Friedman's and Nemenyi's tests of accuracy, or R2."""
    ranks, test = overview.ranks[overview.measure], overview.friedman
    order = np.argsort(ranks, kind="stable")
    near = [i for i in order[1:] if ranks[i] - ranks[order[0]] < overview.critical_difference]
    names = ", ".join(overview.methods[i] for i in near) or "none"
    p = "p < 0.001" if test.p_value < 0.001 else f"p = {test.p_value:.3f}"
    return [
        f"Friedman's test that all methods rank alike by {_MERIT[overview.measure][0]}: "
        f"chi-square = {test.statistic:.1f}, {p}",
        f"Nemenyi's critical difference of two mean ranks: {overview.critical_difference:.1f}; not "
        f"told apart from {overview.methods[order[0]]}, which ranks first: {names}",
    ]


def _grid(overview: Overview, name: str, digits: int) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of one measure, a row for each data set."""
    values: npt.NDArray[np.float64] = getattr(overview, name)
    rows = [
        [dataset, *(f"{value:.{digits}f}" for value in line)]
        for dataset, line in zip(overview.datasets, values, strict=True)
    ]
    return ["", *overview.methods], rows


def _records(overview: Overview) -> list[dict[str, Any]]:
    """Return a record for each method on each data set."""
    return [
        {
            "dataset": dataset,
            "method": method,
            overview.measure: float(overview.merit[i, j]),
            "leaves": float(overview.leaves[i, j]),
            "time": float(overview.time[i, j]),
        }
        for i, dataset in enumerate(overview.datasets)
        for j, method in enumerate(overview.methods)
    ]


def _document(overview: Overview, command: str) -> dict[str, Any]:
    ranks = {name: values.tolist() for name, values in overview.ranks.items()}
    return {
        "produced_by": produced_by(command),
        "methods": [
            {
                "method": method,
                "mean_ranks": {name: values[i] for name, values in ranks.items()},
                "against_scikit_learn": asdict(overview.duels[i]),
            }
            for i, method in enumerate(overview.methods)
        ],
        "cells": _records(overview),
        "remarks": findings(overview),
    }


def _list(lines: Iterable[str]) -> str:
    return "".join(f"- {line}\n" for line in lines)
