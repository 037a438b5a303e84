"""Values as plain JSON and back, exactly and without running code.

Text, integers, True, False, None, finite floats and lists are themselves; so are dictionaries with
text keys. Everything else is a dictionary with one key that begins with two underscores:

==============  ================================================================================
``__float__``   ``"nan"``, ``"inf"`` or ``"-inf"``
``__tuple__``   the list of its values
``__pairs__``   a dictionary with other keys: the list of its [key, value]
``__array__``   an array: ``{"type": name, "shape": [...], "values": [...]}``, last index fastest
``__scalar__``  a NumPy scalar: an array with one value
``__object__``  an object of this package: ``{"class": name, "parameters": {...}}``
``__text__``    the ``repr`` of an object that cannot be kept, for information
==============  ================================================================================
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from aslant.model_file.arrays import (
    checked,
    decode_array,
    decode_float,
    encode_array,
    encode_float,
    fields,
)
from aslant.model_file.versions import renamed

Classes = Mapping[str, type[Any]]


class NotRebuilt:
    """Placeholder of a parameter that a model file cannot hold, such as a custom search.

    The loaded estimator predicts as the saved one. Before it can be fitted again, ``set_params``
    must set the parameter.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"<{self.text}, not rebuilt from the model file>"


class ValueEncoder:
    """Turns values into JSON.

    Parameters
    ----------
    classes : mapping
        The classes, by name, whose objects can be rebuilt.
    keep_text : bool
        Whether a value that cannot be kept is replaced by its text, which `lost` collects; else it
        is a TypeError.
    """

    def __init__(self, classes: Classes, *, keep_text: bool) -> None:
        self.classes = classes
        self.keep_text = keep_text
        self.lost: list[str] = []

    def encode(self, value: Any) -> Any:
        """Return the value as JSON."""
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return encode_float(value)
        if type(value) is list:
            return [self.encode(item) for item in value]
        if type(value) is tuple:
            return {"__tuple__": [self.encode(item) for item in value]}
        if isinstance(value, dict):
            return self._encode_dict(value)
        if isinstance(value, np.ndarray | np.generic):
            return self._encode_numpy(value)
        if self._is_known(value):
            return {"__object__": self.encode_object(value)}
        if isinstance(value, range) or hasattr(value, "__array__"):  # an index, a series
            return self._encode_numpy(np.asarray(value))
        return self._encode_unknown(value, f"{value!r:.80} of type {type(value).__name__}")

    def encode_object(self, value: Any) -> dict[str, Any]:
        """Return class and parameters of an object of this package."""
        parameters = value.get_params(deep=False)
        return {
            "class": type(value).__name__,
            "parameters": {name: self.encode(item) for name, item in parameters.items()},
        }

    def _is_known(self, value: Any) -> bool:
        return self.classes.get(type(value).__name__) is type(value)

    def _encode_dict(self, value: dict[Any, Any]) -> dict[str, Any]:
        if all(type(key) is str and not key.startswith("__") for key in value):
            return {key: self.encode(item) for key, item in value.items()}
        return {"__pairs__": [[self.encode(key), self.encode(v)] for key, v in value.items()]}

    def _encode_numpy(self, value: Any) -> Any:
        tag = "__array__" if isinstance(value, np.ndarray) else "__scalar__"
        try:
            return {tag: encode_array(np.asarray(value))}
        except TypeError as error:
            return self._encode_unknown(value, str(error))

    def _encode_unknown(self, value: Any, description: str) -> dict[str, str]:
        if isinstance(value, NotRebuilt):
            return {"__text__": value.text}
        if not self.keep_text:
            raise TypeError(description)
        self.lost.append(repr(value))
        return {"__text__": repr(value)}


class ValueDecoder:
    """Turns JSON back into values; ValueError if it is not valid.

    Parameters
    ----------
    classes : mapping
        The classes, by name, that may be constructed: nothing else ever is.
    """

    def __init__(self, classes: Classes) -> None:
        self.classes = classes
        self._by_tag: dict[str, Callable[[Any], Any]] = {
            "__array__": decode_array,
            "__float__": decode_float,
            "__object__": self.decode_object,
            "__pairs__": self._decode_pairs,
            "__scalar__": lambda content: decode_array(content)[()],
            "__text__": lambda content: NotRebuilt(checked(content, str)),
            "__tuple__": lambda content: tuple(self.decode(checked(content, list))),
        }

    def decode(self, value: Any) -> Any:
        """Return the value that was encoded."""
        if isinstance(value, list):
            return [self.decode(item) for item in value]
        if not isinstance(value, dict):
            return value
        tags = [key for key in value if key.startswith("__")]
        if not tags:
            return {key: self.decode(item) for key, item in value.items()}
        if len(value) != 1 or tags[0] not in self._by_tag:
            raise ValueError(f"{tags[0]!r} is not a kind of value")
        return self._by_tag[tags[0]](value[tags[0]])

    def decode_object(self, content: Any) -> Any:
        """Construct an object of a known class from its parameters."""
        name, parameters = fields(content, "class", "parameters")
        if checked(name, str) not in self.classes:
            raise ValueError(f"this release of aslant has no class {name!r}")
        known = inspect.signature(self.classes[name]).parameters
        parameters = renamed(checked(parameters, dict), known)
        unknown = sorted(set(parameters) - set(known))
        if unknown:
            raise ValueError(f"{name} has no parameter {unknown[0]!r} in this release of aslant")
        return self.classes[name](**{key: self.decode(item) for key, item in parameters.items()})

    def _decode_pairs(self, content: Any) -> dict[Any, Any]:
        pairs = self.decode(checked(content, list))
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            raise ValueError("a dictionary does not consist of pairs")
        try:
            return dict(pairs)
        except TypeError:
            raise ValueError("the key of a dictionary is a list or a dictionary") from None
