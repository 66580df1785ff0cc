"""Who has really seen which explorable cell, when, and which robots have been told since."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.belief.mapping import Beams, apart_from
from expedition.kernels import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class SightLog(NamedTuple):
    """Row o of `cells` and `ticks` lists the cells that robot o saw before it was told of them, as it saw them.

    What a robot was told of first is not its news: who hears from it gets that from the same source, by way of it.
    """

    cells: NDArray[np.int32]
    ticks: NDArray[np.int32]
    length: Integers
    """(robots,): how many entries each list has."""
    told: Integers
    """(robots, robots): how many entries of [column]'s list robot [row] has been told of."""
    known: NDArray[np.bool_]
    """(robots, rows, columns): what each robot has seen or was told of."""
    known_count: Integers
    seen: NDArray[np.bool_]
    """(robots, rows, columns): what each robot has seen itself, whether it knew of it before or not."""
    seen_count: Integers
    first_count: Integers
    """How many cells each robot was the first to see."""
    first_seen: NDArray[np.int16]
    """(rows, columns): the robot that saw a cell before any other, -1 where none did."""
    first_tick: NDArray[np.int32]
    """(rows, columns): when that was, -1 where none did."""
    base_tick: NDArray[np.int32]
    """(rows, columns): when the base station came to know of a cell, -1 where it does not; empty without a base."""


def sight_log(robots: int, shape: tuple[int, int], has_base: bool = False) -> SightLog:
    """Nobody has seen anything yet; a base is the node after the robots. Memory is taken as far as cells are seen."""
    cells = shape[0] * shape[1]
    robots += has_base
    return SightLog(
        np.empty((robots, cells), dtype=np.int32),
        np.empty((robots, cells), dtype=np.int32),
        np.zeros(robots, dtype=np.int64),
        np.zeros((robots, robots), dtype=np.int64),
        np.zeros((robots, *shape), dtype=np.bool_),
        np.zeros(robots, dtype=np.int64),
        np.zeros((robots, *shape), dtype=np.bool_),
        np.zeros(robots, dtype=np.int64),
        np.zeros(robots, dtype=np.int64),
        np.full(shape, -1, dtype=np.int16),
        np.full(shape, -1, dtype=np.int32),
        np.full(shape if has_base else (0, 0), -1, dtype=np.int32),
    )


@kernel
def trace_scans(
    log: SightLog,
    explorable: NDArray[np.bool_],
    beams: Beams,
    frame: tuple[float, float, float],
    robots: Integers,
    times: Floats,
    ranges: NDArray[np.float32],
    max_range: float,
    before: Floats,
    now: Floats,
    time_before: float,
    time_now: float,
    tick: int,
) -> None:
    """Log the explorable cells that scans cross, traced from the true poses at their times.

    Poses are known at the ends of the period (`before`, `now`) and interpolated between. Cost: the cells crossed.
    """
    for k in range(len(robots)):
        robot = robots[k]
        share = (times[k] - time_before) / (time_now - time_before) if time_now > time_before else 1.0
        turn = now[robot, 2] - before[robot, 2]
        turn -= 2.0 * math.pi * math.floor(turn / (2.0 * math.pi) + 0.5)
        heading = before[robot, 2] + share * turn
        c, s = math.cos(heading), math.sin(heading)
        x = before[robot, 0] + share * (now[robot, 0] - before[robot, 0]) + c * beams.x - s * beams.y
        y = before[robot, 1] + share * (now[robot, 1] - before[robot, 1]) + s * beams.x + c * beams.y
        column, row = (x - frame[0]) / frame[2], (y - frame[1]) / frame[2]
        for beam in range(len(beams.directions)):
            length = min(ranges[k, beam], beams.range, max_range) / frame[2]
            if not math.isnan(ranges[k, beam]):
                start = apart_from(beam, beams.spacing, frame[2]) / frame[2]
                across, up = beams.directions[beam, 0], beams.directions[beam, 1]
                ahead, aside = c * across - s * up, s * across + c * up
                first_row, first_column = row + start * aside, column + start * ahead
                _trace(log, explorable, robot, first_row, first_column, ahead, aside, length - start, tick)


@kernel
def _trace(
    log: SightLog,
    explorable: NDArray[np.bool_],
    robot: int,
    row: float,
    column: float,
    c: float,
    s: float,
    length: float,
    tick: int,
) -> None:
    """Log the cells along one beam, looked at in steps of half a cell."""
    rows, columns = explorable.shape
    step_row, step_column = 0.5 * s, 0.5 * c
    last_cell = -1
    for _ in range(math.floor(2.0 * length) + 1):
        i, j = math.floor(row), math.floor(column)
        if i < 0 or j < 0 or i >= rows or j >= columns:
            return
        cell = i * columns + j
        if cell != last_cell and explorable[i, j] and not log.seen[robot, i, j]:
            log.seen[robot, i, j] = True
            log.seen_count[robot] += 1
            if not log.known[robot, i, j]:
                log.known[robot, i, j] = True
                log.known_count[robot] += 1
                log.cells[robot, log.length[robot]] = cell
                log.ticks[robot, log.length[robot]] = tick
                log.length[robot] += 1
            if log.first_seen[i, j] < 0:
                log.first_seen[i, j] = robot
                log.first_tick[i, j] = tick
                log.first_count[robot] += 1
        last_cell = cell
        row += step_row
        column += step_column


@kernel
def spread_news(log: SightLog, told_until: Integers, tick: int) -> None:
    """Let every node know what it was told: of robot o, what that saw up to tick `told_until[node, o]`.

    Cost: the pairs of robots, and each entry once for each robot that is told.
    """
    columns = log.known.shape[2]
    base = len(told_until) - 1 if log.base_tick.size > 0 else -1
    for robot in range(len(told_until)):
        for origin in range(len(told_until)):
            if origin == robot:
                continue
            entry = log.told[robot, origin]
            while entry < log.length[origin] and log.ticks[origin, entry] <= told_until[robot, origin]:
                cell = log.cells[origin, entry]
                if not log.known[robot, cell // columns, cell % columns]:
                    log.known[robot, cell // columns, cell % columns] = True
                    log.known_count[robot] += 1
                    if robot == base:
                        log.base_tick[cell // columns, cell % columns] = tick
                entry += 1
            log.told[robot, origin] = entry
