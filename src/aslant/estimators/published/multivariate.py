"""The multivariate trees of Brodley and Utgoff: threshold units and linear machines.

C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, Machine Learning 19:45-77, 1995.
Their experiments combine a learner of coefficients, a selection of features and, on request,
competition with the best univariate test (their "+ Uni"); a third of the rows is kept for pruning.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from aslant.estimators.classifier import TreeClassifier
from aslant.estimators.published.as_published import AsPublished
from aslant.prune import Pruner, ReducedError
from aslant.search import (
    AverageGain,
    AxisParallel,
    BestOf,
    Learner,
    LinearMachine,
    SequentialSelection,
    SplitSearch,
    Standardize,
    Thermal,
    ThresholdUnit,
)
from aslant.search.sequential_selection import METHODS
from aslant.utils.checks import check_choice, check_flag
from aslant.utils.parameters import fresh, parameters

# What the text leaves open of pruning, as the published sizes have it.
PUBLISHED_PRUNING: dict[str, Any] = {"ties": "prune", "keep_root": True}


class _MultivariateTree(AsPublished, TreeClassifier):
    """What threshold units and linear machines share: selection, and univariate competition."""

    _selections: ClassVar[Sequence[str]] = METHODS

    @abstractmethod
    def _make_test_search(self) -> SplitSearch:
        """Return the search for a test of given features."""

    def _make_search(self) -> SplitSearch:
        test = self._make_test_search()
        params = self.get_params(deep=False)
        selection, univariate = params["selection"], params["univariate"]
        check_flag("univariate", univariate)
        of_selection = {name: params[name] for name in ("shortlist", "beta") if name in params}
        if selection is not None:
            check_choice("selection", selection, self._selections)
            test = SequentialSelection(test, method=selection, **of_selection)
        for name, value in of_selection.items():
            if selection is None and value is not None:
                raise ValueError(f"{name} needs a selection, got {value!r} with selection=None.")
        if not univariate:
            return test
        if params["criterion"] == "gain_ratio":
            return AverageGain([test])
        # Standardised, a category is to the univariate test what it is to the other: columns.
        return BestOf([test, Standardize(AxisParallel())])


@parameters
class LTUTreeClassifier(_MultivariateTree):
    """Trees of linear threshold units.

    C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, Machine Learning 19, 1995. More
    than two classes, which the paper leaves to linear machines, are joined into two groups at every
    node.

    Parameters
    ----------
    learner : {"rls", "pocket", "thermal", "cart"} or Learner, default="rls"
        How coefficients are learned: see `aslant.search.ThresholdUnit`.
    selection : {"sbe", "sfs", "dsbe", "hss", "cart"} or None, default=None
        How the features of a test are selected: see `aslant.search.SequentialSelection`. None: all
        features are used. Selection makes tests shorter; with "rls" it costs little, with the
        others a training for every feature that is tried.
    univariate : bool, default=False
        Whether univariate tests compete at every node, the paper's "+ Uni"; by gain ratio, those of
        at least average gain: see `aslant.search.AverageGain`.
    shortlist : int or None, default=None
        For selection "sbe" and "hss": how many features of lowest dispersion elimination tries.
        None: all.
    beta : float or None, default=None
        For selection "cart": the share of the largest loss that dropping a feature may cost. None:
        0.2.
    criterion : str, default="gain_ratio"
        The merit of a test; "gini" is the paper's other choice.
    pruning : str, Pruner or None, default=ReducedError()
        A third of the rows is held out for pruning; `MultivariateTreePruning` is the paper's
        refinement. Or any other, see `ObliqueDecisionTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import LTUTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> LTUTreeClassifier(random_state=0).fit(X, y).get_n_leaves()
    3
    """

    learner: str | Learner = ThresholdUnit.learner
    selection: Literal["sbe", "sfs", "dsbe", "hss", "cart"] | None = None
    univariate: bool = False
    shortlist: int | None = None
    beta: float | None = None
    criterion: str = ThresholdUnit.default_criterion
    pruning: str | Pruner | None = fresh(ReducedError)

    @classmethod
    def _published(cls) -> dict[str, Any]:
        return {"selection": "sbe", "pruning": ReducedError(**PUBLISHED_PRUNING)}

    def _make_test_search(self) -> SplitSearch:
        return ThresholdUnit(learner=self.learner)


@parameters
class LMDTClassifier(_MultivariateTree):
    """LMDT: trees of linear machines, one branch for every class at a node.

    P. E. Utgoff and C. E. Brodley, *Linear Machine Decision Trees*, 1991; C. E. Brodley and P. E.
    Utgoff, *Multivariate Decision Trees*, Machine Learning 19, 1995.

    Parameters
    ----------
    learner : {"thermal", "pocket", "rls"} or Learner, default="thermal"
        How weights are learned: see `aslant.search.LinearMachine`. "rls" is an extension.
    selection : {"dsbe", "sbe", "sfs", "hss"} or None, default="dsbe"
        How the features of a test are selected: see `aslant.search.SequentialSelection`. None: all.
    univariate : bool, default=False
        Whether univariate tests compete at every node; by gain ratio, those of at least average
        gain: see `aslant.search.AverageGain`.
    keep_empty : bool, default=False
        Whether a class has a branch even if no row of the node takes it: see
        `aslant.search.LinearMachine`.
    shortlist : int or None, default=None
        For selection "sbe" and "hss": how many features of lowest dispersion elimination tries.
        None: all.
    criterion : str, default="gain_ratio"
        The merit of a test.
    pruning : str, Pruner or None, default=ReducedError(validation=0.1)
        A tenth of the rows is held out for pruning, as for `OC1Classifier`; or any other, see
        `ObliqueDecisionTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import LMDTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> LMDTClassifier(random_state=0).fit(X, y).get_n_leaves()
    3
    """

    learner: str | Learner = LinearMachine.learner
    selection: Literal["dsbe", "sbe", "sfs", "hss"] | None = "dsbe"
    univariate: bool = False
    keep_empty: bool = LinearMachine.keep_empty
    shortlist: int | None = None
    criterion: str = LinearMachine.default_criterion
    pruning: str | Pruner | None = fresh(lambda: ReducedError(validation=0.1))

    _selections: ClassVar[Sequence[str]] = ("dsbe", "sbe", "sfs", "hss")

    @classmethod
    def _published(cls) -> dict[str, Any]:
        return {
            "learner": Thermal.as_published(),
            "keep_empty": True,
            "pruning": ReducedError(**PUBLISHED_PRUNING),
        }

    def _make_test_search(self) -> SplitSearch:
        return LinearMachine(learner=self.learner, keep_empty=self.keep_empty)
