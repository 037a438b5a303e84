"""QUEST's splits.

W.-Y. Loh and Y.-S. Shih, *Split Selection Methods for Classification Trees*, Statistica Sinica 7,
1997.

Idea
    No split is tried. Tests of association choose the variable, so that one with many values has
    no advantage; discriminant analysis between two groups of classes then gives the split. Linear
    splits combine all variables by one linear discriminant. Categories are scored: `CrimCoords`.

Where the papers are silent
    *Collinear variables*: principal components of less than 1e-10 of the largest variance are
    dropped. *Equal means* of all variables: the univariate split is made. *Weights* are numbers of
    cases. *Equal probabilities* of variables, where there are too few cases to test: the variable
    that explains more. *Super-classes* of linear splits are found in units of the variables'
    deviations. *Missing values* are filled with the node's means.

Where we differ
    A group without spread is cut off in the middle of the gap beside it, not next to it.
"""

from __future__ import annotations

from typing import Literal

from aslant import _core
from aslant.search.base import SplitSearch
from aslant.utils.checks import check_choice, check_number
from aslant.utils.parameters import parameters


@parameters
class QUEST(SplitSearch):
    """Split from discriminant analysis, of all variables or of the one that tests choose.

    The criterion has no part in the choice; it only values the split that is made.

    Parameters
    ----------
    split : {"linear", "univariate"}, default="linear"
        A linear combination of all variables, or one variable: the one with the smallest p-value
        of an analysis of variance (numbers) or a chi-square test (categories) if that is
        significant; else that of Levene's test of unequal spread, if significant; else the former.
    split_point : {"lda", "qda", "exact"}, default="lda"
        Where to cut: between normal distributions of equal ("lda") or different ("qda") variance,
        or at the threshold of highest score ("exact").
    significance : float, default=0.05
        Level of significance of the tests of a univariate split, divided by their number
        (Bonferroni).
    shrinkage : {"auto", "none"}, default="auto"
        ``"auto"``: where there are fewer than ten training rows a column, correlations are shrunk
        towards zero by the closed form of Chen et al. 2010 (OAS). ``"none"``: never, as published.
    """

    split: Literal["linear", "univariate"] = "linear"
    split_point: Literal["lda", "qda", "exact"] = "lda"
    significance: float = 0.05
    shrinkage: Literal["auto", "none"] = "auto"

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_choice("split", self.split, ("linear", "univariate"))
        check_choice("split_point", self.split_point, ("lda", "qda", "exact"))
        check_number("significance", self.significance, 1e-300, 1.0)
        check_choice("shrinkage", self.shrinkage, ("auto", "none"))
        return _core.search(
            "QUEST",
            linear=self.split == "linear",
            split_point=self.split_point,
            alpha=float(self.significance),
            shrinks=self.shrinkage == "auto",
        )
