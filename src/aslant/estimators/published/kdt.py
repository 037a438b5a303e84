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
from dataclasses import field
from threading import Event
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from aslant.encoding.sample import Sample
from aslant.estimators import ObliqueDecisionTreeClassifier
from aslant.estimators.ensemble import EnsembleClassifier, number_of_trees, share_fit
from aslant.estimators.published.as_published import AsPublished
from aslant.growth.importances import mean_importances
from aslant.search import SplitSearch
from aslant.tree.smoothing import mixed, prior_rows
from aslant.utils.checks import check_choice
from aslant.utils.parameters import parameters


@parameters
class KDTClassifier(AsPublished, EnsembleClassifier):
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
        As for `ObliqueDecisionTreeClassifier`, a vote being a row; 0 gives the shares of the votes.
    n_trees : int or None, default=None
        The old name of `n_estimators`, accepted until version 0.2.

    Attributes
    ----------
    estimators_ : list of ObliqueDecisionTreeClassifier
        The fitted trees.

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
    n_trees: int | None = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, prune_rows: Any = None) -> Self:
        """Grow the trees; parameters as for a single tree."""
        n_trees = number_of_trees(self)
        check_choice("voting", self.voting, ("plurality", "soft"))
        sample = self._prepare(X, y, sample_weight, prune_rows)
        self._progress(len(sample))  # refuses a `verbose` without meaning
        seeds = np.random.SeedSequence(self._draw_seed()).generate_state(n_trees)
        self.estimators_ = self._grow_members(sample, seeds.tolist())
        self._combine_members()
        return self

    def _grow_members(
        self, sample: Sample, seeds: list[int]
    ) -> list[ObliqueDecisionTreeClassifier]:
        """Grow a tree for each seed, on threads: the core does without the interpreter's lock."""
        stopped = Event()
        n_threads = min(self._n_threads(), len(seeds))
        if n_threads == 1:
            return [self._member(sample, seed, stopped) for seed in seeds]
        with ThreadPoolExecutor(n_threads) as pool:
            try:
                return list(pool.map(lambda seed: self._member(sample, seed, stopped), seeds))
            except BaseException:
                stopped.set()  # the other trees end too: leaving the block waits for them
                raise

    def _blank_member(self, seed: int) -> ObliqueDecisionTreeClassifier:
        """Return one tree estimator with this ensemble's settings, not yet fitted."""
        names = ObliqueDecisionTreeClassifier().get_params(deep=False)
        settings = {name: getattr(self, name) for name in names}
        settings.update(random_state=seed, n_jobs=None, search=clone(self.search, safe=False))
        member = ObliqueDecisionTreeClassifier(**settings)
        share_fit(self, member)
        return member

    def _member(self, sample: Sample, seed: int, stopped: Event) -> ObliqueDecisionTreeClassifier:
        """Return one fitted tree, unless the growth of all is stopped meanwhile."""

        def report_or_stop(done: int, n_rows: int) -> None:
            if stopped.is_set():
                raise KeyboardInterrupt
            report = self._progress(n_rows)
            if report is not None:
                report(done)

        member = self._blank_member(seed)
        member.verbose = report_or_stop
        member._fit_sample(sample, seed)
        member.verbose = self.verbose
        return member

    def _combine_members(self) -> None:
        self.feature_importances_ = mean_importances(
            [member.feature_importances_ for member in self.estimators_]
        )
        self.n_hyperplanes_ = sum(member.n_hyperplanes_ for member in self.estimators_)

    def _count(self, X: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the votes and the summed leaf probabilities of each class, per row."""
        encoded = self._encoded(X)
        probabilities = np.zeros((len(encoded), self.n_classes_))
        votes = np.zeros_like(probabilities)
        for member in self.estimators_:
            leaves = member._leaves(encoded)
            probabilities += member._node_probabilities()[leaves]
            votes[np.arange(len(encoded)), member.tree_.value.argmax(axis=1)[leaves]] += 1.0
        return votes, probabilities

    def _check_before_predicting(self) -> None:
        super()._check_before_predicting()
        check_choice("voting", self.voting, ("plurality", "soft"))

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the share of the votes, or the mean leaf probabilities, of each class.

        A vote counts as a row: `smoothing` mixes the votes with a prior, uniform or that of the
        training rows.
        """
        votes, probabilities = self._count(X)
        if self.voting == "soft":
            return probabilities / len(self.estimators_)
        root = self.estimators_[0].tree_.value[0]
        uniform = self.smoothing_prior == "uniform"
        prior = 1.0 / self.n_classes_ if uniform else root / root.sum()
        return mixed(votes, prior, prior_rows(self.smoothing, self.n_classes_))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class with most votes; ties go to the highest summed leaf probability."""
        votes, probabilities = self._count(X)
        if self.voting == "soft":
            return self.classes_[(probabilities / len(self.estimators_)).argmax(axis=1)]
        # The summed probabilities, at most the number of trees, only break ties.
        tie_break = probabilities / (2.0 * len(self.estimators_) + 2.0)
        return self.classes_[(votes + tie_break).argmax(axis=1)]

    def _trees_to_state(self) -> dict[str, Any]:
        return {"members": [member._trees_to_state() for member in self.estimators_]}

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        if not state["members"]:
            raise ValueError("an ensemble needs at least one tree")
        self.estimators_ = []
        for seed, tree_state in enumerate(state["members"]):
            member = self._blank_member(seed)
            member._trees_from_state(tree_state)
            self.estimators_.append(member)
        self._combine_members()
