"""Model files with some bytes changed: each ends in one clear error or in a sound model.

    python tests/fuzz/model_bytes.py 1000000         so many tries, from seed 0 on
    python tests/fuzz/model_bytes.py 1000 12345      from seed 12345 on

Half of the tries change the file as it is: what still loads must be the same model. The other half
change what is in the file and put the right checksum to it: what still loads must predict, and its
probabilities must sum to one. No file is written, which would take most of the time: a million
tries take half an hour.
"""

from __future__ import annotations

import json
import math
import sys
import traceback
import warnings
from collections import Counter
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from aslant.model_file.file import ModelFileError, _checksum, _loaded

MODELS = sorted((Path(__file__).parents[1] / "model_file" / "models").glob("*.aslant"))
PIECES = [b"", b"0", b"-", b"1e308", b"null", b"true", b"[", b"]", b"{", b"}", b'"', b",", b":",
          b"\\", b"\xff", b"\x00", b"NaN", b"Infinity", b"1e999", b" "]  # fmt: skip
N_ROWS = 20
VALUES = [None, True, False, 0, 1, -1, 2, 2**31, 2**63, 2**70, 0.5, -1e308, 1e308, 5e-324, "", "x",
          "nan", [], [[]], {}, {"__array__": {}}, {"__float__": "nan"}]  # fmt: skip


@cache
def content(number: int) -> bytes:
    return MODELS[number].read_bytes()


@cache
def rows(number: int) -> Any:
    """Return some of the rows that the model predicts in the tests, with missing values."""
    expected = json.loads(MODELS[number].with_suffix(".json").read_text("utf-8"))
    some = expected["rows"][:N_ROWS]
    if expected["columns"] is None:
        return np.array(some, dtype=float)
    return pd.DataFrame(some, columns=expected["columns"], dtype=object)


@cache
def predicted(number: int) -> list[Any]:
    return _loaded(content(number), "as it was").predict(rows(number)).tolist()


def changed_bytes(rng: np.random.Generator, data: bytes) -> bytes:
    """Return a file with some bytes replaced, left out, put in, or the end cut off."""
    made = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        place = int(rng.integers(len(made) + 1))
        length = int(rng.integers(0, 4))
        if rng.random() < 0.5:
            piece = bytes([int(rng.integers(256))])
        else:
            piece = PIECES[int(rng.integers(len(PIECES)))]
        made[place : place + length] = piece
    return bytes(made[: int(rng.integers(len(made)))] if rng.random() < 0.05 else made)


def changed_values(rng: np.random.Generator, data: bytes) -> bytes:
    """Return a file with some values changed, and the right checksum."""
    document = json.loads(data)
    for _ in range(int(rng.integers(1, 3))):
        place = document
        if rng.random() < 0.8 and isinstance(document["state"], dict | list):
            place = document["state"]
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = keys[int(rng.integers(len(keys)))]
            if not isinstance(place[key], dict | list) or rng.random() < 0.1:
                place[key] = changed_value(rng, place[key])
                break
            place = place[key]
    try:
        return json.dumps({**document, "sha256": _checksum(document)}).encode()
    except (ValueError, TypeError):  # what has no checksum is refused anyway
        return json.dumps(document).encode()


def changed_value(rng: np.random.Generator, value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool) and rng.random() < 0.5:
        near = [value + 1, value - 1, -value, 2 * value, 0.5 * value]
        other = near[int(rng.integers(len(near)))]
        return other if math.isfinite(other) else 0
    return deepcopy(VALUES[int(rng.integers(len(VALUES)))])


def attempt(seed: int) -> str:
    """Return how a try ended; an exception is what must not happen."""
    rng = np.random.default_rng(seed)
    number = int(rng.integers(len(MODELS)))
    as_it_is = bool(rng.random() < 0.5)
    made = (changed_bytes if as_it_is else changed_values)(rng, content(number))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # of names of features that were changed
        try:
            model = _loaded(made, "'changed.aslant'")
        except ModelFileError as error:
            if not 20 < len(str(error)) < 600:
                raise AssertionError(f"an error of {len(str(error))} characters") from error
            return "refused"
        if as_it_is:
            if model.predict(rows(number)).tolist() != predicted(number):
                raise AssertionError("a damaged file loads as another model")
            return "the same model"
        return _asked(model, number)


def _asked(model: Any, number: int) -> str:
    """Ask a model that somebody made by hand; what it cannot read it refuses in a sentence."""
    try:
        answers = model.predict(rows(number))
        share = model.predict_proba(rows(number)) if hasattr(model, "predict_proba") else None
    except (ValueError, TypeError) as error:
        if not str(error):
            raise
        return "another model, for other rows"
    if len(answers) != len(rows(number)):
        raise AssertionError("too few predictions")
    if share is not None and not np.allclose(share.sum(axis=1), 1.0, atol=1e-9):
        raise AssertionError(f"probabilities that sum to {share.sum(axis=1)}")
    return "another model"


def run(tries: int, first: int = 0) -> tuple[Counter[str], dict[int, str]]:
    """Make so many tries; return how they ended, and what was wrong, by seed."""
    ends: Counter[str] = Counter()
    wrong: dict[int, str] = {}
    for seed in range(first, first + tries):
        try:
            ends[attempt(seed)] += 1
        except Exception as error:
            wrong[seed] = "".join(traceback.format_exception(error))[-3000:]
    return ends, wrong


def main(arguments: list[str]) -> int:
    ends, found = run(*(int(argument) for argument in arguments))
    for seed, wrong in list(found.items())[:50]:
        print(f"---------------- seed {seed}\n{wrong}")
    kinds = Counter(wrong.strip().splitlines()[-1][:100] for wrong in found.values())
    for kind, count in kinds.most_common():
        print(f"{count:5d}  {kind}")
    told = ", ".join(f"{count} {end}" for end, count in ends.most_common())
    print(f"{ends.total()} tries ended well ({told}), {len(found)} did not")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
