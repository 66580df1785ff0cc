"""Role-based exploration: explorers explore, and relays carry what they find between them and the base.

J. de Hoog, S. Cameron and A. Visser, Role-based autonomous multi-robot exploration, COGNITIVE 2009, with MRESim's
numbers (a cycle is 1 s, a pixel 0.1 m). Robots stand in chains base - relay - explorer, each the parent of the next.

- An explorer explores its share of the frontiers until it is time to go to the rendezvous. There it waits for its
  parent, gives it what it knows, and says where and when they meet again. Meeting time = max(parent to base to point,
  minimum, explorer to frontier to point + slack).
- A relay brings that to its own parent, and goes to the next rendezvous. It explores while it has time to spare.
- Who waits in vain goes to the backup point, and then does without the other: an explorer brings its news to the base
  itself, a relay explores, until they hear of each other again.
- As long as all that is found reaches the base at once, meetings are put off and nobody goes to one.
- Two robots in reach may swap posts if max(own ways) > max(crossed ways) (de Hoog et al., Dynamic team hierarchies in
  communication-limited multi-robot exploration, SSRR 2010); how they agree says `roles/swap.py`.
- Who knows no way to the base comes as near as it can. If it is not heard there it explores on, until it knows of a
  place nearer to the base.
- When nothing is left to explore, all return to the base.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from pydantic import Field

from expedition.action import Outcome
from expedition.robot import Frontier, Robot
from expedition.strategies.cost_utility import MaxAge, Metres, Replan, Seconds
from expedition.strategies.division import Candidates, Power, my_share
from expedition.strategies.frontier_return import Patience, Reserve, is_home
from expedition.strategies.library import strategy
from expedition.strategies.roles.appointments import Appointments, Times
from expedition.strategies.roles.hierarchy import Hierarchy
from expedition.strategies.roles.member import Member, NewPost
from expedition.strategies.roles.rendezvous import Point, Search
from expedition.strategies.roles.team import State, Team

TRIES, LEAVES_IT_FOR = 3, 300.0
"""A robot that is blocked so often in a row on its way to report explores on for so many seconds."""
ELSEWHERE = 2.0
"""Metres: who is as near to a place counts as there; places farther apart are two."""


@strategy("role-based")
@dataclass(kw_only=True)
class RoleBased:
    """Explorers explore, relays carry the news between them and the base (de Hoog et al. 2009, 2010)."""

    depth: Annotated[int, Field(ge=1, le=100, description="posts of a chain: 2 is base - relay - explorer")] = 2
    through_obstacles: Annotated[
        bool, Field(description="explorer and relay meet by radio, each at its own point, even through walls")
    ] = False
    swap: Annotated[bool, Field(description="robots in reach swap posts where that shortens the longer way")] = False
    channel: Annotated[
        str, Field(description="a second radio over which robots tell each other of roles and meetings, if any")
    ] = ""
    candidates: Candidates = 6
    power: Power = 4.0
    replan: Replan = 15.0
    max_age: MaxAge = 500.0
    check: Annotated[Seconds, Field(description="a robot looks so often whether it has to leave, s")] = 2.0
    wait: Annotated[Seconds, Field(description="how long robots wait at a rendezvous for one that is late, s")] = 60.0
    minimum: Annotated[Seconds, Field(description="robots meet again after so long, at least, s")] = 60.0
    slack: Annotated[Seconds, Field(description="what an explorer gets beyond the way to its frontier, s")] = 75.0
    spare: Annotated[Seconds, Field(description="a relay explores if it has more time than this left, s")] = 15.0
    handover: Annotated[Seconds, Field(description="how long robots that met exchange maps, at most, s")] = 5.0
    pace: Annotated[float, Field(gt=0, le=1, description="the share of its top speed that a robot counts on")] = 0.8
    apart: Annotated[Metres, Field(description="the least distance between points to meet, m")] = 2.0
    clearance: Annotated[Metres, Field(description="points to meet are farther than this from walls, m")] = 0.3
    range: Annotated[Metres, Field(description="how far from its frontier an explorer goes to meet, m")] = 60.0
    answer: Annotated[Seconds, Field(description="the time to answer a proposal to swap, s")] = 4.0
    swap_pause: Annotated[Seconds, Field(description="the least time between two swaps of a robot, s")] = 4.0
    swap_gain: Annotated[Metres, Field(description="a swap must shorten the longer way by this, at least, m")] = 1.0
    reserve: Reserve = 1.5
    patience: Patience = 10.0

    async def __call__(self, robot: Robot) -> None:
        """Go from state to state until there is nothing left to do."""
        self._robot = robot
        self._team = Team(robot, Hierarchy(robot.fleet_size, self.depth), self.answer, self.swap_pause, self.channel)
        robot.memory["team"] = self._team
        self._appointments = Appointments(
            robot,
            self._team,
            Search(self.apart, self.clearance, self.range, self.through_obstacles),
            Times(self.wait, self.minimum, self.slack, self.handover),
            self.pace,
        )
        swap_gain = self.swap_gain if self.swap else None
        self._member = Member(robot, self._team, self.reserve, swap_gain, self.swap_pause)
        self._came_for = 0
        self._in_vain_at: Point | None = None
        self._blocked = 0
        self._leaves_it_until = -math.inf
        self._busy_at = robot.time
        states: dict[State, Callable[[], Awaitable[State | None]]] = {
            State.EXPLORE: self.explore,
            State.RETURN_TO_PARENT: self.return_to_parent,
            State.WAIT_FOR_PARENT: self.wait_for_parent,
            State.GIVE_PARENT_INFO: self.give_parent_info,
            State.GO_TO_CHILD: self.go_to_child,
            State.WAIT_FOR_CHILD: self.wait_for_child,
            State.GET_INFO_FROM_CHILD: self.get_info_from_child,
            State.GO_HOME: self.go_home,
        }
        state: State | None = self.next_errand()
        while state is not None:
            self._member.enter(State.GO_HOME if self._member.is_low else state)
            try:
                state = await states[self._team.state]()
            except NewPost:
                state = self.next_errand()

    async def explore(self) -> State:
        """Explore the own share, until it is time to report or nothing is left."""
        if self._team.meeting_with_child() is not None:
            return self.next_errand()
        goal = self._next_frontier()
        if goal is None:
            return State.RETURN_TO_PARENT if self._member.has_news else State.GO_HOME
        is_due = self._member.every(self.check, self._is_due)
        await self._go_exploring(goal, until=lambda: is_due() or self._team.is_sought_by_parent())
        return State.RETURN_TO_PARENT if self._is_due() or self._team.is_sought_by_parent() else State.EXPLORE

    async def return_to_parent(self) -> State:
        """Go to the rendezvous with the parent, or to the base; a relay explores if it has time to spare."""
        if self._meets_parent():
            return State.GIVE_PARENT_INFO
        meeting = self._team.meeting_with_parent() or self._appointments.meet_at_base()
        place, deadline = meeting.place(self._robot.time, of_child=True), meeting.deadline(self._robot.time)
        if await self._explore_if(self._is_cut_off, until=self._meets_parent):
            return State.RETURN_TO_PARENT
        is_relay = self._team.child is not None and self._team.parent is not None
        has_time = partial(self._has_time_to_spare, place, meeting.time)
        if is_relay and await self._explore_if(has_time, until=self._meets_parent):
            return State.RETURN_TO_PARENT
        outcome = await self._member.go_to(place, deadline, until=self._meets_parent)
        self._blocked = self._blocked + 1 if outcome == Outcome.BLOCKED else 0
        if self._blocked >= TRIES:
            self._blocked, self._leaves_it_until = 0, self._robot.time + LEAVES_IT_FOR
        return State.WAIT_FOR_PARENT if self._is_there(outcome, place) else State.RETURN_TO_PARENT

    async def wait_for_parent(self) -> State:
        """Wait at the rendezvous; after that comes the backup point, and then the way home."""
        robot, meeting = self._robot, self._team.meeting_with_parent()
        is_astray = is_home(robot) and math.isinf(robot.travel_cost(robot.base))
        if meeting is not None:
            # The base does not come to meet anybody.
            no_longer = robot.time + self.handover if is_astray and self._team.parent is None else math.inf
            await self._member.stand(min(meeting.deadline(robot.time), no_longer), until=self._meets_parent)
        if is_astray and not self._meets_parent():
            self._in_vain_at = robot.home
            return State.GO_HOME
        return State.RETURN_TO_PARENT

    async def give_parent_info(self) -> State:
        """Stay until the parent has the map, or the base, and arrange when to meet again."""
        self._arrange(self._next_frontier())
        await self._member.stand(self._robot.time + self.handover, until=self._has_told_parent)
        self._member.has_delivered()
        return self.next_errand()

    async def go_to_child(self) -> State:
        """Go to the rendezvous with the child; explore while there is time to spare."""
        meeting = self._team.meeting_with_child()
        if meeting is None:
            return State.EXPLORE
        if not self._meets_child():
            self._came_for = meeting.version
        place, deadline = meeting.place(self._robot.time, of_child=False), meeting.deadline(self._robot.time)
        has_time = partial(self._has_time_to_spare, place, meeting.time)
        if await self._explore_if(lambda: self._news_flows() or has_time(), until=self._team.is_sought_by_child):
            return State.GET_INFO_FROM_CHILD if self._team.is_sought_by_child() else State.GO_TO_CHILD
        if self._meets_child():
            return State.GET_INFO_FROM_CHILD
        outcome = await self._member.go_to(place, deadline, until=self._meets_child)
        return State.WAIT_FOR_CHILD if self._is_there(outcome, place) else State.GO_TO_CHILD

    async def wait_for_child(self) -> State:
        """Wait at the rendezvous; after that comes the backup point, and then the relay explores."""
        meeting = self._team.meeting_with_child()
        if meeting is not None:
            await self._member.stand(meeting.deadline(self._robot.time), until=self._meets_child)
        return State.GO_TO_CHILD

    async def get_info_from_child(self) -> State:
        """Stay until the child's map is here, and it has said when to meet again; then bring it to the parent."""
        heard_all = partial(self._team.has_heard_child, self._came_for)
        await self._member.stand(self._robot.time + self.handover, until=heard_all)
        return State.RETURN_TO_PARENT

    async def go_home(self) -> State | None:
        """Nothing is left to do: return to the base, wait there for a while, and end."""
        robot = self._robot
        if not self._member.is_low and (self._team.meeting_with_child() or self._next_frontier()) is not None:
            return self.next_errand()
        self._team.call_off()
        if is_home(robot):
            await self._member.stand(robot.time + 1.0)
        else:
            outcome = await self._member.go_to(robot.home, robot.time + self.replan)
            # Who has arrived and is not home stands beside others in its place, and has no way still to go.
            if outcome != Outcome.BLOCKED and (outcome != Outcome.ARRIVED or is_home(robot)):
                self._busy_at = robot.time
        return State.GO_HOME if robot.time <= self._busy_at + self.patience else None

    def next_errand(self) -> State:
        """What a robot does that has just come to its post, or reported.

        A relay that has news brings it to its parent first, if it is then still in time for its child.
        """
        meeting = self._team.meeting_with_child()
        if meeting is None:
            return State.EXPLORE
        if not self._member.has_news:
            return State.GO_TO_CHILD
        report, appointments = self._team.meeting_with_parent(), self._appointments
        place = self._robot.home if report is None else report.child
        reported = self._robot.time + appointments.seconds_to(place)
        if report is not None and self._team.parent is not None:
            reported = max(reported, report.time)
        in_time = reported + appointments.seconds(place, meeting.parent) < meeting.until
        return State.RETURN_TO_PARENT if in_time else State.GO_TO_CHILD

    def _is_due(self) -> bool:
        """Whether now + way / speed reaches the meeting time."""
        meeting = self._team.meeting_with_parent()
        return meeting is not None and self._robot.time + self._appointments.seconds_to(meeting.child) >= meeting.time

    def _is_there(self, outcome: Outcome, place: Point) -> bool:
        """Whether a robot that went to a place need go no further: somebody may stand there, or walls be too near."""
        is_blocked = outcome == Outcome.BLOCKED and self._robot.travel_cost(place) < ELSEWHERE
        return outcome == Outcome.ARRIVED or is_blocked

    def _is_cut_off(self) -> bool:
        """Whether the robot knows no way to the base, and none to any place nearer than where nobody heard it.

        Or whether it knows one, but could not drive it lately, as where its map is off.
        """
        robot, in_vain_at = self._robot, self._in_vain_at
        if robot.time < self._leaves_it_until:
            return True
        if in_vain_at is None or math.isfinite(robot.travel_cost(robot.base)):
            return False
        return math.dist(robot.home, in_vain_at) < ELSEWHERE

    def _has_time_to_spare(self, place: Point, time: float) -> bool:
        return self._robot.time + self._appointments.seconds_to(place) + self.spare < time

    def _meets_parent(self) -> bool:
        return self._team.at_base() or self._team.in_contact(self._team.parent)

    def _has_told_parent(self) -> bool:
        """Whether the parent has said so. The base says nothing: it gets the whole time."""
        return not self._team.at_base() and self._team.has_told_parent()

    def _meets_child(self) -> bool:
        return self._team.in_contact(self._team.child)

    def _news_flows(self) -> bool:
        """Whether what the child finds reaches the base at once."""
        return self._meets_child() and self._team.is_linked()

    def _arrange(self, frontier: Frontier | None) -> None:
        """Make the next appointment with the parent, for after the one with the child or the way to a frontier."""
        child = self._team.meeting_with_child()
        if child is not None:
            self._team.goal = child.parent
        elif frontier is not None:
            self._team.goal = frontier.x, frontier.y
        else:
            self._team.call_off()
            return
        self._appointments.arrange(self._team.goal)

    def _next_frontier(self) -> Frontier | None:
        """The own share, of those who explore."""
        busy = [
            mate
            for mate, told in self._team.told.items()
            if told.state != State.EXPLORE and self._team.role_of(mate) == "relay"
        ]
        frontiers = self._robot.frontiers()
        return my_share(self._robot, frontiers, self.candidates, self.power, self.max_age, busy)

    async def _explore_if(self, may_explore: Callable[[], bool], until: Callable[[], bool]) -> bool:
        """Explore for a while, as long as a relay may; whether it did."""
        if not may_explore() or (goal := self._next_frontier()) is None:
            return False
        self._member.enter(State.EXPLORE)
        is_due = self._member.every(self.check, lambda: not may_explore())
        await self._go_exploring(goal, until=lambda: until() or is_due())
        return True

    async def _go_exploring(self, goal: Frontier, until: Callable[[], bool]) -> None:
        """Drive to a frontier. As long as all that is found reaches the base at once, meetings are put off."""
        if self._team.is_linked() or self._team.meeting_with_parent() is None:
            self._arrange(goal)
        await self._member.go_to(goal, self._robot.time + self.replan, until)
