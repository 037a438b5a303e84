"""The model card of the page: what its author states, and what can be computed.

The fields are those of M. Mitchell et al., Model cards for model reporting (FAT* 2019), and what an
audit asks for: purpose, limits, approval, and hashes that tie the page to a model and its data.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

#: Fields that an author may state, in the order of the page.
CARD_FIELDS = (
    "purpose",
    "author",
    "owner",
    "version",
    "date",
    "license",
    "contact",
    "intended use",
    "out-of-scope use",
    "factors",
    "metrics",
    "training data",
    "evaluation data",
    "ethical considerations",
    "limits",
    "approval",
)


def check_card(card: Mapping[str, Any] | None) -> None:
    """Validate the fields of a card."""
    if card is None:
        return
    if not isinstance(card, Mapping):
        raise TypeError(f"card must be a dictionary of fields, got {type(card).__name__}.")
    for name in card:
        if name not in CARD_FIELDS:
            allowed = ", ".join(map(repr, CARD_FIELDS))
            raise ValueError(f"card has the fields {allowed}, got {name!r}.")


def card_of(
    card: Mapping[str, Any] | None, code: str, encoded: Any, truth: Any
) -> list[list[str]] | None:
    """Return names and texts of the fields; None if no card is wanted.

    Hashes are SHA-256: of the model as JavaScript, which holds every number in full, and of the
    given rows as the model reads them, with their targets.
    """
    if card is None:
        return None
    today = dt.datetime.now(dt.UTC).date().isoformat()
    stated = {"date": today, **{name: str(value) for name, value in card.items()}}
    fields = [[name, stated[name]] for name in CARD_FIELDS if name in stated]
    fields.append(["hash of the model", hashlib.sha256(code.encode("utf-8")).hexdigest()])
    if encoded is not None:
        fields.append(["given rows", _summary(encoded)])
        fields.append(["hash of the given rows", _hash_of_rows(encoded, truth)])
    return fields


def _summary(encoded: Any) -> str:
    missing = float(np.isnan(encoded).mean()) if encoded.size else 0.0
    return f"{len(encoded)} rows, {encoded.shape[1]} features, {100.0 * missing:.2g} % missing"


def _hash_of_rows(encoded: Any, truth: Any) -> str:
    found = hashlib.sha256(np.ascontiguousarray(encoded, dtype="<f8").tobytes())
    if truth is not None:
        found.update(np.ascontiguousarray(truth, dtype="<f8").tobytes())
    return found.hexdigest()
