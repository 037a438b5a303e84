"""Reads the rules of `export_code` back and applies them, as a person would.

Knows nothing of how they were written. A missing value counts what the list below the rules says.
"""

from __future__ import annotations

import re
from collections import Counter

_TERM = re.compile(r"(?:(?P<size>[\d.e+-]+)\*)?(?P<name>\"(?:[^\"\\]|\\.)*\"|\[.*?\]|[^*]+?)")


def read(text: str) -> list[tuple[list, dict]]:
    """Return the trees: rules (conditions, class) and what counts where a value is missing."""
    trees = []
    for part in re.split(r"^rule 1: ", text, flags=re.M)[1:]:
        lines = ("rule 1: " + part).splitlines()
        rules, instead = [], {}
        for line in lines:
            if line.startswith("rule "):
                rules.append(([line.split(": if ", 1)[1]], None))
            elif line.startswith("    and "):
                rules[-1][0].append(line[8:])
            elif line.startswith("    then "):
                rules[-1] = (rules[-1][0], re.match(r"    then class: (.*?) \(", line)[1])
            elif match := re.match(r"    \((\d+)\) (.*)", line):
                entries = re.findall(
                    r"(\[.*?\]|\"(?:[^\"\\]|\\.)*\"|[^,]+?): (\S+?)(?:, |$)", match[2]
                )
                instead[match[1]] = {name: float(value) for name, value in entries}
        trees.append((rules, instead))
    return trees


def classify(trees, row) -> str:
    """Return the class that the rules give to a row; exactly one rule of a tree must hold."""
    votes = Counter()
    for rules, instead in trees:
        holding = [label for conditions, label in rules if all_hold(conditions, row, instead)]
        assert len(holding) == 1, holding
        votes[holding[0]] += 1
    return votes.most_common(1)[0][0]


def all_hold(conditions, row, instead) -> bool:
    if conditions == ["anything"]:
        return True
    for condition in conditions:
        test, text = re.fullmatch(r"\((\d+)\) (.*)", condition).groups()
        if not holds(text, row, instead[test]):
            return False
    return True


def holds(text, row, instead) -> bool:
    if match := re.fullmatch(r"(.*) is the first largest of \{(.*)\}", text):
        values = [linear(value, row, instead) for value in match[2].split("; ")]
        own = match[2].split("; ").index(match[1])
        return values.index(max(values)) == own
    sum_, relation, end = re.fullmatch(r"(.*) (<=|>=|<|>) (\S+)", text).groups()
    value, end = linear(sum_, row, instead), float(end)
    return {"<=": value <= end, ">=": value >= end, "<": value < end, ">": value > end}[relation]


def linear(text, row, instead) -> float:
    total = 0.0
    sign = 1.0
    for piece in re.split(r" ([+-]) ", text):
        if piece in "+-":
            sign = 1.0 if piece == "+" else -1.0
            continue
        if piece.startswith("-"):
            sign, piece = -sign, piece[1:]
        match = _TERM.fullmatch(piece)
        total += sign * float(match["size"] or 1.0) * value_of(match["name"], row, instead)
    return total


def value_of(name, row, instead) -> float:
    if name in row:
        return instead[name] if row[name] is None else float(row[name])
    return float(name)  # the bias of a branch
