"""What all pictures share: one colour per class, and matplotlib if it is there."""

from __future__ import annotations

import colorsys
from types import ModuleType

Colour = tuple[float, float, float]

# Okabe and Ito's palette, which people with any kind of colour vision can tell apart.
_PALETTE = ("#E69F00", "#56B4E9", "#009E73", "#D55E00", "#0072B2", "#CC79A7", "#F0E442", "#999999")

# Successive hues this far apart (the golden ratio) stay as far from each other as they can.
_HUE_STEP = 0.618033988749895


def class_colours(n_classes: int) -> list[Colour]:
    """Return distinct colours; up to eight classes are safe for colour-blind readers."""
    if n_classes <= len(_PALETTE):
        return [_from_hex(text) for text in _PALETTE[:n_classes]]
    hues = [(0.1 + k * _HUE_STEP) % 1.0 for k in range(n_classes)]
    return [colorsys.hsv_to_rgb(hue, 0.75, 0.85 - 0.25 * (k % 2)) for k, hue in enumerate(hues)]


def tinted(colour: Colour, strength: float) -> Colour:
    """Return the colour on white: strength 0 is nearly white, 1 strong but fit for black text."""
    share = 0.08 + 0.62 * strength
    red, green, blue = (1.0 - share * (1.0 - part) for part in colour)
    return red, green, blue


def hex_code(colour: Colour) -> str:
    """Return the colour as ``#rrggbb``."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)


def _from_hex(text: str) -> Colour:
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def import_pyplot(caller: str) -> ModuleType:
    """Return matplotlib.pyplot; raise one clear error if matplotlib is not installed."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(f"{caller} needs matplotlib: pip install aslant[plot]") from error
    return plt
