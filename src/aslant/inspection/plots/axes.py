"""Matplotlib axes: their import, and texts from the data without TeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text


def import_pyplot(caller: str) -> ModuleType:
    """Return matplotlib.pyplot; ImportError names the extra to install."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(f"{caller} needs matplotlib: pip install aslant[plot]") from error
    return plt


def plain_ticks(texts: Iterable[Text]) -> None:
    """Show texts as they are: a dollar sign does not begin a TeX formula."""
    for text in texts:
        text.set_parse_math(False)


def add_legend(ax: Axes) -> None:
    """Add a legend with texts as they are."""
    plain_ticks(ax.legend(loc="best", framealpha=0.9).get_texts())


def label_bars(ax: Axes, labels: Sequence[str]) -> None:
    """Name horizontal bars, the first one at the top."""
    ax.set_yticks(range(len(labels)), labels)
    plain_ticks(ax.get_yticklabels())
    ax.invert_yaxis()
    ax.spines[["top", "right"]].set_visible(False)
