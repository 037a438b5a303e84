"""`report` and `view`: a fitted tree as one page that needs no network.

The page joins a template, a style sheet and plain JavaScript files (`assets`), the model as
`export_code` writes it in JavaScript, and one block of data. No data becomes markup: the scripts
write texts, and the block is JSON that cannot close a tag.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from aslant.codegen.code import export_code
from aslant.codegen.javascript_code import literal
from aslant.inspection.report_page.card import card_of, check_card
from aslant.inspection.report_page.content import content_of
from aslant.inspection.report_page.ensemble import card_table, ensemble_body
from aslant.inspection.resolve import encoded_rows, resolve
from aslant.utils.atomic_file import write_atomically
from aslant.utils.checks import check_flag, check_number

_GENERATOR = b'name="generator" content="aslant report"'
_SCRIPTS = (
    "text.js",
    "charts.js",
    "tree.js",
    "node.js",
    "whatif.js",
    "flips.js",
    "quality.js",
    "cutoff.js",
    "effects.js",
    "data.js",
    "main.js",
)


def report(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    max_rows: int = 0,
    training: tuple[Any, Any] | None = None,
    card: Mapping[str, Any] | None = None,
    constraint_costs: Any = None,
    overwrite: bool = False,
) -> str:
    """Return a fitted model as a page of HTML: one file, for any browser, without a network.

    The page shows the tree, each test with the contributions of its features, a form to ask "what
    if", importances, rules and how the model was made; with rows `X` the rows along every test and
    partial dependence, and with their targets `y` the quality on these rows, also by cohort and at
    any cutoff.

    Parameters
    ----------
    estimator : fitted tree, forest or boosting model
        A model of this package, or a pipeline of scalers that ends in one. The page of several
        trees shows quality, learning curve, importances, partial dependence and the largest tests;
        a single one has the page of a tree: pass one of ``estimators_``.
    X : array-like or data frame of shape (n_samples, n_features), optional
        Rows, preferably not those of training.
    y : array-like of shape (n_samples,), optional
        Their targets.
    path : str or Path, optional
        A file to write the page to.
    title : str, optional
        Heading of the page; by default the name of the estimator.
    max_rows : int, default=0
        The largest number of rows of `X` that the page holds, to choose from in the form. They are
        in the file as they are; by default the page holds sums over rows only.
    training : pair of X and y, optional
        The training rows and their targets: the quality on them is shown beside that on `X`.
    card : dict, optional
        A model card at the head of the page, to be printed with it. Fields, all optional: purpose,
        author, owner, version, date (by default today), license, contact, intended use,
        out-of-scope use, factors, metrics, training data, evaluation data, ethical considerations,
        limits, approval. Hashes of the model and of `X` and `y` are added.
    constraint_costs : ConstraintCosts, optional
        What `aslant.constraint_costs` returned for the estimator: shown below its constraints.
    overwrite : bool, default=False
        Whether a file at `path` may be replaced that is not such a page itself.

    Returns
    -------
    str
        The page.

    Raises
    ------
    FileExistsError
        If `path` is a file that is not such a page, unless `overwrite` is True.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import CARTClassifier, report
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> page = report(CARTClassifier(max_depth=2).fit(X, y), X, y, title="Iris")
    >>> page.count("<title>Iris</title>")
    1
    """
    if y is not None and X is None:
        raise ValueError("report needs the rows X that y belongs to, got y alone.")
    if training is not None and y is None:
        raise ValueError("report shows training beside X and y, got training alone.")
    check_number("max_rows", max_rows, 0, integer=True)
    check_flag("overwrite", overwrite)
    check_card(card)
    model = resolve(estimator, "report")
    heading = type(model).__name__ if title is None else str(title)
    if hasattr(model, "estimators_"):
        if max_rows:
            raise ValueError(
                "max_rows puts rows on the page of one tree: that of several trees holds none, "
                f"got {max_rows}."
            )
        costs = [] if constraint_costs is None else constraint_costs.lines()
        page = _ensemble_page(model, X, y, heading, training, card, costs)
        return _written(page, path, overwrite)
    code = export_code(model, "javascript")
    content = content_of(estimator, model, X, y, int(max_rows), training, card, code)
    if constraint_costs is not None:
        content["remarks"] += constraint_costs.lines()
    data = {"title": heading, **content}
    parts = {
        "title": escape(heading),
        "style": _asset("page.css"),
        "model": code,
        "data": literal(data),
        "scripts": "\n".join(_asset(name) for name in _SCRIPTS),
    }
    return _written(_filled("page.html", parts), path, overwrite)


def _ensemble_page(
    model: Any,
    X: Any,
    y: Any,
    heading: str,
    training: Any,
    card: Mapping[str, Any] | None,
    remarks: list[str],
) -> str:
    """Return the page of a model of several trees."""
    stated = ""
    if card is not None:
        encoded = None if X is None else encoded_rows(model, X)
        truth = None if y is None else np.asarray(y)
        fields = card_of(card, export_code(model, "javascript"), encoded, truth)
        stated = card_table(fields or [])
    body = stated + ensemble_body(model, X, y, training, remarks)
    parts = {"title": escape(heading), "style": _asset("page.css"), "body": body}
    return _filled("ensemble.html", {**parts, "heading": escape(heading)})


def _filled(template: str, parts: Mapping[str, str]) -> str:
    """Return a template with its parts in their places."""
    page = _asset(template)
    for name, text in parts.items():
        before, after = page.split(f"<!--{name}-->")
        page = before + text + after
    return page


def _written(page: str, path: str | Path | None, overwrite: bool) -> str:
    """Return the page; write it to a file if there is to be one."""
    if path is not None:
        if not overwrite:
            _check_replaceable(Path(path))
        write_atomically(Path(path), page.encode("utf-8"))
    return page


def _check_replaceable(path: Path) -> None:
    """Validate that a file does not exist yet or is a page that `report` wrote."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        if _GENERATOR not in file.read(1000):
            raise FileExistsError(
                f"report writes to a new file or replaces a report, got {str(path)!r}, which is "
                "another file; `overwrite` replaces it."
            )


@dataclass(frozen=True)
class View:
    """A page that a notebook shows inline.

    Attributes
    ----------
    page : str
        The page.
    height : int
        Its height in pixels.
    """

    page: str
    height: int

    def _repr_html_(self) -> str:
        # The frame separates the styles, and the sandbox the scripts, of page and notebook.
        frame = f'width="100%" height="{self.height}" style="border: 1px solid #8884"'
        page = f'sandbox="allow-scripts" srcdoc="{escape(self.page)}"'
        return f'<iframe title="a model" {page} {frame}></iframe>'


def view(
    estimator: Any, X: Any = None, y: Any = None, *, height: int = 800, **options: Any
) -> View:
    """Show the page of `report` inline in a notebook.

    Parameters
    ----------
    estimator : fitted tree classifier or regressor
        As for `report`.
    X : array-like or data frame of shape (n_samples, n_features), optional
        As for `report`.
    y : array-like of shape (n_samples,), optional
        As for `report`.
    height : int, default=800
        Pixels.
    options : dict
        Other arguments of `report`.

    Returns
    -------
    View
        An object that a notebook shows.
    """
    check_number("height", height, 100, integer=True)
    return View(report(estimator, X, y, **options), int(height))


def _asset(name: str) -> str:
    return (files("aslant.inspection.report_page") / "assets" / name).read_text(encoding="utf-8")
