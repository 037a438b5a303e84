"""The command line: fit, predict, show, compare, curves, and what other distributions add.

Results go to the standard output, notes and progress to the standard error stream. The commands are
in `aslant.cli.commands` and `aslant.cli.study_commands`. A distribution adds commands by an entry
point of the group ``aslant.commands``: a function that is given the program. Every
failure becomes an exit code and one line.
"""

from __future__ import annotations

import os
import shlex
import sys
import warnings
from collections.abc import Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Any

import typer
import typer.main

from aslant.cli import (
    missing_library,
    study_commands,  # noqa: F401 - adds its commands to the program
)
from aslant.cli.cluster import with_address
from aslant.cli.commands import app
from aslant.cli.notes import INTERRUPTED, note
from aslant.cli.options import as_names
from aslant.encoding.kinds import ColumnsRefused

BAD_INPUT = 2
READER_GONE = 141  # what a shell reports of a program whose pipe was closed

# The base of all complaints about options and arguments, which typer does not export by name.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code.

    Bad input is 2 and one line on the standard error stream, Ctrl-C is 130.
    """
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            code = _invoke(with_address(arguments) or ["--help"])
            sys.stdout.flush()
            return code
        except ColumnsRefused as refused:
            without = ["aslant", *arguments, "--drop", as_names(refused.reasons)]
            note(f"Error: {_one_line(refused)} This works: {shlex.join(without)}")
            code = BAD_INPUT
        except KeyboardInterrupt:
            note("Interrupted.")
            code = INTERRUPTED
        except BrokenPipeError:  # the reader has seen enough
            code = READER_GONE
        except (ValueError, TypeError, OSError, MemoryError, ImportError, OverflowError) as error:
            note(f"Error: {_one_line(error)}")
            code = BAD_INPUT
        _drop_output()
        return code


def _invoke(arguments: list[str]) -> int:
    # Without typer's own `main`, which prints usage errors over several lines.
    _add_commands()
    command = typer.main.get_command(app)
    try:
        with command.make_context("aslant", arguments) as context:
            command.invoke(context)
    except typer.Exit as finished:  # after --help and --version
        return finished.exit_code
    except _UsageError as error:
        raise ValueError(error.format_message()) from error  # type: ignore[attr-defined]
    return 0


@cache
def _add_commands() -> None:
    """Add the commands of other distributions, once."""
    for added in entry_points(group="aslant.commands"):
        added.load()(app)


def _one_line(error: BaseException) -> str:
    """Return the message of an error without line breaks."""
    text = str(error)
    if isinstance(error, ImportError):
        text = missing_library(error) or text
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError):
        text = f"there is not enough memory for this. {text}"
    return " ".join(text.split()) or type(error).__name__


def _show_warning(message: Warning | str, *place: Any, **more: Any) -> None:
    """Show a warning as one note, without the place in the code, which is not the user's."""
    note(f"Warning: {' '.join(str(message).split())}")


def _drop_output() -> None:
    """Discard output that cannot be written any more."""
    try:
        sys.stdout.flush()
    except OSError:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
