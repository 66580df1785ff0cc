"""What a robot lives on: a battery, and what driving, computing, sensing and talking take from it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from expedition.spec import Spec

Joules = Annotated[float, Field(ge=0, le=1e9)]
Watts = Annotated[float, Field(ge=0, le=1e6)]


class Battery(Spec):
    """The defaults are round figures for a wheeled robot of ten kilograms with a small computer."""

    capacity_wh: Annotated[float, Field(gt=0, le=1e7)] | None = None
    """What it holds at the start, in watt-hours; it never runs out if not given, and what is taken is still counted."""
    driving_j_per_m: Joules = 12.0
    """For a metre driven, in joules."""
    turning_j_per_rad: Joules = 4.0
    """For a radian turned, in joules."""
    computing_w: Watts = 12.0
    """For the computer, all the time, in watts."""
    sensing_w: Watts = 8.0
    """For the sensors, all the time, in watts."""
    sending_j_per_kb: Joules = 0.01
    """For a kilobyte sent, in joules."""
    receiving_j_per_kb: Joules = 0.005
    """For a kilobyte received, in joules."""
