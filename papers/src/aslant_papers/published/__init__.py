"""The figures as the papers print them, one file a paper."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class PublishedFigure:
    """A published value; the standard deviation is None where the paper prints none."""

    value: float
    sd: float | None


@cache
def published_figures(paper: str) -> dict[tuple[int | str, str, str, str], PublishedFigure]:
    """Return the figures of a paper by (table, method, data set, measure)."""
    text = files(__package__).joinpath(f"{paper}.csv").read_text(encoding="utf-8")
    return {
        (int(row["table"]), row["method"], row["dataset"], row["measure"]): PublishedFigure(
            float(row["value"]), float(row["sd"]) if row["sd"] else None
        )
        for row in csv.DictReader(text.splitlines())
    }
