"""Reads the rules of `export_code` back and applies them, as a person would.

Knows nothing of how they were written. A missing value counts what the list below the rules says.
"""

from __future__ import annotations

import re
from collections import Counter

_TERM = re.compile(r"(?:(?P<size>[\d.e+-]+)\*)?(?P<name>\"(?:[^\"\\]|\\.)*\"|\[.*?\]|[^*]+?)")


def read(text: str) -> list[tuple[list, dict, dict]]:
    """Return the trees: rules (conditions, class), long tests, and what counts when missing."""
    trees = []
    rules, tests, instead = [], {}, {}
    for line in text.splitlines():
        if match := re.match(r"test (\d+): (.*)", line):
            tests[match[1]] = match[2]
        elif line.startswith("rule "):
            rules.append(([line.split(": if ", 1)[1]], None))
        elif line.startswith("    and "):
            rules[-1][0].append(line[8:])
        elif line.startswith("    then "):
            rules[-1] = (rules[-1][0], re.match(r"    then (?:class|value): (.*?) \(", line)[1])
        elif match := re.match(r"    \((\d+)\) (.*)", line):
            entries = re.findall(r"(\[.*?\]|\"(?:[^\"\\]|\\.)*\"|[^,]+?): (\S+?)(?:, |$)", match[2])
            instead[match[1]] = {name: float(value) for name, value in entries}
        elif line.startswith("tree ") and rules:
            trees.append((rules, tests, instead))
            rules, tests, instead = [], {}, {}
    return [*trees, (rules, tests, instead)]


def classify(trees, row) -> str:
    """Return the class that the rules give to a row; exactly one rule of a tree must hold."""
    votes = Counter()
    for rules, tests, instead in trees:
        holding = [
            label
            for conditions, label in rules
            if conditions == ["anything"]
            or all(condition_holds(one, row, tests, instead) for one in conditions)
        ]
        assert len(holding) == 1, holding
        votes[holding[0]] += 1
    return votes.most_common(1)[0][0]


def condition_holds(condition, row, tests, instead) -> bool:
    if match := re.fullmatch(r"test (\d+) (holds|fails|is branch \d+)", condition):
        number, answer = match.groups()
        if answer.startswith("is "):
            return holds(f"{tests[number]} {answer}", row, instead[number])
        return holds(tests[number], row, instead[number]) == (answer == "holds")
    number, text = re.fullmatch(r"\((\d+)\) (.*)", condition).groups()
    return holds(text, row, instead[number])


def holds(text, row, instead) -> bool:
    text = re.sub(r" \(missing: [^)]*\)", "", text)
    if match := re.fullmatch(r"(.*) is (not )?missing", text):
        return (row[match[1]] is None) == (match[2] is None)
    if match := re.fullmatch(r"(.*) or missing", text):
        found = holds(match[1], row, instead)
        (name,) = [name for name in row if match[1].startswith(f"{name} ")]
        assert found or row[name] is not None  # it says that missing values pass
        return found
    if match := re.fullmatch(r"the first largest of (.*) is branch (\d+)", text):
        formulas = [value.split(": ", 1)[1] for value in match[1].split("; ")]
        values = [linear(formula, row, instead) for formula in formulas]
        return values.index(max(values)) == int(match[2])
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
