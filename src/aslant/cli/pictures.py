"""Plots in files: validated before the work, written atomically."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from aslant.cli.notes import note
from aslant.utils.atomic_file import write_atomically


def check_picture(path: Path | None) -> None:
    """Validate, before any work, that a picture can be drawn."""
    if path is None:
        return
    try:
        import matplotlib
    except ImportError:
        raise ImportError("--plot needs matplotlib: pip install aslant[plot]") from None
    matplotlib.use("agg")  # a file needs no window
    from matplotlib.figure import Figure

    kinds = Figure().canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in kinds:
        raise ValueError(f"--plot needs a name such as plot.png or plot.svg, got {str(path)!r}.")


def write_picture(ax: Any, path: Path) -> None:
    """Write the figure that these axes are part of."""
    picture = io.BytesIO()
    ax.figure.savefig(picture, format=path.suffix[1:].lower(), dpi=150, bbox_inches="tight")
    write_atomically(path, picture.getvalue())
    note(f"The picture is in {path}.")
