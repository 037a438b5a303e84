"""Notes on the standard error stream."""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""The exit code that a shell reports of a program ended by Ctrl-C."""


def note(text: str) -> None:
    """Write one line to the standard error stream, exactly as it is."""
    print(text, file=sys.stderr, flush=True)
