"""Convex polygons in metres: laid out in turned frames, kept apart, and drawn on a grid."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Corners = NDArray[np.float64]
"""(corners, 2), in turn."""

TO_THE_RIGHT = np.array([1.0, -1.0])


@dataclass(frozen=True)
class Box:
    """A rectangle along the axes of a frame: u from left to right, v from bottom to top, in metres."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def depth(self) -> float:
        return self.top - self.bottom

    @property
    def area(self) -> float:
        return self.width * self.depth

    def grown(self, margin: float) -> Box:
        return Box(self.left - margin, self.bottom - margin, self.right + margin, self.top + margin)

    def meets(self, other: Box, gap: float = 0.0) -> bool:
        """Whether two boxes of one frame come closer than `gap` along both axes."""
        return (
            self.left < other.right + gap
            and other.left < self.right + gap
            and self.bottom < other.top + gap
            and other.bottom < self.top + gap
        )


@dataclass(frozen=True)
class Frame:
    """Axes u and v of a part of the building; `mirrored` turns v to the right of u, for rows below a corridor."""

    x: float
    y: float
    angle: float
    mirrored: bool = False

    def point(self, u: float, v: float) -> tuple[float, float]:
        cosine, sine = math.cos(self.angle), math.sin(self.angle)
        v = -v if self.mirrored else v
        return self.x + cosine * u - sine * v, self.y + sine * u + cosine * v

    def corners(self, box: Box) -> Corners:
        return np.array(
            [
                self.point(box.left, box.bottom),
                self.point(box.right, box.bottom),
                self.point(box.right, box.top),
                self.point(box.left, box.top),
            ]
        )

    def moved(self, u: float, v: float, turn: float = 0.0) -> Frame:
        """A frame, not mirrored, with its origin at (u, v) of this one."""
        return Frame(*self.point(u, v), self.angle + turn)


def hull(points: Corners) -> Corners:
    """The smallest convex polygon around the points, counterclockwise (Andrew's monotone chain)."""
    ordered = sorted({(round(x, 9), round(y, 9)) for x, y in points.tolist()})
    around: list[tuple[float, float]] = []
    for run in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for x, y in run:
            while len(chain) > 1:
                (x0, y0), (x1, y1) = chain[-2:]
                if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 1e-12:
                    break
                chain.pop()
            chain.append((x, y))
        around += chain[:-1]
    return np.array(around)


def outward(polygon: Corners) -> tuple[Corners, NDArray[np.float64]]:
    """For each side its unit normal and how far along it the side lies from the origin."""
    following = np.concatenate((polygon[1:], polygon[:1]))
    along = following - polygon
    twice_area = float(polygon[:, 0] @ following[:, 1] - polygon[:, 1] @ following[:, 0])
    normals = (
        along[:, ::-1] * (math.copysign(1.0, twice_area) * TO_THE_RIGHT) / np.hypot(along[:, 0], along[:, 1])[:, None]
    )
    return normals, (normals * polygon).sum(axis=1)


def apart(one: Corners, other: Corners, gap: float) -> bool:
    """Whether a side of either polygon separates the two by `gap` (separating axes)."""
    for sides, corners in ((one, other), (other, one)):
        normals, reach = outward(sides)
        if np.any((corners @ normals.T).min(axis=0) >= reach + gap - 1e-9):
            return True
    return False


def inner_radius(polygon: Corners, x: float, y: float) -> float:
    """How far a point inside lies from the nearest side; negative outside."""
    normals, reach = outward(polygon)
    return float((reach - normals @ (x, y)).min())


@dataclass(frozen=True)
class Canvas:
    """The grid that polygons are drawn on: its cells are those whose middles lie inside."""

    shape: tuple[int, int]
    resolution: float

    def cells(
        self, polygon: Corners, margin: float = 0.0, cells: float = 0.0
    ) -> tuple[tuple[slice, slice], NDArray[np.bool_]]:
        """A window of the grid and which of its cells lie in the polygon, grown by `margin` metres.

        Each side also moves out by `cells` times the width of a cell across it: with 0.5, all cells that the polygon
        touches are inside.
        """
        normals, reach = outward(polygon)
        reach = reach + margin + cells * self.resolution * np.abs(normals).sum(axis=1)
        around = 2 * (margin + cells * self.resolution)
        low = np.maximum(np.floor((polygon.min(axis=0) - around) / self.resolution).astype(int), 0)
        high = np.ceil((polygon.max(axis=0) + around) / self.resolution).astype(int) + 1
        rows = slice(low[1], max(low[1], min(high[1], self.shape[0])))
        columns = slice(low[0], max(low[0], min(high[0], self.shape[1])))
        y = (np.arange(rows.start, rows.stop)[:, None] + 0.5) * self.resolution
        x = (np.arange(columns.start, columns.stop)[None, :] + 0.5) * self.resolution
        inside = np.ones((y.size, x.size), dtype=bool)
        for (across, up), distance in zip(normals.tolist(), reach.tolist(), strict=True):
            inside &= across * x + up * y < distance + 1e-9
        return (rows, columns), inside
