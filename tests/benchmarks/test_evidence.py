"""The unattended run continues where it stopped and reports what failed."""

import re

import evidence
import pytest


@pytest.fixture
def steps(tmp_path, monkeypatch):
    monkeypatch.setattr(evidence, "ROOT", tmp_path)
    monkeypatch.setattr(evidence, "DONE", tmp_path / "done.json")
    commands = {"one": ["echo a >> log", "exit 3", "echo b >> log"], "two": ["echo c >> log"]}
    monkeypatch.setattr(evidence, "STEPS", commands)
    return tmp_path / "log"


def test_a_failing_command_stops_nothing_and_is_told(steps):
    assert evidence.run(["one", "two"]) == ["exit 3"]
    assert steps.read_text().split() == ["a", "b", "c"]


def test_only_what_is_not_done_is_run_again(steps):
    evidence.run(["one", "two"])
    evidence.run(["one", "two"])
    assert steps.read_text().split() == ["a", "b", "c"]
    evidence.forget(["two"])
    evidence.run(["one", "two"])
    assert steps.read_text().split() == ["a", "b", "c", "c"]


def test_every_command_names_a_program_that_exists():
    for commands in evidence.STEPS.values():
        for command in commands:
            for program in re.findall(r"benchmarks/\w+\.py", command):
                assert (evidence.ROOT / program).exists(), command
