"""Where and when a robot meets the one it reports to.

J. de Hoog, S. Cameron and A. Visser, Selection of rendezvous points for multi-robot exploration in dynamic
environments, AAMAS 2010: of the junctions and ends of the skeleton of known free space, the point of the largest
degree^2 / length, the length of the way from where the robot comes from; the next best is the backup.

V. Spirin and S. Cameron, Rendezvous through obstacles in multi-agent exploration, SSRR 2014: the two meet by radio,
each at its own point. The parent's is that of the shortest way home among those from which the child's is in reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from expedition.robot import Robot
from expedition.strategies.roles.skeleton import spots

Point = tuple[float, float]
NEAREST = 1.0
"""Metres: shorter ways count as this long."""
LINKED = 0.5
"""The chance of hearing each other from which two points count as linked."""


class Meeting(NamedTuple):
    """An appointment of a child with its parent; of two the newer counts, as with leases."""

    version: int
    writer: int
    time: float
    """When both should be there, in seconds since the start."""
    until: float
    """Who is alone then goes on to the backup point."""
    over: float
    """Who is alone there then gives the other up."""
    child: Point
    """Where the child waits, in metres."""
    parent: Point
    """Where the parent waits: the same point, unless they meet through obstacles."""
    backup: Point
    """Where both try again."""

    def place(self, time: float, of_child: bool) -> Point:
        """Where a robot has to be."""
        return self.backup if time >= self.until else self.child if of_child else self.parent

    def deadline(self, time: float) -> float:
        """How long a robot waits there."""
        return self.over if time >= self.until else self.until


class Points(NamedTuple):
    """Where to meet."""

    child: Point
    parent: Point
    backup: Point


@dataclass(frozen=True)
class Search:
    """What rendezvous points must be like."""

    apart: float
    """Metres between two of them, at least."""
    clearance: float
    """Metres from walls, more than."""
    range: float
    """Metres of way from where the child comes from, at most."""
    through_obstacles: bool


def choose_points(robot: Robot, search: Search, aim: Point, parent: int | None) -> Points:
    """The best points for a child that comes from `aim` and robot `parent`, by the map of the robot that asks.

    Where the map has no junction or end in range, they meet where the robot is.
    """
    found = spots(robot.map.state, robot.map.frame, search.apart, search.clearance)
    places = [(spot.x, spot.y) for spot in found]
    robot.mark("skeleton", places)
    lengths, home = robot.travel_costs([aim, robot.base], places) if found else np.empty((2, 0))
    degrees = np.array([spot.degree for spot in found])
    utility = degrees**2 / np.maximum(lengths, NEAREST)
    utility[(degrees == 2) | (lengths > search.range) | np.isinf(home)] = 0.0
    best = [places[number] for number in np.argsort(-utility, kind="stable").tolist() if utility[number] > 0.0]
    if not best:
        here = robot.pose.x, robot.pose.y
        return Points(here, here, here)
    child, backup = best[0], best[min(1, len(best) - 1)]
    if not search.through_obstacles:
        return Points(child, child, backup)
    linked = robot.link_chances([child], places, to=parent)[0] >= LINKED
    linked[places.index(child)] = True
    return Points(child, places[int(np.argmin(np.where(linked, home, np.inf)))], backup)


def between(robot: Robot, far: Point, share: float) -> Point:
    """A place on the skeleton about so far along the way from the base to a point, as a share of that way."""
    places = [(spot.x, spot.y) for spot in spots(robot.map.state, robot.map.frame, apart=NEAREST, clearance=0.0)]
    if not places:
        return far
    from_base, to_far = robot.travel_costs([robot.base, far], places)
    reachable = np.flatnonzero(np.isfinite(from_base + to_far))
    if not len(reachable):
        return far
    whole = (from_base + to_far)[reachable]
    best = np.argmin(whole + np.abs(from_base[reachable] - share * whole))
    return places[int(reachable[best])]
