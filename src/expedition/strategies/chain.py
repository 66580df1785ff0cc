"""A chain of robots from the base: who comes after whom, and where links between them should hold.

Robots stand in the order of their numbers. The parent of each is the nearest one before it that it hears itself and
that has a link to the base; where there is none, the base is. Each tells who its parent is, and so finds its child; the
last one is the leader. What somebody said is forgotten after a while: who falls silent is passed over from both sides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.robot import Frontier, Robot
from expedition.strategies.roll_call import RollCall

Place = tuple[float, float]

TOPIC = "chain"
IN_CONTACT = 2.5
"""Seconds since something was heard within which a robot is in contact."""
STEP = 0.5
"""Metres between the points of a way at which links are looked at."""
URGED_AFTER = 4.0
"""Seconds that a robot stands before it goes on for a child that says it should: what both say takes a while."""


class Word(NamedTuple):
    """What a robot said last to those that heard it."""

    time: float
    parent: int | None
    depth: int
    """How many links it is from the base."""
    is_whole: bool
    """Whether all of them hold."""
    is_held_up: bool
    """Whether it would go on if its parent came after."""
    wishes: list[Place] | None


class Chain:
    """One robot's place in the chain, as far as it was told."""

    def __init__(self, robot: Robot, chance: float, gap: float, lost_after: float) -> None:
        """Links with at least this chance are relied on, and drops of up to `gap` metres of way are put up with."""
        self._robot = robot
        self._chance = chance
        self._gap = gap
        self._silence = IN_CONTACT + 1.5 * gap / robot.max_speed
        self.lost_after = lost_after
        self._roll = RollCall(robot, lost_after)
        self._words: dict[int, Word] = {}
        self._whole_at = [robot.time] * robot.fleet_size
        """When each robot last said that it has a link to the base; at first all are taken to have one."""
        self._told_at = -math.inf
        self._has_left = False
        self.is_alone = False
        """Whether it does not hear the base even there; until it hears it again, there is no link to keep."""
        self.wishes: list[Place] | None = []
        """Where the parent should link to, the most urgent first; None: there is nothing left to do, all go home."""
        self.is_held_up = False
        """Whether it would go on if its parent came after."""
        self.linked_at: Place | None = None
        """Where it was when it last heard its parent."""
        self._stood = (robot.time, robot.pose[:2])
        """Since when it stands, and where."""

    @property
    def parent(self) -> int | None:
        """The next one towards the base; None where there is none to keep in range: no base, or one without a radio."""
        robot, oldest = self._robot, self._robot.time - self.lost_after
        before = [number for number in self._roll.present if number < robot.id and self._whole_at[number] >= oldest]
        if before:
            return before[-1]
        return None if self.is_alone or robot.base_age == math.inf else robot.base_id

    @property
    def child(self) -> int | None:
        """The farthest of those that keep this robot in range; None for the leader, and for one passed over."""
        oldest = self._robot.time - self.lost_after
        words = self._words.items()
        return max((n for n, word in words if word.parent == self._robot.id and word.time >= oldest), default=None)

    @property
    def is_leader(self) -> bool:
        """Whether nobody farther out is at work."""
        return self._roll.present[-1] == self._robot.id

    @property
    def depth(self) -> int:
        """How many links there are from here to the base."""
        parent = self.parent
        if parent is None or parent == self._robot.base_id:
            return 1
        return 1 + (self._words[parent].depth if parent in self._words else parent + 1)

    @property
    def is_over(self) -> bool:
        """Whether the child says that there is nothing left to do; for one without a child, whether anybody does."""
        child, oldest = self.child, self._robot.time - self.lost_after
        words = self._words.values() if child is None else [self._words[child]]
        return any(word.wishes is None and word.time >= oldest for word in words)

    @property
    def child_wishes(self) -> list[Place]:
        """Where the child, and this robot as its parent, should link to."""
        return [] if self.child is None else self._words[self.child].wishes or []

    @property
    def is_urged(self) -> bool:
        """Whether the child is held up although this robot has long stood still: its map has other walls than ours."""
        child = self.child
        return child is not None and self._words[child].is_held_up and self._robot.time - self._stood[0] > URGED_AFTER

    def look(self) -> None:
        """Take in what the others want, and tell them the same."""
        robot = self._robot
        for message in robot.inbox.take():
            if message.topic == TOPIC:
                self._roll.hear(message.payload["answers"])
                word = self._words[message.sender] = Word(robot.time, *message.payload["word"])
                if word.is_whole:
                    self._whole_at[message.sender] = robot.time
        if math.dist(self._stood[1], robot.pose[:2]) > 0.5 * STEP:
            self._stood = robot.time, robot.pose[:2]
        if robot.base_age <= IN_CONTACT:
            self.is_alone = False
        if robot.time - self._told_at >= 1.0 and not self._has_left:
            word = Word(robot.time, self.parent, self.depth, self.is_whole, self.is_held_up, self.wishes)
            robot.send({"word": word[1:], "answers": self._roll.answers()}, topic=TOPIC)
            self._told_at = robot.time
        if not self._is_silent(self.parent):
            self.linked_at = robot.pose[:2]

    def leave(self) -> None:
        """Say nothing more, so that the others close up."""
        self._has_left = True

    def is_broken(self) -> bool:
        """Whether the parent, who should be there, is out of contact."""
        self.look()
        return self._is_silent(self.parent)

    @property
    def is_whole(self) -> bool:
        """Whether all links from here to the base hold."""
        parent = self.parent
        if self.is_alone or self._is_silent(parent):
            return False
        return parent is None or parent not in self._words or self._words[parent].is_whole

    def held(self, way: Sequence[Place]) -> list[int]:
        """The numbers of the points of a way from here at which it should link to the parent, without long gaps."""
        held = [0]
        for number in range(1, len(way)):
            if self.holds_at(way[number]):
                held.append(number)
            elif (number - held[-1]) * STEP > self._gap:
                break
        return held

    def holds_to(self, target: Frontier | Place) -> bool:
        """Whether the link to the parent holds, and should do so all the way to a target, without long gaps."""
        path = None if self.is_broken() else self._robot.path_to(target)
        return path is not None and self.held(way := paced(path))[-1] == len(way) - 1

    def holds_at(self, point: Place) -> bool:
        """Whether the link to the parent should hold at a point, where the parent is and where that is going.

        The parent is heard now, so it should be as well from wherever this robot is no farther from it.
        """
        parent, robot = self.parent, self._robot
        if parent is None:
            return True
        if parent == robot.base_id:
            anchors = [robot.base]
        elif parent not in robot.teammates:
            return False
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
        if self.is_alone or self._robot.base_age == math.inf:
            return True
        path = self._robot.path_to(target, start=self._robot.home)
        if path is None:
            return False
        way = paced(path)
        at = 0
        for _ in range(self.depth):
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
