"""A picture to draw on in metres. It has twice the pixels of what is shown, which makes edges smooth."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from expedition.film.lettering import Text
from expedition.film.theme import Colour, Theme
from expedition.film.view import View
from expedition.log.scene import Floats

FINER = 2
"""Pixels drawn, to a side, for one that is shown."""


class Canvas:
    """Places are in metres of the world, sizes in pixels of a film of 1280 x 720.

    Letters are written last, when the picture has the size that it is shown in: fonts have smooth edges of their own.
    """

    def __init__(self, ground: Image.Image, view: View, theme: Theme, unit: float) -> None:
        """`view` is that of `ground`, with all its pixels; `unit` is how large a pixel of 1280 x 720 is shown."""
        self.theme = theme
        self.view = view
        self.unit = FINER * unit
        self._image = ground
        self._draw = ImageDraw.Draw(ground)
        self._texts: list[Text] = []

    def finish(self) -> Image.Image:
        """The picture in the size in which it is shown."""
        image = self._image.reduce(FINER)
        draw = ImageDraw.Draw(image)
        for text in self._texts:
            text.write(draw)
        return image

    def line(self, points: Floats, colour: Colour, width: float) -> None:
        """A line through places (n, 2)."""
        if len(points) > 1:
            self._line(self.view.pixels(points), colour, width)

    def dashes(self, points: Floats, colour: Colour, width: float, dash: float = 6.0, gap: float = 4.0) -> None:
        """A dashed line through places (n, 2)."""
        if len(points) < 2:
            return
        places = self.view.pixels(points)
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(places, axis=0).T))])
        dash, gap = dash * self.unit, gap * self.unit
        for begin in np.arange(0.0, along[-1], dash + gap)[:2000].tolist():
            end = min(begin + dash, along[-1])
            inner = along[(along > begin) & (along < end)]
            at = np.array([begin, *inner.tolist(), end])
            part = np.column_stack([np.interp(at, along, places[:, 0]), np.interp(at, along, places[:, 1])])
            self._line(part, colour, width)

    def disc(
        self, x: float, y: float, radius: float, fill: Colour | None, edge: Colour | None = None, wide: float = 1.5
    ) -> None:
        """A disc around a place; with `edge`, that colour around it."""
        (across, down), size = self.view.pixel(x, y), radius * self.unit
        box = (across - size, down - size, across + size, down + size)
        self._draw.ellipse(box, fill=fill, outline=edge, width=0 if edge is None else self._wide(wide))

    def square(self, x: float, y: float, radius: float, fill: Colour, edge: Colour) -> None:
        """A square around a place."""
        (across, down), size = self.view.pixel(x, y), radius * self.unit
        box = (across - size, down - size, across + size, down + size)
        self._draw.rectangle(box, fill=fill, outline=edge, width=self._wide(1.2))

    def shape(self, x: float, y: float, corners: Floats, fill: Colour | None, edge: Colour | None = None) -> None:
        """A polygon of corners (n, 2) in pixels of 1280 x 720 around a place, y up."""
        across, down = self.view.pixel(x, y)
        points = [(across + right * self.unit, down - up * self.unit) for right, up in corners.tolist()]
        self._draw.polygon(points, fill=fill, outline=edge, width=self._wide(1.2))

    def polygon(self, corners: Floats, fill: Colour | None, edge: Colour, wide: float) -> None:
        """A polygon of places (n, 2)."""
        points = [(across, down) for across, down in self.view.pixels(corners).tolist()]
        if fill is not None:
            self._draw.polygon(points, fill=fill)
        self._draw.line([*points, points[0]], fill=edge, width=self._wide(wide), joint="curve")

    def dots(self, points: Floats, colour: Colour, size: float) -> None:
        """Small squares at places (n, 2)."""
        half = max(0.5, 0.5 * size * self.unit)
        for across, down in self._inside(points).tolist():
            self._draw.rectangle((across - half, down - half, across + half - 1, down + half - 1), fill=colour)

    def cross(self, x: float, y: float, radius: float, colour: Colour, width: float) -> None:
        """An x at a place."""
        (across, down), size = self.view.pixel(x, y), radius * self.unit
        for up in (-size, size):
            self._draw.line((across - size, down - up, across + size, down + up), fill=colour, width=self._wide(width))

    def write(
        self, x: float, y: float, words: str, size: float, colour: Colour, shift: tuple[float, float] = (0.0, 0.0),
        anchor: str = "mm", bold: bool = False, halo: Colour | None = None,
    ) -> None:  # fmt: skip
        """Write words beside a place, `shift` pixels to the right and up."""
        across, down = self.view.pixel(x, y)
        unit = self.unit / FINER
        right, below = across / FINER + shift[0] * unit, down / FINER - shift[1] * unit
        self._texts.append(Text(right, below, words, max(size * unit, 7.0), colour, anchor, bold, halo))

    def shows(self, x: float, y: float, margin: float = 20.0) -> bool:
        """Whether a place is in the picture, or nearly so."""
        (across, down), edge = self.view.pixel(x, y), margin * self.unit
        return -edge <= across <= self.view.width + edge and -edge <= down <= self.view.height + edge

    def metres(self, pixels: float) -> float:
        """How long so many pixels of 1280 x 720 are in the world."""
        return pixels * self.unit / self.view.scale

    def _line(self, places: Floats, colour: Colour, width: float) -> None:
        self._draw.line(places.ravel().tolist(), fill=colour, width=self._wide(width), joint="curve")

    def _inside(self, points: Floats) -> Floats:
        places = self.view.pixels(points)
        inside = (places >= 0).all(axis=1) & (places[:, 0] < self.view.width) & (places[:, 1] < self.view.height)
        visible: Floats = places[inside]
        return visible

    def _wide(self, width: float) -> int:
        return max(1, round(width * self.unit))


def turned(corners: Floats, heading: float) -> Floats:
    """Corners (n, 2) turned by an angle."""
    c, s = math.cos(heading), math.sin(heading)
    result: Floats = corners @ np.array([[c, s], [-s, c]])
    return result
