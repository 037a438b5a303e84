"""`export_code`: a fitted model in a language that needs no aslant to predict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from aslant.codegen.c_code import c_code, c_header
from aslant.codegen.describe import describe
from aslant.codegen.excel_code import excel_code
from aslant.codegen.javascript_code import javascript_code
from aslant.codegen.python_code import python_code
from aslant.codegen.rules import markdown, rules
from aslant.codegen.sql_code import sql_code
from aslant.codegen.sql_parts import DIALECTS
from aslant.utils.checks import check_choice, check_number

_WITH_REASONS = ("python", "c", "c header", "javascript", "sql", "excel")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

LANGUAGES = ("python", "c", "c header", "javascript", "sql", "excel", "rules", "markdown")


def export_code(
    estimator: Any,
    language: str,
    *,
    name: str | None = None,
    keep: Sequence[str] = (),
    dialect: str | None = None,
    reasons: int | None = None,
) -> str:
    """Return a fitted model as source code, or as rules.

    Code adds the terms of a test in the same order as aslant. So a row reaches the same leaf as
    with `predict`, and probabilities are the same numbers; those of soft trees and calibrated
    forests, and predictions of linear leaves, agree within rounding. See docs/guide/shipping.md for
    what a compiler or a database may round differently.

    Parameters
    ----------
    estimator : fitted classifier or regressor
        A tree, forest or other ensemble of this package, or a pipeline of scalers that ends in one.
    language : {"python", "c", "c header", "javascript", "sql", "excel", "rules", "markdown"}
        ``"python"``: a module without imports. ``"c"``: a file of C99 without allocation, and
        ``"c header"`` the declarations of its functions.
        ``"javascript"``: a script without dependencies. ``"sql"``: a query. ``"excel"``: headings
        and formulas of a sheet, separated by tabs, for a single tree. ``"rules"``: each leaf as a
        conjunction. ``"markdown"``: a page with the rules, classes and features as tables.
    name : str, optional
        For C, the prefix of the functions, ``"model"`` by default. For SQL, the table that the
        query reads, ``"data"`` by default.
    keep : sequence of str, default=()
        For SQL, columns of the table that the result keeps, such as a key.
    dialect : str, optional
        For SQL, the database: ``"sqlite"``, ``"duckdb"``, ``"postgres"``, ``"mysql"``,
        ``"bigquery"``, ``"snowflake"`` or ``"spark"``. Each quotes names, writes numbers and reads
        DATE and TIMESTAMP columns in its own way. The default, ``"standard"``, is for models
        without dates.
    reasons : int, optional
        For code, and models of one tree: also name the features that contribute most to a
        prediction, at most so many, as ``explain(estimator, X).reasons(n)`` does. Python, C and
        JavaScript have a function ``reasons``; SQL has columns ``reason_1``, ``reason_2``, ... and
        Excel cells of that name.

    Returns
    -------
    str
        The source.

    Examples
    --------
    >>> from aslant import CARTClassifier, export_code
    >>> tree = CARTClassifier().fit([[1.0], [2.0], [4.0]], ["a", "a", "b"])
    >>> module = {}
    >>> exec(export_code(tree, "python"), module)
    >>> module["predict"]([3.5])
    'b'
    """
    check_choice("language", language, LANGUAGES)
    _check_options(language, name, keep, dialect, reasons)
    if language == "rules":
        return rules(estimator)
    if language == "markdown":
        return markdown(estimator)
    description = describe(estimator, "export_code")
    if language == "python":
        return python_code(description, reasons)
    if language == "javascript":
        return javascript_code(description, reasons)
    if language == "excel":
        return excel_code(description, reasons)
    if language == "c":
        return c_code(description, name or "model", reasons)
    if language == "c header":
        return c_header(description, name or "model", reasons)
    return sql_code(description, name or "data", keep, dialect or "standard", reasons)


def _check_options(
    language: str,
    name: str | None,
    keep: Sequence[str],
    dialect: str | None,
    reasons: int | None,
) -> None:
    for option, value, languages in (
        ("name", name, ("c", "c header", "sql")),
        ("keep", keep or None, ("sql",)),
        ("dialect", dialect, ("sql",)),
        ("reasons", reasons, _WITH_REASONS),
    ):
        if value is not None and language not in languages:
            allowed = " or ".join(map(repr, languages))
            raise ValueError(f"{option} needs language={allowed}, got language={language!r}.")
    if isinstance(keep, str):
        raise TypeError(f"keep must be a sequence of names, got the string {keep!r}.")
    if dialect is not None:
        check_choice("dialect", dialect, tuple(DIALECTS))
    if reasons is not None:
        check_number("reasons", reasons, 1, integer=True)
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name must be a string, got {name!r}.")
    is_c = language != "sql"
    if name == "" or (is_c and name and not _IDENTIFIER.fullmatch(name)):
        wanted = "an identifier of C" if is_c else "a name"
        raise ValueError(f"name must be {wanted}, got {name!r}.")
