"""Templates of source code: files with sections of which an exported model is made.

A line ``@@ name`` begins a section, and ``@field@`` is replaced by a value.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from aslant.codegen.description import Combination, Description


def fill(language: str, *names: str, **fields: object) -> str:
    """Return sections of the template of a language, with their fields."""
    text = "".join(sections(language)[name] for name in names)
    for field, value in fields.items():
        text = text.replace(f"@{field}@", str(value))
    return text


@cache
def sections(language: str) -> dict[str, str]:
    """Return the sections of a template by name."""
    file = {"c": "model.c", "javascript": "model.js", "python": "model.py.txt"}[language]
    text = (files("aslant.codegen") / "templates" / file).read_text(encoding="utf-8")
    parts = re.split(r"^@@ (\w+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def predictions(language: str, description: Description, **fields: object) -> str:
    """Return the functions that predict."""
    return fill(
        language,
        *_chosen(description),
        divisor=repr(description.divisor),
        prior=repr(description.prior),
        exponent=repr(description.exponent),
        n_outputs=description.n_outputs,
        only="[0]" if description.n_outputs == 1 else "",
        **fields,
    )


def _chosen(description: Description) -> list[str]:
    is_single = description.combination is Combination.SINGLE
    if description.combination is Combination.VOTES:
        return ["votes"]
    mean = "reached" if description.combination is Combination.SOFT else "sum"
    if not description.classes:
        value = "exp_value" if description.link == "exp" else "mean_value"
        return ["single_value"] if is_single else [mean, value]
    if is_single:
        return ["single_logit", "largest"] if description.is_logit else ["single"]
    if description.link == "softmax":
        return [mean, "softmax_proba", "largest"]
    sharpened = description.exponent is not None
    return [mean, "sharpened_proba" if sharpened else "mean_proba", "largest"]
