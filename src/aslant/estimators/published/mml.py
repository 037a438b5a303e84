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
from dataclasses import fields
from inspect import signature
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils import Bunch
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aslant.encoding.sample import Sample
from aslant.estimators import ObliqueDecisionTreeClassifier, TreeClassifier
from aslant.estimators.ensemble import number_of_trees, share_fit
from aslant.estimators.published.as_published import AsPublished
from aslant.growth.importances import mean_importances
from aslant.mml import MessageCode, MessageLength, tree_message
from aslant.search import MML, SplitSearch
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_flag, check_number
from aslant.utils.parameters import parameters


class _Candidate(NamedTuple):
    """A grown tree and its message."""

    tree: Tree
    message: MessageLength
    n_hyperplanes: int


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
        `aslant.mml.ALPHAS` for the whole tree, which costs log2(6) bits.
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
    n_trees : int or None, default=None
        The old name of `n_estimators`, accepted until version 0.2.
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
    direction: Literal["cap", "paper"] = MML.direction
    position: Literal["gap", "pair", "none"] = MML.position
    attributes: Literal["subset", "none"] = MML.attributes
    min_saving: float = MML.min_saving
    smaller_tests: bool = True
    n_estimators: int = 1
    combine: Literal["best", "average"] = "best"
    smoothing: float | str = "laplace"
    n_trees: int | None = None

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

    def fit(self, X: Any, y: Any, sample_weight: Any = None, prune_rows: Any = None) -> Self:
        """Grow the trees; parameters as for a single tree."""
        n_trees = number_of_trees(self)
        check_choice("combine", self.combine, ("best", "average"))
        check_flag("smaller_tests", self.smaller_tests)
        self._code().check()
        sample = self._prepare(X, y, sample_weight, prune_rows)
        seed = self._draw_seed()
        seeds = [seed]
        if n_trees > 1:
            seeds = np.random.SeedSequence(seed).generate_state(n_trees).tolist()
        shortest = self._grow_all(sample, seeds)
        self._keep(min(shortest, key=lambda candidate: candidate.message.total))
        self.n_hyperplanes_ = sum(candidate.n_hyperplanes for candidate in shortest)
        for name in ("estimators_", "weights_"):  # of an earlier fit
            if hasattr(self, name):
                delattr(self, name)
        if n_trees > 1 and self.combine == "average":
            self.estimators_ = [self._blank_member()._keep(one) for one in shortest]
            self._weigh_members()
        return self

    def _keep(self, candidate: _Candidate) -> Self:
        self.tree_ = candidate.tree
        self.message_length_ = candidate.message
        self.n_hyperplanes_ = candidate.n_hyperplanes
        self.feature_importances_ = self._importances(self.tree_, self.column_spread_)
        return self

    def _weigh_members(self) -> None:
        bits = np.array([member.message_length_.total for member in self.estimators_])
        weights = 2.0 ** (bits.min() - bits)
        self.weights_ = weights / weights.sum()
        importances = [member.feature_importances_ for member in self.estimators_]
        self.feature_importances_ = mean_importances(importances, self.weights_)

    def _grow_all(self, sample: Sample, seeds: list[int]) -> list[_Candidate]:
        """Return the shortest tree of each seed; several seeds share the threads."""
        n_threads = self._n_threads()
        if len(seeds) == 1 or n_threads == 1:
            return [self._shortest(sample, seed, self.n_jobs) for seed in seeds]
        with ThreadPoolExecutor(min(n_threads, len(seeds))) as pool:
            return list(pool.map(lambda seed: self._shortest(sample, seed, None), seeds))

    def _shortest(self, sample: Sample, seed: int, n_jobs: int | None) -> _Candidate:
        """Return the tree with the shortest message of those grown under different limits."""
        candidates = [self._candidate(sample, seed, search, n_jobs) for search in self._searches()]
        best = min(candidates, key=lambda candidate: candidate.message.total)
        return best._replace(n_hyperplanes=sum(one.n_hyperplanes for one in candidates))

    def _candidate(self, sample: Sample, seed: int, search: MML, n_jobs: int | None) -> _Candidate:
        settings = {name: getattr(self, name) for name in signature(TreeClassifier).parameters}
        settings.update(pruning=self._make_pruner(), n_jobs=n_jobs)
        grower = ObliqueDecisionTreeClassifier(search, **settings)
        share_fit(self, grower)
        tree = grower._build_tree(sample, seed)
        return _Candidate(tree, tree_message(tree, sample, self._code()), grower.n_hyperplanes_)

    def _searches(self) -> list[MML]:
        check_number("max_features_per_test", self.max_features_per_test, 1, 2**30, whole=True)
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
        return self._searches()[-1]

    def _code(self) -> MessageCode:
        own = {part.name: getattr(self, part.name) for part in fields(MessageCode)}
        return MessageCode(**own)

    def _blank_member(self) -> MMLTreeClassifier:
        alone = {"n_estimators": 1, "n_trees": None}
        member = MMLTreeClassifier(**{**self.get_params(deep=False), **alone})
        share_fit(self, member)
        return member

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
        given = self.n_estimators if self.n_trees is None else self.n_trees
        return self.combine == "average" and given != 1

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
            self.estimators_ = []
            for own in state["members"]:
                member = self._blank_member()
                member._trees_from_state(own)
                self.estimators_.append(member)
            self._weigh_members()
