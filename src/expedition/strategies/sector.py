"""Sectors: each robot explores a sector of its own, and meets its neighbours at their borders to pass on what is new.

B. L. Wellman, J. de Hoog, S. Dawson and M. Anderson, Using rendezvous to overcome communication limitations in
multirobot exploration, SMC 2011: in open areas there are no gateways to meet at, so robots meet at sectors' borders.

The area is divided around the base into wedges of equal area, or into strips, one a robot in the order of numbers.
Think of them as a line with the base at both ends: base, 0, 1, ..., n - 1, base. Once a period each robot meets one
neighbour on that line, in turn the one before and the one after it. What it learnt from the one it tells the other at
the next meeting, so news moves on by one sector a period, both ways, and is at the base after (n + 3) / 2 periods.

Two that meet agree on where to meet next: on their border, where the longer of the ways from their next frontiers is
shortest. A pair that missed each other, or never agreed, meets at the base. Nobody waits for long: one that comes late
is met the next time.

Who has explored its own sector helps in others. The sector of a robot that nobody has heard of for long is everybody's,
and its neighbours meet each other. When nothing is left, all come home.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from expedition.robot import Frontier, Robot
from expedition.strategies.cost_utility import MaxAge, Replan, Seconds
from expedition.strategies.division import Candidates, Power, best_first, my_share
from expedition.strategies.frontier_return import Patience, Reserve, head_home, is_home, is_low
from expedition.strategies.library import strategy
from expedition.strategies.meetings import Meetings
from expedition.strategies.sectors import Division, Sectors

TALK = 2.0
"""Seconds that robots that meet stay together, to exchange their maps."""


@strategy("sector")
async def sector(
    robot: Robot,
    *,
    division: Annotated[
        Division, Field(description="wedges around the base, or strips across the longer side")
    ] = "wedges",
    period: Annotated[Seconds, Field(description="time between meetings, s")] = 120.0,
    wait: Annotated[Seconds, Field(description="how long a robot waits for one that comes late, s")] = 30.0,
    lost_after: Annotated[
        Seconds, Field(description="the sector of a robot not heard of for this long is everybody's, s")
    ] = 600.0,
    candidates: Candidates = 6,
    power: Power = 4.0,
    replan: Replan = 15.0,
    max_age: MaxAge = 500.0,
    reserve: Reserve = 1.5,
    patience: Patience = 10.0,
) -> None:
    """Explore a sector of one's own, and meet neighbours at its borders (Wellman et al. 2011)."""
    sectors = Sectors.of(robot, division)
    meetings = Meetings(robot, sectors, period, wait, lost_after)

    def goal() -> Frontier | None:
        """The best frontier of the own sector or an abandoned one; if there is none, a share of the others'."""
        frontiers = robot.frontiers()
        mine = sectors.parts(robot, frontiers, (robot.id, *meetings.lost))
        if mine:
            return next(iter(best_first(robot, mine, candidates, power)), None)
        return my_share(robot, frontiers, candidates, power, max_age)

    busy_at = robot.time
    while robot.time <= busy_at + patience:
        is_due = meetings.is_due()
        target = None if is_low(robot, reserve) else goal()
        if target is not None and is_due:
            await meet(robot, meetings)
            busy_at = robot.time
        elif target is not None:
            robot.activity = "exploring"
            await robot.go_to(target, timeout=replan, until=lambda: meetings.is_due() or is_low(robot, reserve))
            busy_at = robot.time
        elif is_home(robot) and is_low(robot, reserve):
            return
        elif await head_home(robot, replan):
            busy_at = robot.time


async def meet(robot: Robot, meetings: Meetings) -> None:
    """Go where the next neighbour is to be met and wait for it, until both are in contact or it is too late."""
    place, number = meetings.place, meetings.number

    def is_over() -> bool:
        meetings.look()
        return meetings.number != number or meetings.has_met() or meetings.is_too_late

    if place is not None:
        robot.activity = "returning"
        await robot.go_to(place, until=is_over)
        robot.activity = "waiting"
        await robot.wait(max(0.0, meetings.latest - robot.time), until=is_over)
    if meetings.number == number:
        await robot.wait(TALK)
        meetings.conclude()
