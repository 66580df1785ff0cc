"""The columns of a mission's time series."""

from __future__ import annotations

import polars as pl

PER_ROBOT = {
    "explored": pl.Float64, "saw": pl.Float64, "x": pl.Float32, "y": pl.Float32, "heading": pl.Float32,
    "believed_x": pl.Float32, "believed_y": pl.Float32, "believed_heading": pl.Float32, "travelled_m": pl.Float64,
    "idle_s": pl.Float64, "sent_bytes": pl.Int64, "received_bytes": pl.Int64, "collisions_with_walls": pl.Int32,
    "collisions_with_others": pl.Int32,
}  # fmt: skip
"""Those that every robot has."""
COLUMNS = ("time_s", "robot", *PER_ROBOT, "connected")
"""All but those of users' own measurements, in their order."""
