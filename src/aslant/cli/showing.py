"""What ``aslant show`` does: the trees of a model as text, Graphviz source, JSON or a picture."""

from __future__ import annotations

import io
from pathlib import Path
from types import ModuleType
from typing import Any

from aslant.estimators import BaseTree
from aslant.inspection import export_graphviz, export_text, plot_tree
from aslant.inspection.notebook import readable_depth
from aslant.inspection.tree_json import model_json
from aslant.utils.atomic_file import write_atomically


def chosen_trees(clf: BaseTree, number: int | None) -> list[BaseTree]:
    """Return the trees of a model, or only one; the first is number 1."""
    members = list(getattr(clf, "estimators_", [clf]))
    if number is None:
        return members
    if number > len(members):
        raise ValueError(f"--tree must be at most {len(members)}, the trees of the model.")
    return [members[number - 1]]


def trees_text(clf: BaseTree, members: list[BaseTree], form: str, style: dict[str, Any]) -> str:
    """Return trees as ``text``, ``dot`` or ``json``."""
    if form == "json":
        return model_json(clf, members)
    if form == "dot":
        return "".join(export_graphviz(member, **style) for member in members)
    texts = [export_text(member, **style) for member in members]
    if len(texts) == 1:
        return texts[0] + (f"# {clf.choice_}\n" if hasattr(clf, "choice_") else "")
    return "\n".join(f"tree {i}\n{text}" for i, text in enumerate(texts, start=1))


def write_picture(members: list[BaseTree], path: Path, style: dict[str, Any]) -> list[str]:
    """Draw a tree to a file; the suffix of its name is the format.

    Returns remarks. Without a depth, as much of the tree is drawn as fits on a large page.
    """
    if len(members) > 1:
        raise ValueError(f"A picture shows one tree of the {len(members)}: choose it with --tree.")
    if not path.suffix:
        raise ValueError(f"--picture needs a name such as tree.png or tree.svg, got {str(path)!r}.")
    pyplot = _pyplot_without_window()
    remarks = [f"The picture is in {path}."]
    if "max_depth" not in style:
        depth, deepest = readable_depth(members[0], **style), members[0].get_depth()
        style = {**style, "max_depth": depth}
        if depth < deepest:
            remarks.append(
                f"It shows the tree down to depth {depth} of {deepest}; --max-depth shows more."
            )
    plot_tree(members[0], **style)
    figure = pyplot.gcf()
    pyplot.close(figure)
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix[1:].lower(), dpi=150)
    write_atomically(path, picture.getvalue())
    return remarks


def _pyplot_without_window() -> ModuleType:
    try:
        import matplotlib
    except ImportError:
        raise ImportError("--picture needs matplotlib: pip install aslant[plot]") from None
    matplotlib.use("agg")  # a file needs no window
    import matplotlib.pyplot as plt

    return plt
