"""The files of ``--dask`` as Dask collections, read as without a cluster."""

from __future__ import annotations

from dataclasses import replace
from glob import glob
from pathlib import Path
from typing import Any

import polars as pl

from aslant.cli.options import ReadingOptions, TrainingOptions, names_in
from aslant.datasets.columns import NumberFormat
from aslant.datasets.data_file import ColumnSurvey, DataTable, FileFormat, Piece, pieces_of

# Types of columns whose levels must be counted first.
_LEVELS = ("object", "string", "str", "category")
_PARQUET = (".parquet", ".pq")


def read_collection(source: TrainingOptions, reading: ReadingOptions) -> tuple[Any, Any]:
    """Return the features and the target of a file, or of several, as Dask collections.

    Text files are read as without a cluster: all pieces are looked at to decide what each column
    holds, and the workers read them again. Columns of text become categories; finding the levels
    takes another pass over them.
    """
    if source.data is None or source.target is None:
        raise ValueError("--dask needs DATA, a file or a pattern of files, and --target COLUMN.")
    import dask

    declared, drop = names_in(source.categorical), names_in(source.drop)
    with dask.config.set({"dataframe.convert-string": False}):
        frame = _read(str(source.data), reading.file_format, declared, source.target)
        for name in (source.target, *declared, *drop):
            if name not in frame.columns:
                raise ValueError(f"{source.data} has no column {name!r}.")
        X = frame.drop(columns=[source.target, *drop])
        texts = [name for name in X.columns if str(X[name].dtype) in _LEVELS]
        chosen = list(dict.fromkeys([*texts, *declared]))
        if chosen:
            X = X.astype(dict.fromkeys(chosen, "category")).categorize(columns=chosen)
        return X, frame[source.target]


def _read(data: str, how: FileFormat, declared: list[str], target: str) -> Any:
    import dask.dataframe as dd

    if data.lower().endswith(_PARQUET) or Path(data).is_dir():
        try:
            return dd.read_parquet(data)
        except OSError as error:
            raise ValueError(f"{data}: the files cannot be read ({error}).") from None
    paths = [Path(path) for path in sorted(glob(data))] or [Path(data)]
    pieces = [piece for path in paths for piece in pieces_of(path, how)]
    first = pieces[0].read()
    surveys = {name: ColumnSurvey() for name in first.names}
    for piece in pieces:
        table = piece.read(first.how)
        if table.names != first.names:
            raise ValueError(f"{table.origin} has other columns than {first.origin}.")
        for name, column in surveys.items():
            column.add(table.frame[name], first.how)
    kinds = {name: column.kind for name, column in surveys.items()}
    kinds |= dict.fromkeys(declared, "text")
    if target in surveys and surveys[target].integers:
        kinds[target] = "integer"
    meta = _pandas(replace(first, frame=first.frame[:0]), kinds)
    return dd.from_map(_loaded, pieces, meta=meta, kinds=kinds, how=first.how)


def _loaded(piece: Piece, kinds: dict[str, str], how: NumberFormat) -> Any:
    """Return the rows of a piece as a frame of pandas, on a worker."""
    return _pandas(piece.read(how), kinds)


def _pandas(table: DataTable, kinds: dict[str, str]) -> Any:
    import pandas as pd

    columns: dict[str, Any] = {}
    empty = pl.Series([None] * len(table), dtype=pl.Datetime("us"))
    for name, kind in kinds.items():
        cells = table.frame[name]
        if kind == "number":
            numbers = table.numbers(name, any_words=True)
            assert numbers is not None  # as the survey found
            columns[name] = numbers.to_numpy()
        elif kind == "integer":
            columns[name] = cells.cast(pl.Int64).to_numpy()
        elif kind == "text":
            columns[name] = pd.Series(cells.to_list(), dtype=object)
        else:
            found = table.dates(name, kind)
            columns[name] = (empty if found is None else found).to_numpy()
    return pd.DataFrame(columns)
