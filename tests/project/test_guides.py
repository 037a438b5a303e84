"""The examples of the guides run, and print what the guides say."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest

GUIDES = Path(__file__).parents[2] / "docs" / "guide"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def examples(page):
    """Yield each example with the text that follows it, None if there is none."""
    blocks = _BLOCK.findall(page)
    for (kind, code), after in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if kind == "python":
            yield code, after[1] if after[0] == "text" else None


@pytest.mark.parametrize("name", ["shipping.md", "explaining.md"])
def test_examples_print_what_the_page_says(name, tmp_path, monkeypatch):
    if name == "shipping.md":
        pytest.importorskip("onnxruntime")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    names = {}
    for code, expected in examples((GUIDES / name).read_text(encoding="utf-8")):
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(code, names)
        if expected is not None:
            assert printed.getvalue().strip() == expected.strip()
    plt.close("all")
