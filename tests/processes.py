"""Programs in a process of their own: what crashes, is measured or ends with the interpreter."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

TESTS = Path(__file__).parent


def run_program(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program with the package under test, and wait for its end.

    How long it takes is not asserted: only a process that does not end at all, on however busy a
    machine, is given up.
    """
    command = [sys.executable]
    if sys.flags.no_site:  # as the sanitizers run the tests: the package is not the installed one
        program = f"import sys; sys.path[:] = {sys.path!r}\n" + textwrap.dedent(program)
        command.append("-S")
    return subprocess.run(
        [*command, "-c", textwrap.dedent(program), *arguments],
        capture_output=True,
        text=True,
        timeout=900.0,
        check=False,
    )


def check_in_process(check: Callable[[], None]) -> None:
    """Call a function of a test module where a crash is only a failed test."""
    module = ".".join(Path(check.__code__.co_filename).relative_to(TESTS).with_suffix("").parts)
    ended = run_program(
        f"import sys; sys.path.insert(0, {str(TESTS)!r})\n"
        f"from {module} import {check.__name__}\n"
        f"{check.__name__}()\n"
        "print('done')"
    )
    assert (ended.stdout, ended.returncode) == ("done\n", 0), ended.stderr
