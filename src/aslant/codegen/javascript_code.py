"""A model as JavaScript without dependencies, for a page or for Node."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from aslant.codegen.description import Combination, Description
from aslant.codegen.imperative import ImperativeWriter
from aslant.codegen.javascript_parts import ANSWERS, END, GATE, HEAD, HELPERS
from aslant.codegen.names import comment


class JavaScriptWriter(ImperativeWriter):
    """Writes JavaScript."""

    end = ";"
    closing = ("}",)
    equals = "==="

    def function(self, name: str, body: Sequence[str]) -> list[str]:
        """Return a function."""
        return [f"function {name}(x) {{", *body, "}"]

    def largest(self, variable: str, values: Sequence[str]) -> list[str]:
        """Return ``const variable = largest([...]);``."""
        inner = (self.indent + line for text in values for line in self._wrapped(f"{text},"))
        return [f"const {variable} = largest([", *inner, "]);"]

    def between(self, low: float, value: str, high: float) -> str:
        """Return ``Math.min(Math.max(low, value), high)``."""
        return f"Math.min(Math.max({low!r}, {value}), {high!r})"

    # ------------------------------------------------------------------ parts of the script

    def constants(self) -> list[str]:
        """Return the names, the levels, how features are made, and where each stands."""
        made = self.description
        lines = [
            f"const FEATURES = {literal([given.name for given in made.inputs])};",
            f"const CLASSES = {literal(list(made.classes))};",
            "const LEVELS = new Map([",
        ]
        for j, given in enumerate(made.inputs):
            if given.kind == "levels":
                # A truth value counts as 0 or 1, as it does in Python.
                plain = [int(one) if isinstance(one, bool) else one for one in given.levels]
                codes = literal([[one, code] for code, one in enumerate(plain)])
                lines.append(f"    [{j}, new Map({codes})],")
        inputs = list(enumerate(made.inputs))
        unknown = [[j, one.unknown] for j, one in inputs if one.unknown is not None]
        dates = [[j, one.date_order] for j, one in inputs if one.kind == "date"]
        ways = [[f.source, list(f.shares) if f.shares else f.what] for f in made.features]
        lines += ["]);", f"const UNKNOWN = new Map({literal(unknown)});"]
        lines += [f"const DATES = new Map({literal(dates)});", f"const MADE = {literal(ways)};"]
        for j, (name, feature) in enumerate(zip(self.places, made.features, strict=True)):
            lines.append(f"const {name} = {j}; // {comment(feature.name)}")
        return lines

    def said(self) -> list[str]:
        """Return what the leaves say: a table, or functions of the row where they are linear."""
        leaves = self.leaves()
        if not self.description.is_linear:
            table = [f"    {literal(list(leaf.output))}," for leaf in leaves]
            return ["const OUTPUTS = [", *table, "];", "const said = (leaf) => OUTPUTS[leaf];"]
        lines = ["const LEAVES = ["]
        for leaf in leaves:
            lines.append("    (x) => [")
            for slope in leaf.slopes:
                *first, last = self.prediction(slope)
                lines += [self.indent * 2 + line for line in (*first, f"{last},")]
            lines.append("    ],")
        return [*lines, "];", "const said = (leaf, x) => LEAVES[leaf](x);"]

    def gate_function(self) -> list[str]:
        """Return the function that gives the gates of all tests, and the children."""
        lines = [*GATE.splitlines(), "", "const gates = (x) => ["]
        for text in self.gates():
            lines += [self.indent + line for line in self._wrapped(f"{text},")]
        lines += ["];", "// By test: its children, a test or -1 - the number of a leaf."]
        children = literal([list(pair) for pair in self.gate_children()])
        lines.append(f"const CHILDREN = {children};")
        if self.description.classes:
            lines.append(f"const EXPONENT = {self.description.exponent!r};")
        return lines


def javascript_code(description: Description) -> str:
    """Return a script that defines ``aslantModel``."""
    writer = JavaScriptWriter(description)
    has_classes, combination = bool(description.classes), description.combination
    proba = " and .predictProba(row) take" if has_classes else " takes"
    lines = HEAD.format(estimator=description.estimator, proba=proba).splitlines()
    lines += [*writer.constants(), *HELPERS.splitlines(), "", *writer.tree_functions()]
    trees = ", ".join(f"tree_{t}" for t in range(len(description.trees)))
    lines += [f"const TREES = [{trees}];", *writer.said()]
    if combination is Combination.SOFT:
        lines += writer.gate_function()
    elif has_classes:
        lines.append(f"const WINNERS = {literal([leaf.winner for leaf in writer.leaves()])};")
    if combination is Combination.SUM:
        lines.append(f"const WEIGHTS = {literal(list(description.weights))};")
        lines.append(f"const DIVISOR = {description.divisor!r};")
    answer = ANSWERS[has_classes, combination]
    answer = answer.replace("N_OUTPUTS", str(description.n_outputs))
    answer = answer.replace("ONLY", "[0]" if description.n_outputs == 1 else "")
    more = ", classes: CLASSES, predictProba" if has_classes else ""
    return "\n".join(lines) + "\n" + answer + END.format(more=more)


def literal(value: Any) -> str:
    """Return JSON that may stand in a script, also one inside a page."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
