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

if TYPE_CHECKING:
    from expedition.measure.monitor import Series
    from expedition.mission import Mission, Result

DIGITS = 9
"""Figures are kept to this many digits after the point: nanometres and nanoseconds."""


def record_of(result: Result, series: bool = False) -> dict[str, Any]:
    """A result as a dictionary that JSON can hold; with `series`, the measurements of every second as well."""
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
        record["series"] = _series(result.monitor.series)
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
        "stop": dict(mission.stop),
        "settings": mission.settings.model_dump(mode="json"),
        **({} if mission.prior is None else {"prior": mission.prior}),
    }


def _robots(result: Result) -> list[dict[str, Any]]:
    monitor, fleet = result.monitor, result.mission.fleet
    series = monitor.series
    shares = result.measurements.facts["saw_first"]
    return [
        {
            "id": robot,
            "model": model.name,
            "start": _numbers(fleet.poses[robot]),
            "pose": _numbers(series.poses[-1][robot]),
            "believed": _numbers(series.believed[-1][robot]),
            "explored": _number(float(series.explored[-1][robot])),
            "saw_first": _number(float(shares[robot])),
            "travelled_m": _number(float(monitor.travelled[robot])),
            "collisions_with_walls": int(monitor.contacts_with_walls[robot]),
            "collisions_with_others": int(monitor.contacts_with_others[robot]),
            "sent_bytes": int(series.sent[-1][robot]),
            "received_bytes": int(series.received[-1][robot]),
        }
        for robot, model in enumerate(fleet.models)
    ]


def _series(series: Series) -> dict[str, Any]:
    """A column a measurement; where robots differ, a row a sample with one entry a robot.

    Of base station and batteries only where there are any.
    """
    samples = series.samples
    columns: dict[str, Any] = {
        "time_s": _numbers(series.times),
        "explored": [_numbers(row) for row in series.explored],
        "union": _numbers([sample.union for sample in samples]),
        "travelled_m": [_numbers(row) for row in series.travelled],
        "sent_bytes": [row.tolist() for row in series.sent],
        "received_bytes": [row.tolist() for row in series.received],
        "connected": _numbers([sample.connected for sample in samples]),
        "pose": [[_numbers(pose) for pose in row] for row in series.poses],
        "believed": [[_numbers(pose) for pose in row] for row in series.believed],
    }
    if samples[0].hops.size:
        columns["at_base"] = _numbers([sample.at_base for sample in samples])
        columns["hops"] = [_numbers(sample.hops) for sample in samples]
    if samples[0].energy.size:
        columns["energy_j"] = [_numbers(sample.energy) for sample in samples]
    return columns


def _numbers(values: NDArray[np.float64] | list[float]) -> list[float | None]:
    return [_number(float(value)) for value in values]


def _number(value: float | None) -> float | None:
    """JSON has no NaN: what could not be measured is null."""
    return None if value is None or not math.isfinite(value) else round(value, DIGITS)
