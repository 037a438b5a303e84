"""`report` and `view`: a fitted tree as one page that needs no network.

The page is a template, a style sheet and plain JavaScript files (`assets`), with the model as
`export_code` writes it in JavaScript and one block of data. Nothing of the data becomes markup:
the scripts write texts, and the block is JSON in which no tag can end.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from aslant.codegen.code import export_code
from aslant.codegen.javascript_code import literal
from aslant.inspection.fitted import single_tree
from aslant.inspection.report_page.content import content_of
from aslant.utils.atomic_file import write_atomically
from aslant.utils.checks import check_number

_SCRIPTS = ("text.js", "charts.js", "tree.js", "node.js", "whatif.js", "quality.js", "main.js")


def report(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    max_rows: int = 200,
) -> str:
    """Return a fitted tree as a page of HTML: one file, for any browser, without a network.

    It shows the tree to the scale of its rows, each test with what its features contribute, a form
    to ask "what if", importances, rules and how the model was made; with rows `X` the rows along
    every test, and with their targets `y` too the quality on these rows.

    Parameters
    ----------
    model : fitted tree estimator
        A tree of this package, of classes or numbers, or a pipeline of scalers that ends in one. Of
        a model of several trees give one of ``model.estimators_``.
    X : array-like or data frame of shape (n_samples, n_features), optional
        Rows, best those that training has not seen.
    y : array-like of shape (n_samples,), optional
        Their classes or numbers.
    path : str or Path, optional
        A file to write the page to.
    title : str, optional
        Heading of the page; by default the name of the estimator.
    max_rows : int, default=200
        Most rows of `X` that the page holds, to choose from. They are in the file as they are: 0
        for a page that shall hold no data.

    Returns
    -------
    str
        The page.

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
    check_number("max_rows", max_rows, 0, whole=True)
    fitted: Any = single_tree(model, "report")
    heading = type(fitted).__name__ if title is None else str(title)
    parts = {
        "title": escape(heading),
        "style": _asset("page.css"),
        "model": export_code(fitted, "javascript"),
        "data": literal(content_of(fitted, X, y, heading, int(max_rows))),
        "scripts": "\n".join(_asset(name) for name in _SCRIPTS),
    }
    page = _asset("page.html")
    for name, text in parts.items():
        before, after = page.split(f"<!--{name}-->")
        page = before + text + after
    if path is not None:
        write_atomically(Path(path), page.encode("utf-8"))
    return page


@dataclass(frozen=True)
class View:
    """A page that a notebook shows inline.

    Attributes
    ----------
    page : str
        The page.
    height : int
        Pixels that it gets.
    """

    page: str
    height: int

    def _repr_html_(self) -> str:
        # Inside a frame of its own, so that neither page nor notebook styles the other.
        frame = f'width="100%" height="{self.height}" style="border: 1px solid #8884"'
        return f'<iframe title="a model" srcdoc="{escape(self.page)}" {frame}></iframe>'


def view(model: Any, X: Any = None, y: Any = None, *, height: int = 800, **options: Any) -> View:
    """Show the page of `report` inline in a notebook.

    Parameters
    ----------
    model : fitted tree estimator
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
        What a notebook shows.
    """
    check_number("height", height, 100, whole=True)
    return View(report(model, X, y, **options), int(height))


def _asset(name: str) -> str:
    return (files("aslant.inspection.report_page") / "assets" / name).read_text(encoding="utf-8")
