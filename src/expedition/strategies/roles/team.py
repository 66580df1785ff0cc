"""What a robot knows of its team, and what it tells those in reach once a second."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from expedition.robot import Robot
from expedition.strategies.frontier_return import is_at_base
from expedition.strategies.roles.hierarchy import Hierarchy, Role
from expedition.strategies.roles.leases import Posts
from expedition.strategies.roles.rendezvous import Meeting, Point, Points
from expedition.strategies.roles.swap import Proposal, Swaps

TOPIC = "roles"
IN_CONTACT = 2.5
"""Seconds since something was heard within which a robot is in contact."""
TELL_EVERY, TELL_FAR_EVERY = 1.0, 10.0
"""Seconds between two messages to those in contact, and over a channel that may be slow to those far away."""
LATEST = 5.0
"""Seconds for which what was told holds: of five messages one will arrive."""
TOLD_FOR = 120.0
"""Seconds for which appointments are told that are over, since they may have been called off."""
NEAR = 10.0
"""Metres from the base within which it is worth working out whether the robot is home."""
SAME_AREA = 2.0
"""Square metres by which two maps may differ and still hold the same news."""


class State(StrEnum):
    """What a robot is about; pictures and series show it as the robot's activity."""

    EXPLORE = "exploring"
    RETURN_TO_PARENT = "returning to parent"
    WAIT_FOR_PARENT = "waiting for parent"
    GIVE_PARENT_INFO = "giving parent info"
    GO_TO_CHILD = "going to child"
    WAIT_FOR_CHILD = "waiting for child"
    GET_INFO_FROM_CHILD = "getting info from child"
    GO_HOME = "going home"


REPORTING = {State.RETURN_TO_PARENT, State.WAIT_FOR_PARENT, State.GIVE_PARENT_INFO}
"""In these a robot seeks its parent."""
COLLECTING = {State.GO_TO_CHILD, State.WAIT_FOR_CHILD, State.GET_INFO_FROM_CHILD}
"""In these a robot seeks its child."""


@dataclass(frozen=True)
class Told:
    """What a teammate last said of itself."""

    time: float
    state: State
    goal: Point | None
    """Where it is going; None if that is no place in the own map."""
    known: float
    """Square metres that it knows."""
    linked: bool
    """Whether what it knows reaches the base at once."""
    meetings: dict[int, int]
    """The versions of the appointments that it has heard of, by the child's post."""


class Team:
    """The hierarchy as one robot believes it to be: who holds which post, and who meets whom where and when."""

    def __init__(self, robot: Robot, hierarchy: Hierarchy, answer: float, pause: float, channel: str = "") -> None:
        """`channel` is that over which the robot also tells those with whom it is not in contact, if there is one."""
        self._robot = robot
        self._channel = channel
        self.hierarchy = hierarchy
        self.posts = Posts(robot.id, robot.fleet_size)
        self.swaps = Swaps(self.posts, answer, pause)
        self.meetings: dict[int, Meeting] = {}
        """By the child's post."""
        self.told: dict[int, Told] = {}
        """By robot."""
        self.state = State.EXPLORE
        self.goal: Point = robot.pose.x, robot.pose.y
        """Where the robot is going."""
        self.waits_until = math.inf
        """The deadline of the state, if it is one of waiting."""
        self.proposals: list[Proposal] = []
        """Those not yet considered."""
        self._told_at = self._told_far_at = -math.inf

    @property
    def post(self) -> int:
        """The robot's post."""
        return self.posts.own

    @property
    def parent(self) -> int | None:
        """The robot that this one reports to; None for the base, or if nobody is known at that post."""
        return self.posts.holder(self.hierarchy.parent(self.post))

    @property
    def child(self) -> int | None:
        """The robot that reports to this one, if there is one."""
        return self.posts.holder(self.hierarchy.child(self.post))

    def role_of(self, robot: int) -> Role | None:
        """A robot's role; None if it has no post that is known."""
        post = self.posts.post_of(robot)
        return None if post is None else self.hierarchy.role(post)

    def is_elsewhere(self, robot: int) -> bool:
        """Whether a robot's post is another kind than this one's, by its role or its distance from the base."""
        post, of = self.posts.post_of(robot), self.hierarchy
        return post is not None and (of.role(post), of.level(post)) != (of.role(self.post), of.level(self.post))

    def meeting_of(self, child: int | None) -> Meeting | None:
        """The next appointment of who holds a post with its parent, as far as heard; None if there is none."""
        meeting = None if child is None else self.meetings.get(child)
        return meeting if meeting is not None and self._robot.time < meeting.over else None

    def meeting_with_parent(self) -> Meeting | None:
        """The next appointment with the parent, or at the base; None if there is none, or it is over."""
        return self.meeting_of(self.post)

    def meeting_with_child(self) -> Meeting | None:
        """The next appointment with the child; None if there is no child, or none that was heard of lately."""
        return self.meeting_of(self.hierarchy.child(self.post))

    def in_contact(self, robot: int | None) -> bool:
        """Whether a teammate was heard just now."""
        mate = None if robot is None else self._robot.teammates.get(robot)
        return mate is not None and mate.age < IN_CONTACT

    def latest(self, robot: int | None) -> Told | None:
        """What a teammate in contact said just now; None if it said nothing, as one whose strategy has ended."""
        told = None if robot is None else self.told.get(robot)
        return told if told is not None and self._robot.time - told.time < LATEST and self.in_contact(robot) else None

    def at_base(self) -> bool:
        """Whether the base has what this robot knows: it hears it, or stands there."""
        robot = self._robot
        is_near = math.dist(robot.pose[:2], robot.base) < NEAR
        return robot.base_age < IN_CONTACT or (is_near and is_at_base(robot))

    def is_linked(self) -> bool:
        """Whether what the robot knows reaches the base at once, over its parent and so on."""
        parent = self.latest(self.parent)
        return self.at_base() or (parent is not None and parent.linked)

    def is_sought_by_child(self) -> bool:
        """Whether the child is in contact and about to report."""
        return self._is_sought_by(self.child, REPORTING)

    def is_sought_by_parent(self) -> bool:
        """Whether the parent is in contact and about to collect."""
        return self._is_sought_by(self.parent, COLLECTING)

    def has_told_parent(self) -> bool:
        """Whether the parent says that it knows as much as this robot, and when they meet again."""
        told = self.latest(self.parent)
        if told is None or self.post not in self.meetings:
            return False
        knows_as_much = told.known >= self._robot.map.known_area - SAME_AREA
        return knows_as_much and told.meetings.get(self.post, 0) >= self.meetings[self.post].version

    def has_heard_child(self, version: int) -> bool:
        """Whether this robot knows as much as the child, and of a later appointment with it than that version."""
        told, meeting = self.latest(self.child), self.meeting_with_child()
        if told is None or meeting is None or told.state in (State.RETURN_TO_PARENT, State.WAIT_FOR_PARENT):
            return False
        return self._robot.map.known_area >= told.known - SAME_AREA and meeting.version > version

    def arrange(self, points: Points, time: float, until: float, over: float) -> Meeting:
        """Set the next appointment with the parent, and tell those in reach."""
        version = self.meetings[self.post].version + 1 if self.post in self.meetings else 1
        time, until, over = (round(moment, 1) for moment in (time, until, over))
        child, parent, backup = ((round(x, 2), round(y, 2)) for x, y in points)
        meeting = Meeting(version, self._robot.id, time, until, over, child, parent, backup)
        self.meetings[self.post] = meeting
        self._robot.mark("rendezvous", sorted({child, parent, backup}))
        self.tell(now=True)
        return meeting

    def call_off(self) -> None:
        """Tell that there is nothing left to meet the parent for."""
        time, here = self._robot.time, (self._robot.pose.x, self._robot.pose.y)
        if self.meeting_with_parent() is not None:
            self.arrange(Points(here, here, here), time, time, time)
            self._robot.mark("rendezvous", [])

    def tell(self, now: bool = False) -> None:
        """Tell those in contact how things stand, once a second, and now and then those who are farther away."""
        robot = self._robot
        is_due = now or robot.time >= self._told_at + TELL_EVERY - 1e-6
        if is_due and any(self.in_contact(mate) for mate in robot.teammates):
            robot.send(self._news(), topic=TOPIC)
            self._told_at = robot.time
        if self._channel and robot.time >= self._told_far_at + TELL_FAR_EVERY - 1e-6:
            robot.send(self._news(), channel=self._channel, topic=TOPIC)
            self._told_far_at = robot.time

    def _news(self) -> dict[str, Any]:
        """How things stand."""
        robot = self._robot
        meetings = {post: meeting for post, meeting in self.meetings.items() if robot.time < meeting.over + TOLD_FOR}
        return {
            "state": str(self.state),
            "goal": [round(self.goal[0], 2), round(self.goal[1], 2)],
            "known": round(robot.map.known_area, 1),
            "linked": self.is_linked(),
            "leases": [list(lease) for lease in self.posts.news()],
            "meetings": [[post, *meeting[:-3], *map(list, meeting[-3:])] for post, meeting in meetings.items()],
        }

    def hear(self) -> None:
        """Take in what others told."""
        before = self.post
        for message in self._robot.inbox.take():
            if message.topic != TOPIC:
                continue
            if "proposal" in message.payload:
                self.proposals.append(Proposal(message.sender, *message.payload["proposal"]))
            else:
                self._note(message.sender, message.time, message.payload)
        if self.post != before:
            self.swaps.has_swapped(self._robot.time)

    def propose_swap(self, robot: int) -> None:
        """Propose to a teammate to swap posts."""
        proposal = self.swaps.propose(robot, self._robot.time)
        if proposal is not None:
            self._robot.send({"proposal": (proposal.until, proposal.leases)}, to=robot, topic=TOPIC)

    def consider_swaps(self, pays: Callable[[int], bool]) -> None:
        """Accept the first of the proposals that came if it `pays` to swap with the robot, and tell so."""
        proposals, self.proposals = self.proposals, []
        for proposal in proposals:
            if self.swaps.consider(proposal, self._robot.time, partial(pays, proposal.sender)):
                self.tell(now=True)

    def _is_sought_by(self, robot: int | None, states: Collection[State]) -> bool:
        told = self.latest(robot)
        return told is not None and told.state in states

    def _note(self, sender: int, time: float, told: dict[str, Any]) -> None:
        """Keep what a teammate told of itself, and the newer of all leases and meetings."""
        goal = self._robot.in_my_map(sender, told["goal"])
        versions = {post: version for post, version, *_ in told["meetings"]}
        if sender not in self.told or time >= self.told[sender].time:
            self.told[sender] = Told(time, State(told["state"]), goal, told["known"], told["linked"], versions)
        self.posts.hear(told["leases"])
        for post, version, writer, at, until, over, *points in told["meetings"]:
            child, parent, backup = (self._robot.in_my_map(sender, point) for point in points)
            if child is None or parent is None or backup is None:
                continue
            meeting = Meeting(version, writer, at, until, over, child, parent, backup)
            self.meetings[post] = max(self.meetings.get(post, meeting), meeting)
