"""Divisions of the rows into training, pruning and test rows.

The division of a run depends only on the rows and the number of the run, so all methods see the
same rows.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import KFold, StratifiedKFold

Indices = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Division:
    """Training rows, test rows and, where a paper has them, pruning rows."""

    train: Indices
    test: Indices
    prune: Indices | None = None


@dataclass(frozen=True)
class Plan(ABC):
    """How the rows are divided, and how often.

    Attributes
    ----------
    runs : int
        The number of repetitions, with other divisions.
    """

    runs: int

    @property
    def fits(self) -> int:
        """Trees grown in one run."""
        return 1

    @abstractmethod
    def divide(
        self, y: npt.NDArray[Any], split: npt.NDArray[np.str_] | None, run: int
    ) -> list[Division]:
        """Return the divisions of one run.

        Parameters
        ----------
        y : ndarray
            The labels.
        split : ndarray of str or None
            "train" or "test" for each row, where the data set comes divided.
        run : int
            Which run, from 0.
        """


@dataclass(frozen=True)
class Folds(Plan):
    """Cross-validation, repeated.

    Attributes
    ----------
    folds : int
        Parts, each of which is the test set once.
    stratified : bool
        Whether every fold has the same class proportions.
    prune_share : float
        Share of all rows set apart for pruning from those that are not tested on.
    """

    folds: int
    stratified: bool = False
    prune_share: float = 0.0

    @property
    def fits(self) -> int:
        """Trees grown in one run."""
        return self.folds

    def divide(
        self, y: npt.NDArray[Any], split: npt.NDArray[np.str_] | None, run: int
    ) -> list[Division]:
        """Return a division for each part: see `Plan.divide`."""
        kind = StratifiedKFold if self.stratified else KFold
        with warnings.catch_warnings():  # of a class with fewer rows than folds: not in every part
            warnings.simplefilter("ignore", UserWarning)
            parts = list(kind(self.folds, shuffle=True, random_state=run).split(y, y))
        if not self.prune_share:
            return [Division(train, test) for train, test in parts]
        n_prune = round(self.prune_share * len(y))
        divisions = []
        for fold, (rest, test) in enumerate(parts):
            shuffled = np.random.default_rng([run, fold]).permutation(rest)
            prune, train = np.sort(shuffled[:n_prune]), np.sort(shuffled[n_prune:])
            divisions.append(Division(train, test, prune))
        return divisions


@dataclass(frozen=True)
class RandomDivisions(Plan):
    """One random division into training and test rows a run.

    Attributes
    ----------
    train_share : float
        Share of the rows to train on.
    """

    train_share: float

    def divide(
        self, y: npt.NDArray[Any], split: npt.NDArray[np.str_] | None, run: int
    ) -> list[Division]:
        """Return the one division of a run: see `Plan.divide`."""
        shuffled = np.random.default_rng(run).permutation(len(y))
        n_train = round(self.train_share * len(y))
        return [Division(np.sort(shuffled[:n_train]), np.sort(shuffled[n_train:]))]
