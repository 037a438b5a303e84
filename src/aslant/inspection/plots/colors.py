"""Colors: one per class, tinted by purity."""

from __future__ import annotations

import colorsys

Color = tuple[float, float, float]

# Okabe and Ito's palette, distinct for readers with any kind of color vision.
_PALETTE = ("#E69F00", "#56B4E9", "#009E73", "#D55E00", "#0072B2", "#CC79A7", "#F0E442", "#999999")

# Steps of the golden ratio spread any number of hues evenly.
_HUE_STEP = 0.618033988749895


def class_colors(n_classes: int) -> list[Color]:
    """Return distinct colors; up to eight classes are safe for color-blind readers."""
    if n_classes <= len(_PALETTE):
        return [_from_hex(text) for text in _PALETTE[:n_classes]]
    hues = [(0.1 + k * _HUE_STEP) % 1.0 for k in range(n_classes)]
    return [colorsys.hsv_to_rgb(hue, 0.75, 0.85 - 0.25 * (k % 2)) for k, hue in enumerate(hues)]


def tinted(color: Color, strength: float) -> Color:
    """Return the color on white: strength 0 is nearly white, 1 light enough for black text."""
    share = 0.08 + 0.62 * strength
    red, green, blue = (1.0 - share * (1.0 - part) for part in color)
    return red, green, blue


def hex_code(color: Color) -> str:
    """Return the color as ``#rrggbb``."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in color)


def _from_hex(text: str) -> Color:
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue
