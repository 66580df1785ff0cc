"""Who of a team is still at work, as far as a robot was told: by the others themselves, or through whom it meets."""

from __future__ import annotations

from collections.abc import Sequence

from expedition.robot import Robot


class RollCall:
    """When each robot last answered. Robots that meet compare their lists, so that an answer goes round the team."""

    def __init__(self, robot: Robot, lost_after: float) -> None:
        """Who is not heard of for `lost_after` seconds counts as lost; at first all are taken to be there."""
        self._robot = robot
        self._lost_after = lost_after
        self._answered_at = [robot.time] * robot.fleet_size

    def answers(self) -> list[float]:
        """What to tell others: when each robot answered last, this one now; seconds since the start."""
        self._answered_at[self._robot.id] = round(self._robot.time, 1)
        return self._answered_at

    def hear(self, answers: Sequence[float]) -> None:
        """Take over what another robot has heard later than this one."""
        self._answered_at = list(map(max, self._answered_at, answers))

    @property
    def present(self) -> list[int]:
        """The robots that are at work, in order of their numbers."""
        oldest = self._robot.time - self._lost_after
        return [number for number, time in enumerate(self._answered_at) if time >= oldest or number == self._robot.id]
