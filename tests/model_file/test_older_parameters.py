"""Parameters of older files: under new names, or moved to the search."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from aslant import OC1Classifier
from aslant.model_file.versions import completed, renamed

KNOWN = inspect.signature(OC1Classifier).parameters


def parameters_of(**given: Any) -> dict[str, Any]:
    found: dict[str, Any] = completed("OC1Classifier", given, KNOWN)["parameters"]
    return found


def test_moved_options_at_their_defaults_are_dropped() -> None:
    found = parameters_of(restarts=7, min_step=0.0, legacy_sweep=False)
    assert found["restarts"] == 7
    assert not {"min_step", "legacy_sweep", "search"} & set(found)


def test_other_moved_options_make_a_search() -> None:
    found = parameters_of(restarts=7, min_step=1e-4, max_depth=3)
    assert found["search"] == {
        "__object__": {"class": "OC1", "parameters": {"restarts": 7, "min_step": 1e-4}}
    }
    assert found["max_depth"] == 3 and "restarts" not in found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"strength": 0.1}, {"l2": 0.1}),
        ({"n_trees": None}, {}),
        ({"many_levels": "shares"}, {"high_cardinality": "target"}),
    ],
)
def test_renamed(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert renamed(old, {"l2", "n_estimators", "high_cardinality"}) == new


def test_forests_had_no_limit_of_levels_and_auto_always_had() -> None:
    """A file without a parameter keeps its old meaning, whatever the default is today."""
    given = {"missing": "node_mean"}
    known = {"missing", "max_levels", "smoothing"}
    forest = completed("ObliqueRandomForestClassifier", given, known)["parameters"]
    assert forest == {"missing": "node_mean", "max_levels": None}
    assert completed("AutoTreeClassifier", given, known)["parameters"] == given
    without = completed("ObliqueGradientBoostingClassifier", {}, {"missing"})["parameters"]
    assert "smoothing" not in without
