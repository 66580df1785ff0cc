"""Forests: obstacles strewn at random over open ground, with given density, shapes, sizes and gaps.

Obstacles are drawn one by one at random places and kept where they leave the gap to all others and to the border
(random sequential addition). Each is convex and apart from the rest, so the ground between them is one region for
every robot narrower than the gap.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.errors import ExpeditionError
from expedition.kernels import kernel
from expedition.streams import generator, mix, stream_key
from expedition.terrain.area import dilate
from expedition.terrain.lengths import Resolution, Seed, Size, WallHeight, cells, check_size
from expedition.terrain.library import terrain
from expedition.terrain.material import MaterialName
from expedition.terrain.roughness import RoughPatch, RoughShare, RoughSpeed, with_rough_ground
from expedition.terrain.terrain import RESOLUTION, WALL_HEIGHT, Terrain

AIM, TOLERANCE = 0.002, 0.01
"""How near to the density asked for the covered share should come, and how far from it it may stay."""

FIRST_TRIES = 100
MAX_TRIES = 20_000_000
MAX_OBSTACLE_CELLS = 1000
STAMP_BUDGET = 4_000_000

Shape = Literal["disc", "square", "polygon"]


@terrain("forest")
def forest(
    *,
    seed: Seed = 1,
    size: Size = 40.0,
    resolution: Resolution = RESOLUTION,
    density: Annotated[float, Field(ge=0, le=0.9, description="share of the ground inside the border covered")] = 0.1,
    shape: Annotated[Shape | Literal["mixed"], Field(description="disc, square, polygon or mixed")] = "disc",
    min_size: Annotated[float, Field(gt=0, le=50, description="smallest diameter or side, m")] = 0.5,
    max_size: Annotated[float, Field(gt=0, le=50, description="largest diameter or side, m")] = 1.5,
    min_gap: Annotated[float, Field(gt=0, le=20, description="least gap between obstacles, m")] = 1.0,
    border: Annotated[float, Field(gt=0, le=50, description="solid border, within the size, m")] = 0.5,
    wall_height: WallHeight = WALL_HEIGHT,
    material: Annotated[MaterialName, Field(description="what the obstacles and the border are made of")] = "wood",
    rough: RoughShare = 0.0,
    rough_speed: RoughSpeed = 30,
    rough_patch: RoughPatch = 6.0,
) -> Terrain:
    """Obstacles of a given density and shape on open ground."""
    width, height = check_size("forest", size, resolution)
    if min_size > max_size:
        raise ExpeditionError(f"forest: min_size {min_size:g} m is above max_size {max_size:g} m")
    if min_size < 2 * resolution:
        raise ExpeditionError(f"forest: min_size {min_size:g} m is less than two cells of {resolution:g} m")
    if (max_size + 2 * min_gap) / resolution > MAX_OBSTACLE_CELLS:
        raise ExpeditionError(
            f"forest: max_size {max_size:g} m with a gap of {min_gap:g} m is more than {MAX_OBSTACLE_CELLS} cells "
            f"of {resolution:g} m; take a coarser resolution"
        )
    if min(width, height) < max_size + 2 * (min_gap + border + resolution):
        raise ExpeditionError(
            f"forest: size {width:g} x {height:g} m has no place for an obstacle of {max_size:g} m with a gap of "
            f"{min_gap:g} m inside a border of {border:g} m"
        )
    occupied = np.ones((cells(height, resolution), cells(width, resolution)), dtype=bool)
    edge = cells(border, resolution)
    occupied[edge:-edge, edge:-edge] = False
    stamps = _stamps(shape, min_size, max_size, min_gap, resolution, generator(seed, "terrain/forest/shapes"))
    reached = _strew(occupied, edge, edge + math.ceil(min_gap / resolution), density, stamps, seed)
    if abs(reached - density) > TOLERANCE:
        raise ExpeditionError(
            f"forest: density {density:g} cannot be met with obstacles of {min_size:g} to {max_size:g} m and gaps of "
            f"{min_gap:g} m on {width:g} x {height:g} m; places were found for {reached:.3f}: lower density or "
            "min_gap, or change the sizes"
        )
    made = Terrain.from_occupied("forest", occupied, resolution, wall_height=wall_height, material=material)
    return with_rough_ground(made, seed, rough, rough_speed, rough_patch)


class _Stamps(NamedTuple):
    """Obstacles as lists of cells around their middles, one after the other, and where each list starts.

    `near` holds an obstacle's cells and those closer than the gap.
    """

    body: NDArray[np.int32]
    body_starts: NDArray[np.int64]
    near: NDArray[np.int32]
    near_starts: NDArray[np.int64]


def _stamps(
    shape: Shape | Literal["mixed"],
    min_size: float,
    max_size: float,
    min_gap: float,
    resolution: float,
    rng: np.random.Generator,
) -> _Stamps:
    """A stock of different obstacles, as many as memory reasonably allows."""
    count = int(np.clip(STAMP_BUDGET * (resolution / (max_size + 2 * min_gap)) ** 2, 16, 96))
    shapes: list[Shape] = ["disc", "square", "polygon"] if shape == "mixed" else [shape]
    bodies, surroundings = [], []
    for index in range(count):
        # Sizes cover their range evenly, the smallest included: it fills the last gap of the density.
        side = min_size + (max_size - min_size) * index / (count - 1)
        body = _raster(_outline(shapes[int(rng.integers(len(shapes)))], side, rng), side, resolution)
        margin = math.ceil(min_gap / resolution) + 1
        around = dilate(np.pad(body, margin), min_gap / resolution + 0.5)
        bodies.append(np.argwhere(body) - len(body) // 2)
        surroundings.append(np.argwhere(around) - len(around) // 2)
    return _Stamps(
        np.concatenate(bodies).astype(np.int32),
        np.cumsum([0, *map(len, bodies)]),
        np.concatenate(surroundings).astype(np.int32),
        np.cumsum([0, *map(len, surroundings)]),
    )


def _outline(shape: Shape, side: float, rng: np.random.Generator) -> NDArray[np.float64] | None:
    """The corners of a convex polygon around the origin, in turn; None is a disc."""
    if shape == "disc":
        return None
    if shape == "square":
        turns, radius = (np.arange(4) + 0.5) / 4, side / math.sqrt(2)
    else:
        corners = int(rng.integers(4, 9))
        turns, radius = (np.arange(corners) + 0.8 * rng.random(corners)) / corners, side / 2
    angles = 2 * math.pi * turns
    return radius * np.column_stack((np.cos(angles), np.sin(angles)))


def _raster(outline: NDArray[np.float64] | None, side: float, resolution: float) -> NDArray[np.bool_]:
    """The cells whose middles lie in the obstacle; the middle of the grid is the obstacle's."""
    reach = math.ceil(side / math.sqrt(2) / resolution)
    middle = np.arange(-reach, reach + 1) * resolution
    y, x = middle[:, None], middle[None, :]
    if outline is None:
        round_cells: NDArray[np.bool_] = np.hypot(x, y) < side / 2
        return round_cells
    inside = np.ones((len(middle), len(middle)), dtype=bool)
    for (x0, y0), (x1, y1) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        inside &= (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) >= 0
    inside[reach, reach] = True
    return inside


def _strew(occupied: NDArray[np.bool_], edge: int, margin: int, density: float, stamps: _Stamps, seed: int) -> float:
    """Add obstacles until the density is met or no more are found to fit; returns the density reached.

    The obstacles that would make up the density go first, the largest of them leading, since small ones still fit
    between large ones but not the other way round. Those without a place are then made up for by whatever fits.
    """
    rows, columns = occupied.shape
    ground = (rows - 2 * edge) * (columns - 2 * edge)
    blocked = np.ones_like(occupied)
    blocked[margin:-margin, margin:-margin] = False
    enough, too_much = math.ceil((density - AIM) * ground), math.floor((density + AIM) * ground)
    areas = np.diff(stamps.body_starts)
    rng = generator(seed, "terrain/forest/kinds")
    wanted = rng.integers(len(areas), size=max(0, enough) // int(areas.min()) + 1)
    wanted = -np.sort(-wanted[: 1 + np.searchsorted(np.cumsum(areas[wanted]), enough)])
    covered, tries_each = 0, FIRST_TRIES
    batch = max(1 << 16, ground // 8)
    for turn in range(1 + MAX_TRIES // batch):
        if covered >= enough:
            break
        key = stream_key(seed, f"terrain/forest/places/{turn}")
        added = _place(
            occupied, blocked, margin, key, wanted, tries_each, *stamps, enough - covered, too_much - covered
        )
        if turn > 0 and added == 0:
            break
        covered += added
        wanted, tries_each = rng.integers(len(areas), size=batch), 1
    return float(covered / ground)


@kernel
def _place(
    occupied: NDArray[np.bool_],
    blocked: NDArray[np.bool_],
    margin: int,
    key: np.uint64,
    kinds: NDArray[np.int64],
    tries_each: int,
    body: NDArray[np.int32],
    body_starts: NDArray[np.int64],
    near: NDArray[np.int32],
    near_starts: NDArray[np.int64],
    enough: int,
    too_much: int,
) -> int:
    """Try random places for the obstacles in turn; returns how many cells they cover, at most `too_much`.

    `blocked` holds where no obstacle may be: cells of obstacles and those closer to one than the gap.
    """
    rows, columns = occupied.shape
    covered = 0
    for turn in range(len(kinds)):
        start, end = body_starts[kinds[turn]], body_starts[kinds[turn] + 1]
        if covered + end - start > too_much:
            continue
        for attempt in range(tries_each):
            draw = np.uint64(2 * (turn * tries_each + attempt))
            row = margin + np.int64(mix(key, draw) % np.uint64(rows - 2 * margin))
            column = margin + np.int64(mix(key, draw + np.uint64(1)) % np.uint64(columns - 2 * margin))
            fits = not blocked[row, column]
            index = start
            while fits and index < end:
                y, x = row + body[index, 0], column + body[index, 1]
                fits = 0 <= y < rows and 0 <= x < columns and not blocked[y, x]
                index += 1
            if not fits:
                continue
            for index in range(start, end):
                occupied[row + body[index, 0], column + body[index, 1]] = True
            for index in range(near_starts[kinds[turn]], near_starts[kinds[turn] + 1]):
                y, x = row + near[index, 0], column + near[index, 1]
                if 0 <= y < rows and 0 <= x < columns:
                    blocked[y, x] = True
            covered += end - start
            break
        if covered >= enough:
            break
    return covered
