"""Robots that fail: as a whole, or their sensors, radios or drives; at a time or by chance; for good or for a while."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, model_validator

from expedition.errors import ExpeditionError, shorten, unknown
from expedition.spec import Spec, parse_spec, validate
from expedition.streams import generator

Booleans = NDArray[np.bool_]
Seconds = Annotated[float, Field(ge=0, le=1e9)]
Part = Literal["robot", "sensors", "radio", "drive"]
PARTS: tuple[Part, ...] = ("robot", "sensors", "radio", "drive")


def _all_or_numbers(given: Any) -> Any:
    """Say in one sentence what may be given; of a union, each part would complain on its own."""
    are_numbers = isinstance(given, list | tuple) and all(type(one) is int and one >= 0 for one in given)
    if given != "all" and not (are_numbers and given):
        raise ValueError("needs 'all' or numbers of robots, from 0 on, such as [0, 2]")
    return given


Which = Annotated[
    Literal["all"] | Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=1)],
    BeforeValidator(_all_or_numbers),
]


class Failure(Spec):
    """What fails, when, and whether it recovers."""

    part: Part = "robot"
    """The whole robot, or only its sensors (lidar, cameras, detectors), its radios or its drive."""
    robots: Which = "all"
    """Which robots, by number; each of them fails on its own."""
    at: Seconds | None = None
    """When it fails, in seconds since the start ..."""
    rate_per_hour: Annotated[float, Field(gt=0, le=1e6)] | None = None
    """... or how often it fails by chance, a robot and hour: times between failures are exponential."""
    lasts: Seconds | None = None
    """After so many seconds it works again; never if neither this nor `mean_duration` is given."""
    mean_duration: Annotated[float, Field(gt=0, le=1e9)] | None = None
    """It works again after exponential times of this mean, in seconds."""

    @model_validator(mode="after")
    def _one_way_each(self) -> Failure:
        if (self.at is None) == (self.rate_per_hour is None):
            raise ValueError("a failure needs either at or rate_per_hour")
        if self.lasts is not None and self.mean_duration is not None:
            raise ValueError("a failure lasts a given time or a random one, not both")
        return self


@dataclass
class _Fate:
    """One failure of one robot, and when it begins or ends next."""

    failure: Failure
    robot: int
    rng: np.random.Generator
    failed: bool
    next_time: float


class Faults:
    """What works and what does not at the moment, for all robots of a mission."""

    def __init__(self, failures: Sequence[Failure], robots: int, seed: int) -> None:
        check_robots(failures, robots)
        self.events: list[dict[str, Any]] = []
        self.flat: Booleans = np.zeros(robots, dtype=np.bool_)
        """(robots,): whose battery has run out."""
        self._counts: NDArray[np.int64] = np.zeros((len(PARTS), robots), dtype=np.int64)
        self._fates = [
            self._begin(failure, robot, generator(seed, f"failure/{index}/robot/{robot}"))
            for index, failure in enumerate(failures)
            for robot in (range(robots) if failure.robots == "all" else failure.robots)
        ]

    def advance(self, time: float) -> None:
        """Let all that is due by `time` fail or recover."""
        for fate in self._fates:
            while fate.next_time <= time:
                fate.failed = not fate.failed
                self._counts[PARTS.index(fate.failure.part), fate.robot] += 1 if fate.failed else -1
                self._tell(fate.next_time, fate.robot, "breakdown" if fate.failed else "recovery", fate.failure.part)
                fate.next_time = self._next(fate)

    def run_out(self, left: NDArray[np.float64], time: float, ended: Booleans) -> None:
        """Robots with nothing `left` (robots,) in their batteries stop for good.

        It is no breakdown of those whose strategies have `ended` (robots,), as of one that stands at home.
        """
        for robot in np.flatnonzero((left <= 0.0) & ~self.flat).tolist():
            self.flat[robot] = True
            self._tell(time, robot, "switched off" if ended[robot] else "breakdown", "battery")

    @property
    def is_possible(self) -> bool:
        """Whether anything may fail in this mission, apart from batteries."""
        return bool(self._fates)

    @property
    def down(self) -> Booleans:
        """(robots,): who does nothing at all."""
        return np.asarray((self._counts[0] > 0) | self.flat)

    @property
    def blind(self) -> Booleans:
        """(robots,): who senses nothing but its own motion."""
        return np.asarray(self.down | (self._counts[1] > 0))

    @property
    def mute(self) -> Booleans:
        """(robots,): who neither sends nor hears."""
        return np.asarray(self.down | (self._counts[2] > 0))

    @property
    def stuck(self) -> Booleans:
        """(robots,): who cannot drive."""
        return np.asarray(self.down | (self._counts[3] > 0))

    @property
    def down_for_good(self) -> Booleans:
        """(robots,): who never does anything again."""
        gone = self.flat.copy()
        for fate in self._fates:
            if fate.failure.part == "robot" and fate.failed and fate.next_time == math.inf:
                gone[fate.robot] = True
        return gone

    def _begin(self, failure: Failure, robot: int, rng: np.random.Generator) -> _Fate:
        fate = _Fate(failure, robot, rng, False, 0.0)
        fate.next_time = failure.at if failure.at is not None else self._chance(fate)
        return fate

    def _next(self, fate: _Fate) -> float:
        """When a failure that has just begun ends, or one that has just ended begins again."""
        failure = fate.failure
        if not fate.failed:
            return math.inf if failure.at is not None else fate.next_time + self._chance(fate)
        if failure.lasts is not None:
            return fate.next_time + failure.lasts
        if failure.mean_duration is not None:
            return fate.next_time + float(fate.rng.exponential(failure.mean_duration))
        return math.inf

    def _chance(self, fate: _Fate) -> float:
        assert fate.failure.rate_per_hour is not None
        return float(fate.rng.exponential(3600.0 / fate.failure.rate_per_hour))

    def _tell(self, time: float, robot: int, event: str, part: str) -> None:
        self.events.append({"time_s": time, "event": event, "robot": robot, "text": part})


Given = str | Mapping[str, Any] | Failure | Sequence[str | Mapping[str, Any] | Failure] | None
"""Failures as users give them: `robot:rate_per_hour=2 + radio:at=60,lasts=30`, fields, or a list of either."""


def read_failures(given: Given, place: str = "failures") -> tuple[Failure, ...]:
    """The failures that a user means; none for None."""
    if given is None or given == "none":
        return ()
    if isinstance(given, str):
        return tuple(_in_a_line(text, place) for text in given.split(" + "))
    if isinstance(given, Failure):
        return (given,)
    if isinstance(given, Mapping):
        return (validate(Failure, _with_numbers(given), place),)
    if isinstance(given, Sequence):
        return tuple(failure for one in given for failure in read_failures(one, place))
    raise ExpeditionError(f"{place}: expected failures as robot:at=100, or their fields, found {shorten(given)}")


def check_robots(failures: Sequence[Failure], robots: int, place: str = "failures") -> None:
    """Refuse failures of robots that are not there."""
    for failure in failures:
        for robot in () if failure.robots == "all" else failure.robots:
            if robot >= robots:
                raise ExpeditionError(f"{place}: there is no robot {robot} in a fleet of {robots}")


def _in_a_line(text: str, place: str) -> Failure:
    part, fields = parse_spec(text)
    if part not in PARTS:
        raise unknown("part", part, PARTS, place)
    return validate(Failure, _with_numbers({"part": part, **fields}), f"{place}: {shorten(text)}")


def _with_numbers(fields: Mapping[str, Any]) -> dict[str, Any]:
    """One robot may be given by its number alone."""
    robots = fields.get("robots")
    return {**fields, "robots": [robots]} if isinstance(robots, int) else dict(fields)
