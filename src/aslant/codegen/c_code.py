"""A model as C99 that allocates nothing: a source, and the header that declares its functions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from aslant.codegen.description import Combination, Description, Feature, Input
from aslant.codegen.imperative import ImperativeWriter
from aslant.codegen.names import comment, identifiers
from aslant.codegen.reasons import comparisons_of, plain_term
from aslant.codegen.templates import fill, predictions, sections


class CWriter(ImperativeWriter):
    """Writes C."""

    end = ";"
    closing = ("}",)
    largest = ("const int {variable} = largest({n}, (const double[]){{", "});")
    remark = " /* {} */"

    def function(self, name: str, body: Sequence[str]) -> list[str]:
        """Return a static function."""
        unread = [] if any("x[" in line or "(x)" in line for line in body) else ["    (void)x;"]
        return [f"static int {name}(const double *x) {{", *unread, *body, "}"]

    def between(self, low: float, value: str, high: float) -> str:
        """Return ``between(low, value, high)``."""
        return f"between({low!r}, {value}, {high!r})"

    # ------------------------------------------------------------------ parts of the file

    def constants(self) -> list[str]:
        """Return sizes, and the index of each feature."""
        made = self.description
        leaves = len(self.leaves)
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
        lines = []
        for function, given, codes in self._code_functions(name):
            lines += _code_function(function, given, codes)
        return lines

    def code_declarations(self, name: str) -> list[str]:
        """Return the declarations of these functions."""
        return [
            f"{_code_head(function, codes)};" for function, _, codes in self._code_functions(name)
        ]

    def _code_functions(self, name: str) -> list[tuple[str, Input, list[tuple[str, int]]]]:
        """Return name, input and codes of each function: one for texts, one for numbers."""
        entries: list[tuple[str, Input, list[tuple[str, int]]]] = []
        for given in self.description.inputs:
            if given.kind != "levels":
                continue
            levels = list(enumerate(given.levels))
            texts = [(c_string(one), k) for k, one in levels if isinstance(one, str)]
            numbers = [(repr(float(one)), k) for k, one in levels if not isinstance(one, str)]
            both = bool(texts and numbers)
            if texts or not numbers:
                entries.append((f"{given.name} text" if both else given.name, given, texts))
            if numbers:
                entries.append((f"{given.name} number" if both else given.name, given, numbers))
        functions = identifiers((entry[0] for entry in entries), "")
        return [
            (f"{name}_code_{function.lower()}", given, codes)
            for function, (_, given, codes) in zip(functions, entries, strict=True)
        ]

    def preparation(self) -> list[str]:
        """Return the function that checks codes and derives features, if there is any."""
        if not _prepares(self.description):
            return []
        lines = []
        body = []
        for j, feature in enumerate(self.description.features):
            if feature.table:
                table = ", ".join(map(repr, feature.table))
                lines.append(f"static const double table_{j}[] = {{{table}}};")
            body.append(f"    x[{self.places[j]}] = {self._derived(j, feature)};")
        return [*lines, "static void prepare(const double *given, double *x) {", *body, "}", ""]

    def _derived(self, j: int, feature: Feature) -> str:
        """Return the expression of a feature; those of the inputs come before all derived ones."""
        source = self.description.inputs[feature.source]
        given = f"given[{feature.source}]"
        if feature.what == "itself" and source.kind == "levels":
            return f"code({given}, {len(source.levels) + (source.unknown is not None)})"
        if feature.what == "itself":
            return given
        if feature.what == "missing":
            x = f"x[{self.places[feature.source]}]"
            return f"{x} != {x} ? 1.0 : 0.0"
        if feature.what == "encoded":
            return f"entry(table_{j}, {len(feature.table)}, {given})"
        if feature.what == "weekday":
            return f"floor({given}) + 3.0 - 7.0 * floor((floor({given}) + 3.0) / 7.0)"
        if feature.what == "hour":
            return f"floor(({given} - floor({given})) * 24.0 + 1e-6)"
        return f"date_part({given}, '{feature.what[0]}')"

    def outputs(self) -> list[str]:
        """Return the outputs of the leaves: a table, or a function if they are linear."""
        if not self.description.is_linear:
            rows = (f"    {{{', '.join(map(repr, leaf.output))}}}," for leaf in self.leaves)
            return ["static const double outputs[N_LEAVES][N_OUTPUTS] = {", *rows, "};"]
        lines = ["static void linear_leaf(int leaf, const double *x, double *output) {"]
        lines += ["    (void)x;", "    switch (leaf) {"]
        for k, leaf in enumerate(self.leaves):
            lines.append(f"    {f'case {k}' if k < len(self.leaves) - 1 else 'default'}:")
            for q, slope in enumerate(leaf.slopes):
                first, *rest = self.prediction(slope)
                text = [f"output[{q}] = {first}", *(self.indent + line for line in rest)]
                text[-1] += ";"
                lines += [self.indent * 2 + line for line in text]
            lines.append("        break;")
        return [*lines, "    }", "}"]

    def gate_function(self) -> list[str]:
        """Return the function that computes the gates of all tests, and the children."""
        lines = [
            "static void gates(const double *x, double *passes) {",
            "    (void)x, (void)passes;",
        ]
        for k, text in enumerate(self.gates()):
            first, *rest = self._wrapped(f"{text};")
            lines.append(f"    passes[{k}] = {first}")
            lines += [self.indent * 2 + line for line in rest]
        lines += ["}", "", "/* By test: its children, leaves first, then tests. */"]
        n_leaves = len(self.leaves)
        places = (
            [-1 - child if child < 0 else n_leaves + child for child in pair]
            for pair in self.gate_children()
        )
        rows = ", ".join(f"{{{low}, {high}}}" for low, high in places) or "{0, 0}"
        return [*lines, f"static const int children[][2] = {{{rows}}};"]

    def comparisons(self, name: str) -> list[str]:
        """Return the tables of reasons: terms by function, functions by comparison, paths."""
        made = comparisons_of(self.description)
        functions = [one for own in made.functions for one in own] or [(0.0, ())]
        terms = [plain_term(term) for _, own in functions for term in own] or [(0, -1, 0.0, 0.0)]
        steps = [step for path in made.paths for step in path] or [(0, 0)]
        names = ", ".join(c_string(feature.name) for feature in self.description.features)
        starts = {
            "first_term": accumulate((len(own) for _, own in functions), initial=0),
            "first_function": accumulate(map(len, made.functions), initial=0),
            "first_step": accumulate(map(len, made.paths), initial=0),
        }
        return [
            f"const char *const {name}_features[N_FEATURES] = {{{names}}};",
            "static const struct { int feature, level; double coef, mean; } terms[] = {",
            *(f"    {{{', '.join(map(repr, term))}}}," for term in terms),
            "};",
            f"static const double at_mean[] = {{{', '.join(repr(at) for at, _ in functions)}}};",
            f"static const int path[][2] = {{{', '.join(f'{{{c}, {k}}}' for c, k in steps)}}};",
            *(
                f"static const int {start}[] = {{{', '.join(map(str, places))}}};"
                for start, places in starts.items()
            ),
        ]


def c_code(description: Description, name: str, reasons: int | None = None) -> str:
    """Return a file with ``name_predict`` and, of a classifier, ``name_predict_proba``."""
    description.check_integers(2**53, "C", classes=False)  # levels are compared as double
    writer = CWriter(description)
    combination, has_classes = description.combination, bool(description.classes)
    needs = ["NAN", "strcmp", "floor"]
    has_exp = description.is_logit or description.link != "identity"
    has_exp = has_exp or combination is Combination.SOFT
    needs += ["exp"] if has_exp else []
    needs += ["pow"] if description.exponent is not None else []
    needs += ["fabs"] if reasons is not None else []
    lines = fill(
        "c",
        "head",
        estimator=description.estimator,
        functions=fill("c", *_sections("functions", description, reasons)),
        name=name,
        needs=f"{', '.join(needs[:-1])} and {needs[-1]}",
    ).splitlines()
    lines += ["", *writer.constants()]
    if has_classes:
        names = ", ".join(c_string(str(label)) for label in description.classes)
        lines += ["", f"const char *const {name}_classes[N_OUTPUTS] = {{{names}}};"]
    lines += writer.code_functions(name)
    is_soft = combination is Combination.SOFT
    body = writer.preparation()
    body += writer.gate_function() if is_soft else []
    has_leaf = not is_soft or reasons is not None or description.intervals
    body += writer.tree_functions() if has_leaf else []
    body += writer.outputs()
    body += writer.comparisons(name) if reasons is not None else []
    if description.has_winners:
        winners = ", ".join(str(leaf.winner) for leaf in writer.leaves)
        body.append(f"static const int winners[] = {{{winners}}};")
    if combination in (Combination.SUM, Combination.VOTES):
        names = ", ".join(f"tree_{t}" for t in range(len(description.trees)))
        body.append(f"static int (*const trees[N_TREES])(const double *) = {{{names}}};")
    if combination is Combination.SUM:
        weights = ", ".join(map(repr, description.weights))
        body.append(f"static const double weights[N_TREES] = {{{weights}}};")
    if description.intervals:
        rows = ", ".join(f"{{{low!r}, {high!r}}}" for low, high in description.intervals)
        body.append(f"static const double intervals[N_LEAVES][2] = {{{rows}}};")
    functions = _predictions(description, name, reasons)
    for section, text in sections("c").items():
        helper = section.removeprefix("helper_")
        # Unused functions would cause compiler warnings.
        if helper != section and any(f"{helper}(" in line for line in [*body, functions]):
            lines += text.splitlines()
    return "\n".join([*lines, "", *body]) + "\n" + functions


def c_header(description: Description, name: str, reasons: int | None = None) -> str:
    """Return the header of the file that `c_code` returns."""
    writer = CWriter(description)
    sizes = {"N_INPUTS": len(description.inputs), "N_OUTPUTS": description.n_outputs}
    # Inputs have the first places among the features.
    inputs = zip(writer.places, description.inputs, strict=False)
    places = [f"    {{}}_{x} = {j}, /* {comment(one.name)} */" for j, (x, one) in enumerate(inputs)]
    declared = _sections("declarations", description, reasons)
    fields = {"n_reasons": reasons, "coverage": description.coverage}
    lines = fill("c", *declared, name=name, **fields).splitlines()
    lines += writer.code_declarations(name)
    return fill(
        "c",
        "header",
        estimator=description.estimator,
        guard=f"{name.upper()}_H",
        sizes=", ".join(f"{name.upper()}_{size} = {count}" for size, count in sizes.items()),
        places="\n".join(line.replace("{}", name.upper(), 1) for line in places),
        declarations="\n".join(lines),
        name=name,
    )


def _sections(what: str, description: Description, reasons: int | None) -> list[str]:
    """Return the sections of the template that name the functions."""
    own = [f"{what}_{_form(description)}"]
    own += [f"{what}_interval"] if description.intervals else []
    return own if reasons is None else [*own, f"{what}_reasons"]


def _form(description: Description) -> str:
    """Return the form of the functions: of classes, of one value or of several."""
    if description.classes:
        return "classes"
    return "value" if description.n_outputs == 1 else "values"


def _prepares(description: Description) -> bool:
    """Whether features differ from the inputs; codes of levels are checked."""
    return description.derives or any(given.kind == "levels" for given in description.inputs)


def _predictions(description: Description, name: str, reasons: int | None) -> str:
    x = "const double *x = given;"
    if _prepares(description):
        x = "double x[N_FEATURES];\n    prepare(given, x);"
    output = "const double *output = outputs[leaf];"
    if description.is_linear:
        output = "double output[N_OUTPUTS];\n    linear_leaf(leaf, x, output);"
    one_value = description.n_outputs == 1
    copied = "for (int k = 0; k < N_OUTPUTS; ++k) values[k] = output[k];"
    own = fill("c", "interval", name=name, x=x) if description.intervals else ""
    own += "" if reasons is None else fill("c", "reasons", name=name, x=x, n_reasons=reasons)
    text = predictions(
        "c",
        description,
        name=name,
        x=x,
        output=output,
        type="double" if one_value else "void",
        argument="" if one_value else ", double *values",
        result="return output[0];" if one_value else copied,
    )
    return text + own


def _code_function(name: str, given: Input, codes: Sequence[tuple[str, int]]) -> list[str]:
    """Return the function that turns levels, all of text or all of numbers, into codes."""
    is_text = _takes_text(codes)
    equals = "!strcmp(level, {})" if is_text else "level == {}"
    otherwise = "NAN" if given.unknown is None else str(given.unknown)
    lines = ["", f"{_code_head(name, codes)} {{"]
    if not is_text and given.unknown is not None:
        lines.append("    if (level != level) return NAN;")
    lines += [f"    if ({equals.format(level)}) return {code};" for level, code in codes]
    lines += ["    (void)level;"] if is_text else []
    return [*lines, f"    return {otherwise};", "}"]


def _takes_text(codes: Sequence[tuple[str, int]]) -> bool:
    return not codes or codes[0][0].startswith('"')


def _code_head(name: str, codes: Sequence[tuple[str, int]]) -> str:
    """Return a function's type, name and argument."""
    return f"double {name}({'const char *' if _takes_text(codes) else 'double '}level)"


def c_string(text: str) -> str:
    """Return a string literal; bytes other than plain ASCII are written in octal."""
    return '"' + "".join(_escaped(byte) for byte in text.encode("utf-8")) + '"'


def _escaped(byte: int) -> str:
    character = chr(byte)
    if character in '"\\?' or not 32 <= byte < 127:
        return f"\\{byte:03o}"
    return character
