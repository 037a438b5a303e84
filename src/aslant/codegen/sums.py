"""Linear functions as expressions, added in the order of the core.

The core adds the term of column j to partial sum j % 4, and the partial sums as (0 + 2) + (1 + 3).
With the same order and no fused multiply-add, a sum has the same bits in every language.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from aslant.codegen.description import Linear, Node, Slope, Term


class Sums(ABC):
    """Writes sums in one language."""

    @abstractmethod
    def value(self, term: Term) -> str:
        """Return the value that a term multiplies by its coefficient."""

    def number(self, value: float) -> str:
        """Return a number that reads back as the same 64 bits."""
        return repr(value)

    def total(self, linear: Linear) -> str:
        """Return the sum of the terms, without the offset."""
        lanes = [self._lane(lane) for lane in linear.lanes()]
        pairs = []
        for one, other in ((lanes[0], lanes[2]), (lanes[1], lanes[3])):
            present = [lane for lane in (one, other) if lane]
            if present:
                pairs.append(" + ".join(present))
        if len(pairs) == 2:
            pairs = [f"({pair})" for pair in pairs]
        return " + ".join(pairs) or self.number(0.0)

    def score(self, node: Node) -> str:
        """Return the score of a gate, added in the order of the core."""
        test = node.functions[0]
        inner = self.number(-test.offset)
        for term in test.terms:
            inner += f" {_sign(term.coef)} {self._product(term.coef, self.value(term))}"
        return f"{self.number(node.steepness)} * ({inner})"

    def slope(self, slope: Slope) -> str:
        """Return the prediction of a linear leaf, before it is clipped."""
        text = self.number(slope.value)
        for term in slope.terms:
            fill = f"({self.number(term.fill)})" if term.fill < 0.0 else self.number(term.fill)
            product = self._product(term.coef, f"({self.value(term)} - {fill})")
            text += f" {_sign(term.coef)} {product}"
        return text

    def _product(self, coef: float, value: str) -> str:
        """Return a value times the size of a coefficient."""
        return value if abs(coef) == 1.0 else f"{self.number(abs(coef))} * {value}"

    def _lane(self, terms: Sequence[Term]) -> str:
        text = ""
        for term in terms:
            product = self._product(term.coef, self.value(term))
            sign = _sign(term.coef)
            text += f" {sign} {product}" if text else f"{sign.strip('+')}{product}"
        return f"({text})" if len(terms) > 1 else text


def _sign(coef: float) -> str:
    return "-" if coef < 0.0 else "+"
