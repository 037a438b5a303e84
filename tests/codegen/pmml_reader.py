"""Evaluates the PMML documents that `export_pmml` writes, by the words of the PMML 4.4 standard.

`test_pmml.py` runs the same documents with jpmml-evaluator where that is installed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, fromstring

Row = Mapping[str, Any]

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "sum": lambda *values: sum(values),
    "max": max,
    "min": min,
    "abs": abs,
    "floor": math.floor,
    "exp": math.exp,
    "pow": math.pow,
    "and": lambda *values: all(values),
    "equal": lambda a, b: a == b,
    "greaterThan": lambda a, b: a > b,
    "greaterOrEqual": lambda a, b: a >= b,
    "lessThan": lambda a, b: a < b,
    "lessOrEqual": lambda a, b: a <= b,
    "isMissing": lambda value: value is None,
    "isIn": lambda value, *others: value in others,
    "isNotIn": lambda value, *others: value not in others,
}
_TAKES_MISSING = ("isMissing", "if")
_TYPES: dict[str, Callable[[str], Any]] = {
    "double": float,
    "integer": int,
    "string": str,
    "boolean": lambda text: text == "true",
}


class Document:
    """A document, read once, that predicts rows.

    Parameters
    ----------
    text : str
        The XML.
    """

    def __init__(self, text: str) -> None:
        self.root = _without_namespace(fromstring(text))
        self.types = {one.get("name"): one for one in self.root.iter("DataField")}
        self.derived = {one.get("name"): one[0] for one in self.root.iter("DerivedField")}
        self.model = next(one for one in self.root if one.tag.endswith("Model"))
        self.target = next(
            one.get("name", "")
            for one in self.model.iter("MiningField")
            if one.get("usageType") == "target"
        )

    def predict(self, row: Row) -> dict[str, Any]:
        """Return the target and the output fields of a row."""
        known = {name: self._valid(name, value) for name, value in row.items()}
        if self.model.tag == "TreeModel":
            label, proba = self._tree(known)
        else:
            label, proba = self._regression(known)
        answer = {self.target: label}
        for one in self.model.iter("OutputField"):
            name = one.get("name", "")
            if one.get("feature") == "probability":
                answer[name] = proba[self._typed(self.target, one.get("value", ""))]
            else:
                answer[name] = self._value(one[0], {**known, **answer})
        return answer

    # ------------------------------------------------------------------ fields and expressions

    def _typed(self, name: str, text: str) -> Any:
        return _TYPES[self.types[name].get("dataType", "string")](text)

    def _valid(self, name: str, value: Any) -> Any:
        """Return a value, or None if it is missing or invalid: no value of the list."""
        listed = [self._typed(name, one.get("value", "")) for one in self.types[name]]
        return None if listed and value not in listed else value

    def _field(self, name: str, known: dict[str, Any]) -> Any:
        if name not in known:
            known[name] = self._value(self.derived[name], known)
        return known[name]

    def _value(self, expression: Element, known: dict[str, Any]) -> Any:
        if expression.tag == "Constant":
            return _TYPES[expression.get("dataType", "string")](expression.text or "")
        if expression.tag == "FieldRef":
            return self._field(expression.get("field", ""), known)
        function = expression.get("function", "")
        if function == "if":
            chosen = 1 if self._value(expression[0], known) else 2
            return self._value(expression[chosen], known) if chosen < len(expression) else None
        values = [self._value(one, known) for one in expression]
        if None in values and function not in _TAKES_MISSING:
            return None
        return _FUNCTIONS[function](*values)

    # ------------------------------------------------------------------ models

    def _tree(self, known: dict[str, Any]) -> tuple[Any, dict[Any, float]]:
        node = self.model.find("Node")
        while node is not None and node.find("Node") is not None:
            node = next(one for one in node.findall("Node") if self._holds(one, known))
        assert node is not None
        proba = {
            self._typed(self.target, one.get("value", "")): float(one.get("probability", ""))
            for one in node.findall("ScoreDistribution")
        }
        return self._typed(self.target, node.get("score", "")), proba

    def _holds(self, node: Element, known: dict[str, Any]) -> bool:
        predicate = node.find("SimplePredicate")
        assert predicate is not None
        value = self._field(predicate.get("field", ""), known)
        operator, bound = predicate.get("operator", ""), float(predicate.get("value", ""))
        return bool(_FUNCTIONS[operator](value, bound))

    def _regression(self, known: dict[str, Any]) -> tuple[Any, dict[Any, float]]:
        values = []
        tables = self.model.findall("RegressionTable")
        for table in tables:
            value = float(table.get("intercept", ""))
            for one in table:
                value += float(one.get("coefficient", "")) * self._field(one.get("name", ""), known)
            values.append(value)
        if self.model.get("functionName") == "regression":
            return values[0], {}
        labels = [self._typed(self.target, one.get("targetCategory", "")) for one in tables]
        total = sum(values)
        return labels[values.index(max(values))], {
            label: value / total for label, value in zip(labels, values, strict=True)
        }


def _without_namespace(root: Element) -> Element:
    for one in root.iter():
        one.tag = one.tag.rpartition("}")[2]
    return root
