"""`load_dataset` and `available`: one name, several places to look.

The places, in order: the generators, the folder named by ``ASLANT_DATA``, scikit-learn's own
copies, OpenML. The folder comes before other people's copies because it holds the very files
whose figures the papers report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sklearn.utils import Bunch

from aslant.datasets.errors import DatasetError, did_you_mean
from aslant.datasets.generators import (
    Labelled,
    RandomState,
    make_led,
    make_ls10,
    make_pol,
    make_rcb,
    make_waveform,
)
from aslant_papers.datasets.bundle import bundle
from aslant_papers.datasets.catalogue import ALIASES, CATALOGUE, Entry
from aslant_papers.datasets.copies import IN_SCIKIT_LEARN, load_from_openml, load_from_scikit_learn
from aslant_papers.datasets.errors import DatasetUnavailableError
from aslant_papers.datasets.folder import VARIABLE, Folder
from aslant_papers.datasets.local_minimum import make_local_minimum

GENERATORS: Mapping[str, Callable[..., Labelled]] = {
    "ls10": make_ls10,
    "pol": make_pol,
    "rcb": make_rcb,
    "local_minimum": make_local_minimum,
    "led": make_led,
    "waveform": make_waveform,
}


@dataclass(frozen=True)
class DatasetInfo:
    """One line about a data set.

    Attributes
    ----------
    name : str
        The name that `load_dataset` takes.
    rows, features, categorical, classes, missing : int
        Its shape; `categorical` counts features, `missing` counts cells.
    papers : tuple of str
        The papers that use it.
    source : str
        Where `load_dataset` would take it from: "generator", "folder", "scikit-learn" or "openml".
        "folder" with `here` false: only a data folder can have it, and none does.
    here : bool
        Whether it can be loaded without a download.
    """

    name: str
    rows: int
    features: int
    categorical: int
    classes: int
    missing: int
    papers: tuple[str, ...]
    source: str
    here: bool


def load_dataset(name: str, *, random_state: RandomState = 0) -> Bunch:
    """Load a data set of the papers, or any other in the data folder.

    Parameters
    ----------
    name : str
        A name that `available` lists, or the name a paper prints ("cancer", "housing").
    random_state : int, RandomState instance or None, default=0
        The seed of a generated set. Recorded data have no randomness.

    Returns
    -------
    Bunch
        data : ndarray of float64 if all features are numeric, else DataFrame or object ndarray
            The features; NaN is missing. Categorical columns hold the file's text.
        target : ndarray
            The labels as in the file: integers if all are, else text.
        feature_names : list of str
            Names of the features.
        categorical : ndarray of bool
            Which features are categorical.
        split : ndarray of str or None
            "train" or "test" for each row, where the data set comes divided.
        name, DESCR : str
            The full name, and one sentence with the source.

    Raises
    ------
    DatasetError
        If there is no such data set, or its file is damaged.
    DatasetUnavailableError
        If no copy can be reached from here.
    """
    key = _normalised(name)
    if key in GENERATORS:
        return _generate(CATALOGUE[key], random_state)
    folder = Folder.from_environment()
    full_name = _resolved(name, folder)
    if folder is not None and full_name in folder.index:
        return folder.load(full_name)
    if full_name in IN_SCIKIT_LEARN:
        return load_from_scikit_learn(full_name)
    return _load_from_afar(CATALOGUE[full_name], folder)


def available() -> list[DatasetInfo]:
    """List all data sets: the papers', and whatever else the data folder holds.

    Returns
    -------
    list of DatasetInfo
        In alphabetical order.
    """
    folder = Folder.from_environment()
    index = folder.index if folder is not None else {}
    infos = {name: _indexed(name, entry) for name, entry in index.items()}
    for name, known in CATALOGUE.items():
        if name in GENERATORS or name not in infos:
            infos[name] = _catalogued(known)
    return [infos[name] for name in sorted(infos)]


def _normalised(name: str) -> str:
    """Return a name in lower case with underscores."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a data set must be a string, got {name!r}")
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _resolved(name: str, folder: Folder | None) -> str:
    """Return the full name of a data set; the folder's own names come first."""
    held = folder.index if folder is not None else {}
    key = _normalised(name)
    for candidate in (name, key, ALIASES.get(key, key)):
        if candidate in held or candidate in CATALOGUE:
            return candidate
    hint = did_you_mean(key, [*CATALOGUE, *ALIASES, *held])
    raise DatasetError(
        f"there is no data set {name!r}{hint or ';'} "
        "aslant_papers.datasets.available() lists them all"
    )


def _generate(entry: Entry, random_state: RandomState) -> Bunch:
    """Return a generated set of the papers' size."""
    X, y = GENERATORS[entry.name](random_state=random_state)
    return bundle(
        name=entry.name,
        features={f"x{column + 1}": X[:, column] for column in range(X.shape[1])},
        target=y,
        split=None,
        description=(
            f"{entry.name}: {entry.rows} rows, {entry.features} features, {entry.classes} classes; "
            f"generated with random_state={random_state}."
        ),
    )


def _load_from_afar(entry: Entry, folder: Folder | None) -> Bunch:
    """Return OpenML's copy; one sentence why there is none and what to do."""
    reason = entry.no_openml
    if entry.openml is not None:
        try:
            return load_from_openml(entry, entry.openml)
        except DatasetUnavailableError as error:
            reason = str(error)
    here = f"{VARIABLE} is not set" if folder is None else f"the folder {folder.path} has none"
    raise DatasetUnavailableError(
        f"no copy of data set {entry.name!r} was found: {here}, and {reason}; "
        f"set {VARIABLE} to a folder of CSV files whose index.json lists {entry.name!r}"
    )


def _catalogued(entry: Entry) -> DatasetInfo:
    """Return the facts about a data set of the papers that is not in a data folder."""
    if entry.name in GENERATORS:
        source = "generator"
    elif entry.name in IN_SCIKIT_LEARN:
        source = "scikit-learn"
    else:
        source = "openml" if entry.openml is not None else "folder"
    return DatasetInfo(
        name=entry.name,
        rows=entry.rows,
        features=entry.features,
        categorical=len(entry.categorical),
        classes=entry.classes,
        missing=entry.missing,
        papers=entry.papers,
        source=source,
        here=source in ("generator", "scikit-learn"),
    )


def _indexed(name: str, entry: Mapping[str, Any]) -> DatasetInfo:
    """Return the facts about a data set from the index of the data folder."""
    known = CATALOGUE.get(name)
    return DatasetInfo(
        name=name,
        rows=entry["rows"],
        features=len(entry["columns"]),
        categorical=sum(column["type"] == "categorical" for column in entry["columns"]),
        classes=entry["n_classes"],
        missing=entry["missing_values"],
        papers=tuple(entry.get("papers", ())) if known is None else known.papers,
        source="folder",
        here=True,
    )
