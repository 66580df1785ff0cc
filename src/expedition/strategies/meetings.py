"""Meetings of neighbours on a line of robots with the base at both ends, at agreed times and places."""

from __future__ import annotations

import math

import numpy as np

from expedition.network.messages import Receipt
from expedition.robot import Robot
from expedition.strategies.frontier_return import is_at_base
from expedition.strategies.roll_call import RollCall
from expedition.strategies.sectors import Place, Sectors

TOPIC = "sector"
IN_CONTACT = 2.5
"""Seconds since something was heard within which a robot is in contact."""
SLACK = 1.2
"""A way takes this much longer than at full speed."""


class Meetings:
    """One robot's appointments. The n-th meeting of all is at n periods."""

    def __init__(self, robot: Robot, sectors: Sectors, period: float, wait: float, lost_after: float) -> None:
        self._robot = robot
        self._sectors = sectors
        self._period = period
        self._wait = wait
        self._roll = RollCall(robot, lost_after)
        self.number = 1
        """Of the next meeting."""
        self._agreed: dict[int, Place] = {}
        """Where the robot meets a neighbour next, if the two have agreed on that."""
        self._offers: dict[int, tuple[Place, Receipt]] = {}
        """Places that were proposed to a neighbour, which has not confirmed that yet."""
        self._told_at = self._look_again_at = -math.inf

    @property
    def time(self) -> float:
        """When the next meeting is."""
        return self.number * self._period

    @property
    def latest(self) -> float:
        """Until when one waits for the other."""
        return self.time + self._wait

    @property
    def is_too_late(self) -> bool:
        """Whether nobody waits there any more."""
        return self._robot.time >= self.latest

    @property
    def lost(self) -> list[int]:
        """Robots that nobody has heard of for long."""
        present = self._roll.present
        return [number for number in range(self._robot.fleet_size) if number not in present]

    @property
    def partner(self) -> int | None:
        """Whom to meet next: in turn the neighbour before and after; None is the base, beyond both ends."""
        line = self._roll.present
        other = neighbour_to_meet(line.index(self._robot.id), self.number)
        return line[other] if 0 <= other < len(line) else None

    @property
    def place(self) -> Place | None:
        """Where; the base if nothing else is agreed, None where there is none."""
        base = None if self._robot.base_id is None else self._robot.base
        return base if self.partner is None else self._agreed.get(self.partner, base)

    def is_due(self) -> bool:
        """Whether it is time to set out for the next meeting."""
        self.look()
        robot, place = self._robot, self.place
        if self.is_too_late:
            self.conclude()
        if place is None or robot.time < self._look_again_at:
            return False
        spare = self.time - robot.time - SLACK * robot.travel_cost(place) / robot.max_speed
        # Driving the wrong way all the time, it could not be late before that.
        self._look_again_at = robot.time + max(0.0, spare) / (1.0 + SLACK)
        if spare > 0.0 or spare == -math.inf:
            return False
        if self.has_met():
            self.conclude()
            return False
        return True

    def has_met(self) -> bool:
        """Whether the partner is in contact."""
        robot, partner = self._robot, self.partner
        if partner is None:
            return robot.base_age < IN_CONTACT or is_at_base(robot)
        return self._is_near(partner)

    def conclude(self) -> None:
        """Go on to the next meeting; if the partner is in contact, let it know, and agree on another place with it."""
        partner = self.partner
        if partner is not None and self._is_near(partner):
            self._robot.send({"met": self.number}, to=partner, topic=TOPIC)
        self._end(partner)

    def look(self) -> None:
        """Hear what others say, tell them who is at work, and agree on places with neighbours in contact."""
        robot = self._robot
        for message in robot.inbox.take():
            if message.topic != TOPIC:
                continue
            if "answers" in message.payload:
                self._roll.hear(message.payload["answers"])
            if "place" in message.payload:
                self._agree(message.sender, message.payload["place"])
            if message.payload.get("met") == self.number and message.sender == self.partner:
                self._end(message.sender)
        if robot.time - self._told_at >= 1.0:
            robot.send({"answers": self._roll.answers()}, topic=TOPIC)
            self._told_at = robot.time
            for neighbour in self._neighbours():
                if neighbour > robot.id and neighbour not in self._agreed and self._is_near(neighbour):
                    self._offer(neighbour)

    def _end(self, partner: int | None) -> None:
        """A place is good for one meeting; whether the two met or not, the next is at the base unless they agree."""
        if partner is not None:
            self._agreed.pop(partner, None)
            self._offers.pop(partner, None)
            self._robot.mark("rendezvous", list(self._agreed.values()))
        self.number += 1
        self._look_again_at = -math.inf

    def _agree(self, neighbour: int, place: Place) -> None:
        self._agreed[neighbour] = place
        self._robot.mark("rendezvous", list(self._agreed.values()))

    def _offer(self, neighbour: int) -> None:
        """Propose a place to a neighbour with a higher number until that has confirmed it."""
        place, receipt = self._offers.pop(neighbour, (None, None))
        if place is not None and receipt is not None and receipt.confirmed:
            self._agree(neighbour, place)
            return
        place = place or self._best_place(neighbour)
        if place is not None:
            receipt = self._robot.send({"place": place}, to=neighbour, topic=TOPIC, confirm=True)
            self._offers[neighbour] = place, receipt

    def _best_place(self, neighbour: int) -> Place | None:
        """On the border, where the longer of the ways from both robots' next frontiers is shortest."""
        robot = self._robot
        places = [place for place in self._sectors.border(robot.id, neighbour) if robot.map.is_free(*place)]
        ahead = []
        for owner in (robot.id, neighbour):
            if own := self._sectors.parts(robot, robot.frontiers(), [owner]):
                ahead.append(min(own, key=robot.travel_cost))
        if not places or not ahead:
            return None
        longest = robot.travel_costs(ahead, places).max(axis=0)
        best = int(np.argmin(longest))
        return places[best] if math.isfinite(longest[best]) else None

    def _neighbours(self) -> list[int]:
        line = self._roll.present
        at = line.index(self._robot.id)
        return [*line[max(0, at - 1) : at], *line[at + 1 : at + 2]]

    def _is_near(self, number: int) -> bool:
        mate = self._robot.teammates.get(number)
        return mate is not None and mate.age < IN_CONTACT


def neighbour_to_meet(place: int, number: int) -> int:
    """The place on the line of whom the robot at a place meets at a meeting; beyond the ends is the base."""
    return place + (1 if (place + number) % 2 == 0 else -1)
