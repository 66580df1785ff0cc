"""The ground of a picture: a map or the truth, coloured cell by cell.

Cells become entries of a palette, and only then pixels: the picture of the cells is kept until the map changes, and
Pillow puts it into any view in about a millisecond.
"""

from __future__ import annotations

import math

import matplotlib
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.film.theme import Colour, Theme, mix, rgb
from expedition.film.view import View
from expedition.log.history import Which
from expedition.log.reader import LogReader
from expedition.terrain.changes import Collapse, Door
from expedition.terrain.material import MATERIALS
from expedition.terrain.picture import LOW_WALL
from expedition.terrain.terrain import Terrain

Cells = NDArray[np.uint8]

# Entries of the palette. Where several cells share a pixel the highest wins, so that thin walls stay.
NOTHING, GROUND, WHO, HEAT, ROUGH, FRONTIER, WALL, MATERIAL, DOOR = 0, 1, 10, 20, 100, 118, 119, 120, 250
SHADES = 8
HEATS = 64
WHO_SHARE = 0.34
"""How strong the colour of the robot is that saw a cell first."""


class Ground:
    """What lies beneath everything else."""

    def __init__(self, log: LogReader, which: Which, theme: Theme, layers: frozenset[str]) -> None:
        self._log = log
        self._which = which
        self._layers = layers
        self._palette = _palette(theme)
        self._terrain = _terrain_cells(log.header.terrain) if which == "truth" else None
        self._state: Cells | None = None
        self._tint: Cells | None = None
        self._picture: Image.Image | None = None
        self._block = 1

    def image(self, time: float, view: View) -> Image.Image:
        """The ground at a time, as pixels."""
        frame, terrain = self._log.header.frame, self._log.header.terrain
        origin, resolution = (frame.origin, frame.resolution)
        if self._which == "truth":
            origin, resolution = terrain.origin, terrain.resolution
        block = max(1, int(1.0 / (view.scale * resolution)))
        if self._is_news(time) or self._picture is None or block != self._block:
            self._block = block
            self._picture = Image.fromarray(_in_blocks(self._cells(), block)).convert("P")
            self._picture.putpalette(self._palette)
        size = resolution * block
        step = 1.0 / (view.scale * size)
        across, down = (view.left - origin[0]) / size, (view.top - origin[1]) / size
        return self._picture.transform(
            (view.width, view.height), Image.Transform.AFFINE, (step, 0.0, across, 0.0, -step, down),
            Image.Resampling.NEAREST, fillcolor=NOTHING,
        ).convert("RGB")  # fmt: skip

    def _is_news(self, time: float) -> bool:
        """Take in how things are at a time; whether they have changed."""
        news = False
        if self._which != "truth" or self._log.header.terrain.changes:
            state = self._log.map(self._which, time)
            news = self._state is None or not np.array_equal(state, self._state)
            self._state = state
        if self._layers & {"who", "heat"}:
            tint = self._tints(time)
            news = news or self._tint is None or not np.array_equal(tint, self._tint)
            self._tint = tint
        return news

    def _cells(self) -> Cells:
        """(rows, columns): entries of the palette."""
        if self._terrain is not None:
            return self._truth_cells(self._terrain)
        assert self._state is not None
        entry = np.array([NOTHING, GROUND, WALL], dtype=np.uint8)[np.minimum(self._state, 2)]
        if self._tint is not None:
            np.copyto(entry, self._tint, where=(self._state == FREE) & (self._tint > 0))
        if "frontiers" in self._layers:
            entry[frontier_cells(self._state)] = FRONTIER
        return entry

    def _truth_cells(self, terrain_cells: Cells) -> Cells:
        terrain, frame, entry = self._log.header.terrain, self._log.header.frame, terrain_cells.copy()
        rows, columns = _same_places(terrain, frame)
        if self._tint is not None:
            tint = self._tint[np.ix_(rows, columns)]
            np.copyto(entry, tint, where=(entry < WALL) & (tint > 0))
        for change in terrain.changes:
            if isinstance(change, Door | Collapse) and self._state is not None:
                where = _cells_in(terrain, change)
                closed = self._state[np.ix_(rows[where[0]], columns[where[1]])] == OCCUPIED
                part = entry[where]
                part[closed & (part < WALL)] = DOOR
        return entry

    def _tints(self, time: float) -> Cells:
        """(rows, columns) of the maps: who saw a cell first or when, as entries of the palette; 0 if nobody."""
        who, at = self._log.first_seen(time)
        tint = np.zeros(who.shape, dtype=np.uint8)
        seen = (who >= 0) & self._log.header.explorable
        if "who" in self._layers:
            tint[seen] = WHO + who[seen] % SHADES
        else:
            share = at[seen] / max(self._log.end, 1e-9)
            tint[seen] = HEAT + np.clip(share * HEATS, 0, HEATS - 1).astype(np.uint8)
        return tint


def frontier_cells(state: Cells) -> NDArray[np.bool_]:
    """Free cells with an unknown one among their eight neighbours and no occupied one, as strategies have it."""
    padded = np.full((state.shape[0] + 2, state.shape[1] + 2), FREE, dtype=np.uint8)
    padded[1:-1, 1:-1] = state
    found: NDArray[np.bool_] = (state == FREE) & _any_near(padded == UNKNOWN) & ~_any_near(padded == OCCUPIED)
    return found


def _any_near(padded: NDArray[np.bool_]) -> NDArray[np.bool_]:
    across = padded[:, :-2] | padded[:, 1:-1] | padded[:, 2:]
    near: NDArray[np.bool_] = across[:-2] | across[1:-1] | across[2:]
    return near


def _terrain_cells(terrain: Terrain) -> Cells:
    """A terrain as entries of the palette."""
    heights, speed = terrain.wall_height_cm, terrain.speed_percent
    slow = np.minimum((100 - np.minimum(speed, 100).astype(np.int16)) // 10, 9)
    free = np.where(slow > 0, ROUGH + slow, GROUND)
    wall = MATERIAL + 2 * terrain.material.astype(np.int16) + (heights < 100 * LOW_WALL)
    return np.broadcast_to(np.where(heights == 0, free, wall), terrain.shape).astype(np.uint8)


def _same_places(terrain: Terrain, frame: Frame) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which rows and columns of the maps the cells of a terrain lie in."""
    sides = []
    for cells, start, origin, most in (
        (terrain.shape[0], terrain.origin[1], frame.origin[1], frame.rows),
        (terrain.shape[1], terrain.origin[0], frame.origin[0], frame.columns),
    ):
        middles = start + (np.arange(cells) + 0.5) * terrain.resolution
        sides.append(np.clip(np.floor((middles - origin) / frame.resolution), 0, most - 1).astype(np.int64))
    return sides[0], sides[1]


def _cells_in(terrain: Terrain, change: Door | Collapse) -> tuple[slice, slice]:
    """Rows and columns of a terrain whose middles lie in the area of a change."""

    def side(low: float, high: float, origin: float) -> slice:
        first, last = (math.ceil((edge - origin) / terrain.resolution - 0.5) for edge in (low, high))
        return slice(max(first, 0), max(last, first + 1, 0))

    area = change.area
    return side(area.bottom, area.top, terrain.origin[1]), side(area.left, area.right, terrain.origin[0])


def _in_blocks(cells: Cells, block: int) -> Cells:
    if block == 1:
        return cells
    for axis in (0, 1):
        cells = np.maximum.reduceat(cells, np.arange(0, cells.shape[axis], block), axis=axis)
    return cells


def _palette(theme: Theme) -> list[int]:
    colours: list[Colour] = [theme.page] * 256
    colours[NOTHING], colours[GROUND], colours[WALL] = theme.unknown, theme.free, theme.wall
    colours[FRONTIER], colours[DOOR] = theme.frontier, theme.door
    for shade in range(SHADES):
        colours[WHO + shade] = mix(theme.free, theme.robot(shade), WHO_SHARE)
    heat = matplotlib.colormaps["viridis"]
    for step in range(HEATS):
        red, green, blue, _ = heat(step / (HEATS - 1), bytes=True)
        colours[HEAT + step] = mix(theme.free, (int(red), int(green), int(blue)), 0.6)
    for slow in range(10):
        colours[ROUGH + slow] = mix(theme.free, theme.rough, slow / 10)
    for number, material in enumerate(MATERIALS):
        # The first is what walls are made of if nobody says; so it looks as walls do on maps.
        colour = theme.wall if number == 0 else mix(rgb(material.colour), theme.wall, 0.25)
        colours[MATERIAL + 2 * number], colours[MATERIAL + 2 * number + 1] = colour, mix(colour, theme.free, 0.55)
    return [part for colour in colours for part in colour]
