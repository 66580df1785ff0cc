"""Occupancy grids: what robots know of the ground, as arrays over robots.

A robot's `evidence` is what its own sensors said; `fused` is that and its teammates' evidence merged; `state` is what
both amount to, and what frontiers and planners read. Stamps say for each tile of cells when anything in it last
changed, so that whoever keeps something derived from a map redoes only what is news.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError

TILE = 16
"""Cells along a tile's side."""
WORDS = TILE * TILE // 64
"""Of 64 bits, for one bit a cell of a tile."""
EVERY_CELL = np.uint64(2**64 - 1)
UNKNOWN, FREE, OCCUPIED = 0, 1, 2
RESOLUTION = 0.2
MARGIN = 2.0
"""Metres of map beyond the area to explore: believed positions are a little wrong."""
MAX_CELLS = 400_000_000

GridKind = Literal["log-odds", "counters"]
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Frame:
    """Where a grid lies: the lower left corner of cell (0, 0) in metres, the cells' size, rows and columns."""

    origin: tuple[float, float]
    resolution: float
    rows: int
    columns: int

    @classmethod
    def around(cls, extent: tuple[float, float, float, float], resolution: float = RESOLUTION) -> Frame:
        """The frame of whole tiles that covers an area (left, right, bottom, top) with a margin."""
        if not (math.isfinite(resolution) and 0.01 <= resolution <= 10.0):
            raise ExpeditionError(f"a map's resolution must be within 0.01 and 10 m, found {resolution}")
        left, right, bottom, top = extent
        x, y = (math.floor((low - MARGIN) / resolution + 1e-9) for low in (left, bottom))
        columns, rows = (
            math.ceil((high + MARGIN) / resolution / TILE - low / TILE - 1e-9) * TILE
            for low, high in ((x, right), (y, top))
        )
        return cls((x * resolution, y * resolution), resolution, rows, columns)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    @property
    def tiles(self) -> tuple[int, int]:
        """Rows and columns of tiles."""
        return self.rows // TILE, self.columns // TILE

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top in metres."""
        left, bottom = self.origin
        return left, left + self.columns * self.resolution, bottom, bottom + self.rows * self.resolution

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Row and column of the cell that holds a point; it may lie outside the grid."""
        return (
            math.floor((y - self.origin[1]) / self.resolution),
            math.floor((x - self.origin[0]) / self.resolution),
        )

    def centre(self, row: float, column: float) -> tuple[float, float]:
        """The middle of a cell in metres."""
        return (
            self.origin[0] + (column + 0.5) * self.resolution,
            self.origin[1] + (row + 0.5) * self.resolution,
        )

    def centres(self, cells: NDArray[Any]) -> NDArray[np.float64]:
        """(n, 2): the middles of cells (n, 2) in metres, x before y."""
        return np.asarray((cells[:, ::-1] + 0.5) * self.resolution + self.origin, dtype=np.float64)

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell lies in the grid."""
        return 0 <= row < self.rows and 0 <= column < self.columns


class Grids:
    """The maps of all robots, (robots, rows, columns) each; a robot uses its own layer only."""

    def __init__(self, robots: int, frame: Frame, kind: GridKind = "log-odds", changing: bool = False) -> None:
        """`changing` says that walls may come and go, so that robots note where they saw that happen."""
        if robots * frame.rows * frame.columns > MAX_CELLS:
            raise ExpeditionError(
                f"{robots} maps of {frame.columns} x {frame.rows} cells are too many for memory: at most {MAX_CELLS:,} "
                f"cells in all; take a coarser resolution than {frame.resolution:g} m"
            )
        self.frame = frame
        self.kind: GridKind = kind
        shape = (robots, *frame.shape)
        self.evidence: NDArray[np.int16] = np.zeros(shape, dtype=np.int16)
        self.fused: NDArray[np.int32] = np.zeros(shape, dtype=np.int32)
        self.state: NDArray[np.uint8] = np.zeros(shape, dtype=np.uint8)
        tiles = (robots, *frame.tiles)
        self.evidence_stamp: NDArray[np.int64] = np.full(tiles, -1, dtype=np.int64)
        self.state_stamp: NDArray[np.int64] = np.full(tiles, -1, dtype=np.int64)
        self.flips: NDArray[np.uint8] = np.zeros(shape if changing else (0, 0, 0), dtype=np.uint8)
        """1 where a robot saw that a cell is not as it had believed, and has not told so; empty if nothing moves."""

    @cached_property
    def untold(self) -> Words:
        """(robots, tiles, WORDS): a bit a cell of each tile, clear only where the robot knows something of it.

        A robot that is made to forget has all its bits set again, by `forget`.
        """
        robots, down, across = self.state_stamp.shape
        return np.full((robots, down * across, WORDS), EVERY_CELL)

    def forget(self, robot: int) -> None:
        """A robot may know nothing of any cell from now on."""
        self.untold[robot] = EVERY_CELL
