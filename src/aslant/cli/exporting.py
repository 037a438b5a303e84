"""What ``aslant export`` does: a model as code, rules or ONNX, in a file or on the output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aslant.cli.notes import note
from aslant.cli.output import write_result
from aslant.codegen import LANGUAGES, export_code, export_onnx, export_pmml
from aslant.estimators import BaseTreeClassifier
from aslant.utils.atomic_file import write_atomically
from aslant.utils.checks import check_choice


def check_language(to: str, out: Path | None) -> None:
    """Validate, before a model is read, the language, and that binary output has a file."""
    check_choice("--to", to, (*LANGUAGES, "onnx", "pmml"))
    if to == "onnx" and out is None:
        raise ValueError("--to onnx writes a binary file: name it with --out.")


def write_export(model: BaseTreeClassifier, to: str, out: Path | None, **options: Any) -> None:
    """Write the model to the file, or to the output if there is none; C has a header beside."""
    given = {option: value for option, value in options.items() if value not in (None, [])}
    if to in ("onnx", "pmml") and set(given) - {"reasons"}:
        raise ValueError(f"--name, --keep and --dialect are for code: --to {to} takes none.")
    if to == "pmml":
        write_result(export_pmml(model, **given), out, "document is")
        return
    if to == "onnx":
        assert out is not None  # as checked before
        write_atomically(out, export_onnx(model, **given).SerializeToString())
        note(f"The model is in {out}.")
        return
    write_result(export_code(model, to, **given), out, "code is")
    if to == "c" and out is not None and out.suffix == ".c":
        header = export_code(model, "c header", **given)
        write_result(header, out.with_suffix(".h"), "header is")
