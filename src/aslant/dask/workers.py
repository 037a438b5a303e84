"""Whoever holds the partitions and computes with them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from aslant.dask.assembly import Place

Handle = Any  # what stands for a value that lies elsewhere
Local = tuple[Place, list[Handle], int]  # a place, the nodes of its level, its number there


class Workers(ABC):
    """Those who hold the partitions and compute with them."""

    @abstractmethod
    def each(self, function: Callable[..., Any], *lists: list[Handle], **common: Any) -> list[Any]:
        """Call a function for every partition; what it returns stays with the workers."""

    @abstractmethod
    def reduced(self, values: list[Handle], merge: Callable[..., Any], **common: Any) -> Handle:
        """Merge values two by two, neighbours first, in the order of the partitions."""

    @abstractmethod
    def call(self, function: Callable[..., Any], *values: Any, **common: Any) -> Handle:
        """Call a function once."""

    @abstractmethod
    def results(self, values: list[Handle]) -> list[Any]:
        """Bring values here."""

    @abstractmethod
    def kept(self, values: list[Handle], *, always: bool = True) -> list[Handle]:
        """Return values of every partition that are computed once; or if there is room for them."""

    @abstractmethod
    def expect(self, n_bytes: int) -> None:
        """Say how large the encoded rows are."""

    @abstractmethod
    def n_at_once(self) -> int:
        """Return how many large tasks may be under way together."""

    @abstractmethod
    def waves(self, locals_: list[Local]) -> list[list[list[Local]]]:
        """Divide nodes with few rows into waves of batches: a batch is grown by one worker."""
