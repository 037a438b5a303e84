"""Fisher's decision tree.

A. López-Chau, J. Cervantes, L. López-García and F. García Lamont, *Fisher's Decision Tree*, Expert
Systems with Applications 40, 2013.

Idea
    Project the rows of a node onto Fisher's linear discriminant, ``w = S_W^-1 (m_1 - m_2)``, and
    take the best threshold on the projection: one direction, one sort, no search.

Where the paper is silent
    *Threshold*: FDT is built on C4.5, which chooses the threshold of a variable by information gain
    and only compares variables by gain ratio. There is one projection, so the gain decides;
    ``criterion="gain_ratio"`` prefers to cut off a few rows and grows deeper trees. *More than two
    classes*: two super-classes by 2-means on the class means (as in QUEST), or each class against
    the rest. *Equal means*: the best threshold on a single column stands in. *Singular scatter*:
    principal components of less than 1e-10 of the largest variance are dropped.

Where we differ
    The scatter of all rows stands for that within the classes. The direction is the same while
    both are regular. Where they are not, the pseudo-inverse of the scatter within the classes is
    blind to directions without spread, which separate the classes completely; the other finds
    them. Categories, which the paper does not treat, take part as indicator columns, or as scores
    in `CrimCoords`.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from aslant import _core
from aslant.search.base import SplitSearch
from aslant.utils.checks import check_choice, check_flag, check_number
from aslant.utils.parameters import parameters


@parameters
class Fisher(SplitSearch):
    """Best threshold along Fisher's linear discriminant.

    Parameters
    ----------
    multiclass : {"superclasses", "one_vs_rest"}, default="superclasses"
        With more than two classes: join them into two groups by 2-means on their means, or try
        each against the others and keep the split of highest score.
    univariate : bool, default=False
        Whether the best threshold on a single column competes; in the paper it does not.
    min_samples_branch : float, default=2
        Each child must hold this many cases, as published. Weights are numbers of cases.
    shrinkage : {"auto", "none"}, default="auto"
        ``"auto"``: where there are fewer than ten training rows a column, correlations are shrunk
        towards zero by the closed form of Chen et al. 2010 (OAS). ``"none"``: never, as published.
    """

    default_criterion: ClassVar[str] = "entropy"

    multiclass: Literal["superclasses", "one_vs_rest"] = "superclasses"
    univariate: bool = False
    min_samples_branch: float = 2
    shrinkage: Literal["auto", "none"] = "auto"

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_choice("multiclass", self.multiclass, ("superclasses", "one_vs_rest"))
        check_flag("univariate", self.univariate)
        check_number("min_samples_branch", self.min_samples_branch, 0.0)
        check_choice("shrinkage", self.shrinkage, ("auto", "none"))
        return _core.search(
            "Fisher",
            multiclass=self.multiclass,
            univariate=bool(self.univariate),
            min_cases=float(self.min_samples_branch),
            shrinks=self.shrinkage == "auto",
        )
