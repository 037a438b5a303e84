"""The interface to the holders of the partitions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from aslant.dask.assembly import Place

Handle = Any  # a reference to a remote value
Local = tuple[Place, list[Handle], int]  # a place, the nodes of its level, its number there


class Workers(ABC):
    """The holders of the partitions, which compute with them."""

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
        """Announce the size of the encoded rows."""

    @abstractmethod
    def n_at_once(self) -> int:
        """Return the number of large tasks that may run at once."""

    @abstractmethod
    def waves(self, locals_: list[Local]) -> list[list[list[Local]]]:
        """Divide nodes with few rows into waves of batches: a batch is grown by one worker."""
