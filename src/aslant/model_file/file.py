"""`save` and `load`: a fitted estimator in one plain file.

The file is JSON that any program can read: see docs/model-file.md for its format. It has a version
and a checksum. Loading never runs code from the file: the class is looked up among those of this
package, and everything else is numbers and text.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import platform
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy
import sklearn
from sklearn.base import BaseEstimator

from aslant.estimators.access import restore, state_of
from aslant.inspection.resolve import resolve
from aslant.model_file.arrays import checked, fields
from aslant.model_file.consistency import check_consistency
from aslant.model_file.values import Classes, ValueDecoder, ValueEncoder
from aslant.model_file.versions import VERSION, completed, present_state
from aslant.utils.atomic_file import write_atomically

FORMAT = "aslant-model"


class ModelFileError(ValueError):
    """A file that cannot be loaded as a model."""


def save(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to a file.

    The file is written completely or not at all: an existing file is replaced only when the new one
    is complete on the disk.

    Parameters
    ----------
    estimator : fitted classifier or regressor
        A tree, forest or other ensemble of this package, or a pipeline of scalers that ends in one:
        the file then holds the model in the units of the pipeline's input, without the scalers.
    path : path-like
        The file; by convention its name ends in ``.aslant``.

    Raises
    ------
    TypeError
        If it is not such an estimator, or if its class labels or categories are of a type that the
        file cannot hold (text, numbers and booleans it can).
    OSError
        If the file cannot be written.

    Warns
    -----
    UserWarning
        If a parameter is an object that cannot be rebuilt, such as a custom search. The file keeps
        its text; the loaded estimator predicts the same, but cannot be fitted again until the
        parameter is set.
    """
    model = resolve(estimator, "save")
    estimators = _estimators()
    name = type(model).__name__
    if estimators.get(name) is not type(model):
        raise TypeError(f"save needs an estimator of aslant ({', '.join(estimators)}), got {name}.")
    parameters = ValueEncoder(_parts(), keep_text=True)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "written_by": _releases(),
        "estimator": parameters.encode_object(model),
        "state": _encode_state(model),
    }
    text = _written_out({**document, "sha256": _checksum(document)})
    write_atomically(path, text.encode("utf-8"))
    for lost in parameters.lost:
        warnings.warn(
            f"The model file keeps {lost} as text only: the loaded estimator predicts the same, "
            "but cannot be fitted again until the parameter is set.",
            stacklevel=2,
        )


def load(path: str | os.PathLike[str]) -> Any:
    """Return the fitted estimator that `save` wrote.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    estimator
        A fitted estimator; its predictions are exactly those of the saved one.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ModelFileError
        If the file is damaged, changed, of another version or not a model.
    """
    with open(path, "rb") as file:
        content = file.read()
    return _loaded(content, repr(os.fspath(path)))


def _loaded(content: bytes, shown: str) -> Any:
    """Return the estimator in the content of a file; `shown` names the file in messages."""
    try:
        return _rebuilt(_parsed(content))
    except ModelFileError as error:
        raise ModelFileError(f"Cannot load {shown}: {error}.") from error
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
        # The checksum is right, so the file was made by hand.
        raise ModelFileError(f"Cannot load {shown}: it holds no model: {error}.") from error
    except (RecursionError, MemoryError) as error:
        raise ModelFileError(f"Cannot load {shown}: its content is too large.") from error


# ---------------------------------------------------------------------- classes


def _named(module: Any, base: type[Any]) -> Classes:
    """Return the public classes of a module that descend from base, by name."""
    members = (getattr(module, name) for name in module.__all__)
    return {m.__name__: m for m in members if isinstance(m, type) and issubclass(m, base)}


def _estimators() -> Classes:
    import aslant  # here, because aslant itself imports this module

    return _named(aslant, BaseEstimator)


def _parts() -> Classes:
    """Return the searches, pruners and refinements, which estimators take as parameters."""
    import aslant.prune
    import aslant.refine
    import aslant.search

    searches = _named(aslant.search, aslant.search.SplitSearch)
    pruners = _named(aslant.prune, aslant.prune.Pruner)
    return {**searches, **pruners, **_named(aslant.refine, aslant.refine.JointFit)}


# ---------------------------------------------------------------------- writing


def _encode_state(model: Any) -> Any:
    try:
        return ValueEncoder({}, keep_text=False).encode(state_of(model))
    except TypeError as error:
        raise TypeError(
            "A model file holds class labels and categories that are text, numbers or booleans, "
            f"got {error}."
        ) from error


def _releases() -> dict[str, str]:
    import aslant

    return {
        "aslant": aslant.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def _checksum(document: dict[str, Any]) -> str:
    """Return the SHA-256 of everything but the checksum itself, in canonical JSON."""
    signed = {key: value for key, value in document.items() if key != "sha256"}
    canonical = json.dumps(signed, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def _written_out(value: Any, margin: str = "") -> str:
    """Return JSON with an entry per line, but every array and plain value on one line."""
    if isinstance(value, dict) and value and "__array__" not in value:
        inner = (f"{json.dumps(k)}: {_written_out(v, margin + ' ')}" for k, v in value.items())
        text = "{" + _one_per_line(inner, margin) + "}"
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        text = "[" + _one_per_line((_written_out(v, margin + " ") for v in value), margin) + "]"
    else:
        text = json.dumps(value, allow_nan=False)
    return text if margin else text + "\n"


def _one_per_line(entries: Iterable[str], margin: str) -> str:
    return f"\n{margin} " + f",\n{margin} ".join(entries) + f"\n{margin}"


# ---------------------------------------------------------------------- reading


def _parsed(content: bytes) -> dict[str, Any]:
    """Return the document in a file; ModelFileError unless it is complete and of this version."""
    try:
        document = json.loads(content.decode("utf-8"), object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError) as error:
        raise ModelFileError("it is not a model file, or it is damaged or cut off") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(f"it is not a model file (its format is not {FORMAT!r})")
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise ModelFileError(f"its version {version!r:.80} is not a version of the format")
    if version != VERSION:
        hint = ": a newer release is needed" if version > VERSION else ""
        raise ModelFileError(
            f"it has version {version} of the format, and this release of aslant reads version "
            f"{VERSION}{hint}"
        )
    if document.get("sha256") != _checksum_or_none(document):
        raise ModelFileError("its checksum is wrong: it was damaged or changed after saving")
    return document


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key appears twice")
    return dict(pairs)


def _checksum_or_none(document: dict[str, Any]) -> str | None:
    try:
        return _checksum(document)
    except (ValueError, RecursionError):  # infinite numbers have no place in JSON
        return None


def _rebuilt(document: dict[str, Any]) -> Any:
    estimator, state = document.get("estimator"), document.get("state")
    name, parameters = fields(estimator, "class", "parameters")
    classes = _estimators()
    if not isinstance(name, str) or name not in classes:
        raise ModelFileError(f"this release of aslant has no estimator {name!r:.80}")
    decoder = ValueDecoder({**_parts(), name: classes[name]})
    known = inspect.signature(classes[name]).parameters
    model = decoder.decode_object(completed(name, checked(parameters, dict), known))
    with np.errstate(all="ignore"):  # of inconsistent numbers, which the next check finds
        restore(model, present_state(ValueDecoder({}).decode(checked(state, dict))))
    check_consistency(model)
    return model
