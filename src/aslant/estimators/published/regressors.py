"""The published systems for regression: one thin class each."""

from __future__ import annotations

from typing import Literal

from aslant.estimators.published.as_published import search_of
from aslant.estimators.published.shared_parameters import (
    CARTLCParameters,
    HHCARTParameters,
    OC1Parameters,
)
from aslant.estimators.regressor import TreeRegressor
from aslant.prune import CostComplexity, Pruner
from aslant.search import (
    CARTLC,
    HHCART,
    OC1,
    AxisParallel,
    BestOf,
    CrimCoords,
    LeastSquares,
    ResidualSigns,
    SequentialSelection,
    SplitSearch,
)
from aslant.utils.checks import check_choice, check_flag
from aslant.utils.parameters import fresh, parameters


@parameters
class CARTRegressor(TreeRegressor):
    """CART's axis-parallel regression tree.

    L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984,
    chapter 8. With ``pruning=CostComplexity(cv=10)`` CART as published.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from aslant import CARTRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> CARTRegressor(max_depth=2).fit(X, y).get_n_leaves()
    4
    """

    def _make_search(self) -> SplitSearch:
        return AxisParallel.with_parameters_of(self)


@parameters
class OC1Regressor(OC1Parameters, TreeRegressor):
    """OC1 for regression: randomised hill-climbing for oblique splits by squared error.

    S. K. Murthy, S. Kasif and S. Salzberg, *A System for Induction of Oblique Decision Trees*,
    Journal of Artificial Intelligence Research 2, 1994, which predicts classes: here the criterion
    and the pruning go by squared error.

    Parameters
    ----------
    pruning : str, Pruner or None, default=CostComplexity(keep_root=True)
        The paper's: a tenth of the rows is held out, the smallest tree of least squared error on it
        is chosen, and the root split always stays; or any other, see
        `ObliqueDecisionTreeRegressor`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from aslant import OC1Regressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> OC1Regressor(max_depth=1, random_state=0).fit(X, y).get_n_leaves()
    2
    """

    pruning: str | Pruner | None = fresh(lambda: CostComplexity(keep_root=True))

    def _make_search(self) -> SplitSearch:
        return search_of(self, OC1, self.search)


@parameters
class CARTLCRegressor(CARTLCParameters, TreeRegressor):
    """CART with linear combinations, for regression.

    L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984,
    chapters 5 and 8.

    Parameters
    ----------
    pruning : str, Pruner or None, default=CostComplexity(keep_root=True)
        As for `OC1Regressor`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from aslant import CARTLCRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> CARTLCRegressor(max_depth=1, random_state=0).fit(X, y).get_n_leaves()
    2
    """

    pruning: str | Pruner | None = fresh(lambda: CostComplexity(keep_root=True))

    def _make_search(self) -> SplitSearch:
        return search_of(self, CARTLC, self.search)


@parameters
class HHCARTRegressor(HHCARTParameters, TreeRegressor):
    """HHCART for regression: reflections of the rows above and below the node's fitted value.

    D. C. Wickramarachchi, B. L. Robertson, M. Reale, C. J. Price and J. Brown, *HHCART: An oblique
    decision tree*, Computational Statistics and Data Analysis 96, 2016, for the two classes of
    `aslant.search.ResidualSigns`. The thresholds along the axes compete, as in the paper, by the
    tree's own criterion.

    Parameters
    ----------
    residuals : {'mean', 'line'}, default='mean'
        The fitted value that rows are above or below of: the mean of the node, or its least-squares
        line.
    pruning : str, Pruner or None, default=CostComplexity()
        The paper's: a tenth of the rows is held out and the smallest tree of least squared error on
        it is chosen (0-SE), be it a single leaf; or any other, see `ObliqueDecisionTreeRegressor`.
    min_samples_split : int or float, default=3
        Rows a node needs to be split. The paper's MinParent is one less: 2.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from aslant import HHCARTRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> HHCARTRegressor(max_depth=2, pruning=None).fit(X, y).get_n_leaves()
    4
    """

    residuals: Literal["mean", "line"] = "mean"
    pruning: str | Pruner | None = fresh(CostComplexity)
    min_samples_split: float = 3

    def _make_search(self) -> SplitSearch:
        check_choice("residuals", self.residuals, ("mean", "line"))
        reflections = CrimCoords(search_of(self, HHCART, self.search))
        return BestOf([AxisParallel(), ResidualSigns(reflections, fit=self.residuals)])


@parameters
class LeastSquaresTreeRegressor(TreeRegressor):
    """Thresholds along the ridge regression of the target on the node's columns.

    C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, Machine Learning 19:45-77, 1995,
    whose threshold units by least squares here have numbers for a target.

    Parameters
    ----------
    selection : {'sbe', 'sfs', 'dsbe', 'hss', 'cart'} or None, default=None
        How the columns of a test are selected: see `aslant.search.SequentialSelection`. None takes
        all of them.
    univariate : bool, default=True
        Whether axis-parallel tests compete at every node.
    pruning : str, Pruner or None, default=CostComplexity(cv=10)
        The smallest tree of least cross-validated squared error; or any other, see
        `ObliqueDecisionTreeRegressor`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from aslant import LeastSquaresTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> LeastSquaresTreeRegressor(max_depth=2, pruning=None).fit(X, y).get_n_leaves()
    4
    """

    _documented_in = (LeastSquares,)

    ridge: float = LeastSquares.ridge
    selection: Literal["sbe", "sfs", "dsbe", "hss", "cart"] | None = None
    univariate: bool = True
    pruning: str | Pruner | None = fresh(lambda: CostComplexity(cv=10))

    def _make_search(self) -> SplitSearch:
        check_flag("univariate", self.univariate)
        oblique: SplitSearch = LeastSquares.with_parameters_of(self)
        if self.selection is not None:
            oblique = SequentialSelection(oblique, method=self.selection)
        return BestOf([AxisParallel(), oblique]) if self.univariate else oblique
