"""The output of a command: a file, or the standard output."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from aslant.cli.notes import note


def check_output(out: Path | None, *inputs: Path | None) -> None:
    """Validate, before any work, that the output can be written and is not an input."""
    if out is None:
        return
    if out.is_dir():
        raise ValueError(f"Cannot write {str(out)!r}: it is a folder.")
    folder = Path(os.path.realpath(out)).parent
    if not folder.is_dir():
        raise ValueError(f"Cannot write {str(out)!r}: there is no folder {str(folder)!r}.")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"Cannot write {str(out)!r}: the folder {str(folder)!r} is read-only.")
    for source in inputs:
        if source is not None and out.exists() and source.exists() and out.samefile(source):
            raise ValueError(f"Cannot write {str(out)!r}: it is also the input.")


def write_result(text: str, out: Path | None, what: str) -> None:
    """Write a text to the file atomically, or to the standard output if there is no file."""
    from aslant.utils.atomic_file import write_atomically

    if out is None:
        sys.stdout.write(text)
    else:
        write_atomically(out, text.encode("utf-8"))
        note(f"The {what} in {out}.")
