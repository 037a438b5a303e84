"""Tables on pages of methods that come from the records of the papers, docs/reproduction.

A record is written by ``aslant reproduce`` (``make records``); here its figures are read again, so
that a page of a method never differs from the record. OC1's original program is not part of this
project: what it gave is in benchmarks/results/oc1_original.json.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from blocks import markdown
from provenance import read_results

ROOT = Path(__file__).parents[1]
RECORDS = ROOT / "docs" / "reproduction"
ORIGINAL = ROOT / "benchmarks" / "results" / "oc1_original.json"

ACCURACY, LEAVES = "accuracy, %", "leaves"
HYPERPLANES = "hyperplanes considered per tree"


class Figures(NamedTuple):
    """A published figure, empty in an experiment of ours, and ours, as the record prints them."""

    published: str
    ours: str


@dataclass(frozen=True)
class Record:
    """The tables of a record by section and measure, its counts, and how it was made."""

    paper: str
    made: str
    tables: dict[tuple[str, str], dict[tuple[str, str], Figures]]
    counts: dict[str, list[str]]

    def cell(self, section: str, measure: str, method: str, data: str) -> Figures:
        """Return the figures of a method on a data set, whichever of them has the rows."""
        table = self.tables[section, measure]
        return table[(method, data) if (method, data) in table else (data, method)]

    def source(self, section: str = "") -> str:
        """Return the line under a table."""
        numbered = re.fullmatch(r"(?:Table|Experiment) (.+)", section)
        command = f"aslant reproduce {self.paper}" + (f" --table {numbered[1]}" if numbered else "")
        page = f"docs/reproduction/{self.paper}.md"
        return f"\n*`{command}` (`make records`), `{page}`: {self.made}.*\n"


@cache
def record(paper: str) -> Record:
    """Return what the record of a paper says."""
    lines = (RECORDS / f"{paper}.md").read_text(encoding="utf-8").splitlines()
    made = next(line for line in lines if line.startswith("`aslant reproduce"))
    tables: dict[tuple[str, str], dict[tuple[str, str], Figures]] = {}
    counts: dict[str, list[str]] = {}
    section = measure = ""
    header: list[str] = []
    for line in lines:
        if found := re.match(r"## ([^.]*)", line):
            section, measure, header = found[1], "", []
        elif line.startswith("### "):
            measure, header = line.removeprefix("### "), []
        elif line.startswith("|") and measure:
            first, *cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not header:
                header = cells
            elif not first.startswith("---"):
                own = tables.setdefault((section, measure), {})
                own |= {(first, name): _figures(c) for name, c in zip(header, cells, strict=True)}
        elif line.startswith("- all "):
            section = ""
        elif line.startswith("- ") and section:
            counts.setdefault(section, []).append(line.removeprefix("- "))
    return Record(paper, made.split("`, ")[1].rstrip("."), tables, counts)


def _figures(cell: str) -> Figures:
    """Return both figures of a cell, without its verdict."""
    *published, ours = re.sub(r" [-=~+!]$", "", cell).split(" / ", 1)
    return Figures("".join(published), ours)


def mean(text: str) -> str:
    """Return a figure without its deviation."""
    return text.split(" ± ")[0]


def together(cells: list[str]) -> str:
    """Return several measures in one cell: the first with its deviation."""
    return " / ".join([cells[0], *map(mean, cells[1:])])


def beside(
    paper: str,
    section: str,
    data: dict[str, str],
    columns: dict[str, str],
    measures: tuple[str, ...] = (ACCURACY, LEAVES),
    original: str = "",
) -> str:
    """Return the published figures, those of the original program, and ours: a line per data set.

    `data` has the title of a line by the name in the record, `columns` the title of a column by
    the method in the record; the published figures are those of the first method.
    """
    known = record(paper)
    rows = []
    for name, title in data.items():
        cells = [[known.cell(section, one, method, name) for one in measures] for method in columns]
        row = [title, together([figures.published for figures in cells[0]])]
        if original:
            row.append(_originals()[original].get(name, ""))
        rows.append([*row, *(together([figures.ours for figures in own]) for own in cells)])
    header = ["data", "published", *(["original"] if original else []), *columns.values()]
    return markdown(header, rows) + known.source(section) + (_note() if original else "")


@cache
def _originals() -> dict[str, dict[str, str]]:
    return read_results(ORIGINAL)[0]


def _note() -> str:
    """Return where the figures of the original program come from."""
    about = read_results(ORIGINAL)[1]["note"]
    return f"*Original: `{ORIGINAL.relative_to(ROOT)}`; {about}.*\n"


REAL = {name: name for name in ("Cancer", "Iris", "Housing", "Diabetes")}
SMALL_SETS = {
    **{"BH": "Boston", "BC": "Breast cancer", "BUPA": "Bupa", "PIND": "Pima"},
    **{"HRT": "Heart", "SUR": "Survival"},
}


def oc1_ap() -> str:
    return beside("murthy1994", "Table 1", REAL, {"OC1-AP": "ours"}, original="OC1-AP")


def c45() -> str:
    return beside("murthy1994", "Table 1", REAL, {"C4.5": "ours"})


def cart_lc() -> str:
    columns = {"CART-LC": "as published", "our CART-LC *": "ours, default"}
    return beside("murthy1994", "Table 1", REAL, columns, original="CART-LC")


OC1_COLUMNS = {"OC1": "as published", "our OC1 *": "ours, default"}


def oc1_real() -> str:
    return beside("murthy1994", "Table 1", REAL, OC1_COLUMNS, original="OC1")


def oc1_choice() -> str:
    return beside("murthy1994", "Table 1", REAL, OC1_COLUMNS)


def oc1_artificial() -> str:
    known, section, rows = record("murthy1994"), "Table 2", []
    for data in ("LS10", "POL", "RCB"):
        for effort in ("0:0", "0:20", "20:0", "20:20"):
            published, ours = (
                [known.cell(section, one, f"{who} {effort}{star}", data) for one in measures]
                for who, star, measures in (
                    ("OC1", "", (ACCURACY, LEAVES, HYPERPLANES)),
                    ("our OC1", " *", (ACCURACY, LEAVES)),
                )
            )
            rows.append(
                [
                    f"{data} {effort}",
                    together([figures.published for figures in published]),
                    _originals()["OC1"].get(f"{data} {effort}", ""),
                    *(together([f.ours for f in own]) for own in (published, ours)),
                ]
            )
    header = ["data, R:J", "published", "original", "as published", "ours, default"]
    return markdown(header, rows) + known.source(section) + _note()


def sadt() -> str:
    data = {name: name for name in ("LS10", "POL", "RCB")}
    columns = {"SADT": "ours", "SADT, all coefficients *": '`move="all"`'}
    return beside("murthy1994", "Table 2", data, columns, (ACCURACY, LEAVES, HYPERPLANES))


def fisher() -> str:
    known, section, rows = record("wickramarachchi2016"), "Table 5", []
    for name, title in SMALL_SETS.items():
        own = [
            known.cell(section, ACCURACY, "FDT", name),
            known.cell(section, LEAVES, "FDT (one tree on all rows)", name),
        ]
        rows.append([title, *(together([f[i] for f in own]) for i in range(2))])
    return markdown(["data", "published", "ours"], rows) + known.source(section)


def quest() -> str:
    data = {name: name for name in ("StatLog", "Income", "Bank")}
    return beside("wickramarachchi2016", "Table 7", data, {"QUEST": "ours, as published"})


def counts(paper: str) -> str:
    """Return how many figures of each table and measure agree."""
    known, rows = record(paper), []
    pattern = re.compile(
        r"(\w+): of (\d+) figures (\d+) agree, (\d+) better, (\d+) worse"
        r"(?:; within 30 %: (\d+), (\d+) smaller, (\d+) larger)?"
    )
    for section, lines in known.counts.items():
        for found in filter(None, map(pattern.match, lines)):
            measure, total, *numbers = found.groups()
            near = " / ".join(numbers[3:]) if numbers[3] else ""
            name = measure.replace("_", " ")
            rows.append([section.split()[1], name, total, " / ".join(numbers[:3]), near])
    header = ["table", "measure", "figures", "agree / better / worse", "near / smaller / larger"]
    return markdown(header, rows) + known.source()


RCL = "RCL, code length relative to guessing"


def mml() -> str:
    known, section, rows = record("tan2004"), "Table 1", []
    ten = "our MML, ten trees averaged *"
    for (name, method), figures in known.tables[section, ACCURACY].items():
        if method != "MML oblique tree" or figures.ours == "n/a":
            continue
        row = [name]
        for own, which in (
            ("MML oblique tree", "published"),
            *((one, "ours") for one in ("MML oblique tree", "our MML *", ten)),
        ):
            cells = [
                getattr(known.cell(section, measure, own, name), which)
                for measure in (ACCURACY, RCL, LEAVES)
            ]
            if own == ten:  # the record counts the leaves of all ten trees
                cells[-1] = f"{float(mean(cells[-1])) / 10:.1f}"
            row.append(together(cells))
        c45 = [known.cell(section, measure, "C4.5", name) for measure in (ACCURACY, RCL)]
        rows.append([*row, *(together([f[i] for f in c45]) for i in range(2))])
    header = [
        *("data", "published MML", "as published", "ours", "ours, averaged"),
        *("published C4.5", "our C4.5"),
    ]
    return markdown(header, rows) + known.source(section)


POLE_SETS = {
    **{"IR": "Iris", "LV": "Bupa", "DB": "Pima", "BC": "Wisconsin", "GL": "Glass (float)"},
    **{"VW": "Vowel", "WN": "Wine", "WV": "Waveform", "IS": "Ionosphere", "SN": "Sonar"},
}
ERROR = "error, % of a single leaf's"


def errors(section: str, name: str, methods: tuple[str, ...], size: str) -> list[float]:
    """Return our errors of some methods with small or large training sets."""
    known = record("hinton1996")
    cells = (known.cell(section, ERROR, f"{method} ({size})", name) for method in methods)
    return [float(mean(figures.ours)) for figures in cells]


def pole_pairs() -> str:
    """Return our errors, and by how much pole pairs are better."""
    known, section = record("hinton1996"), "Table 2"
    methods = ("cart", "linear", "pole")
    rows = []
    both: dict[str, list[list[float]]] = {"small": [], "large": []}
    for name, title in POLE_SETS.items():
        row = [title]
        for size, seen in both.items():
            cart, linear, pole = own = errors(section, name, methods, size)
            seen.append(own)
            row += [" / ".join(f"{one:.1f}" for one in own)]
            row += [f"{cart - pole:.1f}", f"{linear - pole:.1f}"]
        rows.append(row)
    ahead, means = ["pole ahead"], ["mean"]
    for seen in both.values():
        cart, linear, pole = np.array(seen).T
        lowest = np.sum(pole <= np.minimum(cart, linear))
        ahead += [
            f"lowest or equal: {lowest}",
            str(np.sum(cart > pole)),
            str(np.sum(linear > pole)),
        ]
        means += ["", f"{np.mean(cart - pole):.1f}", f"{np.mean(linear - pole):.1f}"]
    header = ["data"]
    for size in both:
        header += [f"{size}: cart / linear / pole", "cart - pole", "linear - pole"]
    return markdown(header, [*rows, ahead, means]) + known.source(section)


def pole_variants() -> str:
    """Return the mean errors of section 6's variants over the sets that are available."""
    known, section = record("hinton1996"), "Experiment variants"
    found: dict[str, list[float]] = {}  # by variant and size
    for (variant, _), figures in known.tables[section, ERROR].items():
        if figures.ours != "n/a":
            found.setdefault(variant, []).append(float(mean(figures.ours)))
    sizes = ("small", "large")
    names = dict.fromkeys(name.rsplit(" (", 1)[0] for name in found)
    rows = [
        [name, *(f"{np.mean(found[f'{name} ({size})']):.1f}" for size in sizes)] for name in names
    ]
    n_sets = len(next(iter(found.values())))
    header = [f"mean error over {n_sets} sets", *(f"{size} training sets" for size in sizes)]
    return markdown(header, rows) + known.source(section)
