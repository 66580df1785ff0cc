"""Who knows where whose frame lies, when every robot has a frame of its own.

What is known are facts: where the frame of one robot lies in that of another, found by the latter from their maps.
Robots in contact tell each other the facts that are news to them, and each works out from those it holds where all the
frames lie that are tied to its own, over the fewest facts. A fact is corrected or taken back only by who found it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.belief.transform import IDENTITY, Transform

Integers = NDArray[np.int64]

FACT_BYTES = 24
"""On the air: two robots and the version, two bytes each with padding, and three numbers of four bytes."""
HEADER_BYTES = 8


class Fact(NamedTuple):
    """Where a frame lies; None when that was taken back. Of two facts about the same robots the later version holds."""

    version: int
    transform: Transform | None


class Acquaintance:
    """The facts that each robot of a fleet holds, and what follows from them."""

    def __init__(self, robots: int) -> None:
        self.known: NDArray[np.bool_] = np.eye(robots, dtype=np.bool_)
        """(robots, robots): whether a robot knows where another's frame lies."""
        self.transforms: NDArray[np.float64] = np.zeros((robots, robots, 3))
        """Rotation, x and y of the other's frame in the robot's own, where that is known."""
        self._facts: list[dict[tuple[int, int], Fact]] = [{} for _ in range(robots)]
        self._counts: Integers = np.zeros(robots, dtype=np.int64)
        self._heard: Integers = np.zeros((robots, robots), dtype=np.int64)

    def transform(self, robot: int, other: int) -> Transform | None:
        """Where the other's frame lies in the robot's, if it knows."""
        return Transform(*self.transforms[robot, other].tolist()) if self.known[robot, other] else None

    def found_by(self, robot: int) -> dict[int, Transform]:
        """Where frames lie that the robot itself found."""
        return {
            other: fact.transform
            for (finder, other), fact in self._facts[robot].items()
            if finder == robot and fact.transform is not None
        }

    def find(self, robot: int, other: int, transform: Transform | None) -> None:
        """The robot has found where the other's frame lies in its own, or takes back what it found before."""
        before = self._facts[robot].get((robot, other))
        self._learn(robot, {(robot, other): Fact(before.version + 1 if before else 1, transform)})

    def tell(self, contact: NDArray[np.bool_]) -> tuple[Integers, Integers]:
        """Let robots in contact tell each other their news; the bytes that each sent and received.

        Cost: the pairs of which one has news.
        """
        sent, received = np.zeros((2, len(contact)), dtype=np.int64)
        facts, counts = list(self._facts), self._counts.copy()
        for robot, other in np.argwhere(contact & (self._heard != counts)).tolist():
            self._heard[robot, other] = counts[other]
            held = self._facts[robot]
            news = {
                pair: fact
                for pair, fact in facts[other].items()
                if pair not in held or held[pair].version < fact.version
            }
            if news:
                size = HEADER_BYTES + FACT_BYTES * len(news)
                sent[other] += size
                received[robot] += size
                self._learn(robot, news)
        return sent, received

    def _learn(self, robot: int, news: dict[tuple[int, int], Fact]) -> None:
        self._facts[robot] = {**self._facts[robot], **news}
        self._counts[robot] += 1
        self.known[robot] = False
        for other, transform in self._tied_to(robot).items():
            self.known[robot, other] = True
            self.transforms[robot, other] = transform.rotation, transform.x, transform.y

    def _tied_to(self, robot: int) -> dict[int, Transform]:
        """All frames that the robot's facts tie to its own, nearest first, of equally near ones by number."""
        steps: dict[int, dict[int, Transform]] = {}
        for (finder, other), fact in sorted(self._facts[robot].items()):
            if fact.transform is not None:
                steps.setdefault(finder, {})[other] = fact.transform
                steps.setdefault(other, {}).setdefault(finder, fact.transform.inverse())
        reached = {robot: IDENTITY}
        queue = [robot]
        for at in queue:
            for other, transform in sorted(steps.get(at, {}).items(), key=lambda step: step[0]):
                if other not in reached:
                    reached[other] = reached[at].of(transform)
                    queue.append(other)
        return reached
