"""What local navigation knows of each robot, one record a robot, for kernels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.fleet import RobotModel
from expedition.fleet.clearance import half_width, narrowest_opening
from expedition.fleet.reach import CELL_SIZE

Records = NDArray[Any]
Record = Any

IDLE, DRIVING, ARRIVED, WAITING, BLOCKED = range(5)
STATUS = ("idle", "driving", "arrived", "waiting", "blocked")

NOBODY = -1
MOST_STEPS = 24
"""Of a manoeuvre."""
AHEAD = (0.5, 1.0, 2.0, 3.0, 4.5, 6.5, 9.0, 12.0)
"""Metres along its path of the points that a robot tells teammates of."""
MEASURED_TO = 0.04
"""Metres to which lidars measure the width of a passage that a robot is not in yet, besides their noise."""
MOST_SPARE = 0.35
"""With more room than this, in metres, whatever the map's cells are, no passage is too narrow."""

DIFFERENTIAL, HOLONOMIC, CAR = range(3)

BEACON = np.dtype(
    [
        ("x", "f4"),
        ("y", "f4"),
        ("heading", "f4"),
        ("velocity_x", "f4"),  # in the map frame
        ("velocity_y", "f4"),
        ("radius", "f4"),
        ("ahead", "f4", (len(AHEAD), 2)),  # points of its path
        ("way_out", "f4"),  # metres to where it would be out of the way of who holds it up; negative if not known
        ("held_by", "i2"),  # the teammate that holds it up, or NOBODY
        ("yields_to", "i2"),  # the teammate for which it makes way, or NOBODY
        ("status", "i2"),
    ],
    align=True,
)
"""What a robot tells teammates about its motion several times a second: 100 bytes."""

PLATFORM = np.dtype(
    [
        (name, "f8")
        for name in (
            "half_length", "half_width", "radius", "spare", "forward", "reverse", "turn", "acceleration",
            "turn_acceleration", "curvature", "period", "lidar_x", "lidar_y", "lidar_range", "looks_x", "looks_y",
            "looks_cosine",
        )
    ]
    + [("drive", "i8"), ("first_beam", "i8"), ("beams", "i8"), ("key", "u8")],
    align=True,
)  # fmt: skip
"""What a robot is, as far as local navigation asks: body, limits of the drive, mount of the lidar.

`spare` is the room to both sides of the body, in metres together, with less of which a passage counts as too narrow:
that in the narrowest which it is sure to pass, and a little less."""

MEMORY = np.dtype(
    [
        ("points", "i8"),  # of the path; 0: none
        ("segment", "i8"),  # the path's segment that the robot is at
        ("along", "f8"),  # how far along the path, in metres
        ("length", "f8"),
        ("final_heading", "f8"),  # NaN: any
        ("status", "i8"),
        ("looks_around", "i8"),  # whether it turns on the spot, or gets free if it cannot
        ("turning", "i8"),  # whether it turns on the spot towards its path
        ("gear", "i8"),  # -1 while a car reverses
        ("lane", "f8"),  # how far to the left of its path it drives
        ("least_left", "f8"),  # the shortest rest of the path so far, and since when
        ("least_since", "f8"),
        ("stood_x", "f8"),  # where a robot under way has stood since when, whatever its goals were
        ("stood_y", "f8"),
        ("stood_since", "f8"),
        ("stuck_since", "f8"),  # the same without the time that a teammate held it up
        ("attempts", "i8"),  # to get free, in a row, and where it made the first
        ("tried_x", "f8"),
        ("tried_y", "f8"),
        ("fits_at", "f8"),  # when the lidar last saw that the body fits through what is ahead
        ("too_narrow", "i8"),  # whether it is blocked because it does not, and where
        ("narrow_x", "f8"),
        ("narrow_y", "f8"),
        ("jammed_x", "f8"),  # where it was and how it stood when its commands last moved it, and when
        ("jammed_y", "f8"),
        ("jammed_heading", "f8"),
        ("moved_by_command_at", "f8"),
        ("unjams_until", "f8"),  # until then it drives as told here
        ("unjam_forward", "f8"),
        ("unjam_turn", "f8"),
        ("recovery", "i8"),
        ("recovery_until", "f8"),
        ("free_since", "f8"),  # when the last recovery ended
        ("recovery_x", "f8"),
        ("recovery_y", "f8"),
        ("steps", "f8", (MOST_STEPS, 4)),  # of a manoeuvre, which of them it is at, and how many there are
        ("step", "i8"),
        ("last_step", "i8"),
        ("draws", "u8"),
        ("ahead_x", "f8"),  # the point of the path two metres ahead
        ("ahead_y", "f8"),
        ("held_by", "i8"),  # the teammate that holds it up, or NOBODY, and since when
        ("held_since", "f8"),
        ("asked_by", "i8"),  # the teammate for which it should make way, or NOBODY
        ("asks_way_out", "i8"),  # whether that depends on its own way out
        ("way_out", "f8"),  # how long that is, for whom and when it was found
        ("way_out_for", "i8"),
        ("way_out_at", "f8"),
        ("yields_to", "i8"),  # the teammate for which it makes way, or NOBODY, since when, and from where
        ("yields_since", "f8"),
        ("past_since", "f8"),
        ("held_x", "f8"),
        ("held_y", "f8"),
        ("scan_x", "f8"),  # where the robot believed to be when it took the latest scan
        ("scan_y", "f8"),
        ("scan_heading", "f8"),
        ("scan_row", "i8"),  # the latest scan's row in `ranges`; -1: none yet
    ],
    align=True,
)
"""What a robot remembers from tick to tick."""


def platforms_of(
    models: Sequence[RobotModel], keys: Sequence[int], period: float = 0.1, resolution: float = CELL_SIZE
) -> tuple[Records, NDArray[np.float64]]:
    """The platforms of a fleet, and the beams' directions (cosine, sine) in their robots' frames, kind after kind."""
    platforms: Records = np.zeros(len(models), dtype=PLATFORM)
    beams: list[NDArray[np.float64]] = []
    first: dict[Any, int] = {}
    for row, model, key in zip(platforms, models, keys, strict=True):
        drive, lidar = model.drive, model.lidar
        row["half_length"], row["half_width"] = model.body.footprint
        row["radius"] = model.body.circumradius
        sure = MEASURED_TO if lidar is None else MEASURED_TO + 4.0 * lidar.sigma_range
        spare = narrowest_opening(model.body, resolution) - 2.0 * half_width(model.body) - sure
        row["spare"] = min(spare, MOST_SPARE)
        row["forward"], row["reverse"], row["turn"] = drive.max_speed, drive.max_reverse_speed, drive.max_turn_rate
        row["acceleration"], row["turn_acceleration"] = drive.max_acceleration, drive.max_turn_acceleration
        row["curvature"] = 1.0 / drive.min_turn_radius if drive.min_turn_radius > 0.0 else math.inf
        row["drive"] = ("differential", "holonomic", "car").index(drive.kind)
        row["key"] = key
        row["period"] = period
        if lidar is None:
            continue
        if lidar not in first:
            first[lidar] = sum(map(len, beams))
            angles = lidar.angles + lidar.heading
            beams.append(np.stack([np.cos(angles), np.sin(angles)], axis=1))
        row["first_beam"], row["beams"] = first[lidar], lidar.beams
        row["lidar_x"], row["lidar_y"] = lidar.x, lidar.y
        row["lidar_range"] = lidar.range
        row["looks_x"], row["looks_y"] = math.cos(lidar.heading), math.sin(lidar.heading)
        row["looks_cosine"] = math.cos(min(0.5 * lidar.field_of_view, math.pi))
    return platforms, np.concatenate(beams) if beams else np.zeros((1, 2))


def memories(robots: int) -> Records:
    """Robots without a path, a scan or a history."""
    rows: Records = np.zeros(robots, dtype=MEMORY)
    rows["scan_row"] = -1
    rows["gear"] = 1
    for name in ("held_by", "asked_by", "way_out_for", "yields_to"):
        rows[name] = NOBODY
    rows["final_heading"] = math.nan
    return rows
