"""The published systems that are one search and one pruning: one thin class each."""

from __future__ import annotations

from typing import Any, Literal

from aslant.estimators.classifier import TreeClassifier
from aslant.estimators.published.as_published import AsPublished, search_of
from aslant.estimators.published.shared_parameters import (
    CARTLCParameters,
    HHCARTParameters,
    OC1Parameters,
)
from aslant.prune import CostComplexity, ErrorBased, Pruner
from aslant.search import (
    C45,
    CARTLC,
    HHCART,
    OC1,
    QUEST,
    SADT,
    AxisParallel,
    CrimCoords,
    Fisher,
    PolePair,
    SplitSearch,
)
from aslant.search.base import Criterion
from aslant.search.pole_pair import MOST_POLES
from aslant.utils.parameters import fresh, parameters


@parameters
class CARTClassifier(AsPublished, TreeClassifier):
    """CART's axis-parallel tree.

    L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984.
    With ``criterion="twoing", pruning=CostComplexity(keep_root=True)`` it is the OC1-AP of the OC1
    paper; `as_published` prunes by cost-complexity with 10-fold cross-validation.

    Parameters
    ----------
    criterion : str or callable, default='gini'
        Splitting criterion: see `ObliqueDecisionTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import CARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> CARTClassifier(max_depth=2).fit(X, y).get_n_leaves()
    3
    """

    criterion: Criterion = AxisParallel.default_criterion

    @classmethod
    def _published(cls) -> dict[str, Any]:
        # Breiman et al., section 3.4: the tree of least cross-validated error.
        return {"pruning": CostComplexity(cv=10)}

    def _make_search(self) -> SplitSearch:
        return AxisParallel.with_parameters_of(self)


@parameters
class C45Classifier(AsPublished, TreeClassifier):
    """C4.5: gain ratio, a branch per level of a category, error-based pruning.

    J. R. Quinlan, *C4.5: Programs for Machine Learning*, 1993.

    Parameters
    ----------
    pruning : str, Pruner or None, default=ErrorBased()
        C4.5's own, with confidence 0.25 and subtree raising; or any other, see
        `ObliqueDecisionTreeClassifier`.

    Examples
    --------
    >>> from aslant import C45Classifier
    >>> X = [["clear", 3], ["clear", 12], ["grey", 4], ["grey", 9], ["rain", 2], ["rain", 13]]
    >>> y = ["no", "yes", "yes", "yes", "no", "no"]
    >>> tree = C45Classifier(min_samples_branch=1, categorical_features=[0]).fit(X, y)
    >>> tree.predict([["grey", 20], ["rain", 12]])
    array(['yes', 'no'], dtype='<U3')
    """

    _documented_in = (C45,)

    min_samples_branch: float = C45.min_samples_branch
    threshold_cost: bool = C45.threshold_cost
    pruning: str | Pruner | None = fresh(ErrorBased)

    def _make_search(self) -> SplitSearch:
        return C45.with_parameters_of(self)


@parameters
class OC1Classifier(AsPublished, OC1Parameters, TreeClassifier):
    """OC1: randomised hill-climbing for oblique splits.

    S. K. Murthy, S. Kasif and S. Salzberg, *A System for Induction of Oblique Decision Trees*,
    Journal of Artificial Intelligence Research 2, 1994.

    Parameters
    ----------
    criterion : str or callable, default='twoing'
        Splitting criterion: see `ObliqueDecisionTreeClassifier`.
    pruning : str, Pruner or None, default=CostComplexity(keep_root=True)
        The paper's: a tenth of the rows is held out, the smallest tree of least error on it is
        chosen, and the root split always stays; or any other, see `ObliqueDecisionTreeClassifier`.

    Examples
    --------
    >>> from aslant import OC1Classifier
    >>> from aslant.datasets import make_pol
    >>> X, y = make_pol(500, random_state=0)
    >>> tree = OC1Classifier(random_state=0).fit(X, y)
    >>> tree.get_n_leaves()
    5
    >>> OC1Classifier().set_params(pruning__cv=10).pruning
    CostComplexity(cv=10, keep_root=True)
    """

    criterion: Criterion = OC1.default_criterion
    pruning: str | Pruner | None = fresh(lambda: CostComplexity(keep_root=True))

    @classmethod
    def _published(cls) -> dict[str, Any]:
        return {"missing": "training_mean"}

    @classmethod
    def _published_search(cls) -> dict[str, Any]:
        # Version 3.0 of the program: steps of at most 1e-4 are none.
        return {"legacy_sweep": True, "min_step": 1e-4, "small_nodes": "rows"}

    def _make_search(self) -> SplitSearch:
        return search_of(self, OC1, self.search)


@parameters
class CARTLCClassifier(AsPublished, CARTLCParameters, TreeClassifier):
    """CART with linear combinations.

    L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984,
    chapter 5, with the settings of the OC1 paper's experiments.

    Parameters
    ----------
    criterion : str or callable, default='twoing'
        Splitting criterion: see `ObliqueDecisionTreeClassifier`.
    pruning : str, Pruner or None, default=CostComplexity(keep_root=True)
        As for `OC1Classifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import CARTLCClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> CARTLCClassifier(random_state=0).fit(X, y).get_n_leaves()
    3
    """

    criterion: Criterion = CARTLC.default_criterion
    pruning: str | Pruner | None = fresh(lambda: CostComplexity(keep_root=True))

    @classmethod
    def _published(cls) -> dict[str, Any]:
        return {"missing": "training_mean"}

    @classmethod
    def _published_search(cls) -> dict[str, Any]:
        # The linear combinations of OC1's program, which both papers' experiments used.
        return {
            "legacy_sweep": True,
            "keep": "last",
            "univariate": False,
            "min_samples_oblique": None,
        }

    def _make_search(self) -> SplitSearch:
        return search_of(self, CARTLC, self.search)


@parameters
class SADTClassifier(AsPublished, TreeClassifier):
    """SADT: simulated annealing of oblique splits.

    D. Heath, S. Kasif and S. Salzberg, *Induction of Oblique Decision Trees*, IJCAI 1993.

    Parameters
    ----------
    criterion : str, default='entropy'
        The energy is minus its score: ``"max_minority"``, ``"sum_minority"``,
        ``"sum_of_variances"`` or ``"entropy"`` in the papers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import SADTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> SADTClassifier(patience=1000, random_state=0).fit(X, y).score(X, y)
    1.0
    """

    _documented_in = (SADT,)

    temperature: float = SADT.temperature
    cooling: float = SADT.cooling
    patience: int = SADT.patience
    move: Literal["single", "all"] = SADT.move
    step: float | None = SADT.step
    criterion: Criterion = SADT.default_criterion

    @classmethod
    def _published(cls) -> dict[str, Any]:
        return {"move": "all"}  # Murthy, Kasif and Salzberg (1994), section 2

    def _make_search(self) -> SplitSearch:
        return SADT.with_parameters_of(self)


@parameters
class FisherTreeClassifier(AsPublished, TreeClassifier):
    """Fisher's decision tree: the best threshold along Fisher's linear discriminant.

    A. López-Chau, J. Cervantes, L. López-García and F. García Lamont, *Fisher's Decision Tree*,
    Expert Systems with Applications 40, 2013. Categories are scored, see
    `aslant.search.CrimCoords`.

    Parameters
    ----------
    criterion : str or callable, default='entropy'
        Splitting criterion: see `ObliqueDecisionTreeClassifier`.
    pruning : str, Pruner or None, default=ErrorBased()
        C4.5's, with confidence 0.25 and subtree raising; or any other, see
        `ObliqueDecisionTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import FisherTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> FisherTreeClassifier().fit(X, y).get_n_leaves()
    3
    """

    _documented_in = (Fisher,)

    multiclass: Literal["superclasses", "one_vs_rest"] = Fisher.multiclass
    univariate: bool = Fisher.univariate
    min_samples_branch: float = Fisher.min_samples_branch
    shrinkage: Literal["auto", "none"] = Fisher.shrinkage
    criterion: Criterion = Fisher.default_criterion
    pruning: str | Pruner | None = fresh(ErrorBased)

    @classmethod
    def _published(cls) -> dict[str, Any]:
        return {"shrinkage": "none"}

    def _make_search(self) -> SplitSearch:
        return CrimCoords(Fisher.with_parameters_of(self))


@parameters
class QUESTClassifier(AsPublished, TreeClassifier):
    """QUEST: variables from tests of association, splits from discriminant analysis.

    W.-Y. Loh and Y.-S. Shih, *Split Selection Methods for Classification Trees*, Statistica Sinica
    7, 1997. Priors are estimated and all errors cost the same.

    Parameters
    ----------
    criterion : str, default='gini'
        Values splits, for the importances and ``min_impurity_decrease``; chooses none.
    pruning : str, Pruner or None, default=CostComplexity(cv=10)
        Cost-complexity by 10-fold cross-validation with the 0-SE rule; or any other, see
        `ObliqueDecisionTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import QUESTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> QUESTClassifier(random_state=0).fit(X, y).get_n_leaves()
    3
    """

    _documented_in = (QUEST,)

    split: Literal["linear", "univariate"] = QUEST.split
    split_point: Literal["lda", "qda", "exact"] = QUEST.split_point
    significance: float = QUEST.significance
    shrinkage: Literal["auto", "none"] = QUEST.shrinkage
    criterion: Criterion = QUEST.default_criterion
    pruning: str | Pruner | None = fresh(lambda: CostComplexity(cv=10))

    @classmethod
    def _published(cls) -> dict[str, Any]:
        # Wickramarachchi et al. (2016), section 4.2: a tenth of the rows is held out.
        return {"shrinkage": "none", "pruning": CostComplexity()}

    def _make_search(self) -> SplitSearch:
        return QUEST.with_parameters_of(self)


@parameters
class HHCARTClassifier(AsPublished, HHCARTParameters, TreeClassifier):
    """HHCART: thresholds on rows reflected along the orientations of the classes.

    D. C. Wickramarachchi, B. L. Robertson, M. Reale, C. J. Price and J. Brown, *HHCART: An oblique
    decision tree*, Computational Statistics and Data Analysis 96, 2016. Categories are scored at
    every node, as in the paper: see `aslant.search.CrimCoords`.

    Parameters
    ----------
    criterion : str or callable, default='twoing'
        Splitting criterion: see `ObliqueDecisionTreeClassifier`.
    pruning : str, Pruner or None, default=CostComplexity()
        The paper's: a tenth of the rows is held out and the smallest tree of least error on it is
        chosen (0-SE), be it a single leaf; or any other, see `ObliqueDecisionTreeClassifier`.
    min_samples_split : int or float, default=3
        Rows a node needs to be split; a float is a fraction of all rows. The paper's MinParent is
        one less: 2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import HHCARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> HHCARTClassifier(random_state=0).fit(X, y).get_n_leaves()
    3
    """

    criterion: Criterion = HHCART.default_criterion
    pruning: str | Pruner | None = fresh(CostComplexity)
    min_samples_split: float = 3

    @classmethod
    def _published(cls) -> dict[str, Any]:
        return {"pruning": CostComplexity(keep_root=True)}  # the root split stays

    @classmethod
    def _published_search(cls) -> dict[str, Any]:
        # One reflection for an eigenvector, whatever its eigenvalue.
        return {"null_directions": "all", "shrinkage": "none", "sign": "positive"}

    def _make_search(self) -> SplitSearch:
        return CrimCoords(search_of(self, HHCART, self.search))


@parameters
class PolePairClassifier(AsPublished, TreeClassifier):
    """Pole pairs: splits halfway between two training rows.

    G. E. Hinton and M. Revow, *Using Pairs of Data-Points to Define Splits for Decision Trees*,
    Advances in Neural Information Processing Systems 8, 1996.

    Parameters
    ----------
    criterion : str or callable, default='gini'
        Splitting criterion: see `ObliqueDecisionTreeClassifier`.
    pruning : str, Pruner or None, default=CostComplexity(cv=10, leaf_matching=True)
        The paper's: ten subsidiary trees, each grown on nine tenths of the rows, estimate the error
        of each tree of the main sequence by their largest trees with no more leaves; the smallest
        tree of least error is chosen. Or any other, see `ObliqueDecisionTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import PolePairClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> PolePairClassifier(random_state=0).fit(X, y).get_n_leaves()
    3
    """

    _documented_in = (PolePair,)

    pairs: Literal["opposite", "all"] = PolePair.pairs
    thresholds: Literal["midpoint", "all"] = PolePair.thresholds
    scale: Literal["training", "raw", "node"] = PolePair.scale
    exact_rows: int = PolePair.exact_rows
    poles: int = PolePair.poles
    criterion: Criterion = PolePair.default_criterion
    pruning: str | Pruner | None = fresh(lambda: CostComplexity(cv=10, leaf_matching=True))

    @classmethod
    def _published(cls) -> dict[str, Any]:
        return {"exact_rows": MOST_POLES}  # all pairs, however many rows there are

    def _make_search(self) -> SplitSearch:
        return PolePair.with_parameters_of(self)
