"""The functions that predict, chosen among the templates of a language."""

from __future__ import annotations

from dataclasses import dataclass

from aslant.codegen.description import Combination, Description


@dataclass(frozen=True)
class Templates:
    """Templates of one language; ``mean`` functions are ``sum`` of trees and ``reached`` leaves."""

    single: str
    votes: str
    sum: str
    reached: str
    mean_proba: str
    sharpened_proba: str
    largest: str
    single_value: str
    mean_value: str

    def chosen(self, description: Description) -> str:
        """Return the templates that a model needs."""
        is_single = description.combination is Combination.SINGLE
        if description.combination is Combination.VOTES:
            return self.votes
        mean = self.reached if description.combination is Combination.SOFT else self.sum
        if not description.classes:
            return self.single_value if is_single else mean + self.mean_value
        if is_single:
            return self.single
        sharpened = description.exponent is not None
        return mean + (self.sharpened_proba if sharpened else self.mean_proba) + self.largest

    def filled(self, description: Description) -> str:
        """Return the chosen templates with the number of outputs; of one output, only that."""
        text = self.chosen(description).replace("N_OUTPUTS", str(description.n_outputs))
        return text.replace("ONLY", "[0]" if description.n_outputs == 1 else "")
