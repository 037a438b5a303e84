"""A model as one file of C99 that allocates nothing."""

from __future__ import annotations

from collections.abc import Sequence

from aslant.codegen.c_parts import ANSWERS, FUNCTIONS, HEAD, HELPERS
from aslant.codegen.description import Combination, Description, Feature, Input
from aslant.codegen.imperative import ImperativeWriter
from aslant.codegen.names import comment, identifiers


class CWriter(ImperativeWriter):
    """Writes C."""

    end = ";"
    closing = ("}",)

    def function(self, name: str, body: Sequence[str]) -> list[str]:
        """Return a static function."""
        unread = [] if any("x[" in line or "(x)" in line for line in body) else ["    (void)x;"]
        return [f"static int {name}(const double *x) {{", *unread, *body, "}"]

    def largest(self, variable: str, values: Sequence[str]) -> list[str]:
        """Return the values as a compound literal, and the place of the largest."""
        inner = (self.indent + line for text in values for line in self._wrapped(f"{text},"))
        return [f"const int {variable} = largest({len(values)}, (const double[]){{", *inner, "});"]

    def between(self, low: float, value: str, high: float) -> str:
        """Return ``between(low, value, high)``."""
        return f"between({low!r}, {value}, {high!r})"

    # ------------------------------------------------------------------ parts of the file

    def constants(self) -> list[str]:
        """Return sizes, and where each feature stands."""
        made = self.description
        leaves = len(self.leaves())
        sizes = {
            "N_INPUTS": len(made.inputs),
            "N_FEATURES": len(made.features),
            "N_OUTPUTS": made.n_outputs,
            "N_TREES": len(made.trees),
            "N_LEAVES": leaves,
            "N_TESTS": sum(map(len, made.trees)) - leaves,
        }
        lines = [f"enum {{ {name} = {size} }};" for name, size in sizes.items()]
        for j, (place, feature) in enumerate(zip(self.places, made.features, strict=True)):
            lines.append(f"enum {{ {place} = {j} }}; /* {comment(feature.name)} */")
        return lines

    def code_functions(self, name: str) -> list[str]:
        """Return the functions that turn levels into codes."""
        inputs = self.description.inputs
        places = identifiers((given.name for given in inputs), "")
        lines = []
        for place, given in zip(places, inputs, strict=True):
            if given.kind == "levels":
                lines += _codes(f"{name}_code_{place.lower()}", given)
        return lines

    def preparation(self) -> list[str]:
        """Return the function that makes features of inputs, where they differ."""
        if not self.description.derives:
            return []
        lines = []
        body = []
        for j, feature in enumerate(self.description.features):
            if feature.shares:
                shares = ", ".join(map(repr, feature.shares))
                lines.append(f"static const double shares_{j}[] = {{{shares}}};")
            body.append(f"    x[{self.places[j]}] = {_made(j, feature)};")
        return [*lines, "static void prepare(const double *given, double *x) {", *body, "}", ""]

    def said(self) -> list[str]:
        """Return what the leaves say: a table, or a function where they are linear."""
        leaves = self.leaves()
        if not self.description.is_linear:
            rows = (f"    {{{', '.join(map(repr, leaf.output))}}}," for leaf in leaves)
            return ["static const double outputs[N_LEAVES][N_OUTPUTS] = {", *rows, "};"]
        lines = ["static void say(int leaf, const double *x, double *said) {", "    (void)x;"]
        lines.append("    switch (leaf) {")
        for k, leaf in enumerate(leaves):
            lines.append(f"    {f'case {k}' if k < len(leaves) - 1 else 'default'}:")
            for q, slope in enumerate(leaf.slopes):
                first, *rest = self.prediction(slope)
                text = [f"said[{q}] = {first}", *(self.indent + line for line in rest)]
                text[-1] += ";"
                lines += [self.indent * 2 + line for line in text]
            lines.append("        break;")
        return [*lines, "    }", "}"]

    def gate_function(self) -> list[str]:
        """Return the function that gives the gates of all tests, and the children."""
        lines = [
            "static void gates(const double *x, double *passes) {",
            "    (void)x, (void)passes;",
        ]
        for k, text in enumerate(self.gates()):
            first, *rest = self._wrapped(f"{text};")
            lines.append(f"    passes[{k}] = {first}")
            lines += [self.indent * 2 + line for line in rest]
        lines += ["}", "", "/* By test: its children, leaves first, then tests. */"]
        n_leaves = len(self.leaves())
        places = (
            [-1 - child if child < 0 else n_leaves + child for child in pair]
            for pair in self.gate_children()
        )
        rows = ", ".join(f"{{{low}, {high}}}" for low, high in places) or "{0, 0}"
        return [*lines, f"static const int children[][2] = {{{rows}}};"]


def c_code(description: Description, name: str) -> str:
    """Return the source of a file with ``name_predict`` and, of classes, its probabilities."""
    writer = CWriter(description)
    combination, has_classes = description.combination, bool(description.classes)
    single = description.n_outputs == 1
    needs = "NAN, strcmp and floor"
    if combination is Combination.SOFT:
        needs = "NAN, strcmp, floor, exp and pow" if has_classes else "NAN, strcmp, floor and exp"
    form = True if has_classes else (False if single else None)
    functions = FUNCTIONS[form].format(name=name)
    lines = HEAD.format(
        estimator=description.estimator, name=name, functions=functions, needs=needs
    ).splitlines()
    lines += ["", *writer.constants()]
    if has_classes:
        names = ", ".join(c_string(str(label)) for label in description.classes)
        lines += ["", f"const char *const {name}_classes[N_OUTPUTS] = {{{names}}};"]
    lines += writer.code_functions(name)
    body = writer.preparation()
    if combination is Combination.SOFT:
        body += writer.gate_function()
    else:
        body += writer.tree_functions()
    body += writer.said()
    if has_classes and combination in (Combination.SINGLE, Combination.VOTES):
        winners = ", ".join(str(leaf.winner) for leaf in writer.leaves())
        body.append(f"static const int winners[] = {{{winners}}};")
    if combination in (Combination.SUM, Combination.VOTES):
        names = ", ".join(f"tree_{t}" for t in range(len(description.trees)))
        body.append(f"static int (*const trees[N_TREES])(const double *) = {{{names}}};")
    if combination is Combination.SUM:
        weights = ", ".join(map(repr, description.weights))
        body.append(f"static const double weights[N_TREES] = {{{weights}}};")
    answers = _answers(description, name)
    for helper, text in HELPERS.items():
        if any(f"{helper}(" in line for line in [*body, answers]):  # no compiler's warning
            lines += text.splitlines()
    return "\n".join([*lines, "", *body]) + "\n" + answers


def _answers(description: Description, name: str) -> str:
    linear, single = description.is_linear, description.n_outputs == 1
    prepared = "double x[N_FEATURES];\n    prepare(given, x);"
    table = "const double *said = outputs[leaf];"
    called = "double said[N_OUTPUTS];\n    say(leaf, x, said);"
    return ANSWERS[bool(description.classes), description.combination].format(
        name=name,
        divisor=description.divisor,
        exponent=description.exponent,
        x=prepared if description.derives else "const double *x = given;",
        said=called if linear else table,
        type="double" if single else "void",
        argument="" if single else ", double *numbers",
        answer="return said[0];"
        if single
        else "for (int k = 0; k < N_OUTPUTS; ++k) numbers[k] = said[k];",
    )


def _made(j: int, feature: Feature) -> str:
    """Return the expression of a feature."""
    given = f"given[{feature.source}]"
    if feature.what == "itself":
        return given
    if feature.what == "missing":
        return f"{given} != {given} ? 1.0 : 0.0"
    if feature.what == "share":
        return f"{given} == {given} ? shares_{j}[(int){given}] : NAN"
    if feature.what == "weekday":
        return f"floor({given}) + 3.0 - 7.0 * floor((floor({given}) + 3.0) / 7.0)"
    if feature.what == "hour":
        return f"floor(({given} - floor({given})) * 24.0 + 1e-6)"
    return f"date_part({given}, '{feature.what[0]}')"


def _codes(function: str, given: Input) -> list[str]:
    """Return the functions that turn levels into codes: of text, of numbers, or both."""
    levels = list(enumerate(given.levels))
    texts = [(c_string(level), code) for code, level in levels if isinstance(level, str)]
    numbers = [(repr(float(level)), code) for code, level in levels if not isinstance(level, str)]
    otherwise = "NAN" if given.unknown is None else str(given.unknown)
    lines = []
    if texts or not numbers:
        suffix = "_text" if numbers else ""
        lines += ["", f"double {function}{suffix}(const char *level) {{"]
        lines += [f"    if (!strcmp(level, {text})) return {code};" for text, code in texts]
        lines += ["    (void)level;", f"    return {otherwise};", "}"]
    if numbers:
        suffix = "_number" if texts else ""
        lines += ["", f"double {function}{suffix}(double level) {{"]
        lines += [] if given.unknown is None else ["    if (level != level) return NAN;"]
        lines += [f"    if (level == {value}) return {code};" for value, code in numbers]
        lines += [f"    return {otherwise};", "}"]
    return lines


def c_string(text: str) -> str:
    """Return a string literal; bytes that are not plain ASCII are written in octal."""
    return '"' + "".join(_escaped(byte) for byte in text.encode("utf-8")) + '"'


def _escaped(byte: int) -> str:
    character = chr(byte)
    if character in '"\\?' or not 32 <= byte < 127:
        return f"\\{byte:03o}"
    return character
