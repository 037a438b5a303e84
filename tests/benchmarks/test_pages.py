"""Every generated table stands on its page as its result file gives it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from blocks import markdown, write_block
from pages import BLOCKS
from provenance import described, environment, read_results, write_results

ROOT = Path(__file__).parents[2]


def copy_of_the_project(folder):
    shutil.copy(ROOT / "README.md", folder)
    for part in ("docs", "benchmarks"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))


def pages_of(folder):
    pages = [folder / "README.md", *folder.glob("docs/**/*.md")]
    return {path.relative_to(folder): path.read_text() for path in pages}


def test_pages_are_what_the_result_files_give(tmp_path):
    copy_of_the_project(tmp_path)
    before = pages_of(tmp_path)
    subprocess.run(
        [sys.executable, "benchmarks/pages.py"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        env=os.environ | {"MPLBACKEND": "agg"},
    )
    after = pages_of(tmp_path)
    changed = [str(path) for path in after if after[path] != before.get(path)]
    assert not changed, f"make pages changes {', '.join(changed)}"


def test_every_block_names_its_command_and_an_existing_result_file():
    for path, name, _ in BLOCKS:
        text = (ROOT / path).read_text()
        block = text.split(f"<!-- figures: {name} -->")[1].split("<!-- end of figures")[0]
        if name == "overview":  # the first table of a page that names its command
            continue
        assert re.search(r"`(python benchmarks/\w+\.py|make \w+)", block), (path, name)
        files = re.findall(r"`((?:benchmarks/results|docs/reproduction)/[\w.]+)`", block)
        assert files, (path, name)
        assert all((ROOT / file).exists() for file in files)


def test_a_block_keeps_the_text_around_it(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- x -->\nold\n<!-- end of x -->\nafter\n")
    write_block(page, "x", markdown(["a", "b"], [["1|2", "3"]]))
    assert page.read_text() == (
        "before\n<!-- x -->\n| a | b |\n| --- | --- |\n| 1\\|2 | 3 |\n<!-- end of x -->\nafter\n"
    )


def test_a_page_without_the_marks_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    with pytest.raises(ValueError, match="must have the marks"):
        write_block(page, "x", "text")


def test_a_result_file_says_where_it_comes_from(tmp_path):
    path = tmp_path / "results.json"
    write_results(path, [1, 2], environment())
    results, known = read_results(path)
    assert results == [1, 2]
    assert known["aslant"] != "not installed"
    assert {"commit", "date", "processor", "cores", "command"} <= set(known)
    assert len(known["load"]) == 2
    assert "unknown" not in described(known | {"commit": "abc", "processor": "p"})


@pytest.mark.parametrize("content", ["[1, 2]", '{"a": 1}'])
def test_a_file_of_an_older_version_says_that_this_is_unknown(tmp_path, content):
    path = tmp_path / "results.json"
    path.write_text(content)
    results, known = read_results(path)
    assert results in ([1, 2], {"a": 1})
    assert described(known) == "version, commit, date, machine and load unknown"
