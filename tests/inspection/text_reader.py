"""Reads the output of `export_text` back and sends rows down by it, as a person would."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from inspection.condition_reader import Row, UnsaidError, _get, holds, linear

_LINE = re.compile(r"^(?P<margin>(?:[| ] {3})*)(?:[|`]-- )?(?P<rest>.*)$")


@dataclass
class ReadNode:
    text: str
    branches: list[tuple[str, ReadNode]] = field(default_factory=list)
    place: int = 0  # among the lines, which are the nodes in preorder


def read(text: str) -> ReadNode:
    """Return the tree written in the text."""
    first, *others = [line for line in text.splitlines() if not line.startswith("(")]
    root = ReadNode(first)
    path = [root]
    for place, line in enumerate(others, start=1):
        beginning, content = line.split(" -> ", 1)
        match = _LINE.match(beginning)
        depth = len(match["margin"]) // 4 + 1
        node = ReadNode(content, place=place)
        path[depth - 1].branches.append((match["rest"], node))
        path[depth:] = [node]
    return root


def leaf_of(node: ReadNode, row: Row) -> ReadNode:
    """Return the leaf that the text sends a row to."""
    while node.branches:
        node = node.branches[_branch(node, row)][1]
    return node


def classify(node: ReadNode, row: Row) -> str:
    """Return the class that the text gives to a row."""
    return re.fullmatch(r"class: (.*) \((?:weight )?\S+ of \S+\)", leaf_of(node, row).text)[1]


def _branch(node: ReadNode, row: Row) -> int:
    conditions = [condition for condition, _ in node.branches]
    text, answer = re.fullmatch(r"(.*?)(?: \(missing: (.*)\))?", node.text).groups()
    read = [name for name, value in row.items() if value is None and text.startswith(f"{name} ")]
    if read and answer in conditions:  # a missing value: the text says the answer
        return conditions.index(answer)
    if conditions == ["yes", "no"]:
        return 0 if holds(text, row) else 1
    if text.startswith("branch by "):
        return _of_level(_get(row, text.removeprefix("branch by ")), conditions, answer)
    values = [linear(condition.split(": ", 1)[1], row) for condition in conditions]
    return values.index(max(values))


def _of_level(value: object, conditions: list[str], answer: str | None) -> int:
    """Return the branch of a level; any other one has a branch, too."""
    if value is None:
        if answer is None:
            raise UnsaidError
        return next(k for k, one in enumerate(conditions) if one.endswith(answer))
    other = -1
    for k, condition in enumerate(conditions):
        named, rest = re.fullmatch(r".*? (?:= |in \{)(.*?)\}?(, any other)?", condition).groups()
        if str(value) in named.split(", "):
            return k
        other = k if rest else other
    return other
