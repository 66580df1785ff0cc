"""Dividing frontiers among robots that cannot all talk: each works out what the others will take, and takes the rest.

As in MRESim: the utility of frontier f for robot r is A(f) / C(r, f)^p, A the unknown area in view of it and C the
travel cost; the best pair of a robot and a frontier is assigned first, then the best of those left, and so on.
Teammates count with what was last heard of them, unless that is too long ago.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.robot import Frontier, Pose, Robot
from expedition.strategies.cost_utility import MaxAge

Candidates = Annotated[
    int, Field(ge=1, le=1000, description="frontiers that a robot looks at: the best by length/distance")
]
Power = Annotated[float, Field(ge=0, le=20, description="p: how much nearness counts against area")]
MATES_AGE: MaxAge = 500.0

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

ABOUT = "area / way^p"
"""What robots say that they weigh."""
NOT_ASKED = -1.0
"""The most that a way may cost which need not be searched."""
SHORT = 1.0
"""Metres by which a way may be shorter than the straight line: it ends near its target where it cannot end there."""


def my_share(
    robot: Robot,
    frontiers: Sequence[Frontier],
    candidates: int = 6,
    power: float = 4.0,
    max_age: float = MATES_AGE,
    busy: Collection[int] = (),
) -> Frontier | None:
    """The frontier that is left for this robot; the best of all if teammates would take every one; None if none.

    Teammates that are `busy` with something else take none.
    """
    mates = [mate for mate in robot.teammates.values() if mate.age <= max_age and mate.id not in busy]
    looked_at = _most_promising(robot, frontiers, candidates + len(mates))
    if not looked_at:
        return None
    places = dict(sorted([(robot.id, robot.pose), *((mate.id, mate.pose) for mate in mates)]))
    me, utilities = list(places).index(robot.id), Utilities(robot, list(places.values()), looked_at, power)
    mine = left_for(me, utilities)
    robot.consider(looked_at, lambda: utilities.of(me), mine, ABOUT)
    return None if mine is None else looked_at[mine]


def best_first(robot: Robot, frontiers: Sequence[Frontier], candidates: int = 6, power: float = 4.0) -> list[Frontier]:
    """The frontiers that a robot alone would choose, the best first; those without a known way are left out."""
    looked_at = _most_promising(robot, frontiers, candidates)
    if not looked_at:
        return []
    utility = Utilities(robot, [robot.pose], looked_at, power).of(0)
    order = np.argsort(-utility, kind="stable").tolist()
    robot.consider(looked_at, utility, order[0] if utility.any() else None, ABOUT)
    return [looked_at[k] for k in order if utility[k] > 0.0]


class Utilities:
    """A(f) / C(r, f)^p of pairs of a robot and a frontier, worked out as asked for: each way takes a search."""

    def __init__(self, robot: Robot, places: Sequence[Pose], frontiers: Sequence[Frontier], power: float) -> None:
        self._robot, self._power = robot, power
        self._places = np.array([(place.x, place.y) for place in places])
        self._targets = np.array([(frontier.x, frontier.y) for frontier in frontiers])
        self._side = robot.map.frame.resolution
        self._areas = np.array([frontier.gain for frontier in frontiers]) + self._side**2  # at least a cell
        self.shape = len(places), len(frontiers)
        apart = np.hypot(*(self._targets - self._places[:, None]).transpose(2, 0, 1))
        self._least = np.maximum(apart - SHORT, self._side)
        self._costs, self._searched = np.full(self.shape, np.inf), np.full(self.shape, NOT_ASKED)
        if len(frontiers) < len(places):
            # Ways are searched from the frontiers, each to all robots.
            self._search(np.ones(self.shape, dtype=np.bool_), np.full(len(frontiers), np.inf))

    def of(self, place: int) -> Floats:
        """(frontiers,): what each is worth to who is at a place; 0 where there is no way."""
        return self._row(place, 0.0, np.ones(self.shape[1], dtype=np.bool_))

    def best(self, place: int, among: Booleans) -> tuple[int, float] | None:
        """Which of some frontiers (frontiers,) is worth most to who is at a place, and that; None if it has no way."""
        promise = np.where(among, self._areas / self._least[place] ** self._power, 0.0)
        guess = int(np.argmax(promise))
        worth = self._row(place, 0.0, among & (promise == promise[guess]))[guess]
        row = self._row(place, worth, among)
        best = int(np.argmax(row))
        return (best, float(row[best])) if row[best] > 0.0 else None

    def at_least(self, worth: float, pairs: Booleans) -> Floats:
        """(places, frontiers): those of some pairs that are worth that or more; others are right, or 0."""
        farthest = np.full(self.shape[1], np.inf)
        if worth > 0.0 and self._power > 0.0:
            farthest = 1.001 * (self._areas / worth) ** (1.0 / self._power)  # a little more, for rounding
        asked = pairs & (self._least <= farthest) & (self._searched < farthest)
        if asked.any():
            self._search(asked, farthest)
        is_known = pairs & np.isfinite(self._costs)
        return np.where(is_known, self._areas / np.maximum(self._costs, self._side) ** self._power, 0.0)

    def _row(self, place: int, worth: float, among: Booleans) -> Floats:
        row: Floats = self.at_least(worth, (np.arange(self.shape[0])[:, None] == place) & among)[place]
        return row

    def _search(self, asked: Booleans, farthest: Floats) -> None:
        """Find out what some ways cost, as far as that is not above `farthest`."""
        most = np.where(asked, farthest, NOT_ASKED)
        costs = self._robot.travel_costs(self._places, self._targets, most)
        self._costs[asked], self._searched[asked] = costs[asked], most[asked]


class Asked(Protocol):
    """Utilities of pairs as one asks for them, as `Utilities` are."""

    shape: tuple[int, int]

    def best(self, place: int, among: Booleans) -> tuple[int, float] | None:
        """Which of some frontiers is worth most to who is at a place, and that; None if it has no way."""

    def at_least(self, worth: float, pairs: Booleans) -> Floats:
        """(places, frontiers): those of some pairs that are worth that or more; others are right, or 0."""


def left_for(me: int, utilities: Asked) -> int | None:
    """The frontier of who is at place `me` if the best pair is always assigned first, its best if none is left to it.

    A pair is assigned, sooner or later, if neither of the two is in a better one. So go from a robot to the frontier
    that it likes best, from that to the robot that likes it best, and so on, until they agree.
    """
    free = np.ones(utilities.shape, dtype=np.bool_)
    rows, columns = np.arange(free.shape[0])[:, None], np.arange(free.shape[1])
    mine = liked_best = utilities.best(me, free[me])
    while mine is not None:
        who, (what, worth) = me, mine
        while True:
            liked = utilities.at_least(worth, free & (columns == what))[:, what]
            rival = int(np.argmax(liked))
            if rival == who:
                break
            who, worth = rival, liked[rival]
            likes = utilities.at_least(worth, free & (rows == who))[who]
            other = int(np.argmax(likes))
            if other == what:
                break
            what, worth = other, likes[other]
        if who == me:
            return what
        free[who] = free[:, what] = False
        mine = utilities.best(me, free[me])
    return None if liked_best is None else liked_best[0]


def _most_promising(robot: Robot, frontiers: Sequence[Frontier], number: int) -> list[Frontier]:
    """So many frontiers, by length over straight distance: a first guess at the utility that costs next to nothing."""
    side = robot.map.frame.resolution

    def promise(frontier: Frontier) -> float:
        return frontier.size / max(math.dist(robot.pose[:2], (frontier.x, frontier.y)), side)

    return sorted(frontiers, key=promise, reverse=True)[:number]
