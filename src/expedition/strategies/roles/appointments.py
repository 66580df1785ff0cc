"""When a child and its parent meet again: as soon as both can be there, with time to do something before."""

from __future__ import annotations

import math
from dataclasses import dataclass

from expedition.robot import Robot
from expedition.strategies.roles.rendezvous import Meeting, Point, Points, Search, between, choose_points
from expedition.strategies.roles.team import Team


@dataclass(frozen=True)
class Times:
    """What is reckoned with, in seconds."""

    wait: float
    minimum: float
    slack: float
    handover: float


class Appointments:
    """Makes the appointments of one robot with its parent."""

    def __init__(self, robot: Robot, team: Team, search: Search, times: Times, pace: float) -> None:
        """`pace` is the share of its top speed that a robot counts on."""
        self._robot = robot
        self._team = team
        self._search = search
        self._times = times
        self._speed = pace * robot.max_speed

    def seconds(self, start: Point, end: Point) -> float:
        """How long the way from one point to another takes; straight on where no way is known."""
        way = float(self._robot.travel_costs([start], [end])[0, 0])
        return (way if way < math.inf else math.dist(start, end)) / self._speed

    def seconds_to(self, end: Point) -> float:
        """How long the way takes from here."""
        way = self._robot.travel_cost(end)
        return (way if way < math.inf else math.dist(self._here, end)) / self._speed

    def arrange(self, there: Point) -> Meeting:
        """Meet the parent, if it is in contact, or else the base, after the way to a frontier or to the own child."""
        team, robot = self._team, self._robot
        child = team.meeting_with_child()
        ready = robot.time + self.seconds_to(there)
        ready = ready + self._times.slack if child is None else max(child.time, ready) + self._times.handover
        if team.parent is None or not team.in_contact(team.parent):
            points = Points(robot.home, robot.home, robot.home)
            parent_there = robot.time
        else:
            aim = there if child is None else between(robot, there, self._share_of_way())
            points = choose_points(robot, self._search, aim, team.parent)
            parent_there = self._parent_there(points.parent)
        time = max(robot.time + self._times.minimum, ready + self.seconds(there, points.child), parent_there)
        return self._set(points, time)

    def meet_at_base(self) -> Meeting:
        """Do without the parent, and bring the news home at once."""
        home = self._robot.home
        return self._set(Points(home, home, home), self._robot.time + self.seconds_to(home))

    def _parent_there(self, point: Point) -> float:
        """When the parent can be at a point, after it has been where it reports itself."""
        team, robot = self._team, self._robot
        assert team.parent is not None
        parent = robot.teammates[team.parent].pose[:2]
        post = team.hierarchy.parent(team.post)
        report = team.meeting_of(post) if team.hierarchy.level(team.post) > 2 else None
        if report is not None:
            reported = max(report.time, robot.time + self.seconds(parent, report.child))
            return reported + self._times.handover + self.seconds(report.child, point)
        home = robot.home
        return robot.time + self.seconds(parent, home) + self._times.handover + self.seconds(home, point)

    def _share_of_way(self) -> float:
        """How far from the base, on the way to the child's rendezvous, a relay reports: each goes an equal share."""
        level = self._team.hierarchy.level(self._team.post)
        return (level - 1) / level

    def _set(self, points: Points, time: float) -> Meeting:
        until = time + self._times.wait
        over = until + self.seconds(points.child, points.backup) + self._times.wait
        return self._team.arrange(points, time, until, over)

    @property
    def _here(self) -> Point:
        return self._robot.pose.x, self._robot.pose.y
