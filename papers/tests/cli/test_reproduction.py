"""``aslant reproduce``: both figures in every format, a cache that saves work, errors in a line."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from unittest.mock import Mock

import pytest
from aslant_papers.datasets import DatasetUnavailableError

from aslant.cli.program import run

SMALL = ["reproduce", "murthy1994", "--table", "1", "--datasets", "iris", "--methods", "OC1-AP"]
NOWHERE = DatasetUnavailableError("no network in tests")
QUICK = [*SMALL, "--quick", "--jobs", "1", "--cache", "cache"]


def test_papers_and_tables_are_listed(folder, output_of):
    listed = json.loads(output_of("reproduce", "--format", "json"))
    assert {"murthy1994", "brodley1995", "hinton1996", "tan2004", "wickramarachchi2016"} == {
        line["paper"] for line in listed
    }
    assert [line["table"] for line in listed if line["paper"] == "tan2004"] == ["1"]


def test_a_table_in_every_format(folder, output_of):
    text = output_of(*QUICK)
    assert "Table 1." in text and "92.7 ± 2.4" in text
    assert "accuracy: of 1 figures 1 agree, 0 better, 0 worse" in text
    assert "shortened: " in text
    markdown = output_of(*QUICK, "--format", "md")
    assert "| OC1-AP | 92.7 ± 2.4 / " in markdown and "aslant 0." in markdown
    rows = list(csv.DictReader(io.StringIO(output_of(*QUICK, "--format", "csv"))))
    assert [row["measure"] for row in rows] == ["accuracy", "leaves"]
    assert rows[0]["published"] == "92.7" and rows[0]["mark"]
    document = json.loads(output_of(*QUICK, "--format", "json"))
    (table,) = document["tables"]
    assert table["cells"][0]["ours"] == pytest.approx(float(rows[0]["ours"]))
    assert document["produced_by"]["command"].startswith("aslant")


def test_the_second_time_nothing_is_computed(folder, output_of):
    output_of(*QUICK)
    journal = folder / "cache" / "runs.jsonl"
    kept = journal.read_text()
    assert len(kept.splitlines()) == 2
    output_of(*QUICK)
    assert journal.read_text() == kept
    output_of(*QUICK, "--again")
    assert len(journal.read_text().splitlines()) == 4


def test_into_a_file(folder, capsys):
    assert run([*QUICK, "--format", "md", "--out", "table.md"]) == 0
    assert "The tables are in table.md." in capsys.readouterr().err
    assert "Table 1." in (folder / "table.md").read_text(encoding="utf-8")


def test_the_whole_of_a_paper_ends_with_its_claims(folder, output_of, monkeypatch):
    monkeypatch.setattr("aslant_papers.layout.load_rows", Mock(side_effect=NOWHERE))
    kept = ["reproduce", "tan2004", "--kept", "--cache", "cache", "--format"]
    page = output_of(*kept, "md")
    tables, claims = page.split("\n## Claims\n")
    assert "## Table 1." in tables and "| MML trees have a lower RCL" in claims
    assert "of 4 claims 0 confirmed" in claims
    assert "of 4 claims 0 confirmed" in output_of(*kept, "text")
    assert "Claims" not in output_of(*kept, "md", "--table", "1")
    assert not (folder / "cache" / "runs.jsonl").exists()


def test_what_is_not_there_is_listed_and_never_filled_in(folder, output_of):
    quick = ["reproduce", "murthy1994", "--table", "1", "--datasets", "Bright S/G", "--quick"]
    text = output_of(*quick, "--cache", "cache")
    assert "not available: Bright S/G (no copy of the data set star_galaxy_bright" in text
    assert "cells within" not in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--table", "1"], "a PAPER must be named"),
        (["murthy94"], "Did you mean 'murthy1994'?"),
        (["murthy1994", "--table", "7"], "has the tables 1, 2 and the experiments"),
        (["murthy1994", "--table", "one"], "got one"),
        (["murthy1994", "--datasets", "irs"], "there is no data set 'irs'"),
        (["murthy1994", "--datasets", "irs"], "nearest: iris"),
        (["murthy1994", "--datasets", ","], "no data set was named"),
        (["murthy1994", "--methods", "OC2"], "nearest: OC1"),
        (["murthy1994", "--methods", "xyz"], "there are: "),
        (["murthy1994", "--jobs", "0"], "--jobs"),
        (["murthy1994", "--out", "nowhere/t.md"], "there is no folder"),
        (["murthy1994", "--cache", "file"], "file"),
        (["murthy1994", "--format", "xml"], "'xml' is not one of"),
    ],
)
def test_bad_input_is_one_line(folder, capsys, arguments, words):
    (folder / "file").write_text("")
    assert run(["reproduce", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert words in captured.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for process groups")
def test_ctrl_c_keeps_what_is_finished_and_writes_nothing(folder):
    """As from a terminal, which sends the signal to all processes of the command."""
    command = [sys.executable, "-m", "aslant", "reproduce", "murthy1994", "--table", "2"]
    options = ["--datasets", "POL", "--cache", "cache", "--jobs", "2", "--out", "table.txt"]
    process = subprocess.Popen(
        [*command, *options], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    journal = folder / "cache" / "runs.jsonl"
    while not journal.exists() or not journal.read_bytes().endswith(b"\n"):  # no run is finished
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, complaints = process.communicate()
    assert process.returncode == 130
    kept, interrupted = complaints.splitlines()
    assert "runs are kept; the same command goes on from there" in kept
    assert interrupted == "Interrupted."
    assert not (folder / "table.txt").exists()
    assert all(json.loads(line)["record"] for line in journal.read_text().splitlines())
