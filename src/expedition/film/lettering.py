"""Letters: the font that comes with Matplotlib, so that films look the same on every machine."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import matplotlib
from PIL import ImageDraw, ImageFont

from expedition.film.theme import Colour


@cache
def font(size: float, bold: bool = False) -> ImageFont.FreeTypeFont:
    """The font at a size in pixels."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    place = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name
    return ImageFont.truetype(str(place), max(1.0, size), layout_engine=ImageFont.Layout.BASIC)


class Text(NamedTuple):
    """Words at a place."""

    x: float
    y: float
    words: str
    size: float
    colour: Colour
    anchor: str = "ls"
    """As Pillow has it: l, m or r for where x is, a, m or s for where y is; "ls" is the left end of the base line."""
    bold: bool = False
    halo: Colour | None = None
    """Around the letters, to be read on any ground."""

    def write(self, draw: ImageDraw.ImageDraw, right: float = 0.0, down: float = 0.0) -> None:
        """Write them, moved by so many pixels."""
        edge = 0 if self.halo is None else max(1, round(0.14 * self.size))
        draw.text(
            (round(self.x + right), round(self.y + down)), self.words, self.colour, font(self.size, self.bold),
            self.anchor, stroke_width=edge, stroke_fill=self.halo,
        )  # fmt: skip


def width_of(words: str, size: float, bold: bool = False) -> float:
    """Pixels that words take."""
    return font(size, bold).getlength(words)


def fitted(words: str, size: float, room: float, bold: bool = False) -> str:
    """Words cut to fit into so many pixels."""
    if width_of(words, size, bold) <= room:
        return words
    while words and width_of(words + "…", size, bold) > room:
        words = words[:-1]
    return words.rstrip() + "…" if words else ""
