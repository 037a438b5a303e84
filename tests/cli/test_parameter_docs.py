"""What ``aslant methods NAME`` says about parameters."""

import json

import pytest

from aslant.cli.parameter_docs import parse
from aslant.estimators.methods import METHODS

DOC = """A thing.

    Parameters
    ----------
    one : int, default=3
        How many.

        With a second paragraph.
    two, three : {"a", "b"}, optional
        What they are.
    four
        Without values.
    odd line that is no entry: not at all
        Passed over.
    five : float or None, default=None
        The last.

    The other parameters are those of something else.

    Attributes
    ----------
    six : int
        Not a parameter.
    """


def test_parsing():
    import inspect

    found = parse(inspect.cleandoc(DOC))
    assert set(found) == {"one", "two", "three", "four", "five"}
    assert found["one"] == ("int", "How many. With a second paragraph.")
    assert found["two"] == found["three"] == ('{"a", "b"}', "What they are.")
    assert found["four"] == ("", "Without values.")
    assert found["five"].values == "float or None"
    assert parse("") == parse("No parameters here.") == {}


@pytest.mark.parametrize("name", METHODS)
def test_every_parameter_has_a_meaning(output_of, name):
    records = json.loads(output_of("methods", name, "--format", "json"))
    silent = [record["parameter"] for record in records if not record["meaning"]]
    assert silent == []
    pointing = [r["parameter"] for r in records if r["meaning"].startswith("Parameters of")]
    assert pointing == []


def test_values_and_defaults(output_of):
    records = {
        r["parameter"]: r for r in json.loads(output_of("methods", "oc1", "--format", "json"))
    }
    assert records["restarts"]["default"] == 20
    assert records["restarts"]["values"] == "int"
    assert records["order"]["values"] == '{"sequential", "best", "random"}'
    assert "Starting points" in output_of("methods", "oc1")
