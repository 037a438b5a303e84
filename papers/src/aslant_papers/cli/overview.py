"""What ``aslant overview`` does: all methods on all data sets, computed or from the journal."""

from __future__ import annotations

from aslant_papers.cli.reproduction import RunOptions, choose_tables, run_layout
from aslant_papers.layout import lay_out
from aslant_papers.overview import OVERVIEWS, REFERENCE, Overview, make_overview, with_runs


def compute(
    task: str, datasets: str | None, methods: str | None, runs: int, effort: RunOptions
) -> Overview:
    """Return the overview of what was asked for, computing what the journal does not have."""
    if methods is not None:
        methods = f"{methods},{REFERENCE}"
    (table,) = choose_tables(OVERVIEWS[task], None, datasets, methods)
    layout = lay_out(with_runs(table, runs))
    return make_overview(layout, run_layout("Overview", layout, effort))
