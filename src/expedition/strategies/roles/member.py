"""One robot of the team at work: it acts, and keeps in touch with the others meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from expedition.action import Action, Outcome
from expedition.robot import Frontier, Robot
from expedition.strategies.frontier_return import is_low
from expedition.strategies.roles.rendezvous import Point
from expedition.strategies.roles.team import SAME_AREA, State, Team

Condition = Callable[[], bool]
RETRY = 3.0
"""Seconds after which a robot that found no way tries again."""


class NewPost(Exception):
    """The robot has come to another post, and drops what it was about."""


class Member:
    """Acts until something ends that: its time, a condition, a new post, or a battery that runs low."""

    def __init__(self, robot: Robot, team: Team, reserve: float, swap_gain: float | None, swap_pause: float) -> None:
        """`swap_gain` is what a swap must shorten the longer way by, in metres; None: no swaps."""
        self._robot = robot
        self._team = team
        self._reserve = reserve
        self._swap_gain = swap_gain
        self._swap_pause = swap_pause
        self._swaps_looked_for_at = robot.time
        self._delivered = 0.0

    @property
    def is_low(self) -> bool:
        """Whether the battery is just enough for the way home."""
        return is_low(self._robot, self._reserve)

    @property
    def has_news(self) -> bool:
        """Whether the robot knows more than its parent or the base has got."""
        return self._robot.map.known_area > self._delivered + SAME_AREA

    def has_delivered(self) -> None:
        """The parent, or the base, has got all that the robot knows."""
        self._delivered = self._robot.map.known_area

    def enter(self, state: State) -> None:
        """Be about something else from now on."""
        self._team.state = state
        self._robot.role = self._team.hierarchy.role(self._team.post)

    async def go_to(self, target: Frontier | Point, deadline: float, until: Condition = lambda: False) -> Outcome:
        """Drive somewhere; where no way is found, wait a little before anything is tried again."""
        self._team.goal = (target.x, target.y) if isinstance(target, Frontier) else target
        seconds = deadline - self._robot.time
        outcome = await self._act(lambda ends: self._robot.go_to(target, seconds, ends), until)
        if outcome == Outcome.BLOCKED:
            await self.stand(self._robot.time + RETRY)
        return outcome

    async def stand(self, deadline: float, until: Condition = lambda: False) -> None:
        """Stand still up to a time."""
        self._team.waits_until = deadline
        seconds = max(0.0, deadline - self._robot.time)
        await self._act(lambda ends: self._robot.wait(seconds, ends), until)

    def every(self, seconds: float, condition: Condition) -> Condition:
        """A condition that is looked at only so often, and false in between."""
        looked_at = self._robot.time

        def asked() -> bool:
            nonlocal looked_at
            if self._robot.time < looked_at + seconds - 1e-6:
                return False
            looked_at = self._robot.time
            return condition()

        return asked

    async def _act(self, action: Callable[[Condition], Action], until: Condition) -> Outcome:
        post = self._team.post
        self._robot.activity = str(self._team.state)

        def ends() -> bool:
            self._keep_in_touch()
            return self._team.post != post or (self.is_low and self._team.state != State.GO_HOME) or until()

        outcome = await action(ends)
        self._keep_in_touch()
        if self._team.post != post:
            raise NewPost
        return outcome

    def _keep_in_touch(self) -> None:
        """Hear, look for somebody to swap posts with, and tell."""
        self._team.hear()
        if self._swap_gain is not None:
            self._team.consider_swaps(self._pays_to_swap_with)
            self._propose_swap()
        self._team.tell()
        if self._team.is_linked():
            self.has_delivered()

    def _propose_swap(self) -> None:
        """Now and then propose a swap that pays.

        Of two robots the one with the lower number does, so that they do not bind each other.
        """
        robot, team = self._robot, self._team
        if robot.time < self._swaps_looked_for_at + self._swap_pause or not team.swaps.is_free(robot.time):
            return
        self._swaps_looked_for_at = robot.time
        mates = (mate for mate in sorted(robot.teammates) if mate > robot.id)
        best = next(filter(self._pays_to_swap_with, mates), None)
        if best is not None:
            team.propose_swap(best)

    def _pays_to_swap_with(self, mate: int) -> bool:
        """Whether the longer of the own two ways is longer than the longer of the crossed ways.

        Two that explore share the frontiers anyway.
        """
        robot, team = self._robot, self._team
        told = team.latest(mate)
        if told is None or told.goal is None or self._swap_gain is None or not team.is_elsewhere(mate):
            return False
        if team.state == told.state == State.EXPLORE:
            return False
        ways = robot.travel_costs([robot.pose, robot.teammates[mate]], [team.goal, told.goal])
        return bool(max(ways[0, 0], ways[1, 1]) > max(ways[0, 1], ways[1, 0]) + self._swap_gain)
