"""What ``aslant report`` does: the page of a model, with the rows of a file if there is one."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from aslant.cli.prediction import read_features
from aslant.cli.showing import chosen_trees
from aslant.datasets.data_file import FileFormat, read_file
from aslant.inspection.report_page import report


def read_card(path: Path | None) -> Any:
    """Return the model card in a JSON file, None without a file."""
    if path is None:
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} must be a JSON file of the model card: {error}.") from None


def write_report(
    model: Any,
    data: Path | None,
    target: str | None,
    reading: FileFormat,
    out: Path,
    options: dict[str, Any],
) -> list[str]:
    """Write the page of a model to a file; return remarks."""
    number = options.pop("tree")
    (member,) = [model] if number is None else chosen_trees(model, number)
    X = y = None
    remarks: list[str] = []
    if data is not None:
        X, remarks = read_features(model, data, reading)
        remarks = [one for one in remarks if f"does not use the column {target!r} of" not in one]
        y = _target(model, data, target, reading)
        if y is None:
            remarks.append("Note: without --target the report has no quality on these rows.")
    elif target is not None:
        raise ValueError("--target names a column of DATA: name the file too.")
    with warnings.catch_warnings():
        # The columns have been matched by name or position already.
        warnings.filterwarnings("ignore", message="X (does not have|has) .*feature names")
        report(member, X, y, path=out, **options)
    return [*remarks, f"The report is in {out}."]


def _target(model: Any, data: Path, target: str | None, reading: FileFormat) -> Any:
    """Return the target column in the types of the model's classes, or as numbers."""
    if target is None:
        return None
    table = read_file(data, reading)
    if target not in table.names:
        raise ValueError(f"{table.origin} lacks the column {target!r} that --target names.")
    if is_regressor(model):
        numbers = table.numbers(target)
        if numbers is None or numbers.null_count():
            raise ValueError(f"{table.origin}: the target {target!r} must hold numbers.")
        return numbers.to_numpy()
    label_of = {_spelling(label): label for label in model.classes_.tolist()}
    cells = table.frame[target].to_list()
    return np.array([label_of.get(_spelling(cell), cell) for cell in cells], dtype=object)


def _spelling(label: Any) -> str:
    """Return a label as text, the same whether a file wrote 1 or 1.0."""
    try:
        return repr(float(label))
    except (TypeError, ValueError):
        return str(label)
