"""Which part of the world a picture shows, and where in it a place lies."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from expedition.log.scene import Floats

Extent = tuple[float, float, float, float]
"""Left, right, bottom and top in metres."""


@dataclass(frozen=True)
class View:
    """A window onto the world: x right, y up there; pixels count from the upper left corner."""

    left: float
    top: float
    scale: float
    """Pixels to a metre."""
    width: int
    height: int

    def pixels(self, points: Floats) -> Floats:
        """(n, 2): where places (n, 2 or more) in metres lie."""
        places = np.empty((len(points), 2))
        places[:, 0] = (points[:, 0] - self.left) * self.scale
        places[:, 1] = (self.top - points[:, 1]) * self.scale
        return places

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Where one place lies."""
        return (x - self.left) * self.scale, (self.top - y) * self.scale

    def grown(self, factor: int) -> View:
        """The same window with more pixels."""
        return View(self.left, self.top, self.scale * factor, self.width * factor, self.height * factor)


def fit(extent: Extent, width: int, height: int) -> View:
    """The largest view of all of an extent that has at most these pixels."""
    left, right, bottom, top = extent
    scale = min(width / (right - left), height / (top - bottom))
    across, down = max(1, round(scale * (right - left))), max(1, round(scale * (top - bottom)))
    # Rounded to whole pixels, the window is a little more than the extent, the same on both sides.
    scale = min(across / (right - left), down / (top - bottom))
    beside, above = across / scale - (right - left), down / scale - (top - bottom)
    return View(left - 0.5 * beside, top + 0.5 * above, scale, across, down)


def around(x: float, y: float, metres: float, width: int, height: int) -> View:
    """A view with a place in its middle, so many metres to its shorter side."""
    scale = min(width, height) / metres
    return View(x - 0.5 * width / scale, y + 0.5 * height / scale, scale, width, height)


def scale_bar(metres: float) -> float:
    """The longest length of the form 1, 2 or 5 times a power of ten that is not longer than `metres`."""
    power = 10.0 ** math.floor(math.log10(metres))
    return max(factor * power for factor in (1.0, 2.0, 5.0) if factor * power <= metres * 1.000001)
