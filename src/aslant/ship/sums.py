"""Linear functions as expressions, added in the order in which the core adds.

The core adds the term of column j to partial sum j % 4, and the partial sums as (0 + 2) + (1 + 3).
With the same order and no fused multiply-add, a sum has the same bits in every language.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from aslant.ship.description import Linear, Term


class Sums(ABC):
    """Writes sums in one language."""

    @abstractmethod
    def value(self, term: Term) -> str:
        """Return what a term multiplies with its coefficient."""

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

    def _lane(self, terms: Sequence[Term]) -> str:
        text = ""
        for term in terms:
            size, product = abs(term.coef), self.value(term)
            if size != 1.0:
                product = f"{self.number(size)} * {product}"
            sign = "-" if term.coef < 0.0 else "+"
            text += f" {sign} {product}" if text else f"{sign.strip('+')}{product}"
        return f"({text})" if len(terms) > 1 else text
