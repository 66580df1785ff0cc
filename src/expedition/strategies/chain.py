"""A chain of robots from the base: who comes after whom, and where links between them should hold.

Robots stand in the order of their numbers. The base is the parent of the first, and each robot of the next; the last
one is the leader. One that is not heard of for long is skipped, and those on both sides of it become parent and child.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from expedition.robot import Robot
from expedition.strategies.roll_call import RollCall

Place = tuple[float, float]

TOPIC = "chain"
IN_CONTACT = 2.5
"""Seconds since something was heard within which a robot is in contact."""
STEP = 0.5
"""Metres between the points of a way at which links are looked at."""


class Chain:
    """One robot's place in the chain, as far as it was told."""

    def __init__(self, robot: Robot, chance: float, gap: float, lost_after: float) -> None:
        """Links with at least this chance are relied on, and drops of up to `gap` metres of way are put up with."""
        self._robot = robot
        self._chance = chance
        self._gap = gap
        self._silence = IN_CONTACT + 1.5 * gap / robot.max_speed
        self._roll = RollCall(robot, lost_after)
        self._wishes: dict[int, list[Place] | None] = {}
        self._told_at = -math.inf
        self._cut_off: set[int] = set()
        """Robots that have no link to the base, not even by way of others, as they said last."""
        self.wishes: list[Place] | None = []
        """Where the parent should link to, the most urgent first; None: there is nothing left to do, all go home."""
        self.linked_at: Place | None = None
        """Where it was when it last heard its parent."""

    @property
    def parent(self) -> int | None:
        """The next one towards the base; None where there is none to keep in range: no base, or one without a radio."""
        before = [number for number in self._roll.present if number < self._robot.id]
        if before:
            return before[-1]
        return self._robot.base_id if self._robot.base_age < math.inf else None

    @property
    def child(self) -> int | None:
        """The next one away from the base; None for the leader."""
        return next((number for number in self._roll.present if number > self._robot.id), None)

    @property
    def followers(self) -> int:
        """How many robots there are for posts between the base and the leader."""
        return len(self._roll.present) - 1

    @property
    def is_over(self) -> bool:
        """Whether somebody farther out has said that there is nothing left to do."""
        return any(wish is None for number, wish in self._wishes.items() if number > self._robot.id)

    @property
    def child_wishes(self) -> list[Place]:
        """Where the child, and this robot as its parent, should link to."""
        return [] if self.child is None else self._wishes.get(self.child) or []

    def look(self) -> None:
        """Take in what the others want, and tell them the same."""
        robot = self._robot
        for message in robot.inbox.take():
            if message.topic == TOPIC:
                self._roll.hear(message.payload["answers"])
                self._wishes[message.sender] = message.payload["wishes"]
                (self._cut_off.discard if message.payload["whole"] else self._cut_off.add)(message.sender)
        if robot.time - self._told_at >= 1.0:
            told = {"wishes": self.wishes, "whole": self.is_whole, "answers": self._roll.answers()}
            robot.send(told, topic=TOPIC)
            self._told_at = robot.time
        if not self._is_silent(self.parent):
            self.linked_at = robot.pose[:2]

    def is_broken(self) -> bool:
        """Whether the parent, who should be there, is out of contact."""
        self.look()
        return self._is_silent(self.parent)

    @property
    def is_whole(self) -> bool:
        """Whether all links from here to the base hold."""
        return not self._is_silent(self.parent) and self.parent not in self._cut_off

    def held(self, way: Sequence[Place]) -> list[int]:
        """The numbers of the points of a way from here at which it should link to the parent, without long gaps."""
        held = [0]
        for number in range(1, len(way)):
            if self.holds_at(way[number]):
                held.append(number)
            elif (number - held[-1]) * STEP > self._gap:
                break
        return held

    def holds_at(self, point: Place) -> bool:
        """Whether the link to the parent should hold at a point, where the parent is and where that is going.

        The parent is heard now, so it should be as well from wherever this robot is no farther from it.
        """
        parent, robot = self.parent, self._robot
        if parent is None:
            return True
        if parent == robot.base_id:
            anchors = [robot.base]
        else:
            mate = robot.teammates[parent]
            anchors = [mate.pose[:2], *([] if mate.goal is None else [mate.goal])]
        return all(
            math.dist(point, anchor) <= math.dist(robot.pose[:2], anchor) or self.links(point, anchor, parent)
            for anchor in anchors
        )

    def links(self, point: Place, other: Place, to: int | None = None) -> bool:
        """Whether a link between two points should hold, by the walls that this robot knows."""
        return self._robot.link_chance(point, other, to) >= self._chance

    def reaches(self, target: Place) -> bool:
        """Whether there are enough followers for posts on the way from the base, or next to it, to a target.

        Each stands at the last point of the way that links to the post before.
        """
        if self._robot.base_age == math.inf:
            return True
        path = self._robot.path_to(target, start=self._robot.home)
        if path is None:
            return False
        way = paced(path)
        at = 0
        for _ in range(self.followers + 1):
            at = next((later for later in range(len(way) - 1, at, -1) if self.links(way[at], way[later])), at)
        return at == len(way) - 1

    def _is_silent(self, number: int | None) -> bool:
        if number is None:
            return False
        robot = self._robot
        if number == robot.base_id:
            return robot.base_age > self._silence
        return number not in robot.teammates or robot.teammates[number].age > self._silence


def paced(path: NDArray[np.float64]) -> list[Place]:
    """The points along a path a step apart, both ends included."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    at = np.append(np.arange(0.0, along[-1], STEP), along[-1])
    return [(float(np.interp(way, along, path[:, 0])), float(np.interp(way, along, path[:, 1]))) for way in at]
