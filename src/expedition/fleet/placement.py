"""Placements: where the robots of a fleet start.

A placement is a function of the terrain, the robot models and a random generator; its keyword-only parameters are what
users set: `grouped:radius=3`. It returns one row (x, y, heading) a robot, which is checked whoever made it. One with a
fourth argument named `site` can ask it from where robots get to the largest region, and may leave notes there.
"""

from __future__ import annotations

import csv
import inspect
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from scipy import ndimage

from expedition.errors import ExpeditionError, shorten
from expedition.fleet.check import Poses, check_number, check_placement, first_misfit
from expedition.fleet.model import RobotModel
from expedition.fleet.quantity import Heading
from expedition.fleet.reach import LITTLE, share_of
from expedition.fleet.site import Site
from expedition.fleet.standing import Cells, Points, Standing
from expedition.kernels import kernel
from expedition.registry import Registry
from expedition.spec import read_text
from expedition.streams import generator
from expedition.terrain import Terrain
from expedition.terrain.changes import Coordinate, Point

Floats = NDArray[np.float64]

placement: Registry[Poses] = Registry("placement")

Gap = Annotated[float, Field(ge=0, le=1000, description="free space between two robots at least, in metres")]
Facing = Annotated[Heading | None, Field(description="heading of all robots in radians; random if not given")]
Position = Annotated[list[Coordinate], Field(min_length=2, max_length=3)]

MAX_CSV_BYTES = 4_000_000
SPREAD_PLACES = 50_000
CENTRES_TRIED = 32
FIRST_START, STEP = (-38.0, 38.0), (0.0, -2.0)
"""Of the papers' line, from the top left corner downwards."""
RADIUS = 2.0
"""Of a group in metres, as in MRXT."""


def place(
    terrain: Terrain,
    models: Sequence[RobotModel],
    spec: str,
    seed: int,
    connected: bool = True,
    site: Site | None = None,
) -> Poses:
    """The checked starts of a fleet, by a one-line spec such as `spread` or `grouped:radius=3`.

    What is to be told of them is among the notes of `site` then.
    """
    check_number(len(models))
    site = site or Site(terrain, models, connected=connected)
    component, parameters = placement.parse(spec)
    given = component.check(parameters)
    if "site" in inspect.signature(component.build).parameters and "site" not in given:
        given["site"] = site
    made = component.build(terrain, tuple(models), generator(seed, "placement"), **given)
    try:
        poses = np.array(made, dtype=np.float64)
    except (TypeError, ValueError):
        raise ExpeditionError(f"{component.name}: must return x, y, heading for each robot") from None
    check_placement(terrain, models, poses, connected)
    return poses


@placement("line")
def line(
    terrain: Terrain,
    models: Sequence[RobotModel],
    rng: np.random.Generator,
    *,
    start: Point = FIRST_START,
    step: Point = STEP,
    heading: Heading = 0.0,
) -> Poses:
    """Robot i at start + i * step; by default from the top left corner downwards, as in Yan et al."""
    poses = _in_line(len(models), start, step, heading)
    misfit = first_misfit(terrain, models, poses)
    if misfit is not None:
        others = ", ".join(name for name in placement.names() if name != "line")
        raise ExpeditionError(
            f"line: {misfit[1]} of terrain {terrain.name!r}; the defaults are those of the published 80 x 80 m "
            f"terrains: set start and step, or choose another placement ({others})"
        )
    return poses


def _in_line(robots: int, start: Point, step: Point, heading: float) -> Poses:
    poses = np.empty((robots, 3))
    poses[:, :2] = np.asarray(start) + np.arange(robots)[:, None] * np.asarray(step)
    poses[:, 2] = heading
    return poses


@placement("auto")
def auto(
    terrain: Terrain,
    models: Sequence[RobotModel],
    rng: np.random.Generator,
    site: Site,
    *,
    start: Point = FIRST_START,
    step: Point = STEP,
    heading: Heading = 0.0,
) -> Poses:
    """As `line` where that has room and leads on; otherwise together in the largest area that the fleet can reach."""
    if (tuple(start), tuple(step)) != (FIRST_START, STEP):
        return line(terrain, models, rng, start=start, step=step, heading=heading)
    poses = _in_line(len(models), start, step, heading)
    why = _why_no_line(terrain, models, poses, site)
    if not why:
        return poses
    grouped_poses = _grouped_anywhere(terrain, models, rng, site, heading)
    x, y = grouped_poses[:, :2].mean(axis=0).tolist()
    together = "placed" if len(models) == 1 else "placed together"
    site.notes.append(
        f"line {why} in terrain {terrain.name!r}: {together} in its largest reachable area, around ({x:.1f}, {y:.1f})"
    )
    return grouped_poses


def _why_no_line(terrain: Terrain, models: Sequence[RobotModel], poses: Poses, site: Site) -> str:
    """What speaks against robots in a line, if anything."""
    robots = "1 robot" if len(models) == 1 else f"{len(models)} robots"
    try:
        check_placement(terrain, models, poses, site.connected)
    except ExpeditionError:
        return f"has no room for {robots}"
    own = site.share_from(poses)
    if own < LITTLE and site.region is not None and own < LITTLE * share_of(terrain, site.region.ground):
        return f"would start {robots} in a closed area of {own * terrain.free_area:,.0f} m²"
    return ""


def _grouped_anywhere(
    terrain: Terrain, models: Sequence[RobotModel], rng: np.random.Generator, site: Site, heading: float
) -> Poses:
    """Within the usual radius of each other, or within a larger one if they need it."""
    left, right, bottom, top = terrain.extent
    radius = RADIUS
    while True:
        try:
            return grouped(terrain, models, rng, site, radius=radius, heading=heading)
        except ExpeditionError:
            if radius > math.hypot(right - left, top - bottom):
                raise
        radius *= 2.0


@placement("at")
def at(
    terrain: Terrain,
    models: Sequence[RobotModel],
    rng: np.random.Generator,
    *,
    positions: Annotated[list[Position], Field(max_length=100_000)] | None = None,
    file: str | None = None,
    heading: Heading = 0.0,
) -> Poses:
    """Given positions [x, y] or [x, y, heading], as a list or a CSV file; `heading` is for those without one."""
    if (positions is None) == (file is None):
        raise ExpeditionError("at: give either positions or file")
    given = read_positions(Path(file)) if file is not None else positions or []
    if len(given) < len(models):
        raise ExpeditionError(f"at: {len(models)} robots are too many for {len(given)} positions")
    return np.array([(*position, heading)[:3] for position in given[: len(models)]], dtype=np.float64)


@placement("marked")
def marked(terrain: Terrain, models: Sequence[RobotModel], rng: np.random.Generator) -> Poses:
    """On the starts that the terrain itself has, as drawn on the page or written into its file, in their order."""
    if len(terrain.starts) < len(models):
        raise ExpeditionError(
            f"marked: {len(models)} robots need a start each, but terrain {terrain.name!r} has {len(terrain.starts)}; "
            "draw them with `expedition view`, write them into its file under expedition.starts, or choose another "
            "placement"
        )
    return np.array([(start.x, start.y, start.heading) for start in terrain.starts[: len(models)]], dtype=np.float64)


def read_positions(path: Path) -> list[list[float]]:
    """Rows x, y or x, y, heading; a first row of names and empty rows are skipped."""
    positions = []
    try:
        rows = list(csv.reader(read_text(path, MAX_CSV_BYTES).splitlines()))
    except csv.Error as error:
        raise ExpeditionError(f"{path}: not a CSV file: {error}") from None
    for number, row in enumerate(rows, start=1):
        if not row or (number == 1 and row[0].strip().lower() == "x"):
            continue
        try:
            position = [float(value) for value in row]
        except ValueError:
            position = []
        if len(position) not in (2, 3) or not all(math.isfinite(value) for value in position):
            raise ExpeditionError(f"{path}, line {number}: expected x, y or x, y, heading, found {shorten(row)}")
        positions.append(position)
    return positions


@placement("grouped")
def grouped(
    terrain: Terrain,
    models: Sequence[RobotModel],
    rng: np.random.Generator,
    site: Site,
    *,
    radius: Annotated[float, Field(gt=0, le=100_000)] = RADIUS,
    centre: Point | None = None,
    gap: Gap = 0.1,
    heading: Facing = None,
) -> Poses:
    """Together within `radius` metres of a centre; if not given, one drawn in the largest area they can reach."""
    standing = Standing.of(terrain, models, None if centre else site.starts)
    most = 0
    for x, y in [centre] if centre else _centres(standing.joint(), rng):
        group = standing.within(_disc_around(terrain, x, y, radius)).joint((x, y))
        points, found = group.fill(rng, gap)
        if points is not None:
            return facing(points, heading, rng)
        most = max(most, found)
    where = f"({centre[0]:g}, {centre[1]:g})" if centre else "any centre tried"
    raise ExpeditionError(
        f"grouped: {len(models)} robots are too many within {radius:g} m of {where} in terrain {terrain.name!r}: "
        f"room was found for {most}; set a larger radius{' or another centre' if centre else ''}"
    )


def _centres(standing: Standing, rng: np.random.Generator) -> Iterator[tuple[float, float]]:
    """Random places and, only then, as it takes long to find, the middle of the widest one."""
    for x, y in standing.places(rng, limit=CENTRES_TRIED)[standing.tightest].tolist():
        yield x, y
    room, starts = standing.rooms[standing.tightest], standing.starts[standing.tightest]
    room = room if starts is None else room & starts
    widest = np.unravel_index(int(np.argmax(ndimage.distance_transform_edt(np.pad(room, 1))[1:-1, 1:-1])), room.shape)
    [(x, y)] = standing.middles(np.array([widest])).tolist()
    yield x, y


def _disc_around(terrain: Terrain, x: float, y: float, radius: float) -> Cells:
    rows, columns = terrain.shape
    across = terrain.origin[0] + (np.arange(columns) + 0.5) * terrain.resolution - x
    along = terrain.origin[1] + (np.arange(rows) + 0.5) * terrain.resolution - y
    inside: Cells = across[None, :] ** 2 + along[:, None] ** 2 <= radius**2
    return inside


@placement("spread")
def spread(
    terrain: Terrain, models: Sequence[RobotModel], rng: np.random.Generator, site: Site, *, heading: Facing = None
) -> Poses:
    """Far from each other: the first at random, each other where the ones before are farthest (Gonzalez 1985)."""
    standing = Standing.of(terrain, models, site.starts).joint()
    places = standing.places(rng, limit=SPREAD_PLACES)
    points: Points = np.zeros((len(models), 2))
    free = [np.full(len(candidates), np.inf) for candidates in places]
    for robot, (size, radius) in enumerate(zip(standing.size, standing.radius, strict=True)):
        best = int(np.argmax(free[size]))
        if free[size][best] <= radius:
            raise ExpeditionError(
                f"spread: {len(models)} robots are too many for terrain {terrain.name!r}: room was found for {robot}"
            )
        points[robot] = places[size][best]
        for candidates, distance in zip(places, free, strict=True):
            _take(candidates, distance, points[robot, 0], points[robot, 1], radius)
    return facing(points, heading, rng)


@kernel
def _take(places: Points, free: Floats, x: float, y: float, radius: float) -> None:
    """Lower the free distance around each place to that of a disc that is put at (x, y)."""
    for index in range(len(places)):
        dx, dy = places[index, 0] - x, places[index, 1] - y
        free[index] = min(free[index], math.sqrt(dx * dx + dy * dy) - radius)


def facing(points: Points, heading: float | None, rng: np.random.Generator) -> Poses:
    """Points as poses, all with the one heading or each with a random one."""
    headings = rng.uniform(-math.pi, math.pi, len(points)) if heading is None else np.full(len(points), heading)
    return np.column_stack([points, headings])
