"""From a table to the cells that must be computed for it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from aslant.comparison.splits import Plan
from aslant_papers.cells import Cell, LoadedData, load_rows
from aslant_papers.datasets import DatasetUnavailableError
from aslant_papers.protocol import PaperTable


@dataclass(frozen=True)
class Shortening:
    """How a table is shortened for ``--quick``.

    Attributes
    ----------
    fits : int
        Trees of each method on each data set; but at least two runs.
    most_rows : int
        Larger data sets are sampled.
    budget : float
        Seconds for everything; what is not finished then is left out.
    """

    fits: int = 10
    most_rows: int = 2500
    budget: float = 75.0

    def shortened(self, plan: Plan) -> Plan:
        """Return the plan with fewer runs."""
        return replace(plan, runs=min(plan.runs, max(2, self.fits // plan.fits)))


@dataclass
class TableLayout:
    """The cells of a table by (column, method), and what is not available.

    Attributes
    ----------
    table : Table
        The table, with the chosen columns and methods only.
    cells : dict
        The runs of each method on each data set, by their labels.
    absent : dict
        Why a data set, or a method, is not available, by its label.
    remarks : list of str
        What was shortened.
    """

    table: PaperTable
    cells: dict[tuple[str, str], list[Cell]] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def lay_out(table: PaperTable, short: Shortening | None = None) -> TableLayout:
    """Return the cells of a table; missing data sets and methods are listed."""
    layout = TableLayout(table)
    for method in table.methods:
        reason = method.unavailable()
        if reason is not None:
            layout.absent[method.label] = reason
    rows_of = _available_rows(layout)
    for column in table.columns:
        if column.label not in rows_of:
            continue
        rows = rows_of[column.label]
        most_rows = table.most_rows if short is None else short.most_rows
        if most_rows is not None and len(rows.y) <= most_rows:
            most_rows = None
        if most_rows is not None:
            layout.remarks.append(
                f"{column.label}: {most_rows} of {len(rows.y)} rows, chosen at random"
                + (", so not compared" if short is not None else "")
            )
        fingerprints = {column.data: rows.fingerprint()}
        for method in table.methods:
            if method.label in layout.absent:
                continue
            data = method.data_of(column) if rows.categorical else column.data
            if data not in fingerprints:
                fingerprints[data] = load_rows(data).fingerprint()
            plan = table.plan_of(column, method)
            plan = plan if short is None else short.shortened(plan)
            estimator = method.estimator_for(column.label, rows.n_classes)
            layout.cells[column.label, method.label] = [
                Cell(data, fingerprints[data], plan, run, estimator, method.prune_set, most_rows)
                for run in range(plan.runs)
            ]
    if short is not None:
        layout.remarks.insert(0, f"about {short.fits} trees a cell at most, at least two runs")
    return layout


def _available_rows(layout: TableLayout) -> dict[str, LoadedData]:
    rows = {}
    for column in layout.table.columns:
        try:
            rows[column.label] = load_rows(column.data)
        except DatasetUnavailableError:
            layout.absent[column.label] = f"no copy of the data set {column.data.name} was found"
    return rows
