"""The documentation: MyST pages, the API from docstrings, a gallery. Built by ``make docs``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import matplotlib
from sphinx_gallery.sorting import ExplicitOrder

import aslant

ROOT = Path(__file__).parents[1]
GALLERY = ROOT / "examples" / "gallery"
sys.path.insert(0, str(Path(__file__).parent))
from api_sections import SECTIONS, listed  # noqa: E402

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
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = [
    *(f"gallery/**/*.{ending}" for ending in ("ipynb", "py", "py.md5", "json", "examples")),
    "gallery/backreferences/*",
]
nitpicky = False

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

autosummary_generate = True
default_role = "autolink"  # single backticks of docstrings
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "subsection_order": ExplicitOrder(
        f"../examples/gallery/{name}"
        for name in ("trees", "data", "ensembles", "explain", "deploy", "papers")
    ),
    "filename_pattern": r"/plot_",
    # Names in the examples link to the reference, and its pages show the examples that use them.
    "doc_module": ("aslant",),
    "reference_url": {"aslant": None},
    "backreferences_dir": "gallery/backreferences",
    "download_all_examples": False,
    "min_reported_time": 1e6,
    "show_memory": False,
    "capture_repr": (),
    "within_subsection_order": "FileNameSortKey",
    "plot_gallery": True,
    "abort_on_example_error": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "aslant"
html_static_path = ["_static"]
html_css_files = ["aslant.css"]
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
        if target.is_relative_to(GALLERY):
            return f"[{match['text']}](/gallery/{target.relative_to(GALLERY).with_suffix('.rst')})"
        page = _PAGES.get(target.name) if target.parent == ROOT else None
        if page is not None:
            return f"[{match['text']}](/{page})"
        return match["text"]

    if (docs / f"{name}.md").exists():
        source[0] = _LINK.sub(replaced, source[0])


def _write_reference(docs: Path) -> None:
    """Write the page of the API reference."""
    lines = ["API reference", "=============", ""]
    lines += [
        "Everything public, by what it is for. All estimators are scikit-learn estimators.",
        "",
    ]
    for heading, text, names in SECTIONS:
        lines += [heading, "-" * len(heading), "", text, ""]
        for module, group in names.items():
            lines += [f".. currentmodule:: {module}", "", ".. autosummary::"]
            lines += ["   :toctree: generated", "   :nosignatures:", ""]
            lines += [*(f"   {name}" for name in group.split()), ""]
    folder = docs / "reference"
    folder.mkdir(exist_ok=True)
    text = "\n".join(lines)
    page = folder / "index.rst"
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


# Pages are plain Markdown, so that they can be read anywhere; here public names become links.
_TARGETS = {name: f"{module}.{name}" for module, name in reversed(listed())}
_FENCE = re.compile(r"(^```.*?^```$|^#.*?$)", flags=re.MULTILINE | re.DOTALL)
_NAME = re.compile(
    r"(?<![`\[{}])`(?:aslant\.(?:\w+\.)?)?(?P<name>\w+)(?P<call>\([^`<]*\))?`(?!`|\])"
)


def _linked(match: re.Match[str]) -> str:
    """Return a link to the API if the text is a public name, with arguments or without."""
    target = _TARGETS.get(match["name"])
    return match[0] if target is None else f"{{py:obj}}`{match[0][1:-1]} <{target}>`"


def _link_names(app: Any, name: str, source: list[str]) -> None:
    """Link the public names in the text of a page, outside code and headings."""
    if (Path(app.srcdir) / f"{name}.md").exists() and name != "changelog":
        parts = _FENCE.split(source[0])
        parts[::2] = [_NAME.sub(_linked, part) for part in parts[::2]]
        source[0] = "".join(parts)


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
    app.connect("source-read", _link_names)
