"""What ``--dask`` does: a cluster to work on, and ``aslant fit`` on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from aslant.cli.options import ReadingOptions, TrainingOptions
from aslant.utils.progress import GrowthBar

if TYPE_CHECKING:
    from aslant.cli.training import Fitted

HERE = "here"
"""The address of a cluster that is started on this machine."""

# The methods of `fit --dask` if none is named: auto is chosen on one machine.
DEFAULT_METHODS = {"classification": "hhcart", "regression": "least_squares"}


def with_address(arguments: Sequence[str]) -> list[str]:
    """Return arguments in which ``--dask`` without an address has the address of this machine."""
    arguments = list(arguments)
    completed = []
    for i, argument in enumerate(arguments):
        following = arguments[i + 1] if i + 1 < len(arguments) else ""
        alone = argument == "--dask" and ":" not in following
        completed.append(f"--dask={HERE}" if alone else argument)
    return completed


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to a cluster while a block runs; a local one uses all cores."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ImportError(
            "--dask needs dask and distributed, not installed here: pip install 'aslant[dask]'."
        ) from None
    if address == HERE:
        with (
            LocalCluster(threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
            Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(f"There is no Dask scheduler at {address!r}: {reason}.") from None
    with client:
        yield client


@contextmanager
def units_on(address: str | None) -> Iterator[None]:
    """Let joblib run its calls on a cluster while a block runs; None leaves it as it is."""
    if address is None:
        with nullcontext():
            yield
        return
    from joblib import parallel_config

    with connected(address), parallel_config("dask"):
        yield


def fit_files(
    address: str,
    source: TrainingOptions,
    reading: ReadingOptions,
    method: str | None,
    parameters: dict[str, Any],
    prune: str | None,
) -> Fitted:
    """Fit a tree to files on a cluster."""
    from aslant.cli.partitions import read_collection
    from aslant.cli.training import Fitted, column_notes, describe, make_estimator

    with connected(address) as client:
        from aslant.dask import DaskTree
        from aslant.dask.fitting import check_estimator

        X, y = read_collection(source, reading)
        # Floating point numbers are a quantity.
        task = source.task or ("regression" if y.dtype.kind == "f" else "classification")
        name = method or DEFAULT_METHODS[task]
        estimator = make_estimator(name, parameters, prune, task, y.dtype)
        check_estimator(estimator)
        with GrowthBar(f"Growing {name}", 1) as bar:
            tree = DaskTree(estimator.set_params(verbose=bar), client).fit(X, y)
        score = tree.score(X, y)
    model = tree.to_local().set_params(verbose=0)
    return Fitted(model, describe(name, model, task, score), column_notes(model))
