"""What passing through each cell of a recorded map would cost, computed anew as the navigator does it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from expedition.fleet.body import Body
from expedition.fleet.clearance import passing_radius
from expedition.log.history import Which
from expedition.log.reader import LogReader
from expedition.navigate.costs import CostGrid, Costs, Inflation
from expedition.navigate.local_parameters import LocalNavigation, slowest_margin


def costs_of(log: LogReader, which: Which, time: float) -> CostGrid:
    """(rows, columns) codes as in `navigate/costs.py`, for the robot whose map it is, or else for the first.

    Priors and what robots know of rough ground are not recorded, so that they are not in it.
    """
    header = log.header
    state = log.map(which, time)
    body = header.models[which if isinstance(which, int) else 0]["body"]
    settings = header.mission["settings"]
    inflation = Inflation.model_validate(settings.get("inflation") or {})
    margin = slowest_margin(LocalNavigation.model_validate(settings.get("local") or {}))
    passing = passing_radius(TypeAdapter(Body).validate_python(body), header.frame.resolution, margin)
    costs = Costs(header.frame, circumradius(body), inflation, passing=passing)
    costs.refresh(state, np.zeros(header.frame.tiles, dtype=np.int64), 0)
    return costs.cost


def circumradius(body: dict[str, Any]) -> float:
    """Of the body of a robot model, as `RobotModel` writes itself, in metres."""
    return float(body["radius"]) if "radius" in body else 0.5 * math.hypot(body["length"], body["width"])
