"""The columns of a mission's time series, and of its table of contacts."""

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
WITH_BASE = ("at_base", "hops")
"""Those that a mission with a base station has besides."""
WITH_BATTERIES = ("energy_j",)
"""Those of a mission with batteries."""
SENT, RECEIVED = "sent_bytes_", "received_bytes_"
"""What the columns of a mission with several channels begin with; the names of the channels follow."""

CONTACT = {"node": pl.Int16, "other": pl.Int16, "from_s": pl.Float64, "to_s": pl.Float64}
"""Those of the contacts between nodes."""


def is_shipped(column: str) -> bool:
    """Whether a column is, or may be, one of those above, and not one of a user's own."""
    return column in (*COLUMNS, *WITH_BASE, *WITH_BATTERIES) or column.startswith((SENT, RECEIVED))
