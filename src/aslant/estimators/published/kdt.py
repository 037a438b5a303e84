"""k-DT: several trees of a randomised search on the same data, and a vote.

D. Heath, S. Kasif and S. Salzberg, *k-DT: A Multi-Tree Learning Method*, Proceedings of the Second
International Workshop on Multistrategy Learning, 1993.

Idea
    A randomised search gives a different tree for every seed. Their plurality is more accurate than
    any one of them. There is no resampling: all trees see all rows.

Where the paper is silent
    The number of trees; 11 by default. Ties of the vote go to the class of the highest summed leaf
    probability, then to the first class.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import field, replace
from threading import Event
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from aslant.encoding.sample import Sample
from aslant.estimators.base import integer
from aslant.estimators.classifier import ClassifierParameters, ObliqueDecisionTreeClassifier
from aslant.estimators.ensemble import TreeEnsemble, as_estimator
from aslant.estimators.published.as_published import AsPublished
from aslant.growth import Growth, TreeSettings, build_tree, mean_importances
from aslant.search import SplitSearch
from aslant.search.base import chosen_search
from aslant.search.registry import SEARCHES
from aslant.tree.smoothing import mixed, node_probabilities, prior_rows
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_number
from aslant.utils.parameters import parameters


@parameters
class KDTClassifier(AsPublished, TreeEnsemble, ClassifierParameters):
    """k trees of a randomised search, and their vote.

    D. Heath, S. Kasif and S. Salzberg, *k-DT: A Multi-Tree Learning Method*, 1993.

    Parameters
    ----------
    search : str or SplitSearch, default='sadt'
        A randomised search: ``"sadt"`` as published, ``"oc1"``, or one of your own.
    n_estimators : int, default=11
        Number of trees.
    voting : {'plurality', 'soft'}, default='plurality'
        Each tree has one vote; or the leaf probabilities of the trees are averaged.
    smoothing : float or 'laplace', default=0.0
        As for `ObliqueDecisionTreeClassifier`, a vote being a row; 0 gives the fractions
        of the votes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import KDTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> vote = KDTClassifier("oc1", n_estimators=5, random_state=0).fit(X, y)
    >>> len(vote), vote[0].get_n_leaves()
    (5, 5)
    """

    _documented_in = (ObliqueDecisionTreeClassifier,)

    search: str | SplitSearch = field(default="sadt", kw_only=False)
    n_estimators: int = 11
    voting: Literal["plurality", "soft"] = "plurality"
    smoothing: float | str = 0.0
    criterion: str | None = None

    # ------------------------------------------------------------------ fitting

    def _make_search(self) -> SplitSearch:
        return chosen_search(self.search, SEARCHES)

    def _tree_settings(self) -> TreeSettings:
        check_number("n_estimators", self.n_estimators, 1, 10**6, integer=True)
        check_choice("voting", self.voting, ("plurality", "soft"))
        return super()._tree_settings()

    def _grow(self, sample: Sample, settings: TreeSettings, seed: int) -> None:
        seeds = np.random.SeedSequence(seed).generate_state(int(self.n_estimators)).tolist()
        grown = _grow_all(sample, settings, seeds)
        self._member_seeds: list[int] = seeds
        self._set_trees([one.tree for one in grown])
        self._hyperplanes = [one.n_hyperplanes for one in grown]
        self._combine([self._importances_of(tree) for tree in self.trees_])

    def _combine(self, importances: list[npt.NDArray[np.float64]]) -> None:
        self._importances = importances
        self.feature_importances_ = mean_importances(importances)
        self.n_hyperplanes_ = sum(self._hyperplanes)

    def _member(self, number: int) -> ObliqueDecisionTreeClassifier:
        names = ObliqueDecisionTreeClassifier().get_params(deep=False)
        settings = {name: getattr(self, name) for name in names}
        own = {"random_state": self._member_seeds[number], "n_jobs": None}
        settings |= {**own, "search": clone(self.search, safe=False)}
        kind, tree = ObliqueDecisionTreeClassifier, self.trees_[number]
        member = as_estimator(kind, settings, self, tree, self._importances[number])
        member.n_hyperplanes_ = self._hyperplanes[number]
        return member

    # ------------------------------------------------------------------ predicting

    def _votes(self, X: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the votes and the summed leaf probabilities of each class, per row."""
        leaves = self._leaves(self._encoded(X))
        probabilities = np.zeros((len(leaves), self.n_classes_))
        votes = np.zeros_like(probabilities)
        for tree, reached in zip(self.trees_, leaves.T, strict=True):
            by_node = node_probabilities(tree, self.smoothing, self.smoothing_prior)
            probabilities += by_node[reached]
            votes[np.arange(len(votes)), tree.value.argmax(axis=1)[reached]] += 1.0
        return votes, probabilities

    def _check_before_predicting(self) -> None:
        super()._check_before_predicting()
        check_choice("voting", self.voting, ("plurality", "soft"))

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the fraction of the votes, or the mean leaf probabilities, of each class.

        A vote counts as a row: `smoothing` mixes the votes with a prior, uniform or that of the
        training rows.
        """
        votes, probabilities = self._votes(X)
        if self.voting == "soft":
            return probabilities / len(self.trees_)
        root = self.trees_[0].value[0]
        uniform = self.smoothing_prior == "uniform"
        prior = 1.0 / self.n_classes_ if uniform else root / root.sum()
        return mixed(votes, prior, prior_rows(self.smoothing, self.n_classes_))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class with most votes; ties go to the highest summed leaf probability."""
        votes, probabilities = self._votes(X)
        if self.voting == "soft":
            return self.classes_[(probabilities / len(self.trees_)).argmax(axis=1)]
        # The summed probabilities, at most the number of trees, only break ties.
        tie_break = probabilities / (2.0 * len(self.trees_) + 2.0)
        return self.classes_[(votes + tie_break).argmax(axis=1)]

    # ------------------------------------------------------------------ saving

    def _trees_to_state(self) -> dict[str, Any]:
        members = [
            {
                "tree": {"n_features": tree.n_features, **tree.arrays()},
                "importances": importances,
                "n_hyperplanes": n_hyperplanes,
            }
            for tree, importances, n_hyperplanes in zip(
                self.trees_, self._importances, self._hyperplanes, strict=True
            )
        ]
        return {"members": members}

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        members = state["members"]
        if not members:
            raise ValueError("an ensemble needs at least one tree")
        trees = [Tree(**member["tree"]) for member in members]
        n_features = len(self.encoder_.source)
        if any(
            (tree.n_features, tree.n_classes) != (n_features, self.n_classes_) for tree in trees
        ):
            raise ValueError("the trees have other features or classes than the estimator")
        self._member_seeds = list(range(len(trees)))
        self._hyperplanes = [integer(member["n_hyperplanes"]) for member in members]
        self._set_trees(trees)
        self._combine([member["importances"] for member in members])


def _grow_all(sample: Sample, settings: TreeSettings, seeds: list[int]) -> list[Growth]:
    """Grow a tree for each seed, on threads: the core does not hold the interpreter's lock."""
    stopped = Event()

    def report_or_stop(done: int, n_rows: int) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        if settings.progress is not None:
            settings.progress(done, n_rows)

    alone = replace(settings, n_threads=1, progress=report_or_stop)
    n_threads = min(settings.n_threads, len(seeds))
    if n_threads == 1:
        return [build_tree(sample, alone, seed) for seed in seeds]
    with ThreadPoolExecutor(n_threads) as pool:
        try:
            return list(pool.map(lambda seed: build_tree(sample, alone, seed), seeds))
        except BaseException:
            stopped.set()  # the other trees end too: leaving the block waits for them
            raise
