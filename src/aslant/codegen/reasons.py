"""What exported code needs to name the features that contribute most to a prediction.

A hyperplane compares 0 with its own function, a linear machine the functions of its branches, a
leaf of classes their logits, and a leaf of values each value with that at the mean. So all of them
are comparisons of functions. `aslant.inspection.decision_path.Explanation.contributions` defines
what each one adds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aslant.codegen.description import Description, Node, Term

#: A child of -1 stands for the function that is largest.
LARGEST = -1
_ZERO: tuple[float, tuple[Term, ...]] = (0.0, ())


@dataclass(frozen=True)
class Comparisons:
    """Tables of a tree.

    Attributes
    ----------
    functions : list
        By comparison: for each function its value at the mean, and its terms.
    paths : list
        By leaf: comparisons, and which function wins.
    """

    functions: list[list[tuple[float, tuple[Term, ...]]]]
    paths: list[list[tuple[int, int]]]


@dataclass(frozen=True)
class Comparison:
    """One comparison, for languages without loops.

    Attributes
    ----------
    functions : list
        Value at the mean and terms of each function.
    winner : dict
        By leaf whose path has the comparison: the function that wins, or `LARGEST`.
    """

    functions: list[tuple[float, tuple[Term, ...]]]
    winner: dict[int, int]

    @property
    def features(self) -> list[int]:
        """The features that the functions read."""
        return sorted({term.feature for _, terms in self.functions for term in terms})

    @property
    def is_open(self) -> bool:
        """Whether the values decide: which function wins, or which of the others is second."""
        return len(self.functions) > 2 or LARGEST in self.winner.values()

    def terms(self, function: int, feature: int) -> list[Term]:
        """Return the terms of a function that read a feature."""
        return [term for term in self.functions[function][1] if term.feature == feature]

    def leaves(self, function: int) -> list[int]:
        """Return the leaves on whose path a function wins."""
        return [leaf for leaf, winner in self.winner.items() if winner == function]


def each_comparison(description: Description) -> list[Comparison]:
    """Return the comparisons that read features, of a model of one tree."""
    made = comparisons_of(description)
    found = [Comparison(functions, {}) for functions in made.functions]
    for leaf, path in enumerate(made.paths):
        for comparison, winner in path:
            found[comparison].winner[leaf] = winner
    return [one for one in found if one.features]


def features_of(comparisons: Sequence[Comparison]) -> list[int]:
    """Return the features that some comparison reads, in order."""
    return sorted({feature for one in comparisons for feature in one.features})


def key_base(features: Sequence[int]) -> float:
    """Return a power of ten above the number of features.

    The key of a feature is its contribution in billionths times this base, plus its place from the
    end. So the largest keys are the reasons, and of equal contributions the first feature wins.
    """
    return float(10 ** len(str(len(features))))


def comparisons_of(description: Description) -> Comparisons:
    """Return the comparisons of a model of one tree."""
    if len(description.trees) != 1:
        raise ValueError(
            f"reasons needs a model of one tree, got {description.estimator} with "
            f"{len(description.trees)} trees."
        )
    tree = description.trees[0]
    made = Comparisons([], [])
    path: dict[int, list[tuple[int, int]]] = {0: []}
    for i, node in enumerate(tree):
        if node.is_leaf:
            own = [*path[i]]
            for functions in _of_leaf(node, bool(description.classes)):
                own.append((len(made.functions), LARGEST))
                made.functions.append(functions)
            made.paths.append(own)
            continue
        for k, child in enumerate(node.children):
            path[child] = [*path[i], (len(made.functions), k)]
        made.functions.append(_of_test(node))
    return made


def plain_functions(made: Comparisons) -> list[list[tuple[float, list[tuple[float, ...]]]]]:
    """Return the functions with their terms as tuples: feature, level or -1, coefficient, mean."""
    return [
        [(at_mean, [plain_term(term) for term in terms]) for at_mean, terms in functions]
        for functions in made.functions
    ]


def plain_term(term: Term) -> tuple[float, ...]:
    """Return feature, level or -1, coefficient and mean."""
    return (term.feature, -1 if term.level is None else term.level, term.coef, term.fill)


def _of_test(node: Node) -> list[tuple[float, tuple[Term, ...]]]:
    if len(node.functions) == 1:
        test = node.functions[0]
        return [_ZERO, (_at_mean(test.terms) - test.offset, test.terms)]
    return [(_at_mean(one.terms) + one.offset, one.terms) for one in node.functions]


def _of_leaf(node: Node, has_classes: bool) -> list[list[tuple[float, tuple[Term, ...]]]]:
    if has_classes and node.slopes:
        return [[(slope.value, slope.terms) for slope in node.slopes]]
    return [[_ZERO, (0.0, slope.terms)] for slope in node.slopes]


def _at_mean(terms: tuple[Term, ...]) -> float:
    return sum(term.coef * term.fill for term in terms)
