"""A mission's result as plain data: everything that was asked for and measured, nothing that differs between two runs.

What the machine's clock says stays out, so that two runs of one mission give the same bytes.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from expedition import __version__
from expedition.measure.columns import RECEIVED, SENT

if TYPE_CHECKING:
    from expedition.measure.measurements import Measurements
    from expedition.measure.monitor import Series
    from expedition.mission import Mission, Result

SPENT = ("sensing_s", "resensing_s", "activity_s", "energy_j")
"""Facts of each robot: seconds, by activity or not, and joules by kind; the latter two where there are any."""
TRAFFIC = ("sent_bytes", "received_bytes", "sent_messages", "received_messages")
"""Facts of each channel and robot."""
DIGITS = 9
"""Figures are kept to this many digits after the point: nanometres and nanoseconds."""


def record_of(result: Result, series: bool = False) -> dict[str, Any]:
    """A result as a dictionary that JSON can hold.

    With `series` also the measurements of every second, what happened when, and who was in contact from when to when.
    """
    failure = result.failure
    record: dict[str, Any] = {
        "expedition": __version__,
        "mission": mission_record(result.mission),
        "ending": result.ending,
        "succeeded": result.succeeded,
        "failure": None
        if failure is None
        else {"robot": failure.robot, "time": failure.time, "sentence": str(failure), "report": failure.report},
        "metrics": {name: _number(value) for name, value in result.metrics.items()},
        "best_robot": result.best_robot,
        "robots": _robots(result),
        "notes": [
            {"time": _number(time), "robot": robot, "text": text} for time, robot, text in result.controller.notes
        ],
    }
    if series:
        record["series"] = _series(result.measurements, result.monitor.series)
        record["events"] = [_plain(event) for event in result.measurements.events]
        record["contacts"] = _plain(result.measurements.contacts_frame().rows())
    return record


def as_json(record: dict[str, Any]) -> str:
    """A record as JSON with a line for each of its parts."""
    lines = (f"  {json.dumps(name)}: {json.dumps(part, allow_nan=False)}" for name, part in record.items())
    return "{\n" + ",\n".join(lines) + "\n}"


def mission_record(mission: Mission) -> dict[str, Any]:
    """All that a mission depends on, as plain data."""
    terrain = mission.terrain
    return {
        "terrain": terrain.name,
        "terrain_digest": terrain.digest,
        "robots": len(mission.fleet),
        "models": [model.model_dump(mode="json", exclude_none=True) for model in dict.fromkeys(mission.fleet.models)],
        "starts": mission.fleet.poses.tolist(),
        "failures": [failure.model_dump(mode="json", exclude_none=True) for failure in mission.failures],
        "base": mission.fleet.base and mission.fleet.base.model_dump(mode="json", exclude_none=True),
        "strategy": mission.strategy_name,
        "seed": mission.seed,
        "resolution": mission.resolution,
        "stop": dict(mission.stop),
        "settings": mission.settings.model_dump(mode="json"),
        **({} if mission.prior is None else {"prior": mission.prior}),
    }


def _robots(result: Result) -> list[dict[str, Any]]:
    monitor, fleet, facts = result.monitor, result.mission.fleet, result.measurements.facts
    series = monitor.series
    return [
        {
            "id": robot,
            "model": model.name,
            "start": _numbers(fleet.poses[robot]),
            "pose": _numbers(series.poses[-1][robot]),
            "believed": _numbers(series.believed[-1][robot]),
            "explored": _number(float(series.explored[-1][robot])),
            "saw_first": _number(facts["saw_first"][robot]),
            "travelled_m": _number(float(monitor.travelled[robot])),
            "collisions_with_walls": int(monitor.contacts_with_walls[robot]),
            "collisions_with_others": int(monitor.contacts_with_others[robot]),
            "sent_bytes": int(series.sent[-1][robot]),
            "received_bytes": int(series.received[-1][robot]),
            "idle_s": _number(float(monitor.idle[robot])),
            **{name: _of(robot, facts[name]) for name in SPENT if name in facts},
            "channels": {
                channel: {name: facts[name][channel][robot] for name in TRAFFIC} for channel in facts["sent_bytes"]
            },
        }
        for robot, model in enumerate(fleet.models)
    ]


def _of(robot: int, fact: Any) -> Any:
    """One robot's entry of a fact, or of each of its kinds."""
    return _plain({kind: entries[robot] for kind, entries in fact.items()} if isinstance(fact, dict) else fact[robot])


def _series(measured: Measurements, series: Series) -> dict[str, Any]:
    """A column a measurement; where robots differ, a row a sample with one entry a robot.

    Of base station, batteries and several channels only where there are any. Poses are those of the monitor, which has
    them in full.
    """
    columns: dict[str, Any] = {
        "time_s": measured.times, "explored": measured.explored, "union": measured.union, "saw": measured.saw,
        "travelled_m": measured.travelled, "idle_s": measured.idle, "sent_bytes": measured.sent,
        "received_bytes": measured.received, "collisions_with_walls": measured.collisions_with_walls,
        "collisions_with_others": measured.collisions_with_others, "connected": measured.connected,
        "pose": series.poses, "believed": series.believed,
    }  # fmt: skip
    if measured.has_base:
        columns |= {"at_base": measured.at_base, "hops": measured.hops}
    if measured.energy.size:
        columns["energy_j"] = measured.energy
    for prefix, amounts in ((SENT, measured.sent_by_channel), (RECEIVED, measured.received_by_channel)):
        columns |= {f"{prefix}{channel}": values for channel, values in amounts.items()}
    return {name: _plain(values) for name, values in columns.items()}


def _numbers(values: NDArray[np.float64] | list[float]) -> list[float | None]:
    return [_number(float(value)) for value in values]


def _plain(value: Any) -> Any:
    """Arrays as lists, and numbers as JSON can hold them."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return _number(value) if isinstance(value, float) else value


def _number(value: float | None) -> float | None:
    """JSON has no NaN: what could not be measured is null."""
    return None if value is None or not math.isfinite(value) else round(value, DIGITS)
