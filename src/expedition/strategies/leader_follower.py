"""Leader and followers: a chain from the base in which each robot keeps its parent in range, and the leader explores.

MRESim's leader-follower strategy (V. Spirin, J. de Hoog, A. Visser and S. Cameron, RoboCup 2014). Whatever one robot
learns is at the base at once, and they explore as far as the chain allows. Every robot
- wants to be somewhere: the leader at the frontier with the largest A(f) / C(f)^p of those for which there are enough
  followers, a follower at the first place on its way from which it would link to its child, were that where it wants
  to be;
- tells its parent so, which makes wishes run along the chain to the base;
- goes there as far as it links to its parent, by the walls in its map, and waits there for its parent to come after.
A leader that comes no nearer to its frontier gives it up until more of the ground is known. A robot that lost its
parent goes back to where it last heard it, and then to the base. When nothing is left to reach, all come home.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from expedition.robot import Frontier, Robot
from expedition.strategies.chain import Chain, Place, paced
from expedition.strategies.cost_utility import Replan, Seconds
from expedition.strategies.division import Power, best_first
from expedition.strategies.frontier_return import Patience, Reserve, head_home, is_home, is_low
from expedition.strategies.library import strategy

SAME_PLACE = 2.0
"""Frontiers nearer to each other than this, in metres, are the same one."""
NEARER = 0.5
"""Metres that count as progress."""


@strategy("leader-follower")
async def leader_follower(
    robot: Robot,
    *,
    power: Power = 4.0,
    chance: Annotated[
        float, Field(gt=0, le=1, description="robots rely on links that carry at least this share of messages")
    ] = 0.9,
    gap: Annotated[
        float, Field(ge=0, le=1000, description="on its way a robot may be out of range of its parent for so long, m")
    ] = 3.0,
    replan: Replan = 5.0,
    stuck_after: Annotated[
        Seconds, Field(description="a frontier that comes no nearer for this long is given up for now, s")
    ] = 40.0,
    retry: Annotated[
        float, Field(gt=0, le=1e6, description="what was given up is tried again when so much more is known, m^2")
    ] = 20.0,
    lost_after: Annotated[
        Seconds, Field(description="a robot not heard of for this long is left out of the chain, s")
    ] = 60.0,
    reserve: Reserve = 1.5,
    patience: Patience = 10.0,
) -> None:
    """Explore as far as a chain of robots from the base allows (MRESim)."""
    chain = Chain(robot, chance, gap, lost_after)
    leading = Leading(robot, chain, power, stuck_after, retry)
    busy_at = robot.time
    while robot.time <= busy_at + patience:
        chain.look()
        robot.role = "leader" if chain.child is None else "follower"
        goal: Frontier | Place | None = None
        if not (chain.is_over or is_low(robot, reserve)):
            goal = leading.goal() if chain.child is None else post(robot, chain)
        if goal is not None:
            await (find_parent(robot, chain, replan) if chain.is_broken() else approach(robot, chain, goal, replan))
            busy_at = robot.time
            continue
        chain.wishes = None
        if is_home(robot) and is_low(robot, reserve):
            return
        if await head_home(robot, replan):
            busy_at = robot.time


def post(robot: Robot, chain: Chain) -> Place:
    """Where a follower wants to be: as little on its way as it takes to link to where its child wants that.

    Places that the chain allows come first, even if they link only to the most urgent ones.
    """
    wishes, child = chain.child_wishes, chain.child
    path = robot.path_to(wishes[0]) if wishes else None
    way = [robot.pose[:2]] if path is None else paced(path)
    for places in ([way[number] for number in chain.held(way)], way):
        for number in range(len(wishes), 0, -1):
            for at, point in enumerate(places):
                if all(chain.links(point, place, child) for place in wishes[:number]):
                    # If it has to move at all, by a little more than it takes.
                    return places[min(at + 2, len(places) - 1)] if at > 0 else point
    return way[-1]


async def approach(robot: Robot, chain: Chain, goal: Frontier | Place, replan: float) -> None:
    """Go to a goal as far as the chain allows, stand where it does not, and let the parent know where that is."""
    here = robot.pose[:2]
    path = robot.path_to(goal)
    way = [here] if path is None else paced(path)
    held = chain.held(way)
    end = held[-1] + 1
    chain.wishes = [*way[end : end + 1], here, place_of(goal)]
    stand = way[-1] if end == len(way) else way[held[max(0, len(held) - 2)]]
    if isinstance(goal, Frontier) and end == len(way):
        robot.activity = "exploring"
        await robot.go_to(goal, timeout=replan, until=chain.is_broken)
    elif math.dist(stand, here) < NEARER:
        robot.activity = "waiting"
        await robot.wait(1.0)
    else:
        robot.activity = "exploring" if isinstance(goal, Frontier) else "following"
        await robot.go_to(stand, timeout=replan, until=chain.is_broken)


async def find_parent(robot: Robot, chain: Chain, replan: float) -> None:
    """Go back to where the parent was last heard, and from there to the base, until it is heard again."""
    if chain.linked_at is not None and math.dist(chain.linked_at, robot.pose[:2]) < NEARER:
        chain.linked_at = None
    if chain.linked_at is None and is_home(robot):
        robot.activity = "waiting"
        await robot.wait(1.0)
        return
    robot.activity = "returning"
    back = robot.home if chain.linked_at is None else chain.linked_at
    if await robot.go_to(back, timeout=replan, until=lambda: not chain.is_broken()) == "blocked":
        chain.linked_at = None


class Leading:
    """The leader's choice of frontiers, and which it has given up."""

    def __init__(self, robot: Robot, chain: Chain, power: float, stuck_after: float, retry: float) -> None:
        self._robot = robot
        self._chain = chain
        self._power = power
        self._stuck_after = stuck_after
        self._retry = retry
        self._target: Place | None = None
        self._nearest = math.inf
        """The least way that was left to the target, in metres, and since when."""
        self._nearest_since = 0.0
        self._given_up: list[tuple[Place, float]] = []
        """Places, and the area that will have to be known before they are tried again."""

    def goal(self) -> Frontier | None:
        """The frontier that is being approached; another one if that is explored, or comes no nearer."""
        robot, known = self._robot, self._robot.map.known_area
        self._given_up = [(place, area) for place, area in self._given_up if area > known]
        goal = self._choose()
        if goal is not None and self._comes_no_nearer(goal):
            robot.note(f"gives up the frontier at ({goal.x:.1f}, {goal.y:.1f})")
            self._given_up.append((place_of(goal), known + self._retry))
            goal = self._choose()
        return goal

    def _choose(self) -> Frontier | None:
        shut = [place for place, _ in self._given_up]
        frontiers = [frontier for frontier in self._robot.frontiers() if not is_near(frontier, shut)]
        if self._target is not None and (same := [one for one in frontiers if is_near(one, [self._target])]):
            frontiers = same
        ranked = best_first(self._robot, frontiers, len(frontiers), self._power)
        best = next((k for k, frontier in enumerate(ranked) if self._chain.reaches(place_of(frontier))), None)
        self._robot.consider(ranked, range(1, len(ranked) + 1), best, "rank by area / way^p; the first in reach counts")
        return None if best is None else ranked[best]

    def _comes_no_nearer(self, goal: Frontier) -> bool:
        robot, cost = self._robot, self._robot.travel_cost(goal)
        is_new = self._target is None or not is_near(goal, [self._target])
        self._target = place_of(goal)
        if is_new or not self._chain.is_whole or cost < self._nearest - NEARER:
            self._nearest, self._nearest_since = cost, robot.time
        return robot.time - self._nearest_since > self._stuck_after


def place_of(goal: Frontier | Place) -> Place:
    """A goal's x and y."""
    return (goal.x, goal.y) if isinstance(goal, Frontier) else goal


def is_near(frontier: Frontier, places: list[Place]) -> bool:
    """Whether a frontier is at one of these places."""
    return any(math.dist((frontier.x, frontier.y), place) < SAME_PLACE for place in places)
