"""The benchmark of peers can be measured in parts, and says so."""

import json
from dataclasses import asdict

from peers import FULL, QUICK, kept


def write(path):
    rows = [{"contestant": name} for name in ("aslant CART", "treeple", "STree")]
    environment = {"aslant": "0.2.0", "commit": "abc"}
    content = {"plan": asdict(QUICK), "measurements": rows, "environment": environment}
    path.write_text(json.dumps(content))


def test_a_part_names_the_contestants_of_the_earlier_run(tmp_path):
    path = tmp_path / "peers.json"
    write(path)
    rows, note = kept(path, QUICK, ["aslant CART"])
    assert rows == [{"contestant": "treeple"}, {"contestant": "STree"}]
    assert note["note"].startswith("treeple; STree: of an earlier run (aslant 0.2.0, commit abc")


def test_another_plan_keeps_nothing(tmp_path):
    path = tmp_path / "peers.json"
    assert kept(path, QUICK, []) == ([], {})
    write(path)
    assert kept(path, FULL, []) == ([], {})
    assert kept(path, QUICK, ["aslant CART", "treeple", "STree"]) == ([], {})
