"""A model of one tree as a sheet: a line of headings, and a line with one formula for each cell.

The inputs come first. Then follow codes of categories and derived features, tests or gates, the
leaf or the probability of reaching each leaf, values of linear leaves, and the prediction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from aslant.codegen.description import Combination, Description, Feature, Input, Slope, Term
from aslant.codegen.excel_cells import cell, cell_range, equals, literal, place_of_largest
from aslant.codegen.excel_reasons import add_reasons
from aslant.codegen.names import distinct
from aslant.codegen.sums import Sums

_EPOCH = 25569  # the serial number of 1970-01-01
_LONGEST = 8192  # characters of a formula
_DEEPEST = 64  # nested functions
_MOST_COLUMNS = 16384
_PARTS = {"year": "YEAR({})", "month": "MONTH({})", "day": "DAY({})", "weekday": "WEEKDAY({},2)-1"}


class ExcelWriter(Sums):
    """Writes the cells of the second line of a sheet."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self.headings = [given.name for given in description.inputs]
        self.cells = [""] * len(self.headings)
        self.codes = [self._code(j, given) for j, given in enumerate(description.inputs)]
        self.features = [self._feature(feature) for feature in description.features]
        self.tree = description.trees[0]
        self.leaves = description.leaves()[0]

    def add(self, heading: str, formula: str) -> str:
        """Add a cell, and return its name."""
        if len(formula) + 1 > _LONGEST:
            raise ValueError(
                f"A formula of Excel has at most {_LONGEST} characters, and that of {heading!r} "
                f"has {len(formula) + 1}."
            )
        self.headings.append(heading)
        self.cells.append(f"={formula}")
        return cell(len(self.cells) - 1)

    # ------------------------------------------------------------------ numbers and terms

    def number(self, value: float) -> str:
        """Return a number; Excel reads 15 digits."""
        return f"{value:.15g}".upper()

    def value(self, term: Term) -> str:
        """Return the value of a cell, or its fill; of a level 1 or 0."""
        place, fill = self.features[term.feature], self.number(term.fill)
        if term.level is not None:
            return f"IF({place}=0,{fill},IF({place}={term.level + 1},1,0))"
        feature = self.description.features[term.feature]
        is_coded = self.description.inputs[feature.source].kind == "levels"
        if feature.what == "itself" and is_coded:  # ordered levels count from 0, their codes from 1
            return f"IF({place}=0,{fill},{place}-1)"
        return f"IF(ISNUMBER({place}),{place},{fill})"

    # ------------------------------------------------------------------ inputs

    def _code(self, j: int, given: Input) -> str:
        """Return the cell of an input: of levels, codes from 1, and 0 for a missing one."""
        place = cell(j)
        if given.kind == "boolean":
            return self.add(f"{given.name} as number", f'IF({place}="","",IF({place},1,0))')
        if given.kind == "date":
            days = f'IF(ISNUMBER({place}),{place}-{_EPOCH},"")'
            return self.add(f"{given.name} in days", days)
        if given.kind != "levels":
            return place
        other = 0 if given.unknown is None else given.unknown + 1
        text = str(other)
        for k, level in enumerate(given.levels):
            text += f"+{k + 1 - other}*{equals(place, level)}"
        return self.add(f"code of {given.name}", f'IF({place}="",0,{text})')

    def _feature(self, feature: Feature) -> str:
        """Return the cell of a feature."""
        source, code = self.description.inputs[feature.source], self.codes[feature.source]
        if feature.what == "itself":
            return code
        is_missing = f"{code}=0" if source.kind == "levels" else f"NOT(ISNUMBER({code}))"
        if feature.what == "missing":
            return self.add(feature.name, f"IF({is_missing},1,0)")
        if feature.what == "encoded":
            value = f"INDEX({self.array(feature.table)},{code})"
        elif feature.what == "hour":
            value = f"INT(({code}-INT({code}))*24+0.000001)"
        else:
            value = _PARTS[feature.what].format(f"INT({code}+{_EPOCH})")
        return self.add(feature.name, f'IF({is_missing},"",{value})')

    def array(self, values: Sequence[float]) -> str:
        """Return an array constant."""
        return f"{{{','.join(map(self.number, values))}}}"

    # ------------------------------------------------------------------ trees

    def leaf(self) -> str:
        """Add the tests and the leaf, counted from 1, and return the cell of the leaf."""
        branch, depth, text, count = {}, {0: 0}, {}, 0
        for i, node in enumerate(self.tree):
            depth.update(dict.fromkeys(node.children, depth[i] + 1))
            if node.is_leaf:
                count += 1
                text[i] = str(count)
            else:
                branch[i] = self._branch(i)
        if max(depth.values()) > _DEEPEST:
            raise ValueError(
                f"Excel nests at most {_DEEPEST} functions, and the tree has a depth of "
                f"{max(depth.values())}."
            )
        for i in reversed(branch):
            text[i] = f"CHOOSE({branch[i]},{','.join(text[k] for k in self.tree[i].children)})"
        return self.add("leaf", text[0])

    def _branch(self, i: int) -> str:
        """Add a test; its cell is the branch that is taken, counted from 1."""
        functions = self.tree[i].functions
        if len(functions) == 1:
            sides = f"{self.total(functions[0])}<={self.number(functions[0].offset)}"
            return self.add(f"test {i}", f"IF({sides},1,2)")
        scores = [
            self.add(f"test {i}, branch {k}", f"{self.total(one)}+({self.number(one.offset)})")
            for k, one in enumerate(functions)
        ]
        return self.add(f"test {i}", place_of_largest(scores))

    def reached(self) -> list[str]:
        """Add the gates of a soft tree, and the probability of reaching each leaf."""
        path = {0: "1"}
        cells: list[tuple[str, str]] = []
        for i, node in enumerate(self.tree):
            if node.is_leaf:
                cells.append((f"probability of leaf {len(cells) + 1}", path[i]))
                continue
            gate = self.add(f"gate {i}", f"1/(1+EXP(MIN(700,-({self.score(node)}))))")
            low, high = node.children
            path[low], path[high] = f"{path[i]}*(1-{gate})", f"{path[i]}*{gate}"
        return [self.add(heading, formula) for heading, formula in cells]

    def outputs(self, k: int) -> list[str]:
        """Add output k of every linear leaf."""
        return [
            self.add(f"output {k} of leaf {number}", self._clipped(leaf.slopes[k]))
            for number, leaf in enumerate(self.leaves, 1)
        ]

    def _clipped(self, slope: Slope) -> str:
        text = self.slope(slope)
        if slope.low > -math.inf:
            text = f"MAX({self.number(slope.low)},{text})"
        return f"MIN({text},{self.number(slope.high)})" if slope.high < math.inf else text

    def results(self, names: Sequence[str]) -> tuple[list[str], str]:
        """Add the outputs of the model, and return their cells and that of the leaf."""
        is_soft, is_linear = (
            self.description.combination is Combination.SOFT,
            self.description.is_linear,
        )
        weights = cell_range(self.reached()) if is_soft else ""
        leaf = "" if is_soft else self.leaf()
        tables = [
            cell_range(self.outputs(k))
            if is_linear
            else self.array([one.output[k] for one in self.leaves])
            for k in range(len(names))
        ]
        how = f"SUMPRODUCT({weights},{{}})" if is_soft else f"INDEX({{}},{leaf})"
        cells = [
            self.add(name, how.format(table)) for name, table in zip(names, tables, strict=True)
        ]
        return cells, leaf


def excel_code(description: Description, reasons: int | None = None) -> str:
    """Return headings and formulas, separated by tabs, for the cells from A1 on."""
    if description.combination in (Combination.SUM, Combination.VOTES):
        raise ValueError(f"Excel needs a single tree, got the ensemble {description.estimator}.")
    description.check_integers(2**49, "Excel")
    writer = ExcelWriter(description)
    if description.classes:
        leaf = _add_classes(writer)
    else:
        n = description.n_outputs
        names = ["prediction"] if n == 1 else [f"prediction {k}" for k in range(n)]
        (value, *_), leaf = writer.results(names)
    if description.intervals or reasons is not None:
        leaf = leaf or writer.leaf()
    if description.intervals:
        for side, bounds in zip(
            ("low", "high"), zip(*description.intervals, strict=True), strict=True
        ):
            writer.add(f"prediction {side}", f"{value}+INDEX({writer.array(bounds)},{leaf})")
    if reasons is not None:
        add_reasons(writer, leaf, reasons)
    if len(writer.cells) > _MOST_COLUMNS:
        raise ValueError(
            f"A sheet of Excel has {_MOST_COLUMNS} columns, and the model needs "
            f"{len(writer.cells)}."
        )
    headings = [_heading(name) for name in distinct(writer.headings)]
    return "\t".join(headings) + "\n" + "\t".join(writer.cells) + "\n"


def _add_classes(writer: ExcelWriter) -> str:
    """Add probabilities and the class; return the cell of the leaf, empty for a soft tree."""
    made = writer.description
    names = [f"probability of {label}" for label in made.classes]
    is_final = not made.is_logit and made.exponent is None
    cells, leaf = writer.results(names if is_final else [f"score of {one}" for one in made.classes])
    if not is_final:
        largest = f"MAX({cell_range(cells)})"
        if made.is_logit:
            formulas = [f"EXP({one}-{largest})" for one in cells]
        else:
            power = writer.number(made.exponent or 1.0)
            formulas = [f"(MAX({one},1E-300)/{largest})^{power}" for one in cells]
        powers = [
            writer.add(f"power of {label}", formula)
            for label, formula in zip(made.classes, formulas, strict=True)
        ]
        cells = [
            writer.add(name, f"{one}/SUM({cell_range(powers)})")
            for name, one in zip(names, powers, strict=True)
        ]
    place = place_of_largest(cells)
    if made.has_winners:
        place = f"INDEX({writer.array([one.winner + 1 for one in writer.leaves])},{leaf})"
    writer.add("prediction", f"CHOOSE({place},{','.join(map(literal, made.classes))})")
    return leaf


def _heading(name: str) -> str:
    """Return a name that cannot end its cell, nor begin a formula."""
    shown = "".join(c if c.isprintable() else " " for c in name).replace('"', "'")
    return f"'{shown}" if shown[:1] in ("=", "+", "-", "@") else shown
