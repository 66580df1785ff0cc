"""Leader and followers: a chain from the base in which each robot keeps its parent in range, and the leader explores.

MRESim's leader-follower strategy (V. Spirin, J. de Hoog, A. Visser and S. Cameron, RoboCup 2014). Whatever one robot
learns is at the base at once, and they explore as far as the chain allows. Every robot
- wants to be somewhere: the leader at the frontier with the largest A(f) / C(f)^p of those for which there are enough
  followers, a follower at the first place on its way from which it would link to its child, were that where it wants
  to be;
- tells its parent so, which makes wishes run along the chain to the base;
- goes there as far as it links to its parent, by the walls in its map, and waits there for its parent to come after.
A leader that comes no nearer to its frontier gives it up until more of the ground is known, and folds the chain up to
lay it elsewhere. A robot that lost its parent goes back to where it last heard it, and then to the base; who is not
heard for long is passed over, and one that hears nobody even at the base goes on alone. A follower without a child
comes home, where that looks for it. A leader that sees nothing leaves. When nothing is left to reach, all come home.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from expedition.robot import Frontier, Robot
from expedition.strategies.chain import STEP, Chain, Place, paced
from expedition.strategies.cost_utility import Replan, Seconds
from expedition.strategies.division import Power
from expedition.strategies.frontier_return import Patience, Reserve, head_home, is_home, is_low
from expedition.strategies.leading import SAME_PLACE, Leading, place_of
from expedition.strategies.library import strategy

THERE = 0.2
"""Metres from a place within which a robot is there; it drives to within half of that."""
LOOK = 12.0
"""Seconds that a robot needs to come to a frontier nearby and look all around."""


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
        Seconds, Field(description="a robot not heard for this long is passed over in the chain, s")
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
        robot.role = "leader" if chain.is_leader else "follower"
        leaves = is_low(robot, reserve) or leading.is_blind
        goal = leading.goal() if chain.is_leader and not leaves else None
        if leaves:
            chain.leave()
            if is_home(robot):
                return
        if leaves or (goal is None if chain.is_leader else chain.is_over):
            chain.wishes = None
            is_busy = await head_home(robot, replan)
        else:
            await keep_up(robot, chain, leading, goal, replan)
            is_busy = True
        if is_busy:
            busy_at = robot.time


async def keep_up(robot: Robot, chain: Chain, leading: Leading, goal: Frontier | Place | None, replan: float) -> None:
    """Do what the chain needs of a robot next; only the leader has a goal of its own."""

    def tells() -> bool:
        chain.look()
        return False

    if isinstance(goal, tuple):  # The chain folds up: whether links hold on the way or not, all know where to go.
        chain.wishes, chain.is_held_up, robot.activity = [goal], False, "returning"
        await robot.go_to(goal, timeout=replan, until=tells)
    elif chain.is_broken():
        await find_parent(robot, chain, replan)
    elif goal is not None:
        if await approach(robot, chain, goal, replan):
            leading.look_beside(goal)
    elif chain.child is not None:
        await approach(robot, chain, post(robot, chain), replan)
    else:  # Its child has not heard it for long, and comes home to find it.
        chain.wishes = [robot.base]
        await head_home(robot, replan, until=lambda: chain.is_broken() or chain.child is not None)


def post(robot: Robot, chain: Chain) -> Place:
    """Where a follower wants to be: as little on its way as it takes to link to where its child wants that.

    Places that the chain allows come first, even if they link only to the most urgent ones. Where its child says that
    it needs more, it does not stay, whatever links by its own map.
    """
    wishes, child = chain.child_wishes, chain.child
    path = robot.path_to(wishes[0]) if wishes else None
    way = [robot.pose[:2]] if path is None else paced(path)
    first = 1 if chain.is_urged else 0
    for places in ([way[number] for number in chain.held(way)[first:]], way[first:]):
        for number in range(len(wishes), 0, -1):
            for at, point in enumerate(places):
                if all(chain.links(point, place, child) for place in wishes[:number]):
                    # If it has to move at all, by a little more than it takes.
                    return places[min(at + 2, len(places) - 1)] if at + first > 0 else point
    return way[-1]


async def approach(robot: Robot, chain: Chain, goal: Frontier | Place, replan: float) -> bool:
    """Go to a goal as far as the chain allows, stand where it does not, and let the parent know where that is.

    Answers whether the goal is a frontier that is still there after a look around from it.
    """
    here = robot.pose[:2]
    path = robot.path_to(goal)
    way = [here] if path is None else paced(path)
    held = chain.held(way)
    end = held[-1] + 1
    chain.is_held_up = end < len(way)
    chain.wishes = [*way[end : end + 1], here, place_of(goal)]
    stand = way[-1] if end == len(way) else way[held[max(0, len(held) - 2)]]
    if isinstance(goal, Frontier) and end == len(way):
        robot.activity = "exploring"
        is_close = len(way) * STEP < SAME_PLACE
        return await robot.go_to(goal, max(replan, LOOK) if is_close else replan, chain.is_broken) == "arrived"
    if math.dist(stand, here) < THERE:
        robot.activity = "waiting"
        await robot.wait(1.0)
    else:
        robot.activity = "exploring" if isinstance(goal, Frontier) else "following"
        await robot.go_to(stand, timeout=replan, until=chain.is_broken)
    return False


async def find_parent(robot: Robot, chain: Chain, replan: float) -> None:
    """Go back to where the parent was last heard, and from there to the base, until it is heard again.

    One that hears nobody there for long goes on alone.
    """

    def is_found() -> bool:
        return not chain.is_broken()

    chain.wishes = [robot.pose[:2]]
    robot.activity = "returning"
    if chain.linked_at is not None:
        if await robot.go_to(chain.linked_at, timeout=replan, until=is_found) in ("arrived", "blocked"):
            chain.linked_at = None
        return
    outcome = await robot.go_to(robot.home, timeout=replan, until=is_found)
    if outcome == "blocked" or (outcome != "stale" and is_home(robot)):
        robot.activity = "waiting"
        await robot.wait(chain.lost_after, until=is_found)
        chain.is_alone = chain.is_broken()
