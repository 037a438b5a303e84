"""What ``--dask`` does: a cluster to work on, and ``aslant fit`` on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

HERE = "here"
"""The address of a cluster that is started on this machine."""

# The methods of `fit --dask` if none is named: auto is chosen on one machine.
DEFAULT_METHODS = {"classification": "hhcart", "regression": "least_squares"}
# Types of columns whose levels must be found out.
_LEVELS = ("object", "string", "str", "category")
_PARQUET = (".parquet", ".pq")


def with_address(arguments: Sequence[str]) -> list[str]:
    """Return arguments in which ``--dask`` without an address says that it means this machine."""
    arguments = list(arguments)
    completed = []
    for i, argument in enumerate(arguments):
        following = arguments[i + 1] if i + 1 < len(arguments) else ""
        alone = argument == "--dask" and ":" not in following
        completed.append(f"--dask={HERE}" if alone else argument)
    return completed


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect with a cluster while a block runs; one on this machine has its cores and memory."""
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


def read_collection(
    data: Path | None,
    target: str | None,
    categorical: Sequence[str],
    drop: Sequence[str],
    reading: dict[str, Any],
) -> tuple[Any, Any]:
    """Return the features and the target of a file, or of several, as Dask collections.

    Columns of text become categories; finding the levels takes a pass over them.
    """
    if data is None or target is None:
        raise ValueError("--dask needs DATA, a file or a pattern of files, and --target COLUMN.")
    import dask

    with dask.config.set({"dataframe.convert-string": False}):
        frame = _read(str(data), reading)
        for name in (target, *categorical, *drop):
            if name not in frame.columns:
                raise ValueError(f"{data} has no column {name!r}.")
        X = frame.drop(columns=[target, *drop])
        texts = [name for name in X.columns if str(X[name].dtype) in _LEVELS]
        chosen = list(dict.fromkeys([*texts, *categorical]))
        if chosen:
            X = X.astype(dict.fromkeys(chosen, "category")).categorize(columns=chosen)
        return X, frame[target]


def _read(data: str, reading: dict[str, Any]) -> Any:
    import dask.dataframe as dd

    try:
        if data.lower().endswith(_PARQUET) or Path(data).is_dir():
            return dd.read_parquet(data)
        options = {"sep": reading["sep"] or ",", "decimal": reading["decimal"] or "."}
        return dd.read_csv(
            data,
            encoding=reading["encoding"] or "utf-8",
            na_values=list(reading["na"]) or None,
            **options,
        )
    except OSError as error:
        raise ValueError(f"{data}: the files cannot be read ({error}).") from None


def task_of(y: Any, task: str | None) -> str:
    """Return what is predicted: numbers with a fraction by their type are a quantity."""
    if task is not None:
        return task
    return "regression" if y.dtype.kind == "f" else "classification"


def fit_files(
    address: str,
    data: Path | None,
    target: str | None,
    method: str | None,
    parameters: dict[str, Any],
    prune: str | None,
    task: str | None,
    categorical: Sequence[str],
    drop: Sequence[str],
    reading: dict[str, Any],
    out: Path | None,
) -> tuple[dict[str, Any], list[str]]:
    """Fit a tree to files on a cluster; return what there is to say of it, and remarks."""
    from aslant.cli.progress import GrowthBar
    from aslant.cli.training import column_notes, make_estimator
    from aslant.model_file import save

    with connected(address) as client:
        from aslant.dask import DaskTree
        from aslant.dask.fitting import check_estimator

        X, y = read_collection(data, target, categorical, drop, reading)
        found = task_of(y, task)
        name = method or DEFAULT_METHODS[found]
        estimator = make_estimator(name, parameters, prune, found)
        check_estimator(estimator)
        with GrowthBar(f"Growing {name}", 1) as bar:
            tree = DaskTree(estimator.set_params(verbose=bar), client).fit(X, y)
        score = tree.score(X, y)
    model = tree.to_local().set_params(verbose=0)
    if out is not None:
        save(model, out)
    kept = "The model was not kept; --out FILE keeps it." if out is None else f"Saved to {out}."
    return describe(name, model, found, score), [*column_notes(model), kept]


def describe(method: str, model: Any, task: str, score: float) -> dict[str, Any]:
    """Return what there is to say about a model that was fitted on a cluster."""
    name = {"classification": "accuracy", "regression": "r2"}[task]
    return {
        "method": method,
        "training_rows": model.n_samples_fit_,
        "features": model.n_features_in_,
        **({"classes": len(model.classes_)} if task == "classification" else {}),
        f"{name}_on_training_rows": score,
        "trees": 1,
        "leaves": model.get_n_leaves(),
        "depth": model.get_depth(),
        "features_per_test": float(np.mean(model.tree_.features_per_test)),
    }
