"""Reads the output of `export_text` back and classifies rows by it, as a person would.

Knows nothing of how the text was made: if a formula could be read in two ways, or said something
else than the tree does, the classes would differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_LINE = re.compile(r"^(?P<margin>(?:[| ] {3})*)(?:[|`]-- )?(?P<rest>.*)$")
_TERM = re.compile(
    r'(?P<sign>^-|[+-] |^)(?:(?P<size>[\d.e+-]+)\*)?(?P<name>"(?:[^"\\]|\\.)*"|\[.*?\]|[^*]+?)'
    r"(?= [+-] |$)"
)


@dataclass
class ReadNode:
    text: str
    branches: list[tuple[str, ReadNode]] = field(default_factory=list)


def read(text: str) -> ReadNode:
    """Return the tree written in the text."""
    first, *others = text.splitlines()
    root = ReadNode(first)
    path = [root]
    for line in others:
        if line.startswith("("):  # a remark below the tree
            continue
        beginning, content = line.split(" -> ", 1)
        match = _LINE.match(beginning)
        depth = len(match["margin"]) // 4 + 1
        node = ReadNode(content)
        path[depth - 1].branches.append((match["rest"], node))
        path[depth:] = [node]
    return root


def classify(node: ReadNode, row: Mapping[str, object]) -> str:
    """Return the class that the text gives to a row."""
    while node.branches:
        node = node.branches[_branch(node, row)][1]
    return re.fullmatch(r"class: (.*) \((?:weight )?\S+ of \S+\)", node.text)[1]


def _branch(node: ReadNode, row: Mapping[str, object]) -> int:
    conditions = [condition for condition, _ in node.branches]
    text, answer = re.fullmatch(r"(.*?)(?: \(missing: (.*)\))?", node.text).groups()
    if match := re.fullmatch(r"(.*) is (not )?missing", text):
        return int((row[match[1]] is None) == (match[2] is not None))
    read = [name for name, value in row.items() if value is None and text.startswith(f"{name} ")]
    if read:  # a missing value: the text says the answer
        return conditions.index(answer)
    node = ReadNode(text, node.branches)
    if conditions == ["yes", "no"]:
        return 0 if _holds(node.text, row) else 1
    if node.text.startswith("branch by "):
        holding = [k for k, condition in enumerate(conditions) if _holds(condition, row)]
        other = [k for k, condition in enumerate(conditions) if condition.endswith(", any other")]
        assert len(holding) <= 1
        return (holding or other)[0]
    values = [_linear(condition.split(": ", 1)[1], row) for condition in conditions]
    return values.index(max(values))


def _holds(condition: str, row: Mapping[str, object]) -> bool:
    if match := re.fullmatch(r"(.*?) (not in|in) \{(.*)\}", condition):
        inside = str(row[match[1]]) in match[3].split(", ")
        return inside == (match[2] == "in")
    if match := re.fullmatch(r"(.*?) = (.*?)(, any other)?", condition):
        return str(row[match[1]]) == match[2]
    expression, relation, threshold = re.fullmatch(r"(.*) ([<>]=) (\S+)", condition).groups()
    value = _linear(expression, row)
    return value <= float(threshold) if relation == "<=" else value >= float(threshold)


def _linear(expression: str, row: Mapping[str, object]) -> float:
    total, end = 0.0, 0
    for match in _TERM.finditer(expression):
        assert expression[end : match.start()].strip() == ""
        end = match.end()
        size = float(match["size"] or 1.0) * _value(match["name"], row)
        total += -size if "-" in match["sign"] else size
    assert end == len(expression)
    return total


def _value(name: str, row: Mapping[str, object]) -> float:
    if name.startswith("["):
        feature, level = name[1:-1].split("=")
        return float(str(row[feature]) == level)
    if name.startswith('"'):
        return float(row[json.loads(name)])
    return float(row[name]) if name in row else float(name)
