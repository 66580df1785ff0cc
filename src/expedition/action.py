"""What a strategy awaits, and what it is told when the waiting is over."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError


class StrategyError(ExpeditionError):
    """A strategy asked for something that cannot be: raised at the strategy's own line."""


class Pose(NamedTuple):
    """A place in metres and a heading in radians."""

    x: float
    y: float
    heading: float


class Outcome(StrEnum):
    """Why waiting ended; compares equal to its text."""

    ARRIVED = "arrived"
    """The robot is there, the path or the time is over."""
    BLOCKED = "blocked"
    """There is no way, or no way around what stands in it."""
    STALE = "stale"
    """The goal is no longer worth it: its frontier is explored, or `until` came true."""
    TIMED_OUT = "timed out"
    """The time given was not enough."""


@dataclass
class Action:
    """Something that takes a robot time. Awaiting it hands it to the mission, which answers with an `Outcome`.

    A robot does one thing at a time: the last action awaited is the one that counts.
    """

    seconds: float | None = None
    """How long it may take; for ever if not given."""
    until: Callable[[], bool] | None = None
    """Asked at every replanning: true ends the action as stale."""

    def __await__(self) -> Generator[Action, Outcome, Outcome]:
        outcome = yield self
        return outcome


@dataclass
class Wait(Action):
    """Stand still."""


@dataclass
class Drive(Action):
    """Follow a velocity; stop before what is in the way if `careful`."""

    forward: float = 0.0
    sideways: float = 0.0
    turn: float = 0.0
    careful: bool = True
    was_blocked: bool = False
    """Set by the mission when something was in the way."""


@dataclass
class GoTo(Action):
    """Plan a path to a point and drive there, planning anew as the map grows."""

    x: float = 0.0
    y: float = 0.0
    heading: float | None = None
    tolerance: float | None = None
    frontier: NDArray[np.int32] | None = None
    """The cells of the frontier that is the goal: when it has gone, so has the reason to drive there."""
    through_unknown: bool = False


@dataclass
class Follow(Action):
    """Drive along given points."""

    points: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 2)))
