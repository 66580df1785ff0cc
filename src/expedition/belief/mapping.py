"""Mapping: a scan's beams clear the cells that they cross and mark those where they end.

A scan is put into the map when the robot has moved or turned a little since the last one, or some time has passed.
Beams that ended on a teammate clear what is before it and mark nothing. An end in a cell that was seen free again and
again counts less: people who walk by leave no walls behind, a closed door is believed after a while.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.belief.evidence import LIMIT, LOG_ODDS, TOTAL_LIMIT, believed, observed, own_changed
from expedition.belief.grid import TILE, UNKNOWN, Frame, Grids
from expedition.fleet.sensors import Lidar
from expedition.kernels import kernel
from expedition.spec import Spec

Floats = NDArray[np.float64]

INTO_WALL = 0.05
"""Metres by which an end point is moved on along its beam, so that a wall's face counts to the wall's own cell."""
DOUBT = 5
"""Log-odds evidence of a hit in a cell that was seen free again and again, instead of a full hit."""
BEFORE_TEAMMATE = 0.3
"""Metres before the end of a beam that met a teammate up to which the ground is free."""


class MappingSettings(Spec):
    """Which scans go into the map, and how much of them."""

    max_range: Annotated[float, Field(gt=0, le=1000)] = 25.0
    """Beams are used up to here, in metres."""
    distance: Annotated[float, Field(ge=0, le=100)] = 0.3
    """A scan is taken after the robot moved this far, in metres ..."""
    turn: Annotated[float, Field(ge=0, le=7)] = 0.2
    """... or turned this far, in radians ..."""
    interval: Annotated[float, Field(ge=0, le=1000)] = 1.0
    """... or after this time, in seconds."""
    changing: bool | None = None
    """Whether walls may come and go, so that robots tell each other where; if not given, whether the terrain's do."""


class Layers(NamedTuple):
    """The grids as kernels take them."""

    evidence: NDArray[np.int16]
    fused: NDArray[np.int32]
    state: NDArray[np.uint8]
    evidence_stamp: NDArray[np.int64]
    state_stamp: NDArray[np.int64]
    flips: NDArray[np.uint8]


class Rules(NamedTuple):
    """Numbers that a map update needs."""

    grid_kind: int
    merge_kind: int
    origin_x: float
    origin_y: float
    resolution: float
    max_range: float
    distance: float
    turn: float
    interval: float


class Beams(NamedTuple):
    """A lidar's beams in the robot's frame."""

    directions: Floats  # (beams, 2): cosine and sine of each beam's angle
    spacing: float  # radians between neighbouring beams
    range: float
    x: float
    y: float


def beams_of(lidar: Lidar) -> Beams:
    """The beams of a lidar, its mount included."""
    angles = lidar.angles + lidar.heading
    spacing = float(angles[1] - angles[0]) if lidar.beams > 1 else math.inf
    return Beams(np.column_stack([np.cos(angles), np.sin(angles)]), spacing, lidar.range, lidar.x, lidar.y)


def layers_of(grids: Grids) -> Layers:
    """The grids' arrays."""
    return Layers(grids.evidence, grids.fused, grids.state, grids.evidence_stamp, grids.state_stamp, grids.flips)


def rules_of(frame: Frame, settings: MappingSettings, grid_kind: int, merge_kind: int) -> Rules:
    """The numbers of a frame and settings."""
    return Rules(
        grid_kind,
        merge_kind,
        *frame.origin,
        frame.resolution,
        settings.max_range,
        settings.distance,
        settings.turn,
        settings.interval,
    )


@kernel
def map_scans(
    layers: Layers,
    rules: Rules,
    beams: Beams,
    robots: NDArray[np.int64],
    ranges: NDArray[np.float32],
    ignore: NDArray[np.uint8],
    poses: Floats,
    lost: NDArray[np.bool_],
    last: Floats,
    time: float,
    tick: int,
) -> int:
    """Put the scans that are due into the maps of their robots; returns how many were.

    `poses` (robots, 3) are those at the time of the scan; `last` (robots, 4) keeps pose and time of each robot's last
    mapped scan. Cost: the cells that the beams cross.
    """
    mapped = 0
    for k in range(len(robots)):
        robot = robots[k]
        x, y, heading = poses[robot, 0], poses[robot, 1], poses[robot, 2]
        if lost[robot] or not _is_due(rules, last[robot], x, y, heading, time):
            continue
        last[robot, 0], last[robot, 1], last[robot, 2], last[robot, 3] = x, y, heading, time
        c, s = math.cos(heading), math.sin(heading)
        column = (x + c * beams.x - s * beams.y - rules.origin_x) / rules.resolution
        row = (y + s * beams.x + c * beams.y - rules.origin_y) / rules.resolution
        if not (0.0 <= row < layers.state.shape[1] and 0.0 <= column < layers.state.shape[2]):
            continue
        mapped += 1
        # All beams clear before any marks, so that a wall met at a flat angle is not cleared by its neighbours.
        for beam in range(len(beams.directions)):
            distance = ranges[k, beam]
            if math.isnan(distance):
                continue
            reach = min(distance, beams.range, rules.max_range)
            if ignore[k, beam] != 0:
                reach = max(reach - BEFORE_TEAMMATE, 0.0)
            start = apart_from(beam, beams.spacing, rules.resolution)
            if start <= reach:
                across, up = beams.directions[beam, 0], beams.directions[beam, 1]
                _clear(layers, rules, robot, row, column, c * across - s * up, s * across + c * up, start, reach, tick)
        for beam in range(len(beams.directions)):
            distance = ranges[k, beam]
            if ignore[k, beam] == 0 and distance < beams.range and distance <= rules.max_range:
                across, up = beams.directions[beam, 0], beams.directions[beam, 1]
                length = (distance + INTO_WALL) / rules.resolution
                end_row = math.floor(row + (s * across + c * up) * length)
                end_column = math.floor(column + (c * across - s * up) * length)
                if 0 <= end_row < layers.state.shape[1] and 0 <= end_column < layers.state.shape[2]:
                    old = layers.evidence[robot, end_row, end_column]
                    doubtful = rules.grid_kind == LOG_ODDS and old <= -LIMIT // 2
                    new = old + DOUBT if doubtful else observed(rules.grid_kind, old, True)
                    if new != old:
                        _write(layers, rules, robot, end_row, end_column, old, new, tick)
    return mapped


@kernel
def take_for_free(layers: Layers, rules: Rules, robot: int, cells: NDArray[np.int64], tick: int) -> None:
    """Let a robot take cells (row * columns + column) for free, whatever it saw there, until it sees otherwise."""
    free = -LIMIT if rules.grid_kind == LOG_ODDS else TOTAL_LIMIT << 8
    for k in range(len(cells)):
        row, column = cells[k] // layers.state.shape[2], cells[k] % layers.state.shape[2]
        _write(layers, rules, robot, row, column, layers.evidence[robot, row, column], free, tick)


@kernel
def _is_due(rules: Rules, last: Floats, x: float, y: float, heading: float, time: float) -> bool:
    """Whether a robot moved, turned or waited enough since its last mapped scan."""
    dx, dy = x - last[0], y - last[1]
    turned = abs(heading - last[2]) % (2.0 * math.pi)
    return bool(
        dx * dx + dy * dy >= rules.distance * rules.distance
        or min(turned, 2.0 * math.pi - turned) >= rules.turn
        or time - last[3] >= rules.interval
    )


@kernel
def apart_from(beam: int, spacing: float, resolution: float) -> float:
    """Metres from where on a beam crosses cells that no beam with an evener number crosses.

    Near the robot many beams lie within a cell, and one of them says it all: odd ones count from where two spacings
    make a cell, those of twice an odd number from half of that, and so on; every eighth counts from the robot itself.
    """
    start = 0.5 * resolution / spacing
    if beam % 2 == 1:
        return start
    if beam % 4 == 2:
        return 0.5 * start
    return 0.25 * start if beam % 8 == 4 else 0.0


@kernel
def _clear(
    layers: Layers,
    rules: Rules,
    robot: int,
    row: float,
    column: float,
    c: float,
    s: float,
    start: float,
    reach: float,
    tick: int,
) -> None:
    """A miss for every cell that a beam crosses from `start` on before its end; the cell of the end itself is kept."""
    end_length = (reach + INTO_WALL) / rules.resolution
    end_i, end_j = math.floor(row + s * end_length), math.floor(column + c * end_length)
    length = (reach - start) / rules.resolution
    row += s * start / rules.resolution
    column += c * start / rules.resolution
    i, j = math.floor(row), math.floor(column)
    step_i, step_j = (1 if s > 0.0 else -1), (1 if c > 0.0 else -1)
    # Distances along the beam, in cells, to the next line between rows and between columns, and between such lines.
    per_row = 1.0 / abs(s) if s != 0.0 else math.inf
    per_column = 1.0 / abs(c) if c != 0.0 else math.inf
    to_row = ((i + 1 - row) if s > 0.0 else (row - i)) * per_row if s != 0.0 else math.inf
    to_column = ((j + 1 - column) if c > 0.0 else (column - j)) * per_column if c != 0.0 else math.inf
    evidence = layers.evidence[robot]
    rows, columns = evidence.shape
    if i < 0 or i >= rows or j < 0 or j >= columns:
        return
    while True:
        if i == end_i and j == end_j:
            return
        old = evidence[i, j]
        if old != -LIMIT or rules.grid_kind != LOG_ODDS:
            new = observed(rules.grid_kind, old, False)
            if new != old:
                _write(layers, rules, robot, i, j, old, new, tick)
        if to_row < to_column:
            if to_row > length:
                return
            to_row += per_row
            i += step_i
            if i < 0 or i >= rows:
                return
        else:
            if to_column > length:
                return
            to_column += per_column
            j += step_j
            if j < 0 or j >= columns:
                return


@kernel
def _write(layers: Layers, rules: Rules, robot: int, i: int, j: int, old: int, new: int, tick: int) -> None:
    """Give a cell new evidence, and let the fused map and the stamps follow."""
    layers.evidence[robot, i, j] = new
    layers.evidence_stamp[robot, i // TILE, j // TILE] = tick
    fused = own_changed(rules.merge_kind, rules.grid_kind, old, new, layers.fused[robot, i, j])
    layers.fused[robot, i, j] = fused
    state = believed(rules.grid_kind, new, fused)
    if state != layers.state[robot, i, j]:
        if layers.flips.size > 0 and state != UNKNOWN and layers.state[robot, i, j] != UNKNOWN:
            layers.flips[robot, i, j] = 1
        layers.state[robot, i, j] = state
        layers.state_stamp[robot, i // TILE, j // TILE] = tick
