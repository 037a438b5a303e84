"""Names from the data as identifiers and comments of source code."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence


def distinct(names: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Return the names, with numbers appended where they, or those taken, agree but for case.

    A name that is unique stays as it is.
    """
    counts = Counter(name.casefold() for name in names)
    used = {name.casefold() for name in taken}
    kept = {name for name, count in counts.items() if count == 1} - used
    chosen = []
    for name in names:
        text, number = name, 2
        while text.casefold() in used or (text != name and text.casefold() in kept):
            text, number = f"{name}_{number}", number + 1
        used.add(text.casefold())
        chosen.append(text)
    return chosen


def identifiers(names: Iterable[str], prefix: str, taken: Collection[str] = ()) -> list[str]:
    """Return a distinct ASCII identifier for each name: ``X_PETAL_LENGTH_CM``.

    The prefix keeps them apart from the reserved words of any language.
    """
    chosen = []
    for place, name in enumerate(names):
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        words = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_").upper()
        chosen.append(f"{prefix}{words or place}")
    return distinct(chosen, taken)


def comment(text: str) -> str:
    """Return a text that cannot end a comment of any language, nor begin another line."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    return shown.replace("*/", "* /").replace("/*", "/ *").replace("<", "< ")
