"""Measurements of a mission: which are taken, and when.

`series` are the robots' states over time, `resources` what their software takes of the machine, `maps` who saw what
when and the map that came of it, `contacts` who heard whom from when to when. A user's own,
`my_file.py:my_measurement`, is a function of how the mission stands that returns a number, or a number a robot; it adds
a column to the series. Each is taken every so many seconds, or when something happens.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from expedition.errors import ExpeditionError, shorten, unknown
from expedition.measure.columns import COLUMNS, RECEIVED, SENT, WITH_BASE, WITH_BATTERIES, is_shipped
from expedition.measure.progress import Progress
from expedition.registry import Registry
from expedition.spec import Spec, validate

DEFAULTS: Mapping[str, Any] = {"series": {"every": 1.0}, "resources": {"every": 5.0}, "maps": {"when": "end"}}
"""Resources every 5 s, as in Yan et al. (2017)."""
CONTACTS: Mapping[str, Any] = {"contacts": {"when": "end"}}
"""Not by default: of many robots whose links come and go there are many."""
SHIPPED = (*DEFAULTS, *CONTACTS)

measurement: Registry[Any] = Registry("measurement")
"""Users' own measurements: a plugin's, or those of `my_file.py:my_measurement`."""
trigger: Registry[bool] = Registry("trigger")
"""What a measurement may wait for."""


class Schedule(Spec):
    """When a measurement is taken: one of the two."""

    every: Annotated[float, Field(ge=0.001, le=1e6)] | None = None
    """Seconds between two samples; the series' are rounded to control periods, the others' to samples of the series."""
    when: str | None = None
    """What it waits for: start, end, collision, tenth (of the ground explored), or my_file.py:my_trigger."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Schedule:
        if (self.every is None) == (self.when is None):
            raise ValueError("either `every`, in seconds, or `when`, a trigger, is needed")
        return self


def check_measurements(measurements: Mapping[str, Any], place: str = "measurements") -> dict[str, dict[str, Any]]:
    """Measurements with their schedules, from what users write; `resources: false` leaves one out."""
    if not isinstance(measurements, Mapping):
        raise ExpeditionError(f"{place}: expected measurements by name, found {shorten(measurements)}")
    checked = {}
    columns: dict[str, str] = {}
    for name, value in {**DEFAULTS, **measurements}.items():
        if name not in SHIPPED:
            if ".py" not in str(name) and name not in measurement.names():
                raise unknown("measurement", str(name), [*SHIPPED, *measurement.names()], place)
            _find(measurement, name, place)
        if value is False or value is None:
            if name == "series":
                raise ExpeditionError(f"{place}: series: all metrics need them; say how often, as series: {{every: 5}}")
            continue
        schedule = validate(Schedule, value, f"{place}: {name}")
        if name == "series" and schedule.every is None:
            raise ExpeditionError(f"{place}: series: taken every so many seconds, as series: {{every: 1}}")
        if name in ("maps", "contacts") and schedule.when != "end":
            raise ExpeditionError(f"{place}: {name}: kept at the end, as {name}: {{when: end}}")
        if name == "resources" and schedule.every is None:
            raise ExpeditionError(f"{place}: resources: taken every so many seconds, as resources: {{every: 5}}")
        if schedule.when is not None:
            _find(trigger, schedule.when, f"{place}: {name}: when")
        if name not in SHIPPED:
            _check_column(name, columns, place)
        checked[str(name)] = schedule.model_dump(exclude_none=True)
    return checked


def column_of(name: str) -> str:
    """The column of the series that a user's measurement fills: `spread` of `my_file.py:spread`."""
    return name.rpartition(":")[2]


def _check_column(name: str, taken: dict[str, str], place: str) -> None:
    column = column_of(name)
    if is_shipped(column):
        taken_names = (*COLUMNS, *WITH_BASE, *WITH_BATTERIES, f"{SENT}...", f"{RECEIVED}...")
        raise ExpeditionError(
            f"{place}: {name}: the series have a column {column!r} already; give the function another name than "
            f"{', '.join(taken_names)}"
        )
    if column in taken:
        raise ExpeditionError(
            f"{place}: {name}: {taken[column]} fills the column {column!r} already; give one of the functions another "
            "name"
        )
    taken[column] = name


def _find(registry: Registry[Any], name: str, place: str) -> None:
    try:
        registry.find(name)
    except ExpeditionError as error:
        raise ExpeditionError(f"{place}: {error}") from error


@trigger("start")
def start(progress: Progress) -> bool:
    """With the first sample."""
    return len(progress.monitor.series.samples) == 1


@trigger("end")
def end(progress: Progress) -> bool:
    """With the last sample."""
    return progress.is_last


@trigger("collision")
def collision(progress: Progress) -> bool:
    """When a robot has run into something since the last sample."""
    samples = progress.monitor.series.samples[-2:]
    counts = [int(sample.contacts_with_walls.sum() + sample.contacts_with_others.sum()) for sample in samples]
    return counts[-1] > counts[0]


@trigger("tenth")
def tenth(progress: Progress) -> bool:
    """Whenever one robot has come to know a further tenth of the ground."""
    samples = progress.monitor.series.samples[-2:]
    known = [int(10.0 * sample.explored.max() + 1e-9) for sample in samples]
    return known[-1] > (known[0] if len(known) > 1 else 0)


@dataclass
class Own:
    """A measurement of a user's: its function, when it is due, and what it gave: time, value or a value a robot."""

    name: str
    measure: Callable[[Progress], Any]
    due: Callable[[Progress], bool]
    taken: list[tuple[float, float | list[float]]] = field(default_factory=list)

    @property
    def by_robot(self) -> bool:
        """Whether it gave a value a robot; a fleet of one has one too."""
        return bool(self.taken) and isinstance(self.taken[0][1], list)

    def take(self, progress: Progress) -> None:
        """Take it if it is due."""
        if not self.due(progress):
            return
        value = _numbers(self.measure(progress), len(progress.explored))
        if self.taken and isinstance(value, list) != self.by_robot:
            before, now = ("one a robot", "a number") if self.by_robot else ("a number", "one a robot")
            raise ExpeditionError(f"expected {before} as before, found {now}")
        self.taken.append((progress.time, value))

    def rows(self) -> NDArray[np.float64]:
        """What it gave, as rows of time and value, or of time and a value a robot."""
        return np.array([[time, *(value if isinstance(value, list) else [value])] for time, value in self.taken])


def own_measurements(measurements: Mapping[str, Mapping[str, Any]]) -> list[Own]:
    """The users' own of measurements that are checked already."""
    found = []
    for name, schedule in measurements.items():
        if name not in SHIPPED:
            component = measurement.find(name)
            due = _Every(schedule["every"]) if "every" in schedule else partial(trigger.find(schedule["when"]).build)
            found.append(Own(column_of(name), component.build, due))
    return found


class _Every:
    """Due with the first sample at or after each multiple of a period."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._next = 0.0

    def __call__(self, progress: Progress) -> bool:
        if progress.time < self._next - 1e-6:
            return False
        self._next = (math.floor((progress.time + 1e-6) / self._seconds) + 1) * self._seconds
        return True


def _numbers(value: Any, robots: int) -> float | list[float]:
    """A number, or one a robot."""
    if isinstance(value, Sequence | np.ndarray) and not isinstance(value, str):
        values = [_number(one) for one in value]
        if len(values) != robots:
            raise ExpeditionError(f"expected a number, or {robots}, one a robot, found {len(values)}")
        return values
    return _number(value)


def _number(value: Any) -> float:
    if not isinstance(value, int | float | np.number | np.bool_):
        raise ExpeditionError(f"expected a number, or one a robot, found {shorten(value)}")
    return float(value)
