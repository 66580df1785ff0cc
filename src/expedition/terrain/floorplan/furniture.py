"""Furniture in rooms, and specks: single cells or a few, such as a scan leaves of chair legs, bins and noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from expedition.terrain.floorplan.polygons import Box
from expedition.terrain.floorplan.rooms import Room

CLEAR = 1.0
"""Metres between pieces of furniture, and between them and walls that they do not stand at: what a person needs, and
with the corners of cells taken off still 0.85 m."""

INTO_WALL = 0.08
"""How far what stands at a wall reaches into it, so that no free cells are left between."""

TRIES = 14  # for each room

APART = 1.1  # metres between specks
CLEAR_OF_SPECKS = 0.8  # metres around a speck in the open
WIDE = 0.5  # metres from wall cells to the middle of a passage in which a speck may stick to a wall
SPECK_CELLS = 3


@dataclass(frozen=True)
class Kind:
    """A kind of furniture: ranges of its length and depth, its height, and how often it is drawn, in metres."""

    name: str
    length: tuple[float, float]
    depth: tuple[float, float]
    height: float
    chance: float
    at_wall: float
    """Chance that it stands at a wall."""


KINDS = (
    Kind("shelf", (0.8, 2.6), (0.3, 0.5), 1.8, 0.35, 1.0),
    Kind("table", (1.2, 2.2), (0.7, 1.0), 0.75, 0.3, 0.35),
    Kind("legs", (1.2, 1.8), (0.9, 1.1), 0.75, 0.15, 0.0),
    Kind("block", (0.4, 1.0), (0.4, 0.9), 1.2, 0.2, 0.6),
)
LEG = 0.05


def furnish(room: Room, share: float, rng: np.random.Generator) -> list[tuple[Kind, Box]]:
    """Furniture in the frame of the room, on at most `share` of its floor."""
    placed: list[tuple[Kind, Box]] = []
    blocked = [room.closet] if room.closet else []
    spaces = [door.space for door in room.doors]
    left_over = share * room.area
    chances = np.cumsum([kind.chance for kind in KINDS])
    for _ in range(TRIES):
        kind = KINDS[min(int(np.searchsorted(chances, rng.random())), len(KINDS) - 1)]
        box = _somewhere(room.box, kind, rng)
        if box is None or box.area > left_over or any(box.meets(space) for space in spaces):
            continue
        if any(box.meets(other, CLEAR) for other in blocked):
            continue
        left_over -= box.area
        blocked.append(box)
        if kind.name == "legs":
            corners = [(u, v) for u in (box.left, box.right) for v in (box.bottom, box.top)]
            placed += [(kind, Box(u, v, u, v).grown(LEG)) for u, v in corners]
        else:
            placed.append((kind, box))
    return placed


def _somewhere(room: Box, kind: Kind, rng: np.random.Generator) -> Box | None:
    """A random place for a piece of furniture: at a wall, perhaps in a corner, or clear of all walls."""
    length, depth = float(rng.uniform(*kind.length)), float(rng.uniform(*kind.depth))
    along_u = rng.random() < 0.5
    width, height = (length, depth) if along_u else (depth, length)
    at_wall = rng.random() < kind.at_wall
    # The side along its length stands at the wall.
    u = _along(room.left, room.right, width, at_wall and not along_u, along_u and at_wall, rng)
    v = _along(room.bottom, room.top, height, at_wall and along_u, not along_u and at_wall, rng)
    if u is None or v is None:
        return None
    return Box(u[0], v[0], u[1], v[1])


def _along(
    low: float, high: float, length: float, at_wall: bool, corner: bool, rng: np.random.Generator
) -> tuple[float, float] | None:
    """Where a piece begins and ends between two walls: at one of them, or `CLEAR` of both."""
    spare = high - low - length
    first, side = float(rng.random()), rng.random() < 0.5
    if at_wall or (corner and rng.random() < 0.3):
        if spare < CLEAR:
            return None
        return (low - INTO_WALL, low + length) if side else (high - length, high + INTO_WALL)
    if spare < 2 * CLEAR:
        return None
    start = low + CLEAR + first * (spare - 2 * CLEAR)
    return start, start + length


def specks(
    occupied: NDArray[np.bool_],
    walls: NDArray[np.bool_],
    kept: NDArray[np.bool_],
    resolution: float,
    density: float,
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """The cells of specks, so many a square metre of free ground.

    They stand in the open or stick to `walls` where the way past them is wide, and never in `kept`, the doors.
    """
    result, taken = np.zeros_like(occupied), np.zeros_like(occupied)
    count = round(density * np.count_nonzero(~occupied) * resolution**2)
    if count == 0:
        return result
    to_solid = ndimage.distance_transform_edt(~occupied) * resolution
    at_wall = ~occupied & ndimage.binary_dilation(walls)
    # The way past a speck at a wall is wide if a disc of radius WIDE just off the wall touches it.
    past = ndimage.distance_transform_edt(to_solid < WIDE) * resolution if (to_solid >= WIDE).any() else np.inf
    allowed = ~kept & ((to_solid >= CLEAR_OF_SPECKS) | (at_wall & (past <= WIDE)))
    places = np.argwhere(allowed)
    if not len(places):
        return result
    beside = math.ceil(APART / resolution)
    strewn = 0
    for row, column in places[rng.integers(len(places), size=4 * count)].tolist():
        if strewn == count:
            break
        if taken[row, column]:
            continue
        strewn += 1
        taken[max(0, row - beside) : row + beside + 1, max(0, column - beside) : column + beside + 1] = True
        for _ in range(int(rng.integers(1, SPECK_CELLS + 1))):
            result[row, column] = True
            down, right = ((0, 1), (1, 0), (0, -1), (-1, 0))[int(rng.integers(4))]
            inside = 0 <= row + down < allowed.shape[0] and 0 <= column + right < allowed.shape[1]
            if inside and allowed[row + down, column + right]:
                row, column = row + down, column + right
    return result
