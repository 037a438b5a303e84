"""`export_code`: a fitted model in a language that needs no aslant to predict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from aslant.codegen.c_code import c_code
from aslant.codegen.describe import describe
from aslant.codegen.javascript_code import javascript_code
from aslant.codegen.python_code import python_code
from aslant.codegen.rules import markdown, rules
from aslant.codegen.sql_code import sql_code
from aslant.utils.checks import check_choice

LANGUAGES = ("python", "c", "javascript", "sql", "rules", "markdown")


def export_code(
    model: Any, language: str, *, name: str | None = None, keep: Sequence[str] = ()
) -> str:
    """Return a fitted model as source code, or as rules.

    Code adds the terms of a test in the order in which aslant does, so a row reaches the same leaf
    as with `predict`, and probabilities are the same numbers; those of soft trees, and what linear
    leaves predict, are the same within rounding. See docs/guide/shipping.md for what a compiler or
    a database may round otherwise.

    Parameters
    ----------
    model : fitted estimator
        An estimator of this package: one tree, hard or soft, a vote, an average or a forest, of
        classes or numbers.
    language : {"python", "c", "javascript", "sql", "rules", "markdown"}
        ``"python"``: a module without imports. ``"c"``: a file of C99 that allocates nothing.
        ``"javascript"``: a script without dependencies. ``"sql"``: a query. ``"rules"``: each leaf
        as a conjunction. ``"markdown"``: a page with the rules, classes and features as tables.
    name : str, optional
        For C, what the names of its functions begin with, ``"model"`` by default. For SQL, the
        table that the query reads, ``"data"`` by default.
    keep : sequence of str, default=()
        For SQL, columns of the table that the query hands on, such as a key.

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
    _check_options(language, name, keep)
    if language in ("rules", "markdown"):
        return rules(model) if language == "rules" else markdown(model)
    description = describe(model, "export_code")
    if language == "python":
        return python_code(description)
    if language == "javascript":
        return javascript_code(description)
    if language == "c":
        return c_code(description, name or "model")
    return sql_code(description, name or "data", keep)


def _check_options(language: str, name: str | None, keep: Sequence[str]) -> None:
    if name is not None and language not in ("c", "sql"):
        raise ValueError(f"name is for the languages 'c' and 'sql', got it for {language!r}.")
    if name is not None and (not isinstance(name, str) or not name):
        raise ValueError(f"name must be a text that is not empty, got {name!r}.")
    if language == "c" and name and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError(f"name must be an identifier of C, got {name!r}.")
    if isinstance(keep, str):
        raise TypeError(f"keep must be a sequence of names, got the text {keep!r}.")
    if len(keep) and language != "sql":
        raise ValueError(f"keep is for the language 'sql', got it for {language!r}.")
