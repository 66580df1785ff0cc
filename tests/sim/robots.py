"""Robots and places for the simulator's tests: plain enough to work out by hand what must happen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from expedition.fleet import Fleet, RobotModel
from expedition.terrain import Change, Landmark, Terrain


def robot(**changes: Any) -> RobotModel:
    """A disc of 0.2 m radius that drives at 1 m/s, with exact sensors at 10 Hz."""
    parts: dict[str, Any] = {
        "name": "tester",
        "body": {"shape": "disc", "radius": 0.2, "height": 0.5, "mass": 5},
        "drive": {
            "kind": "differential",
            "max_speed": 1.0,
            "max_turn_rate": 2.0,
            "max_acceleration": 1.0,
            "max_turn_acceleration": 4.0,
        },
        "lidar": {"beams": 36, "field_of_view": 2 * math.pi, "range": 10, "rate": 10},
        "odometry": {"rate": 10},
        "bumper": True,
    }
    for field, value in changes.items():
        merges = isinstance(value, dict) and field in parts and "shape" not in value
        parts[field] = {**parts[field], **value} if merges else value
    return RobotModel.model_validate(parts)


def hall(
    width: float = 10.0,
    height: float = 10.0,
    changes: tuple[Change, ...] = (),
    landmarks: tuple[Landmark, ...] = (),
    speed_percent: int | np.ndarray = 100,
) -> Terrain:
    """An empty hall from (0, 0) to (width, height) inside walls of one cell of 0.1 m."""
    occupied = np.ones((round(height * 10) + 2, round(width * 10) + 2), dtype=bool)
    occupied[1:-1, 1:-1] = False
    walls = occupied * np.uint16(200)
    return Terrain(
        "hall",
        walls,
        0.1,
        (-0.1, -0.1),
        speed_percent=np.asarray(speed_percent, dtype=np.uint8),
        landmarks=landmarks,
        changes=changes,
    )


def fleet(*poses: tuple[float, float, float], model: RobotModel | None = None) -> Fleet:
    """Robots of one model at given poses."""
    return Fleet((model or robot(),) * len(poses), np.array(poses, dtype=np.float64))


def drive(forward: float = 0.0, turn: float = 0.0, sideways: float = 0.0, robots: int = 1) -> np.ndarray:
    """The same command for every robot."""
    return np.tile([forward, sideways, turn], (robots, 1)).astype(np.float64)
