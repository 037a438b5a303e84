"""Write every table and figure of README and docs that comes from a result file.

    python benchmarks/pages.py            make pages

Nothing is measured: with the same result files nothing changes (tests/benchmarks/test_pages.py).
What belongs to a program goes between two marks, ``<!-- figures: name -->`` and its end; pages that
are generated as a whole say so. ``make records`` writes the records of the papers, from which
records.py reads tables for other pages.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import boosting_trials
import compare_examples
import hhcart_beyond
import mml_published
import origin
import page_blocks as of
import records
import thermal
from blocks import write_block

ROOT = Path(__file__).parents[1]

# Page, name of the block, text.
BLOCKS: list[tuple[str, str, Callable[[], str]]] = [
    ("docs/guide/large-data.md", "targets", of.large_data),
    ("docs/guide/large-data.md", "wide", of.wide),
    ("docs/guide/large-data.md", "tables", of.tables),
    ("docs/guide/large-data.md", "on_dask", of.on_dask),
    ("docs/guide/your-data.md", "categories", of.categories),
    ("docs/guide/your-data.md", "levels", lambda: of.untidy("1000 noise levels")),
    ("docs/guide/your-data.md", "missing", of.missing),
    ("docs/guide/your-data.md", "indicators", lambda: of.untidy("informative missing values")),
    ("docs/guide/imbalance.md", "smoothing", of.smoothing),
    ("docs/guide/imbalance.md", "rare class", lambda: of.untidy("rare class")),
    ("docs/guide/choosing.md", "overview", lambda: of.first_table(OVERVIEW)),
    ("docs/guide/choosing.md", "oc1", records.oc1_choice),
    ("docs/regression.md", "regression", of.regression),
    ("docs/regression.md", "number_speed", lambda: of.ratios("number_speed")),
    ("docs/algorithms/axis_parallel.md", "oc1_ap", records.oc1_ap),
    ("docs/algorithms/c45.md", "c45", records.c45),
    ("docs/algorithms/cart_lc.md", "cart_lc", records.cart_lc),
    ("docs/algorithms/fisher.md", "fisher", records.fisher),
    ("docs/algorithms/hhcart.md", "counts", lambda: records.counts("wickramarachchi2016")),
    ("docs/algorithms/hhcart.md", "beyond", hhcart_beyond.table),
    ("docs/algorithms/hhcart.md", "hhcart", lambda: of.ratios("hhcart")),
    ("docs/algorithms/pole_pair.md", "pole_pair", of.pole_pairs),
    ("docs/algorithms/pole_pair.md", "exact", lambda: of.ratios("pole_pair", "exact")),
    ("docs/algorithms/pole_pair.md", "published", records.pole_pairs),
    ("docs/algorithms/pole_pair.md", "variants", records.pole_variants),
    ("docs/algorithms/mml.md", "mml", lambda: of.ratios("mml")),
    ("docs/algorithms/mml.md", "published", records.mml),
    ("docs/algorithms/mml.md", "variants", mml_published.table),
    ("docs/algorithms/oc1.md", "oc1_artificial", records.oc1_artificial),
    ("docs/algorithms/oc1.md", "oc1_real", records.oc1_real),
    ("docs/algorithms/oc1.md", "origin", origin.table),
    ("docs/algorithms/quest.md", "quest", records.quest),
    ("docs/algorithms/sadt.md", "sadt", records.sadt),
    ("docs/algorithms/thermal.md", "grid", lambda: thermal.table("grid")),
    ("docs/algorithms/thermal.md", "plus", lambda: thermal.table("plus")),
    ("docs/algorithms/thermal.md", "others", lambda: thermal.table("others")),
    ("docs/algorithms/thermal.md", "lmdt", thermal.lmdt_table),
    (
        "docs/algorithms/thermal.md",
        "pocket",
        lambda: thermal.tests_table("pocket", "rows presented"),
    ),
    (
        "docs/algorithms/thermal.md",
        "tests",
        lambda: thermal.tests_table("tests", "unit, emag, checked, order, ties"),
    ),
    ("docs/algorithms/linear_machine.md", "multivariate", lambda: of.ratios("multivariate")),
    ("docs/algorithms/auto.md", "auto", of.auto_time),
    ("docs/guide/auto.md", "auto_large", of.auto_large),
    ("docs/algorithms/boosting.md", "without", of.boosting_without),
    ("docs/algorithms/boosting.md", "trials", boosting_trials.table),
    ("docs/algorithms/forest.md", "number_forests", of.number_forests),
    ("docs/algorithms/forest.md", "forests_speed", of.forest_speed),
    *(
        ("docs/compare.md", name, partial(compare_examples.example, name))
        for name in compare_examples.COMMANDS
    ),
]
OVERVIEW = ROOT / "docs" / "reproduction" / "overview.md"


def write_blocks() -> None:
    for path, name, text in BLOCKS:
        write_block(ROOT / path, f"figures: {name}", text())


def write_all() -> None:
    """Write all blocks, then the pages that programs of their own write."""
    import auto_evidence
    import boosting
    import constraints
    import evidence_figure
    import forests
    import page
    import suite_page
    from provenance import read_results

    write_blocks()
    page.main()
    auto_evidence.write_pages()
    evidence_figure.write(ROOT / "docs" / "figures" / "auto.png")
    boosting.report()
    hhcart_beyond.draw_figure(ROOT / "docs" / "figures" / "hhcart_beyond.png")
    forests.report(read_results(forests.RESULTS / "forests.json")[0], forests.PAGE)
    constraints.page()
    if suite_page.RESULTS.exists():
        suite_page.write()


if __name__ == "__main__":
    write_all()
