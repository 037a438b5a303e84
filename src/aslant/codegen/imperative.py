"""Trees as nested ``if``, gates and linear leaves, in Python, C and JavaScript.

Every branch returns a leaf, so the other branch follows its ``if``, and lines are indented only
along the yes branches. A subtree below too many of them becomes a function of its own, so no tree
is too deep for a compiler.
"""

from __future__ import annotations

import math
import textwrap
from abc import abstractmethod
from collections.abc import Sequence

from aslant.codegen.description import Description, Node, Slope, Term
from aslant.codegen.names import identifiers
from aslant.codegen.sums import Sums

_WIDTH = 96
_MOST_NESTED = 8
_KEPT = "\0"  # a space that does not end a line


class ImperativeWriter(Sums):
    """Writes the trees of a description in one language."""

    indent = "    "
    end = ""  # of a statement

    def __init__(self, description: Description) -> None:
        self.description = description
        self.places = identifiers((feature.name for feature in description.features), "X_")
        #: All leaves in the order of their numbers.
        self.leaves = [leaf for own in description.leaves() for leaf in own]

    # ------------------------------------------------------------------ of each language

    @abstractmethod
    def function(self, name: str, body: Sequence[str]) -> list[str]:
        """Return the lines of a function that maps a row to a leaf."""

    def condition(self, text: Sequence[str]) -> list[str]:
        """Return the lines that begin an ``if``; the text is one line or several."""
        if len(text) == 1:
            return [f"if ({text[0]}) {{"]
        return ["if (", *(self.indent + line for line in text), ") {"]

    #: Beginning and end of the statement that assigns the index of the first largest value.
    largest: tuple[str, str]

    @abstractmethod
    def between(self, low: float, value: str, high: float) -> str:
        """Return the value, clipped to two bounds."""

    closing: tuple[str, ...] = ()  # lines that end an ``if``
    remark = " // {}"  # at the end of a line
    equals = "=="

    # ------------------------------------------------------------------ trees

    def tree_functions(self) -> list[str]:
        """Return the lines of all functions ``tree_0``, ``tree_1``, ... and of their parts."""
        lines: list[str] = []
        count = 0
        for t, tree in enumerate(self.description.trees):
            leaf = {}  # numbers of the leaves, counted through all trees
            for i, node in enumerate(tree):
                if node.is_leaf:
                    leaf[i] = count
                    count += 1
            functions = []
            waiting = [0]
            while waiting:
                root = waiting.pop()
                body, parts = self._body(tree, leaf, root, f"tree_{t}")
                functions.append(self.function(_name(f"tree_{t}", root), body))
                waiting += parts
            # A part comes before its caller.
            for function in reversed(functions):
                lines += [*function, ""]
        return lines

    def _body(
        self, tree: Sequence[Node], leaf: dict[int, int], root: int, name: str
    ) -> tuple[list[str], list[int]]:
        """Return the statements for a subtree, and the roots of those that are parts."""
        lines: list[str] = []
        parts: list[int] = []
        waiting: list[tuple[int, int | list[str]]] = [(1, root)]  # how far indented, and what
        while waiting:
            nested, item = waiting.pop()
            if isinstance(item, list):
                lines += [self.indent * nested + line for line in item]
            elif tree[item].is_leaf:
                lines.append(f"{self.indent * nested}return {leaf[item]}{self.end}")
            elif nested > _MOST_NESTED:
                parts.append(item)
                lines.append(f"{self.indent * nested}return {_name(name, item)}(x){self.end}")
            else:
                children = tree[item].children
                opening, conditions = self._test(tree[item], item)
                lines += [self.indent * nested + line for line in opening]
                # The last child needs no condition: the others have returned.
                waiting.append((nested, children[-1]))
                for child, condition in reversed(list(zip(children, conditions, strict=False))):
                    waiting.append((nested, list(self.closing)))
                    waiting.append((nested + 1, child))
                    waiting.append((nested, condition))
        return lines, parts

    def _test(self, node: Node, i: int) -> tuple[list[str], list[list[str]]]:
        """Return the first lines, and the condition of every child but the last."""
        child = self.description.missing_child(node)
        if len(node.functions) == 1:
            test = node.functions[0]
            lines = self.condition(self._wrapped(f"{self.total(test)} <= {test.offset!r}"))
            note = "missing: yes" if child == 0 else "missing: no"
            return [], [self._noted(lines, None if child is None else note)]
        values = [f"{self.total(one)} + {one.offset!r}," for one in node.functions]
        inner = [self.indent + line for text in values for line in self._wrapped(text)]
        begin, end = self.largest
        begin = begin.format(variable=f"branch_{i}", n=len(values))
        conditions = [f"branch_{i} {self.equals} {k}" for k in range(len(node.children) - 1)]
        opening = self._noted([begin, *inner, end], None if child is None else f"missing: {child}")
        return opening, [self.condition([text]) for text in conditions]

    def _noted(self, lines: list[str], note: str | None) -> list[str]:
        """Return lines of which the last has a comment: the answer of missing values."""
        if note is None:
            return lines
        return [*lines[:-1], lines[-1] + self.remark.format(note)]

    # ------------------------------------------------------------------ gates and linear leaves

    def gates(self) -> list[str]:
        """Return the probability of the second branch of every test, in preorder."""
        return [
            f"gate({self.score(node)})" for node in self.description.trees[0] if not node.is_leaf
        ]

    def gate_children(self) -> list[tuple[int, int]]:
        """Return for every test its two children: the number of a test, or -1 - that of a leaf."""
        tree = self.description.trees[0]
        number = {}
        tests = leaves = 0
        for i, node in enumerate(tree):
            number[i] = -1 - leaves if node.is_leaf else tests
            leaves, tests = leaves + node.is_leaf, tests + (not node.is_leaf)
        pairs = (node.children for node in tree if not node.is_leaf)
        return [(number[low], number[high]) for low, high in pairs]

    def prediction(self, slope: Slope) -> list[str]:
        """Return the prediction of a linear leaf, in lines."""
        value = self.slope(slope)
        is_bounded = slope.low > -math.inf or slope.high < math.inf
        return self._wrapped(self.between(slope.low, value, slope.high) if is_bounded else value)

    # ------------------------------------------------------------------ sums

    def value(self, term: Term) -> str:
        """Return ``num(x[X_AGE], 38.5)`` or ``level(x[X_COLOR], 2, 0.1)``."""
        place = f"x[{self.places[term.feature]}]"
        if term.level is None:
            return f"num({place}, {term.fill!r})"
        return f"level({place}, {term.level}, {term.fill!r})"

    def _wrapped(self, text: str) -> list[str]:
        if len(text) <= _WIDTH - 2 * len(self.indent):
            return [text]
        # Break lines before a sign or a comparison, never inside a term.
        for inside in (" * ", ", ", "+ ", "- ", "<= "):
            text = text.replace(inside, inside.replace(" ", _KEPT))
        lines = textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
        return [line.replace(_KEPT, " ") for line in lines]


def _name(tree: str, node: int) -> str:
    return tree if node == 0 else f"{tree}_{node}"
