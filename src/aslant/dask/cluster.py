"""The workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from dask.delayed import Delayed, delayed
from dask.sizeof import sizeof
from distributed import Client, get_client

from aslant.dask.workers import Handle, Local, Workers

# Fraction of the workers' memory that encoded rows may take.
_SHARE_OF_MEMORY = 0.3
# Values merged by one task.
_MERGED_AT_ONCE = 4


def client_of(client: Client | None) -> Client:
    """Return the client, or the one that is connected; ValueError if there is none."""
    if client is not None:
        if not isinstance(client, Client):
            raise TypeError(f"client must be a dask.distributed.Client, got {client!r:.80}.")
        return client
    try:
        return get_client()
    except ValueError:
        raise ValueError(
            "there is no Dask client: make one, as Client() of dask.distributed does, or give "
            "client."
        ) from None


class DaskWorkers(Workers):
    """Partitions on a cluster; results stay there until `results` fetches them.

    Everything is a function of partitions and earlier results, so that what a worker loses is
    computed again.

    Parameters
    ----------
    client : Client
        The cluster.
    local_rows : int
        Rows of small nodes that go to one worker together.

    Attributes
    ----------
    bytes_here : int
        What has been brought to the client.
    tasks : dict
        How many calls there were for partitions, by function.
    """

    def __init__(self, client: Client, local_rows: int) -> None:
        self._client = client
        self._local_rows = local_rows
        self._bytes_of_data = 0
        self.bytes_here = 0
        self.tasks: dict[str, int] = {}

    def each(
        self, function: Callable[..., Any], *lists: list[Handle], **common: Any
    ) -> list[Delayed]:
        """Call a function for every partition."""
        self.tasks[function.__name__] = self.tasks.get(function.__name__, 0) + len(lists[0])
        run = _named(function)
        message, handles = _sent(common)
        return [run(function, message, *values, **handles) for values in zip(*lists, strict=True)]

    def reduced(self, values: list[Handle], merge: Callable[..., Any], **common: Any) -> Handle:
        """Merge values, neighbours first."""
        message, _ = _sent(common)
        run = _named(merge)
        while len(values) > 1:
            values = [
                run(_merge_all, message, *values[i : i + _MERGED_AT_ONCE], merge=merge)
                for i in range(0, len(values), _MERGED_AT_ONCE)
            ]
        return self.kept(values)[0]

    def call(self, function: Callable[..., Any], *values: Any, **common: Any) -> Handle:
        """Call a function once."""
        message, handles = _sent(common)
        return self.kept([_named(function)(function, message, *values, **handles)])[0]

    def expect(self, n_bytes: int) -> None:
        """Announce the size of the encoded rows."""
        self._bytes_of_data = n_bytes

    def results(self, values: list[Handle]) -> list[Any]:
        """Bring values here."""
        futures = self._client.compute(values)
        try:
            found = self._client.gather(futures)
        except BaseException:
            self._client.cancel(futures)
            raise
        self.bytes_here += sum(int(sizeof(value)) for value in found)
        return list(found)

    def kept(self, values: list[Handle], *, always: bool = True) -> list[Handle]:
        """Persist values in memory; or only if there is room."""
        if not always and not self.fits():
            return values
        return list(self._client.persist(values))

    def fits(self) -> bool:
        """Whether the encoded rows fit into the workers' memory."""
        limits = [worker["memory_limit"] or 0 for worker in self._workers()]
        return self._bytes_of_data <= _SHARE_OF_MEMORY * sum(limits) or 0 in limits

    def _workers(self) -> list[dict[str, Any]]:
        return list(self._client.scheduler_info(n_workers=-1)["workers"].values())

    def n_at_once(self) -> int:
        """Return the number of large tasks that may run at once: two for every thread."""
        return max(1, 2 * sum(worker["nthreads"] for worker in self._workers()))

    def waves(self, locals_: list[Local]) -> list[list[list[Local]]]:
        """Divide nodes with few rows into waves of batches.

        A batch has no more than `local_rows` rows, unless it is a single node; a wave has a few
        batches for every thread of the cluster.
        """
        batches: list[list[Local]] = []
        rows = 0
        for one in sorted(locals_, key=lambda local: -local[0].rows):
            if not batches or rows + one[0].rows > self._local_rows:
                batches.append([])
                rows = 0
            batches[-1].append(one)
            rows += one[0].rows
        at_once = self.n_at_once()
        if self.fits():
            at_once = max(at_once, len(batches))
        return [batches[i : i + at_once] for i in range(0, len(batches), at_once)]


class _Message:
    """Arguments that are the same for all partitions, which Dask does not look into."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values


def _sent(common: dict[str, Any]) -> tuple[Delayed, dict[str, Any]]:
    """Return the message, as a task of its own, and the arguments that lie with the workers.

    A task can be run again where a worker is lost; data that the client scattered could not.
    """
    handles = {name: value for name, value in common.items() if _is_handle(value)}
    values = {name: value for name, value in common.items() if name not in handles}
    return delayed(_same, pure=False)(_Message(values)), handles


def _is_handle(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) > 0 and all(isinstance(one, Delayed) for one in value)
    return isinstance(value, Delayed)


def _same(message: _Message) -> _Message:
    return message


def _named(function: Callable[..., Any]) -> Callable[..., Delayed]:
    """Return what makes tasks that carry the name of a function."""
    task: Callable[..., Delayed] = delayed(_run, name=None, pure=False)
    return lambda *args, **handles: task(
        *args, dask_key_name=f"{function.__name__.strip('_')}-{uuid4().hex}", **handles
    )


def _run(function: Callable[..., Any], message: _Message, *values: Any, **handles: Any) -> Any:
    return function(*values, **message.values, **handles)


def _merge_all(*values: Any, merge: Callable[..., Any], **common: Any) -> Any:
    found = values[0]
    for value in values[1:]:
        found = merge(found, value, **common)
    return found
