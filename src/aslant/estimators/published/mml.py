"""MML oblique trees: the tree whose message is shortest, or several weighted by their messages.

P. J. Tan and D. L. Dowe, *MML Inference of Oblique Decision Trees*, Proceedings of the 17th
Australian Joint Conference on Artificial Intelligence, LNAI 3339, 2004.

Idea
    A node is divided while that makes the message shorter (`aslant.search.MML`). The search is
    random, so several trees can be grown, and their messages say which to keep or how much to trust
    each: a message of L bits has probability 2^-L.

Where we differ
    The test that saves most bits at a node need not lead to the shortest message: a test of three
    features can leave rows behind that are hard to divide further. So a tree is grown for each of
    several limits on the features in a test, 1, 2, 4, ... and ``max_features_per_test``, all under
    the same code, and the one with the shortest message is kept; ``smaller_tests=False`` grows one
    tree, as published.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils import Bunch
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aslant.encoding.sample import Sample
from aslant.estimators.base import integer
from aslant.estimators.classifier import TreeClassifier
from aslant.estimators.constraints import refuse_constraints
from aslant.estimators.ensemble import as_estimator
from aslant.estimators.published.as_published import AsPublished
from aslant.growth import Constraints, TreeSettings, build_tree, mean_importances
from aslant.mml import MessageCode, MessageLength
from aslant.mml.message import tree_message
from aslant.search import MML, SplitSearch
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_flag, check_number
from aslant.utils.parameters import parameters


class _Candidate(NamedTuple):
    """A grown tree and its message."""

    tree: Tree
    message: MessageLength
    n_hyperplanes: int
    importances: npt.NDArray[np.float64] | None = None


@parameters
class MMLTreeClassifier(AsPublished, TreeClassifier):
    """MML oblique tree: divided while the message gets shorter.

    P. J. Tan and D. L. Dowe, *MML Inference of Oblique Decision Trees*, 2004; with
    ``max_features_per_test=1`` the univariate tree of C. S. Wallace and J. D. Patrick, *Coding
    Decision Trees*, Machine Learning 11, 1993.

    Weights are numbers of cases: a row of weight 2 is the row twice.

    Parameters
    ----------
    alpha : float or 'tree', default=1.0
        Prior count of every class in the code of a leaf; ``"tree"`` chooses the best of
        `aslant.mml.code.ALPHAS` for the whole tree, which costs log2(6) bits.
    max_features_per_test : int, default=3
        Most features in a test; 1 is Wallace and Patrick's univariate tree.
    smaller_tests : bool, default=True
        Whether a tree is grown for each of several limits on the features of the tests tried (1, 2,
        4, ... and the most), and the shortest message kept; or one alone, as published.
    n_estimators : int, default=1
        Trees to grow, from different random streams.
    combine : {'best', 'average'}, default='best'
        With several trees: keep the one with the shortest message, or average their class
        probabilities with weights 2^-(message length).
    smoothing : float or 'laplace', default='laplace'
        As for `ObliqueDecisionTreeClassifier`; Laplace's (n_k + 1) / (n + K) as published.
    pruning : str, Pruner or None, default=None
        None is needed; `aslant.prune.MessageLengthPruning` with ``min_saving=-inf`` grows on and
        cuts back. Or any other, see `ObliqueDecisionTreeClassifier`.

    Attributes
    ----------
    message_length_ : MessageLength
        Length of the (shortest) message in bits, with its parts.
    tree_ : Tree
        The tree with the shortest message, which `apply` and `decision_path` follow.
    estimators_ : list of MMLTreeClassifier
        The trees, where several are averaged.
    weights_ : ndarray of shape (n_estimators,)
        Their weights.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import MMLTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = MMLTreeClassifier(random_state=0).fit(X, y)
    >>> tree.get_n_leaves()
    3
    """

    _documented_in = (MML,)

    max_features_per_test: int = MML.max_features_per_test
    min_features_per_test: int = MML.min_features_per_test
    strategy: Literal["sweep", "evolution"] = MML.strategy
    restarts: int | None = MML.restarts
    rounds: int | None = MML.rounds
    alpha: float | Literal["tree"] = MML.alpha
    direction: Literal["cap", "paper", "paper_all"] = MML.direction
    position: Literal["gap", "pair", "none"] = MML.position
    attributes: Literal["subset", "none"] = MML.attributes
    min_saving: float = MML.min_saving
    smaller_tests: bool = True
    n_estimators: int = 1
    combine: Literal["best", "average"] = "best"
    smoothing: float | str = "laplace"

    @classmethod
    def _published(cls) -> dict[str, Any]:
        # The paper gives a length for directions alone, none for which features or which cut, and
        # not how long it searches: fewer rounds find no test at all on Bupa.
        return {
            "strategy": "evolution",
            "rounds": 2000,
            "min_features_per_test": 2,
            "direction": "paper",
            "position": "none",
            "attributes": "none",
            "smaller_tests": False,
        }

    # ------------------------------------------------------------------ fitting

    def _tree_settings(self) -> TreeSettings:
        check_number("n_estimators", self.n_estimators, 1, 10**6, integer=True)
        check_choice("combine", self.combine, ("best", "average"))
        check_flag("smaller_tests", self.smaller_tests)
        self._code().check()
        return super()._tree_settings()

    def _constraints(self, sample: Sample) -> Constraints:
        """Return no constraints: a message is about tests of any features."""
        check_choice("feature_costs_paid", self.feature_costs_paid, ("path", "test"))
        refuse_constraints(self, "a message describes tests of any features")
        return Constraints()

    def _grow(self, sample: Sample, settings: TreeSettings, seed: int) -> None:
        seeds = [seed]
        if self.n_estimators > 1:
            seeds = np.random.SeedSequence(seed).generate_state(int(self.n_estimators)).tolist()
        shortest = self._grow_all(sample, settings, seeds)
        best = min(shortest, key=lambda candidate: candidate.message.total)
        self._set_tree(best.tree, sum(candidate.n_hyperplanes for candidate in shortest))
        self.message_length_ = best.message
        for name in ("estimators_", "weights_"):  # of an earlier fit
            if hasattr(self, name):
                delattr(self, name)
        if self.n_estimators > 1 and self.combine == "average":
            self._average(shortest)

    def _average(self, candidates: list[_Candidate]) -> None:
        """Keep several trees, weighted by their messages."""
        settings = {**self.get_params(deep=False), "n_estimators": 1}
        self.estimators_ = []
        for candidate in candidates:
            member = as_estimator(
                MMLTreeClassifier, settings, self, candidate.tree, candidate.importances
            )
            member.message_length_ = candidate.message
            member.n_hyperplanes_ = candidate.n_hyperplanes
            self.estimators_.append(member)
        bits = np.array([candidate.message.total for candidate in candidates])
        weights = 2.0 ** (bits.min() - bits)
        self.weights_ = weights / weights.sum()
        each = [member.feature_importances_ for member in self.estimators_]
        self.feature_importances_ = mean_importances(each, self.weights_)

    def _grow_all(
        self, sample: Sample, settings: TreeSettings, seeds: list[int]
    ) -> list[_Candidate]:
        """Return the shortest tree of each seed; several seeds share the threads."""
        n_threads = min(settings.n_threads, len(seeds))
        if n_threads == 1:
            return [self._shortest(sample, settings, seed) for seed in seeds]
        alone = replace(settings, n_threads=1)
        with ThreadPoolExecutor(n_threads) as pool:
            return list(pool.map(lambda seed: self._shortest(sample, alone, seed), seeds))

    def _shortest(self, sample: Sample, settings: TreeSettings, seed: int) -> _Candidate:
        """Return the tree with the shortest message of those grown under different limits."""
        candidates = []
        for search in self._searches():
            tree, hyperplanes = build_tree(sample, replace(settings, search=search), seed)
            message = tree_message(tree, sample, self._code())
            candidates.append(_Candidate(tree, message, hyperplanes))
        best = min(candidates, key=lambda candidate: candidate.message.total)
        return best._replace(n_hyperplanes=sum(one.n_hyperplanes for one in candidates))

    def _searches(self) -> list[MML]:
        check_number("max_features_per_test", self.max_features_per_test, 1, 2**30, integer=True)
        most = min(int(self.max_features_per_test), max(1, self.n_features_in_))
        fewest = min(int(self.min_features_per_test), most)
        limits = [2**i for i in range(most.bit_length()) if fewest <= 2**i < most] + [most]
        if not self.smaller_tests:
            limits = [most]
        return [
            self._search(alpha=alpha, features_tried=limit)
            for alpha in self._code().alphas()
            for limit in limits
        ]

    def _search(self, **changed: Any) -> MML:
        own = {name: getattr(self, name) for name in MML().get_params() if hasattr(self, name)}
        return MML(**{**own, **changed})

    def _make_search(self) -> SplitSearch:
        return self._search()

    def _code(self) -> MessageCode:
        own = {part.name: getattr(self, part.name) for part in fields(MessageCode)}
        return MessageCode(**own)

    # ------------------------------------------------------------------ predicting

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the class probabilities of the leaf that each row reaches, Laplace's by default.

        Of several averaged trees, the mean with their weights.
        """
        encoded = self._encoded(X)
        if not hasattr(self, "estimators_"):
            return self._frequencies_at(encoded)
        # Summed tree by tree, so that exported code can repeat the rounding.
        proba = np.zeros((len(encoded), self.n_classes_))
        for member, weight in zip(self.estimators_, self.weights_, strict=True):
            proba += weight * member._frequencies_at(encoded)
        return proba

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class; the first one on ties."""
        if not hasattr(self, "estimators_"):
            return super().predict(X)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    @available_if(lambda self: not self._averages())  # type: ignore[untyped-decorator]
    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Return the alphas and impurities of minimal cost-complexity pruning, of one tree."""
        return super().cost_complexity_pruning_path(X, y, sample_weight)

    def _averages(self) -> bool:
        """Whether several trees are to be averaged."""
        return self.combine == "average" and self.n_estimators != 1

    def get_depth(self) -> int:
        """Return the depth of the deepest leaf, over all averaged trees."""
        check_is_fitted(self)
        return max(member.tree_.max_depth for member in getattr(self, "estimators_", [self]))

    def get_n_leaves(self) -> int:
        """Return the number of leaves, of all averaged trees together."""
        check_is_fitted(self)
        return sum(member.tree_.n_leaves for member in getattr(self, "estimators_", [self]))

    # ------------------------------------------------------------------ keeping

    def _trees_to_state(self) -> dict[str, Any]:
        message = {**self.message_length_.parts(), "alpha": self.message_length_.alpha}
        del message["total"]
        state = {**super()._trees_to_state(), "message": message}
        if hasattr(self, "estimators_"):
            state["members"] = [member._trees_to_state() for member in self.estimators_]
        return state

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        super()._trees_from_state(state)
        self.message_length_ = MessageLength(**state["message"])
        if "members" in state:
            self._average([_candidate_from(own) for own in state["members"]])


def _candidate_from(state: dict[str, Any]) -> _Candidate:
    """Return a saved tree and its message."""
    tree = Tree(**state["tree"])
    message = MessageLength(**state["message"])
    return _Candidate(tree, message, integer(state["n_hyperplanes"]), state["importances"])
