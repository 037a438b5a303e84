#!/usr/bin/env -S uv run --script
# /// script
# requires-python = ">=3.11"
# dependencies = ["nox>=2025.10.14"]
# ///
"""The targets of the Makefile for those who use nox: ``nox -s check``, ``nox -s tests``.

The Makefile has its own environment, .venv, so nox makes none.
"""

from __future__ import annotations

import nox

nox.needs_version = ">=2025.10.14"
nox.options.default_venv_backend = "none"


@nox.session
def check(session: nox.Session) -> None:
    """Check style, types and the repository."""
    session.run("make", "check", external=True)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the test suite; with arguments, the tests that they name."""
    if session.posargs:
        session.run("make", "test-fast", f"TESTS={' '.join(session.posargs)}", external=True)
    else:
        session.run("make", "test", external=True)


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    """Build the documentation."""
    session.run("make", "docs", external=True)


@nox.session(default=False)
def wheel(session: nox.Session) -> None:
    """Build a wheel and try it in an empty environment."""
    session.run("make", "wheel", external=True)


if __name__ == "__main__":
    nox.main()
