"""The documentation: MyST pages, the API from docstrings, a gallery. Built by ``make docs``."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import matplotlib

import aslant

ROOT = Path(__file__).parents[1]
matplotlib.use("agg")

project = "aslant"
author = "The aslant developers"
copyright = "The aslant developers, BSD 3-clause license"
version = release = aslant.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["gallery/*.ipynb", "gallery/*.py", "gallery/*.py.md5", "gallery/*.json"]
nitpicky = False

myst_heading_anchors = 4

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "download_all_examples": False,
    "min_reported_time": 1e6,
    "show_memory": False,
    "within_subsection_order": "FileNameSortKey",
    "plot_gallery": True,
    "abort_on_example_error": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "aslant"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navigation_with_keys": True,
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": ["page-toc"],
    "navbar_end": ["theme-switcher"],
}
templates_path = ["_templates"]

# Files of the repository that have a page here; links to any other become plain text.
_PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
_LINK = re.compile(
    r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<target>(?!https?:|#)[^)\s#]+)(?P<anchor>#[^)]*)?\)"
)


def _outside_links(app: Any, name: str, source: list[str]) -> None:
    """Turn links that leave the documentation into links to its pages, or into text."""
    docs = Path(app.srcdir)
    here = (docs / name).parent

    def replaced(match: re.Match[str]) -> str:
        target = (here / match["target"]).resolve()
        if name in ("contributing", "changelog"):  # whose text is written for the root
            target = (ROOT / match["target"]).resolve()
        if target.is_relative_to(docs) and target.suffix == ".md":
            path = Path("/" + str(target.relative_to(docs)))
            return f"[{match['text']}]({path}{match['anchor'] or ''})"
        page = _PAGES.get(target.name) if target.parent == ROOT else None
        if page is not None:
            return f"[{match['text']}](/{page})"
        return match["text"]

    if (docs / f"{name}.md").exists():
        source[0] = _LINK.sub(replaced, source[0])


# The API reference lists the public names of these modules, in these sections.
_REFERENCE = {
    "aslant": "The package",
    "aslant.published": "Published systems",
    "aslant.search": "Searches for splits",
    "aslant.prune": "Pruning",
    "aslant.refine": "The joint fit",
    "aslant.comparison": "Comparisons",
    "aslant.dask": "Dask",
    "aslant.datasets": "Data",
}


def _write_reference(docs: Path) -> None:
    """Write the API reference page from the lists of public names."""
    lines = ["API reference", "=============", ""]
    published = set(importlib.import_module("aslant.published").__all__)
    for module, heading in _REFERENCE.items():
        public = importlib.import_module(module)
        names = [name for name in public.__all__ if callable(getattr(public, name))]
        if module == "aslant":  # published systems have a section of their own
            names = [name for name in names if name not in published]
        classes = [name for name in names if isinstance(getattr(public, name), type)]
        functions = [name for name in names if name not in classes]
        lines += [heading, "-" * len(heading), "", f".. currentmodule:: {module}", ""]
        for group in (classes, functions):
            if group:
                lines += [".. autosummary::", "   :toctree: generated", ""]
                lines += [*(f"   {name}" for name in group), ""]
    folder = docs / "reference"
    folder.mkdir(exist_ok=True)
    text = "\n".join(lines)
    page = folder / "index.rst"
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def _only_our_own(app: Any, what: str, name: str, member: Any, skip: bool, options: Any) -> bool:
    """Leave out what classes inherit from scikit-learn: it is documented there."""
    made_in = getattr(getattr(member, "fget", member), "__module__", None) or ""
    return skip or not made_in.startswith("aslant")


def _shapes_are_no_links(app: Any, what: str, name: str, it: Any, options: Any, lines: Any) -> None:
    """Quote names that end in an underscore in the shapes of arrays: else they are targets."""
    lines[:] = [re.sub(r"\((n_\w+_)(,?.*)\)$", r"(``\1``\2)", line) for line in lines]


def setup(app: Any) -> None:
    """Connect the reference and the rewriting of links."""
    _write_reference(Path(app.srcdir))  # before anybody looks for pages
    app.connect("autodoc-skip-member", _only_our_own)
    app.connect("autodoc-process-docstring", _shapes_are_no_links, priority=10)
    app.connect("source-read", _outside_links)
