"""Names from the data, made fit for source code."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable


def identifiers(names: Iterable[str], prefix: str) -> list[str]:
    """Return a distinct ASCII identifier for each name: ``X_PETAL_LENGTH_CM``."""
    chosen: list[str] = []
    for place, name in enumerate(names):
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        words = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_").upper()
        text = f"{prefix}{words or place}"
        chosen.append(text if text not in chosen else f"{text}_{place}")
    return chosen


def comment(text: str) -> str:
    """Return a text that cannot end a comment of any language, nor begin another line."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    return shown.replace("*/", "* /").replace("/*", "/ *").replace("<", "< ")
