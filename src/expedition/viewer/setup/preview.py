"""Pictures of terrains for pages: small ones by name, kept in memory, and a larger one with the robots' starts."""

from __future__ import annotations

import io
from functools import lru_cache

import numpy as np
from matplotlib.patches import Rectangle
from PIL import Image

from expedition.fleet import Fleet
from expedition.plotstyle import INK, new_figure
from expedition.terrain import Terrain, find_terrain
from expedition.terrain.picture import draw, pixels

SMALL = 240
"""Pixels to a side of a small picture."""
WIDTH_CM, DPI = 15.0, 130


def small_picture(terrain: Terrain) -> bytes:
    """A terrain by itself as PNG."""
    image = Image.fromarray(np.flipud(pixels(terrain, 2 * SMALL)))
    image.thumbnail((SMALL, SMALL), Image.Resampling.LANCZOS)
    return _png(image)


@lru_cache(maxsize=256)
def small_picture_of(spec: str, changed: float = 0.0) -> bytes:
    """A small picture by the terrain's name or file; `changed` is when the file did."""
    return small_picture(find_terrain(spec))


def preview(terrain: Terrain, fleet: Fleet | None) -> bytes:
    """A terrain with where its robots start and where the base stands, as PNG."""
    left, right, bottom, top = terrain.extent
    ratio = min(max((top - bottom) / (right - left), 0.2), 2.0)
    figure = new_figure(WIDTH_CM, WIDTH_CM * ratio)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    starts = [] if fleet is None else [(float(x), float(y)) for x, y in fleet.poses[:, :2]]
    draw(terrain, axes, starts=starts)
    if fleet is not None and fleet.base is not None:
        side = 0.04 * (right - left)
        corner = (fleet.base.x - side / 2, fleet.base.y - side / 2)
        axes.add_patch(Rectangle(corner, side, side, facecolor="none", edgecolor=INK, linewidth=1.4, zorder=6))
    axes.axis("off")
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=DPI, facecolor="white")
    return data.getvalue()


def _png(image: Image.Image) -> bytes:
    data = io.BytesIO()
    image.save(data, "png", optimize=True)
    return data.getvalue()
