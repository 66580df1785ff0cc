"""When robots try to find out where each other's frames lie, and when they believe what they find.

Of two robots in contact one tries, with its own map and what the other has told of its own. A try takes a robot's
computer a good part of a second, so that each robot tries at most once in a while, with the teammate whose map is the
largest, and again only when the maps have grown. What one try finds is believed when the next one, with larger maps,
finds the same: a place that only looks alike soon shows where it differs. Later looks correct it by small amounts as
the overlap grows, and take it back when the maps come to contradict each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.belief.acquaintance import Acquaintance
from expedition.belief.alignment import Alignment, Certainty, align, review
from expedition.belief.evidence import KINDS, state_of
from expedition.belief.grid import UNKNOWN, Frame, Grids
from expedition.belief.transform import Transform
from expedition.kernels import kernel

Int16s = NDArray[np.int16]
Floats = NDArray[np.float64]

SAME = 1.0
"""Metres: two tries agree when they put no corner of the other's map farther apart."""
MOVED = 0.5
"""Cells by which a corner of the other's map must move for its place to be corrected."""
SECOND_GROWTH = 1.1
"""How much larger the product of the two maps' areas must be for the try that confirms another."""
ENOUGH_WALLS = 5.0
"""Metres of wall on both maps below which a later look says nothing."""
CONTRADICTED = 0.85
"""Share of the walls in the overlap below which an alignment is taken back."""


@dataclass(frozen=True)
class Patience:
    """When to try."""

    interval: float = 20.0
    """Seconds between the tries of one robot."""
    growth: float = 1.3
    """How much larger the product of the two maps' areas must be than at a try that found nothing."""


class Aligner:
    """Tries of all pairs of a fleet whose maps are `grids`."""

    def __init__(self, grids: Grids, acquaintance: Acquaintance, certainty: Certainty, patience: Patience) -> None:
        robots = len(grids.evidence)
        self._grids = grids
        self._acquaintance = acquaintance
        self._certainty = certainty
        self._patience = patience
        self._next_try: Floats = np.zeros(robots)
        self._tried: Floats = np.zeros((robots, robots))
        self._found: dict[tuple[int, int], Alignment] = {}
        # Whether the robot is the one of the two that tries: half of the pairs for each.
        number = np.arange(robots)
        self._tries: NDArray[np.bool_] = (number[:, None] < number) ^ ((number[:, None] + number) % 2 == 1)

    def look(self, contact: NDArray[np.bool_], told: Int16s, time: float) -> None:
        """Let every robot whose time it is try with one of those in contact; `told` is what each has told of its map.

        Cost: a try, or a short look at what is known, for each robot that may; the known cells are counted for all.
        """
        due = np.flatnonzero((self._next_try <= time) & (contact & self._tries).any(axis=1))
        if len(due) == 0:
            return
        sizes = _known_cells(told)
        products = np.outer(sizes, sizes)
        for robot in due.tolist():
            mine = self._acquaintance.found_by(robot)
            growth = np.full(len(sizes), self._patience.growth)
            growth[[other for finder, other in self._found if finder == robot]] = SECOND_GROWTH
            open_to = self._tries[robot] & ~self._acquaintance.known[robot]
            open_to[list(mine)] = True
            may = contact[robot] & open_to & (products[robot] > growth * self._tried[robot])
            if not may.any():
                continue
            other = int(np.argmax(np.where(may, products[robot], -1.0)))
            self._tried[robot, other] = products[robot, other]
            self._next_try[robot] = time + self._patience.interval
            self._try(robot, other, self._state(told[robot]), self._state(told[other]), mine.get(other))

    def _try(
        self, robot: int, other: int, mine: NDArray[np.uint8], theirs: NDArray[np.uint8], known: Transform | None
    ) -> None:
        frame = self._grids.frame
        if known is not None:
            self._look_again(robot, other, review(mine, theirs, frame, known), known, corners(theirs, frame))
            return
        before = self._found.pop((robot, other), None)
        found = align(mine, theirs, frame, self._certainty)
        if found is None:
            return
        if before is not None and apart(before, found, corners(theirs, frame)) <= SAME:
            self._acquaintance.find(robot, other, found)
        else:
            self._found[robot, other] = found

    def _look_again(self, robot: int, other: int, now: Alignment | None, known: Transform, places: Floats) -> None:
        if now is None or now.walls / max(now.agreement, 0.01) < ENOUGH_WALLS:
            return
        if now.agreement < CONTRADICTED:
            self._acquaintance.find(robot, other, None)
        elif apart(known, now, places) > MOVED * self._grids.frame.resolution:
            self._acquaintance.find(robot, other, now)

    def _state(self, evidence: Int16s) -> NDArray[np.uint8]:
        state = np.empty(evidence.shape, dtype=np.uint8)
        _states(KINDS[self._grids.kind], evidence, state)
        return state


def corners(state: NDArray[np.uint8], frame: Frame) -> Floats:
    """(4, 2): the corners of the known part of a map, in metres."""
    rows, columns = (np.flatnonzero((state != UNKNOWN).any(axis=axis)) for axis in (1, 0))
    return np.array([frame.centre(row, column) for row in rows[[0, -1]] for column in columns[[0, -1]]])


def apart(one: Transform, other: Transform, places: Floats) -> float:
    """The most that any of the places (n, 2) differs between two transforms, in metres."""
    points = [np.array([transform.point(x, y) for x, y in places.tolist()]) for transform in (one, other)]
    return float(np.hypot(*(points[0] - points[1]).T).max())


@kernel
def _known_cells(told: Int16s) -> Floats:
    """How many cells of each robot's evidence are known. Cost: one look at each cell of the grids."""
    counts = np.zeros(len(told))
    for robot in range(len(told)):
        counts[robot] = np.count_nonzero(told[robot])
    return counts


@kernel
def _states(kind: int, evidence: Int16s, state: NDArray[np.uint8]) -> None:
    """What a robot's own evidence says of each cell, as `mapping` would with nothing else merged."""
    for row in range(evidence.shape[0]):
        for column in range(evidence.shape[1]):
            value = int(evidence[row, column])
            if kind == 1:
                value = (value & 255) + 65536 * (value >> 8)
            state[row, column] = state_of(kind, value)
