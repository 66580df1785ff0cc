"""Prior knowledge: a map that robots are given before they set out. It may be partial, outdated or wrong.

A prior is a layer of its own that stands behind what was sensed. Where a robot has no evidence, its planner and its
expected gains go by the prior; frontiers, and what counts as explored, are of sensed cells only. A cell that is sensed
overrides its prior for good: that is how a wrong one is unlearnt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.errors import ExpeditionError, shorten
from expedition.registry import Registry
from expedition.spec import parse_spec
from expedition.streams import generator
from expedition.terrain import Terrain
from expedition.terrain.files import format_of, load

Floats = NDArray[np.float64]
States = NDArray[np.uint8]
Share = Annotated[float, Field(ge=0, le=1)]
Side = Annotated[float, Field(gt=0, le=1000)]


@dataclass(frozen=True, eq=False)
class PriorMap:
    """A map in the world's frame, whose cells are free, occupied or unknown; row 0 is the lowest y."""

    state: States
    """(rows, columns): 0 unknown, 1 free, 2 occupied."""
    resolution: float
    origin: tuple[float, float]
    """The lower left corner of cell (0, 0), in metres."""

    @classmethod
    def of(cls, terrain: Terrain) -> PriorMap:
        """A map of all of a terrain, with its doors open."""
        return cls(np.where(terrain.occupied, OCCUPIED, FREE).astype(np.uint8), terrain.resolution, terrain.origin)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top in metres."""
        (rows, columns), (left, bottom) = self.state.shape, self.origin
        return left, left + columns * self.resolution, bottom, bottom + rows * self.resolution


priors: Registry[PriorMap | Terrain] = Registry("prior")
"""Makers of priors: called with the mission's terrain and seed."""


@priors("truth")
def truth(
    terrain: Terrain,
    seed: int,
    *,
    known: Annotated[Share, Field(description="share of the map's blocks that are in it")] = 1.0,
    wrong: Annotated[Share, Field(description="share of the pieces of wall that it misses; as many it adds")] = 0.0,
    shift: Annotated[float, Field(ge=0, le=1000, description="how far it lies off, to a random side, m")] = 0.0,
    block: Annotated[Side, Field(description="side of a block, m")] = 5.0,
    piece: Annotated[Side, Field(description="side of a piece of wall, m")] = 1.0,
) -> PriorMap:
    """The terrain itself, as it is with all doors open: whole or in part, with errors drawn from the mission's seed."""
    state = PriorMap.of(terrain).state
    if wrong > 0.0:
        _spoil(state, wrong, max(1, round(piece / terrain.resolution)), generator(seed, "prior/wrong"))
    if known < 1.0:
        blocks = _squares(state.shape, max(1, round(block / terrain.resolution)))
        count = int(blocks.max()) + 1
        unknown = generator(seed, "prior/known").permutation(count)[round(known * count) :]
        state[np.isin(blocks, unknown)] = UNKNOWN
    angle = generator(seed, "prior/shift").uniform(0.0, 2.0 * math.pi)
    x, y = terrain.origin
    return PriorMap(state, terrain.resolution, (x + shift * math.cos(angle), y + shift * math.sin(angle)))


def make_prior(spec: str, terrain: Terrain, seed: int) -> PriorMap:
    """The prior that a text stands for: a name with parameters, a map file, or `my_file.py:my_prior`.

    >>> make_prior("truth:known=0.5,wrong=0.1", find_terrain("maze"), seed=0)
    """
    try:
        if names_map(spec):
            made: object = _from_file(spec)
        else:
            component, written = priors.parse(spec)
            made = component.build(terrain, seed, **component.check(written))
        if isinstance(made, Terrain):
            made = PriorMap.of(made)
        if not isinstance(made, PriorMap):
            raise ExpeditionError(f"expected a PriorMap or a Terrain, found {shorten(made)}")
        _check(made, terrain)
    except ExpeditionError as error:
        raise ExpeditionError(f"prior: {error}") from error
    return made


def check_prior(spec: str) -> None:
    """Refuse a prior that cannot be made, as far as that shows without the terrain."""
    try:
        if names_map(spec):
            _from_file(spec)
        else:
            component, written = priors.parse(spec)
            component.check(written)
    except ExpeditionError as error:
        raise ExpeditionError(f"prior: {error}") from error


def names_map(spec: str) -> bool:
    """Whether a prior is a map file, perhaps with options after a colon."""
    return ".py:" not in spec and format_of(spec.partition(":")[0]) is not None


def _from_file(spec: str) -> PriorMap:
    """The map in a file. What a ROS map calls unknown stays unknown, unless the option `unknown` says otherwise.

    Its edge stays open, unless the option `edges` says otherwise: the ground goes on beyond a map of a part of it.
    """
    path, options = parse_spec(spec)
    options = {"edges": "open", **options}
    found = PriorMap.of(load(path, **options))
    format = format_of(path)
    if format is not None and "unknown" in format.options.model_fields and "unknown" not in options:
        found.state[load(path, **options, unknown="free").occupied != (found.state == OCCUPIED)] = UNKNOWN
    return found


def _check(prior: PriorMap, terrain: Terrain) -> None:
    state = prior.state
    if not (isinstance(state, np.ndarray) and state.ndim == 2 and state.size and state.dtype == np.uint8):
        raise ExpeditionError("a prior's state must be rows and columns of whole numbers of one byte")
    if state.max() > OCCUPIED:
        raise ExpeditionError(f"a prior's cells are 0 unknown, 1 free or 2 occupied, found {state.max()}")
    if not (math.isfinite(prior.resolution) and 1e-4 <= prior.resolution <= 1e4 and np.isfinite(prior.origin).all()):
        raise ExpeditionError(f"a prior's cells must be 0.0001 to 10000 m wide, found {prior.resolution} m")
    (left, right, bottom, top), (west, east, south, north) = prior.extent, terrain.extent
    if left >= east or right <= west or bottom >= north or top <= south:
        raise ExpeditionError(
            f"the map spans x {left:g} to {right:g} and y {bottom:g} to {top:g} m, and the terrain "
            f"x {west:g} to {east:g} and y {south:g} to {north:g} m: they have no ground in common"
        )


class Prior:
    """A prior map in the frames of all nodes' maps."""

    def __init__(self, given: PriorMap, frame: Frame, starts: Floats | None = None) -> None:
        """`starts` (robots, 3) are where frames begin in the world, if every robot has a frame of its own."""
        poses: Sequence[Floats] = [np.zeros(3)] if starts is None else list(starts)
        self._layers = [drawn(given, frame, pose) for pose in poses]

    def layer(self, node: int) -> States:
        """(rows, columns): what the prior says in the frame of a node's map; nobody writes to it."""
        return self._layers[node if len(self._layers) > 1 else 0]


def drawn(given: PriorMap, frame: Frame, pose: Floats) -> States:
    """A prior on the grid of a map whose frame lies at a pose in the world.

    A cell is occupied if a part of it is, free if all parts are.
    """
    parts = max(2, math.ceil(frame.resolution / given.resolution - 1e-9))
    offsets = (np.arange(parts) + 0.5) / parts
    c, s = math.cos(pose[2]), math.sin(pose[2])
    rows, columns = given.state.shape
    occupied = np.zeros(frame.shape, dtype=bool)
    free = np.ones(frame.shape, dtype=bool)
    for up in offsets:
        y = frame.origin[1] + (np.arange(frame.rows)[:, None] + up) * frame.resolution
        for across in offsets:
            x = frame.origin[0] + (np.arange(frame.columns) + across) * frame.resolution
            column = np.floor((pose[0] + c * x - s * y - given.origin[0]) / given.resolution + 1e-6).astype(np.int64)
            row = np.floor((pose[1] + s * x + c * y - given.origin[1]) / given.resolution + 1e-6).astype(np.int64)
            inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
            part = np.where(inside, given.state[row.clip(0, rows - 1), column.clip(0, columns - 1)], UNKNOWN)
            occupied |= part == OCCUPIED
            free &= part == FREE
    return np.where(occupied, OCCUPIED, np.where(free, FREE, UNKNOWN)).astype(np.uint8)


def _squares(shape: tuple[int, ...], side: int) -> NDArray[np.int64]:
    """For each cell, the number of the square of so many cells that it lies in."""
    rows, columns = np.arange(shape[0]) // side, np.arange(shape[1]) // side
    return np.asarray(rows[:, None] * (columns[-1] + 1) + columns)


def _spoil(state: States, share: float, side: int, rng: np.random.Generator) -> None:
    """Take a share of the squares with walls in them out of a map, and fill as many that have none."""
    squares = _squares(state.shape, side)
    has_wall = np.bincount(squares.ravel(), state.ravel() == OCCUPIED) > 0
    walls, open_ground = np.flatnonzero(has_wall), np.flatnonzero(~has_wall)
    count = round(share * len(walls))
    gone = rng.permutation(walls)[:count]
    new = rng.permutation(open_ground)[:count]
    state[np.isin(squares, gone)] = FREE
    state[np.isin(squares, new)] = OCCUPIED
