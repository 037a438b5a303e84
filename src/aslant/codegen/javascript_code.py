"""A model as JavaScript without dependencies, for a page or for Node."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from aslant.codegen.description import Combination, Description
from aslant.codegen.imperative import ImperativeWriter
from aslant.codegen.names import comment
from aslant.codegen.reasons import comparisons_of, plain_functions
from aslant.codegen.templates import fill, predictions


class JavaScriptWriter(ImperativeWriter):
    """Writes JavaScript."""

    end = ";"
    closing = ("}",)
    largest = ("const {variable} = largest([", "]);")
    equals = "==="

    def function(self, name: str, body: Sequence[str]) -> list[str]:
        """Return a function."""
        return [f"function {name}(x) {{", *body, "}"]

    def between(self, low: float, value: str, high: float) -> str:
        """Return ``Math.min(Math.max(low, value), high)``."""
        return f"Math.min(Math.max({low!r}, {value}), {high!r})"

    # ------------------------------------------------------------------ parts of the script

    def constants(self) -> list[str]:
        """Return names, levels, derived features, and the index of each feature."""
        made = self.description
        lines = [
            f"const FEATURES = {literal([given.name for given in made.inputs])};",
            f"const CLASSES = {literal(list(made.classes))};",
            "const LEVELS = new Map([",
        ]
        for j, given in enumerate(made.inputs):
            if given.kind == "levels":
                # A boolean equals 0 or 1, as in Python.
                plain = [int(one) if isinstance(one, bool) else one for one in given.levels]
                codes = literal([[one, code] for code, one in enumerate(plain)])
                lines.append(f"    [{j}, new Map({codes})],")
        inputs = list(enumerate(made.inputs))
        unknown = [[j, one.unknown] for j, one in inputs if one.unknown is not None]
        dates = [[j, one.date_order] for j, one in inputs if one.kind == "date"]
        ways = [[f.source, list(f.table) if f.table else f.what] for f in made.features]
        lines += ["]);", f"const UNKNOWN = new Map({literal(unknown)});"]
        lines += [f"const DATES = new Map({literal(dates)});", f"const DERIVED = {literal(ways)};"]
        for j, (name, feature) in enumerate(zip(self.places, made.features, strict=True)):
            lines.append(f"const {name} = {j}; // {comment(feature.name)}")
        return lines

    def outputs(self) -> list[str]:
        """Return the outputs of the leaves: a table, or functions of the row if they are linear."""
        if not self.description.is_linear:
            table = [f"    {literal(list(leaf.output))}," for leaf in self.leaves]
            return ["const OUTPUTS = [", *table, "];", "const output = (leaf) => OUTPUTS[leaf];"]
        lines = ["const LEAVES = ["]
        for leaf in self.leaves:
            lines.append("    (x) => [")
            for slope in leaf.slopes:
                *first, last = self.prediction(slope)
                lines += [self.indent * 2 + line for line in (*first, f"{last},")]
            lines.append("    ],")
        return [*lines, "];", "const output = (leaf, x) => LEAVES[leaf](x);"]

    def gate_function(self) -> list[str]:
        """Return the function that computes the gates of all tests, and the children."""
        lines = [*fill("javascript", "gate").splitlines(), "", "const gates = (x) => ["]
        for text in self.gates():
            lines += [self.indent + line for line in self._wrapped(f"{text},")]
        lines += ["];", "// By test: its children, a test or -1 - the number of a leaf."]
        children = literal([list(pair) for pair in self.gate_children()])
        return [*lines, f"const CHILDREN = {children};"]

    def comparisons(self) -> list[str]:
        """Return the tables of reasons."""
        made = comparisons_of(self.description)
        lines = [f"const NAMES = {literal([one.name for one in self.description.features])};"]
        lines += ["// By comparison: for each function its value at the mean, and its terms, which"]
        lines += ["// are feature, level or -1, coefficient and mean.", "const COMPARISONS = ["]
        lines += [f"    {literal(rows)}," for rows in plain_functions(made)]
        lines += ["];", "// By leaf: comparisons, and which function is largest, or -1."]
        return [*lines, f"const PATHS = {literal(made.paths)};"]


def javascript_code(description: Description, reasons: int | None = None) -> str:
    """Return a script that defines ``aslantModel``."""
    description.check_integers(2**53, "JavaScript")
    writer = JavaScriptWriter(description)
    has_classes, combination = bool(description.classes), description.combination
    proba = " and .predictProba(row) take" if has_classes else " takes"
    head = fill("javascript", "head", estimator=description.estimator, proba=proba)
    helpers = fill("javascript", "helpers").splitlines()
    lines = [*head.splitlines(), *writer.constants(), *helpers, "", *writer.tree_functions()]
    trees = ", ".join(f"tree_{t}" for t in range(len(description.trees)))
    lines += [f"const TREES = [{trees}];", *writer.outputs()]
    if combination is Combination.SOFT:
        lines += writer.gate_function()
    elif description.has_winners:
        lines.append(f"const WINNERS = {literal([leaf.winner for leaf in writer.leaves])};")
    if combination is Combination.SUM:
        lines.append(f"const WEIGHTS = {literal(list(description.weights))};")
        lines.append(f"const DIVISOR = {description.divisor!r};")
    more = ", classes: CLASSES, predictProba" if has_classes else ""
    end = ""
    if description.intervals:
        lines.append(f"const INTERVALS = {literal(description.intervals)};")
        more += ", predictInterval"
        end = fill("javascript", "interval", coverage=description.coverage)
    if reasons is not None:
        lines += writer.comparisons()
        more += ", reasons"
        end += fill("javascript", "reasons", n_reasons=reasons)
    end += fill("javascript", "end", more=more)
    return "\n".join(lines) + "\n" + predictions("javascript", description) + end


def literal(value: Any) -> str:
    """Return JSON that is valid in a script, also inside a page."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
