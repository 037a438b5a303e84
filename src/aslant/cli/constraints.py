"""Constraints on tests, from the command line and from a JSON file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aslant.cli.options import names_in

# Parameters that a file may hold.
_IN_FILE = (
    "monotonic_cst",
    "interaction_cst",
    "feature_costs",
    "feature_costs_paid",
    "forced_root",
    "allowed_features",
    "max_features_per_test",
)
_SIGNS = {"1": 1, "+1": 1, "+": 1, "-1": -1, "-": -1, "0": 0}


def read_constraints(monotone: list[str] | None, file: Path | None) -> dict[str, Any]:
    """Return the parameters that --monotone and --constraints give.

    Raises
    ------
    ValueError
        If a sign is none, or the file holds anything else than these parameters.
    """
    parameters = {} if file is None else _in_file(file)
    if monotone:
        parameters["monotonic_cst"] = dict(_signed(text) for text in names_in(monotone))
    return parameters


def _signed(text: str) -> tuple[str, int]:
    name, colon, sign = text.rpartition(":")
    if not colon or sign.strip() not in _SIGNS:
        raise ValueError(f"--monotone needs COLUMN:+1 or COLUMN:-1, got {text!r}.")
    return name.strip(), _SIGNS[sign.strip()]


def _in_file(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"--constraints cannot read {file}: {error.strerror}.") from None
    except ValueError as error:
        raise ValueError(f"--constraints needs JSON, and {file} holds none: {error}.") from None
    if not isinstance(content, dict) or not set(content) <= set(_IN_FILE):
        raise ValueError(
            f"--constraints needs a JSON object with some of {', '.join(_IN_FILE)}, got "
            f"{content!r:.80}."
        )
    return content
