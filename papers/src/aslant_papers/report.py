"""Published figures beside ours, with a mark for each; `counting` counts them.

A mark says how far our mean is from the published figure, in the paper's standard deviations; where
the paper prints none, in those of our own runs. Differences that the printed digits cannot show
count as none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from aslant_papers.layout import TableLayout
from aslant_papers.protocol import Comparison, Difference, Ranking, TableColumn, TableMethod
from aslant_papers.published import PublishedFigure, published_figures
from aslant_papers.records import MEASURES, Measure, RunRecord
from aslant_papers.runner import Results
from aslant_papers.statistics import mean_ranks

WITHIN_ONE, WITHIN_TWO, BETTER, WORSE = "within 1 sd", "within 2 sd", "better", "worse"
NOT_AVAILABLE = "not available"
MEAN_RANK = "mean_rank"
DIFFERS, AGREES = "differs", "agrees"
SYMBOLS = {WITHIN_ONE: "=", WITHIN_TWO: "~", BETTER: "+", WORSE: "-", DIFFERS: "!", AGREES: "="}
_SIGNIFICANT = 0.05


@dataclass(frozen=True)
class ReportEntry:
    """One figure of a table, published and ours.

    Attributes
    ----------
    table : int or str
        Number of the table, or name of the experiment.
    dataset, method, measure : str
        Where it stands.
    published, published_sd : float or None
        As the paper prints it.
    ours, ours_sd : float or None
        Mean and standard deviation over our runs.
    runs : int
        How many they are; of mean ranks, how many data sets.
    mark : str
        How the two compare; empty if they cannot be.
    note : str
        Why there is no figure of ours.
    counted : bool
        Whether it counts as the paper's figure; rows with our own settings do not.
    errors_apart : float or None
        The difference in units of its standard error, from the deviations of both sides.
    """

    table: int | str
    dataset: str
    method: str
    measure: str
    published: float | None
    published_sd: float | None
    ours: float | None = None
    ours_sd: float | None = None
    runs: int = 0
    mark: str = ""
    note: str = ""
    counted: bool = True
    errors_apart: float | None = None


@dataclass(frozen=True)
class Report:
    """A table with both figures.

    Attributes
    ----------
    layout : Layout
        The table, and what of it is not available.
    entries : tuple of Entry
        The figures.
    results : Results
        The runs they come from.
    incomplete : mapping of str to list of str
        What has some of its runs but not all: "3 of 10", and the methods on data sets.
    reasons : tuple of str
        Why runs are missing.
    """

    layout: TableLayout
    entries: tuple[ReportEntry, ...]
    results: Results
    incomplete: Mapping[str, list[str]] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()


def make_report(paper: str, layout: TableLayout, results: Results) -> Report:
    """Put the published figures of a table beside the results."""
    table = layout.table
    entries: list[ReportEntry] = []
    for measure in table.measures:
        for column in table.columns:
            if table.comparisons:
                entries += [_tested(paper, layout, results, column, c) for c in table.comparisons]
                continue
            for row in table.differences or table.methods:
                entry = _measured(paper, layout, results, column, row, measure)
                entries += [entry] if entry is not None else []
    if table.ranking is not None:
        entries += _ranked(paper, layout, results, table.ranking)
    incomplete: dict[str, list[str]] = {}
    reasons: list[str] = []
    for (data, method), cells in layout.cells.items():
        missing = [cell.key for cell in cells if cell.key not in results.records]
        if 0 < len(missing) < len(cells):
            runs = f"{len(cells) - len(missing)} of {len(cells)}"
            incomplete.setdefault(runs, []).append(f"{method} on {data}")
        reasons += [results.failures[key] for key in missing if key in results.failures]
    return Report(layout, tuple(entries), results, incomplete, tuple(dict.fromkeys(reasons)))


def _measured(
    paper: str,
    layout: TableLayout,
    results: Results,
    column: TableColumn,
    row: TableMethod | Difference,
    measure: str,
) -> ReportEntry | None:
    """Return one figure, None if the paper has a table but no such figure in it."""
    table = layout.table
    if isinstance(row, TableMethod) and row.measures and measure not in row.measures:
        return None
    name = row.row if isinstance(row, TableMethod) else row.label
    figure = published_figures(paper).get((table.number, name, column.label, measure))
    if figure is None and isinstance(table.number, int):
        return None
    entry = ReportEntry(
        table.number,
        column.label,
        row.label,
        measure,
        None if figure is None else figure.value,
        None if figure is None else figure.sd,
        counted=not isinstance(row, TableMethod) or row.counted,
    )
    labels = (row.label,) if isinstance(row, TableMethod) else row.methods
    groups = []
    for label in labels:
        runs, reason = finished_runs(layout, results, column.label, label)
        if not runs:
            return replace(entry, note=reason)
        runs = runs[:1] if MEASURES[measure].once else runs
        groups.append([MEASURES[measure].of(run, column.class_index) for run in runs])
    values = groups[0]
    if isinstance(row, Difference):
        values = [first - second for first, second in zip(*groups, strict=False)]
    mean = float(np.mean(values))
    if np.isnan(mean):
        return replace(entry, runs=len(values), note="no test row has this class")
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
    entry = replace(entry, ours=mean, ours_sd=sd, runs=len(values))
    first_cell = layout.cells[column.label, labels[0]][0]
    if figure is None or first_cell.most_rows is not None:
        return entry
    method = next(m for m in table.methods if m.label == labels[0])
    published_runs = table.published_runs or table.plan_of(column, method).runs
    return replace(
        entry,
        mark=mark(MEASURES[measure], figure, mean, sd),
        errors_apart=errors_apart(entry, published_runs),
    )


def errors_apart(entry: ReportEntry, published_runs: int) -> float | None:
    """Return the difference of two means in units of its standard error.

    A paper that prints no deviation is taken to have ours.
    """
    if entry.ours is None or entry.published is None or entry.ours_sd is None:
        return None
    if MEASURES[entry.measure].better is None:
        return None
    published_sd = entry.ours_sd if entry.published_sd is None else entry.published_sd
    rounding = 10.0 ** -MEASURES[entry.measure].digits / np.sqrt(12.0)
    variance = published_sd**2 / published_runs + entry.ours_sd**2 / entry.runs + rounding**2
    return float((entry.ours - entry.published) / np.sqrt(variance))


def _ranked(
    paper: str, layout: TableLayout, results: Results, ranking: Ranking
) -> list[ReportEntry]:
    """Return the mean ranks, over the data sets that all methods have results of.

    A mean over other data sets than the paper's is not its figure, so these have no mark.
    """
    number, methods = layout.table.number, [method.label for method in layout.table.methods]
    columns = {column.label: column for column in layout.table.columns}
    scores = []
    for group in ranking.groups:
        values = [
            [_mean(layout, results, columns[label], method, ranking.measure) for method in methods]
            for label in group
            if label in columns
        ]
        if len(values) == len(group) and not np.isnan(values).any():
            scores.append(np.mean(values, axis=0))
    ranks = mean_ranks(scores) if scores else np.full(len(methods), np.nan)
    entries = []
    for method, rank in zip(layout.table.methods, ranks, strict=True):
        figure = published_figures(paper).get((number, method.row, ranking.label, MEAN_RANK))
        published = None if figure is None else figure.value
        place = (number, ranking.label, method.label, MEAN_RANK, published, None)
        if scores:
            entries.append(ReportEntry(*place, ours=float(rank), runs=len(scores)))
        else:
            entries.append(ReportEntry(*place, note="no data set has results of all methods"))
    return entries


def _mean(
    layout: TableLayout, results: Results, column: TableColumn, method: str, measure: str
) -> float:
    """Return the mean of a measure over the runs of a method, NaN if there are none."""
    runs, _ = finished_runs(layout, results, column.label, method)
    values = [MEASURES[measure].of(run, column.class_index) for run in runs]
    return float(np.mean(values)) if values else np.nan


def _tested(
    paper: str, layout: TableLayout, results: Results, column: TableColumn, test: Comparison
) -> ReportEntry:
    """Return the p-value of one test between methods; the paper may not have printed it."""
    number = layout.table.number
    figure = published_figures(paper).get((number, test.label, column.label, "p_value"))
    value = None if figure is None else figure.value
    place = (number, column.label, test.label, "p_value", value, None)
    groups = []
    for label in test.methods:
        runs, reason = finished_runs(layout, results, column.label, label)
        if not runs:
            return ReportEntry(*place, note=reason)
        groups.append(runs)
    runs_each = min(map(len, groups))
    p = test.p_value([group[:runs_each] for group in groups])
    agreement = ""
    if value is not None and not np.isnan(p):
        agreement = AGREES if (p < _SIGNIFICANT) == (value < _SIGNIFICANT) else DIFFERS
    return ReportEntry(*place, ours=None if np.isnan(p) else p, runs=runs_each, mark=agreement)


def finished_runs(
    layout: TableLayout, results: Results, column: str, method: str
) -> tuple[Sequence[RunRecord], str]:
    """Return the finished runs of a method on a data set, or none and the reason."""
    if column in layout.absent or method in layout.absent:
        return (), NOT_AVAILABLE
    cells = layout.cells[column, method]
    of_table = next(one for one in layout.table.methods if one.label == method)
    runs = [
        of_table.counted_size(results.records[cell.key], cell.estimator)
        for cell in cells
        if cell.key in results.records
    ]
    reasons = [results.failures[cell.key] for cell in cells if cell.key in results.failures]
    return runs, reasons[0] if reasons else "not computed"


def mark(measure: Measure, published: PublishedFigure, ours: float, ours_sd: float | None) -> str:
    """Return how our figure compares with the published one.

    Within one or two standard deviations, else better or worse (or different, for what is neither
    good nor bad); empty if the figures cannot be compared.
    """
    sd = published.sd if published.sd is not None else ours_sd
    if measure.better is None or sd is None:
        return ""
    difference = ours - published.value
    spread = max(sd, 0.5 * 10.0**-measure.digits)
    for within, limit in ((WITHIN_ONE, spread), (WITHIN_TWO, 2.0 * spread)):
        if abs(difference) <= limit * (1.0 + 1e-9):
            return within
    if measure.better == 0:
        return DIFFERS
    return BETTER if difference * measure.better > 0 else WORSE
