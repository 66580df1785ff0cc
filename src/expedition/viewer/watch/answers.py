"""What a browser may ask of a log, and what it is told.

Two kinds of things are shown. What moves all the time, poses first of all, comes in *tracks*: all samples of a few
seconds, between which the page finds the way itself, so that drawing asks the server nothing. What changes now and then
comes as it was at a *moment*, and only those parts of it that somebody looks at.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError, unknown
from expedition.log.fleet import FAILURES
from expedition.log.history import Which
from expedition.log.reader import LogReader
from expedition.measure.states import state_words
from expedition.terrain.changes import Person
from expedition.terrain.material import MATERIALS, material_index
from expedition.viewer.watch.costmap import costs_of
from expedition.viewer.watch.moments import PARTS, door_areas, moment_of

TRACK_SECONDS = 4.0
"""Seconds of a mission that one track has."""
MOST_CURVE_SAMPLES = 1000
"""Samples of curves that a page is sent."""
MOST_TRAIL_POINTS = 60_000
"""Points of the ways of all robots together, of a mission that is over."""
LEAST_TRAIL_STEP = 0.5
"""Seconds between two points of a way."""
EVENT_WORDS = 200
"""Characters of an event's text."""
REPORT_WORDS = 4000
"""Characters of the report of a strategy that failed."""

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Answer:
    """JSON data and arrays, and whether the same question has the same answer for ever."""

    told: dict[str, Any]
    arrays: Arrays = field(default_factory=dict)
    lasts: bool = True

    @property
    def size(self) -> int:
        """Bytes of the arrays, and roughly of the rest."""
        return 1000 + sum(array.nbytes for array in self.arrays.values())


def hello(log: LogReader) -> tuple[dict[str, Any], Arrays]:
    """What holds for the whole mission, and what is there so far."""
    header = log.header
    terrain, frame = header.terrain, header.frame
    told = {
        "terrain": {
            "name": terrain.name, "origin": terrain.origin, "resolution": terrain.resolution, "extent": terrain.extent,
            "landmarks": [[mark.x, mark.y] for mark in terrain.landmarks],
            "doors": [[*bounds, MATERIALS[material_index(made_of)].colour] for *bounds, made_of in door_areas(terrain)],
            "people": [change.radius for change in terrain.changes if isinstance(change, Person)],
        },
        "materials": [[material.name, material.colour] for material in MATERIALS],
        "frame": {"origin": frame.origin, "resolution": frame.resolution, "shape": frame.shape},
        "names": header.names, "models": [model.get("name", "") for model in header.models],
        "footprints": [outline.round(4).tolist() for outline in header.footprints],
        "radio_ranges": [reach if math.isfinite(reach) else None for reach in header.radio_ranges.tolist()],
        "base": header.base, "strategy": header.strategy, "seed": header.seed, "version": header.version,
        "mission": _finite(header.mission), "states": state_words(header.robots), "failures": FAILURES,
        "parts": sorted(PARTS),
        "control_period": header.control_period,
        "track_seconds": TRACK_SECONDS, **news(log, 0),
    }  # fmt: skip
    arrays: Arrays = {"wall_height_cm": terrain.wall_height_cm, "material": terrain.material}
    arrays |= {"speed_percent": terrain.speed_percent, "explorable": header.explorable}
    return told, arrays


def news(log: LogReader, since: int) -> dict[str, Any]:
    """How far the log goes, and the events from number `since` on."""
    events = [_event(event) for event in log.events[since:]]
    return {"end": log.end, "growing": log.is_growing, "events": events, "first_event": since}


def answer(log: LogReader, asked: str, fields: dict[str, Any]) -> Answer:
    """The answer to a question; an error if it is none."""
    if asked not in QUESTIONS:
        raise unknown("question", asked, QUESTIONS)
    return QUESTIONS[asked](log, Fields(fields))


class Fields:
    """The fields of a question, which may be anything until they are looked at."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given

    def number(self, name: str, default: float | None = None) -> float:
        """A number that is finite."""
        value = self._given.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ExpeditionError(f"{name}: expected a number, found {str(value)[:40]!r}")
        return float(value)

    def which(self) -> Which:
        """Whose map; the reader refuses those that are not there."""
        value = self._given.get("which", "union")
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ExpeditionError(f"which: expected a robot's number, union, truth or base, found {str(value)[:40]!r}")
        return value  # type: ignore[return-value]

    def words(self, name: str, allowed: tuple[str, ...]) -> list[str]:
        """A list of words of which each is allowed."""
        values = self._given.get(name, [])
        if not isinstance(values, list):
            raise ExpeditionError(f"{name}: expected a list, found {str(values)[:40]!r}")
        for value in values:
            if value not in allowed:
                raise unknown(name, str(value)[:40], allowed)
        return values

    def robots(self, log: LogReader) -> list[int] | None:
        """The robots asked about; None for all."""
        values = self._given.get("robots")
        if values is None:
            return None
        if not isinstance(values, list) or not all(
            type(robot) is int and 0 <= robot < log.header.robots for robot in values
        ):
            raise ExpeditionError(f"robots: expected numbers from 0 to {log.header.robots - 1}")
        return values


def _track(log: LogReader, fields: Fields) -> Answer:
    """All samples of one stretch of the mission, or those after a time, with the first of the next: no gap is left.

    `lasts` says that the stretch is whole, so that nothing more need be asked about it.
    """
    number = round(fields.number("number"))
    if not 0 <= number < 1e6:
        raise ExpeditionError(f"number: expected one of a track, found {number}")
    first, last = number * TRACK_SECONDS, (number + 1) * TRACK_SECONDS
    times, arrays = log.samples(max(first - 1e-6, fields.number("after", -1.0)), last + 1e-6)
    lasts = not log.is_growing or log.end > last
    return Answer({"number": number, "first": first, "last": last, "lasts": lasts}, {"times": times, **arrays}, lasts)


def _map(log: LogReader, fields: Fields) -> Answer:
    time = min(fields.number("time"), log.end)
    which = fields.which()
    return Answer({"which": which, "time": time}, {"cells": log.map(which, time)}, False)


def _patches(log: LogReader, fields: Fields) -> Answer:
    """What changed in a map: rectangles, and their cells one after the other."""
    which, after = fields.which(), fields.number("after")
    until = min(fields.number("until"), log.end)
    found = log.map_updates(which, after, until)
    places = np.array([(row, column, *cells.shape) for row, column, cells in found], dtype=np.int32).reshape(-1, 4)
    cells = np.concatenate([cells.ravel() for *_, cells in found]) if found else np.zeros(0, dtype=np.uint8)
    return Answer({"which": which, "after": after, "until": until}, {"places": places, "cells": cells}, False)


def _moment(log: LogReader, fields: Fields) -> Answer:
    time = fields.number("time")
    parts = fields.words("parts", tuple(PARTS))
    told, arrays = moment_of(log, time, parts, fields.which(), fields.robots(log))
    return Answer({"time": time, **told}, arrays, False)


def _heat(log: LogReader, fields: Fields) -> Answer:
    """Who saw each cell first and when, and when a robot was first above it, of all that was recorded."""
    who, when = log.first_seen(log.end)
    return Answer({"end": log.end}, {"who": who, "seen": when, "covered": log.covered_at(log.end)}, not log.is_growing)


def _costmap(log: LogReader, fields: Fields) -> Answer:
    """What it costs a planner to pass through each cell, by one of the maps (see `navigate/costs.py`)."""
    time = min(max(fields.number("time"), log.start), log.end)
    which = fields.which()
    return Answer({"which": which, "time": time}, {"cost": costs_of(log, which, time)}, False)


def _trails(log: LogReader, fields: Fields) -> Answer:
    """Where robots were after a time, in steps as long as it takes to keep all of it small."""
    after = fields.number("after", -1.0)
    times, arrays = log.samples(after, log.end)
    every = max(LEAST_TRAIL_STEP, fields.number("every", log.end * log.header.robots / MOST_TRAIL_POINTS))
    steps = np.floor(times / every + 1e-6)
    at = np.flatnonzero(np.diff(steps, prepend=math.floor(after / every + 1e-6)) > 0)
    kept = {name: arrays[name].reshape(len(times), log.header.robots, 3)[at, :, :2] for name in ("poses", "believed")}
    return Answer({"end": log.end, "every": every}, {"times": times[at], **kept}, False)


def _curves(log: LogReader, fields: Fields) -> Answer:
    """Curves of the fleet, and of all robots or some."""
    series = log.series
    step = max(1, math.ceil(len(series.times) / MOST_CURVE_SAMPLES))
    at = np.unique(np.append(np.arange(0, len(series.times), step), max(0, len(series.times) - 1)))
    at = at[: len(series.times)]
    about = fields.robots(log)
    arrays: Arrays = {"times": series.times[at].astype(np.float32)}
    for name in ("union", "at_base", "connected"):
        arrays[name] = getattr(series, name)[at].astype(np.float32)
    for name in ("explored", "travelled", "sent", "received"):
        values = getattr(series, name)[at].astype(np.float32)
        arrays[name] = values if about is None else values[:, about]
        arrays[f"{name}_mean"] = values.mean(axis=1)
    return Answer({"end": log.end, "robots": about}, arrays, not log.is_growing)


QUESTIONS: dict[str, Callable[[LogReader, Fields], Answer]] = {
    "track": _track, "map": _map, "patches": _patches, "moment": _moment, "trails": _trails, "heat": _heat,
    "curves": _curves, "costmap": _costmap,
}  # fmt: skip


def _event(event: dict[str, Any]) -> dict[str, Any]:
    words = REPORT_WORDS if event["event"] in ("failure", "end") else EVENT_WORDS
    return {key: value[:words] if isinstance(value, str) else value for key, value in _finite(event).items()}


def _finite(data: Any) -> Any:
    """JSON data without numbers that JSON does not know."""
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
