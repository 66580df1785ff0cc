"""Planning costs: what a robot's map says about where its body may go, and how near to walls it would pass.

A cell's cost is one byte. `OCCUPIED_COST`, `TIGHT_COST` (the body does not pass there) and `UNKNOWN_COST` are classes
of their own, and so is `SQUEEZE_COST`: the body passes, but cannot turn. 0 to 100 is what a free cell costs above its
length, by its distance from the nearest occupied cell.
Codes from `ROUGH_COST` on are free cells of rough ground: its class, and in fewer levels the nearness to walls.
The outermost ring of the map counts as occupied: no path leaves the map, and no search has to look for its edge.

Where a robot has a prior map, ground that it never sensed is what the prior says. What it sensed decides: ground that
it saw to be open is never closed by a wall of the prior, which only makes it dearer, as an error there would otherwise
shut the robot out for good.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.belief.grid import FREE, OCCUPIED, TILE, UNKNOWN, Frame
from expedition.belief.roughness import CLASSES, RoughGround, rough_class
from expedition.errors import ExpeditionError
from expedition.kernels import kernel
from expedition.spec import Spec

OCCUPIED_COST = 255
TIGHT_COST = 254
UNKNOWN_COST = 253
SQUEEZE_COST = 251
"""Where a robot has to drive straight. Dear, so that paths lead through only where there is no other."""
HIGHEST_COST = 100
ROUGH_COST = HIGHEST_COST + 1
NEAR_LEVELS = 16
"""Levels of nearness to walls on rough ground, for each of its classes."""
assert ROUGH_COST + CLASSES * NEAR_LEVELS < SQUEEZE_COST < 252 < UNKNOWN_COST  # 252: a search's way out.
MAX_REACH_CELLS = 1000
ROUNDING = 1e-9
ROUGHLY = 0.05
"""Corrections of a pose below this pass for driving, in metres."""

CostGrid = NDArray[np.uint8]
Bounds = tuple[float, float, float]
"""A frame as kernels take it: the origin's x and y, and the resolution."""
NOTHING = np.empty((0, 0), dtype=np.uint8)
"""No prior, or no rough ground."""

Radius = Annotated[float, Field(ge=0, le=1000)]
CellCost = Annotated[float, Field(ge=0, le=HIGHEST_COST)]


class Inflation(Spec):
    """How cost falls with the distance d from an occupied cell, for a robot of circumradius r.

    Up to `radius` it is 100 exp(-scaling (d - r)), as in ROS costmaps (there r is the inscribed radius). Beyond,
    `comfort_cost` at r falls linearly to nothing at `comfort_radius`, so that paths keep off walls where there is room.
    """

    radius: Radius = 0.55
    """Up to this distance from an occupied cell the cost falls exponentially, in metres."""
    scaling: Annotated[float, Field(ge=0, le=1000)] = 10.0
    """How steeply, in 1/m."""
    comfort_radius: Radius = 0.8
    """Where nearness to walls stops to cost anything, in metres."""
    comfort_cost: CellCost = 20.0
    """What it costs at the body's own radius, beyond `radius`."""

    def cost(self, distance: float, circumradius: float, passing: float) -> int:
        """The cost of a free cell whose centre is so far from the nearest occupied cell's, in metres."""
        if distance <= 0.0:
            return OCCUPIED_COST
        if distance < min(passing, circumradius) - ROUNDING:
            return TIGHT_COST
        if distance < circumradius - ROUNDING:
            return SQUEEZE_COST
        beyond = distance - circumradius
        steep = HIGHEST_COST * math.exp(-self.scaling * beyond) if distance <= self.radius else 0.0
        room = self.comfort_radius - circumradius
        gentle = self.comfort_cost * (1.0 - beyond / room) if distance < self.comfort_radius and room > 0.0 else 0.0
        return round(max(steep, gentle))


class Costs:
    """One robot's planning costs, kept up to date with its map at the price of what changed in it."""

    def __init__(
        self,
        frame: Frame,
        circumradius: float,
        inflation: Inflation | None = None,
        cost: CostGrid | None = None,
        prior: NDArray[np.uint8] | None = None,
        rough: RoughGround | None = None,
        passing: float | None = None,
    ) -> None:
        """`passing`, see `fleet/clearance.py`, is the circumradius if not given: cells nearer to walls are closed.

        `cost` is where the costs shall lie, such as this robot's layer of an array over robots.

        `prior` (rows, columns) is the state of cells by a map that the robot was given, `rough` what it knows of rough
        ground.
        """
        inflation = inflation or Inflation()
        reach_metres = max(inflation.radius, inflation.comfort_radius, circumradius)
        if not (circumradius >= 0.0 and reach_metres <= MAX_REACH_CELLS * frame.resolution):
            raise ExpeditionError(
                f"costs around walls for a robot of circumradius {circumradius:g} m: radii must be within 0 and "
                f"{MAX_REACH_CELLS * frame.resolution:g} m, {MAX_REACH_CELLS} cells"
            )
        reach = math.ceil(reach_metres / frame.resolution)
        self.frame = frame
        self.circumradius = circumradius
        self.passing = circumradius if passing is None else passing
        self.reach_cells = reach
        """How far an occupied cell changes the costs around it, in cells."""
        self.cost: CostGrid = np.empty(frame.shape, dtype=np.uint8) if cost is None else cost
        self.cost[:] = UNKNOWN_COST
        self.cost[[0, -1]] = OCCUPIED_COST
        self.cost[:, [0, -1]] = OCCUPIED_COST
        self.version = 0
        """Rises whenever a refresh found tiles to redo; whoever keeps something derived from the costs compares it."""
        self.escape_cells = math.ceil(circumradius / frame.resolution) + 1
        """How many steps through cells that are closed to it a robot that stands in one may take to get out."""
        self._since = -1
        self._by_square = np.array(
            [
                inflation.cost(math.sqrt(square) * frame.resolution, circumradius, self.passing)
                for square in range(reach * reach + 1)
            ],
            dtype=np.uint8,
        )
        self._squares = np.empty((TILE + 4 * reach, frame.columns), dtype=np.int32)
        self._prior = prior
        self._rough = rough
        self.trail: NDArray[np.bool_] = np.zeros(frame.shape, dtype=np.bool_)
        """Where the robot's middle has been: it passes there, whatever small errors of the map say."""
        self.may_close = True
        """Whether walls may come to stand there."""
        self._closed: list[NDArray[np.int64]] = []
        self._closed_stamp = np.full(frame.tiles, -1, dtype=np.int64)

    @property
    def knows_rough_ground(self) -> bool:
        """Whether costs are times: rough ground may turn up on a way that was good."""
        return self._rough is not None

    def stamps(self, state_stamp: NDArray[np.int64], since: int) -> NDArray[np.int64]:
        """For each tile, when anything that costs depend on last changed; a prior is news to who starts."""
        if self._prior is not None and since < 0:
            return np.zeros_like(state_stamp)
        stamps = state_stamp if self._rough is None else np.maximum(state_stamp, self._rough.stamp)
        return stamps if self._closed_stamp.max() < since else np.maximum(stamps, self._closed_stamp)

    def close(self, cells: NDArray[np.int64], tick: int) -> None:
        """Close cells (row * columns + column) that look open, but where the robot has found that it does not pass."""
        self._closed.append(cells)
        self._close_again(cells)
        self._news_of_closed(cells, tick)

    def reopen(self, cells: NDArray[np.int64], tick: int) -> None:
        """Take cells that were closed for what the map says from the next refresh on."""
        self._closed = [others for others in self._closed if others is not cells]
        self._news_of_closed(cells, tick)

    def _close_again(self, cells: NDArray[np.int64]) -> None:
        """What is free there is too tight."""
        flat = self.cost.reshape(-1)
        flat[cells[flat[cells] <= SQUEEZE_COST]] = TIGHT_COST

    def _news_of_closed(self, cells: NDArray[np.int64], tick: int) -> None:
        rows, columns = np.divmod(cells, self.frame.columns)
        self._closed_stamp[rows // TILE, columns // TILE] = tick + 1
        self.version += 1

    def is_fresh(self, tick: int) -> bool:
        """Whether they were refreshed in this tick already: the map does not change any more until the next."""
        return self._since == tick

    def refresh(self, state: NDArray[np.uint8], state_stamp: NDArray[np.int64], tick: int) -> bool:
        """Follow the robot's map (its layer of `Grids.state`) to `tick`; whether anything had changed.

        Changes stamped with this `tick` must be in the map already: the next refresh asks for later ones only.
        """
        stamps = self.stamps(state_stamp, self._since)
        if self._prior is None and self._rough is None:
            changed = refresh_costs(state, stamps, self._since, self.cost, self._by_square, self._squares)
        else:
            prior = NOTHING if self._prior is None else self._prior
            percent = NOTHING if self._rough is None else self._rough.percent
            changed = refresh_expected(
                state, stamps, self._since, self.cost, self._by_square, self._squares, prior, percent,
                *_blank_grids(self.frame.shape),
            )  # fmt: skip
        if changed:
            open_trail(self.cost, self.trail, stamps, self._since, self.reach_cells, self.may_close)
        for cells in self._closed if changed else ():
            self._close_again(cells)
        self._since = tick
        self.version += changed > 0
        return changed > 0


def cells_within(frame: Frame, x: float, y: float, radius: float) -> NDArray[np.int64]:
    """The cells (row * columns + column) whose middles lie within a radius of a point."""
    row, column = frame.cell(x, y)
    reach = math.ceil(radius / frame.resolution) + 1
    rows = np.arange(max(row - reach, 0), min(row + reach + 1, frame.rows))
    columns = np.arange(max(column - reach, 0), min(column + reach + 1, frame.columns))
    away = np.hypot(
        frame.origin[0] + (columns[None, :] + 0.5) * frame.resolution - x,
        frame.origin[1] + (rows[:, None] + 0.5) * frame.resolution - y,
    )
    inside = np.argwhere(away < radius)
    cells: NDArray[np.int64] = rows[inside[:, 0]] * frame.columns + columns[inside[:, 1]]
    return cells


@lru_cache(maxsize=2)
def _blank_grids(shape: tuple[int, int]) -> tuple[CostGrid, CostGrid]:
    """Room to work in, for grids of a shape."""
    return np.empty(shape, dtype=np.uint8), np.empty(shape, dtype=np.uint8)


@kernel
def mark_trails(
    trails: NDArray[np.bool_],
    poses: NDArray[np.float64],
    last: NDArray[np.float64],
    strides: NDArray[np.float64],
    frame: Bounds,
) -> None:
    """Mark the cells between where robots were (`last`, brought up to date) and are, joined by straight steps.

    Where a pose has moved farther than a robot's stride, the most that it drives in between, it was corrected. Cost: a
    few cells a robot.
    """
    for robot in range(len(last)):
        x, y = last[robot, 0], last[robot, 1]
        dx, dy = poses[robot, 0] - x, poses[robot, 1] - y
        length = math.sqrt(dx * dx + dy * dy)
        if length < 0.25 * frame[2]:
            continue
        last[robot, 0], last[robot, 1] = poses[robot, 0], poses[robot, 1]
        if length > 0.25 * frame[2] + strides[robot] + ROUGHLY:
            continue
        trail = trails[robot]
        steps = math.ceil(4.0 * length / frame[2])
        before = math.floor((x - frame[0]) / frame[2])
        for step in range(steps + 1):
            row = math.floor((y + dy * step / steps - frame[1]) / frame[2])
            column = math.floor((x + dx * step / steps - frame[0]) / frame[2])
            if 0 < row < trail.shape[0] - 1 and 0 < column < trail.shape[1] - 1 and 0 < before < trail.shape[1] - 1:
                trail[row, before] = True
                trail[row, column] = True
            before = column


@kernel
def open_trail(
    cost: CostGrid, trail: NDArray[np.bool_], stamps: NDArray[np.int64], since: int, reach: int, may_close: bool
) -> None:
    """Open the trail in and around all tiles stamped after `since`; where walls `may_close` it, not through those.

    Cost: the tiles' cells.
    """
    rows, columns = cost.shape
    for tile_row in range(stamps.shape[0]):
        for tile_column in range(stamps.shape[1]):
            if stamps[tile_row, tile_column] <= since:
                continue
            for row in range(max(tile_row * TILE - reach, 1), min((tile_row + 1) * TILE + reach, rows - 1)):
                for column in range(
                    max(tile_column * TILE - reach, 1), min((tile_column + 1) * TILE + reach, columns - 1)
                ):
                    is_closed = cost[row, column] > SQUEEZE_COST and not (
                        may_close and cost[row, column] == OCCUPIED_COST
                    )
                    if trail[row, column] and is_closed:
                        cost[row, column] = SQUEEZE_COST


@kernel
def refresh_costs(
    state: NDArray[np.uint8],
    state_stamp: NDArray[np.int64],
    since: int,
    cost: CostGrid,
    by_square: NDArray[np.uint8],
    squares: NDArray[np.int32],
) -> int:
    """Redo the costs around all tiles stamped after `since`; how many tiles those are.

    `by_square[q]` is the cost at a distance of sqrt(q) cells, whose last entry ends the reach; `squares` is room to
    work in. Invariant: costs farther than the reach from a changed tile do not depend on it, and all others are
    computed anew from the map, so that the result is the same as if everything were. Cost: for each run of changed
    tiles in a row of tiles, its cells and those within the reach around them, times the reach.
    """
    reach = int(math.sqrt(by_square.size - 1) + 0.5)
    rows, columns = state.shape
    redone = 0
    for tile_row in range(state_stamp.shape[0]):
        tile_column = 0
        while tile_column < state_stamp.shape[1]:
            first = tile_column
            while tile_column < state_stamp.shape[1] and state_stamp[tile_row, tile_column] > since:
                tile_column += 1
            if tile_column > first:
                redone += tile_column - first
                bottom = max(tile_row * TILE - reach, 0)
                top = min((tile_row + 1) * TILE + reach, rows)
                left = max(first * TILE - reach, 0)
                right = min(tile_column * TILE + reach, columns)
                _redo_block(state, cost, by_square, squares, reach, bottom, top, left, right)
            tile_column += 1
    if redone > 0:
        cost[0, :] = OCCUPIED_COST
        cost[rows - 1, :] = OCCUPIED_COST
        cost[:, 0] = OCCUPIED_COST
        cost[:, columns - 1] = OCCUPIED_COST
    return redone


@kernel
def _redo_block(
    state: NDArray[np.uint8],
    cost: CostGrid,
    by_square: NDArray[np.uint8],
    squares: NDArray[np.int32],
    reach: int,
    bottom: int,
    top: int,
    left: int,
    right: int,
) -> None:
    """The costs of a block of cells, from squared distances taken first along rows and then across them.

    Rows without an occupied cell, of which open ground and unknown ground have many, are passed over.
    """
    far = by_square.size
    low, high = max(bottom - reach, 0), min(top + reach, state.shape[0])
    begin, end = max(left - reach, 0), min(right + reach, state.shape[1])
    has_walls = np.zeros(high - low, dtype=np.bool_)
    for row in range(low, high):
        along = squares[row - low]
        states = state[row]
        walls = 0
        for column in range(begin, end):
            walls += states[column] == OCCUPIED
        if walls == 0:
            continue
        has_walls[row - low] = True
        gap = reach + 1
        for column in range(begin, end):
            gap = 0 if states[column] == OCCUPIED else gap + 1
            along[column] = gap * gap if gap <= reach else far
        gap = reach + 1
        for column in range(end - 1, begin - 1, -1):
            gap = 0 if states[column] == OCCUPIED else gap + 1
            if gap <= reach:
                along[column] = min(along[column], gap * gap)
    width = right - left
    nearest = np.empty(width, dtype=np.int32)
    for row in range(bottom, top):
        nearest[:] = far
        for other in range(max(row - reach, low), min(row + reach + 1, high)):
            if not has_walls[other - low]:
                continue
            across = np.int32((other - row) * (other - row))
            along = squares[other - low, left:right]
            for column in range(width):
                nearest[column] = min(nearest[column], along[column] + across)
        states = state[row, left:right]
        costs = cost[row, left:right]
        for column in range(width):
            square = nearest[column]
            value = by_square[square] if square < far else np.uint8(0)
            if states[column] != FREE and value < TIGHT_COST:
                value = np.uint8(UNKNOWN_COST)
            costs[column] = value


@kernel
def refresh_expected(
    state: NDArray[np.uint8],
    stamps: NDArray[np.int64],
    since: int,
    cost: CostGrid,
    by_square: NDArray[np.uint8],
    squares: NDArray[np.int32],
    prior: NDArray[np.uint8],
    percent: NDArray[np.uint8],
    expected: NDArray[np.uint8],
    sensed: CostGrid,
) -> int:
    """As `refresh_costs`, where a `prior` stands behind the map and `percent` knows of rough ground, if not empty.

    `expected` and `sensed` are room to work in. Cost: with a prior, twice that of `refresh_costs`.
    """
    reach = int(math.sqrt(by_square.size - 1) + 0.5)
    rows, columns = state.shape
    redone = 0
    for tile_row in range(stamps.shape[0]):
        for tile_column in range(stamps.shape[1]):
            if stamps[tile_row, tile_column] <= since:
                continue
            redone += 1
            bottom, top = max(tile_row * TILE - reach, 0), min((tile_row + 1) * TILE + reach, rows)
            left, right = max(tile_column * TILE - reach, 0), min((tile_column + 1) * TILE + reach, columns)
            if prior.size == 0:
                _redo_block(state, cost, by_square, squares, reach, bottom, top, left, right)
            else:
                for row in range(max(bottom - reach, 0), min(top + reach, rows)):
                    for column in range(max(left - reach, 0), min(right + reach, columns)):
                        known = state[row, column]
                        expected[row, column] = prior[row, column] if known == UNKNOWN else known
                _redo_block(expected, cost, by_square, squares, reach, bottom, top, left, right)
                _redo_block(state, sensed, by_square, squares, reach, bottom, top, left, right)
                for row in range(bottom, top):
                    for column in range(left, right):
                        if sensed[row, column] <= HIGHEST_COST:
                            cost[row, column] = min(cost[row, column], np.uint8(HIGHEST_COST))
            if percent.size > 0:
                for row in range(bottom, top):
                    for column in range(left, right):
                        kind = rough_class(int(percent[row, column]))
                        if kind > 0 and cost[row, column] <= HIGHEST_COST:
                            cost[row, column] = rough_cost(kind, int(cost[row, column]))
    if redone > 0:
        cost[0, :] = OCCUPIED_COST
        cost[rows - 1, :] = OCCUPIED_COST
        cost[:, 0] = OCCUPIED_COST
        cost[:, columns - 1] = OCCUPIED_COST
    return redone


@kernel
def rough_cost(kind: int, near: int) -> int:
    """The code of rough ground of a class (1 to `CLASSES`) with what nearness to walls costs there."""
    level = (near * (NEAR_LEVELS - 1) + HIGHEST_COST // 2) // HIGHEST_COST
    return ROUGH_COST + (kind - 1) * NEAR_LEVELS + level
