"""What users may set of local navigation: the papers' figures are the defaults."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.spec import Spec

Positive = Annotated[float, Field(gt=0, le=1000)]
NotNegative = Annotated[float, Field(ge=0, le=1000)]
Samples = Annotated[int, Field(ge=1, le=100)]


class LocalNavigation(Spec):
    """Dynamic Window, path following and giving way. Speeds and accelerations are those of the robot's drive."""

    min_speed: NotNegative = 0.1
    """Slower than this a robot does not drive along its path; it stands instead, in m/s."""
    horizon: Positive = 1.0
    """How far ahead a motion is looked at, in seconds."""
    speed_samples: Samples = 3
    """How many speeds of the window are tried."""
    turn_samples: Samples = 20
    """How many turn rates of the window are tried with each speed."""
    path_weight: NotNegative = 0.6
    """Cost of each metre away from the path at the end of a motion."""
    goal_weight: NotNegative = 0.8
    """Cost of each metre along the path that is left at the end of a motion."""
    occlusion_weight: NotNegative = 0.5
    """Cost of each metre that a motion comes nearer to an obstacle than `comfort`."""
    comfort: Positive = 0.3
    """Obstacles farther from the body than this cost nothing, in metres."""
    margin: NotNegative = 0.03
    """What a robot at rest keeps between its body and obstacles, in metres."""
    margin_time: NotNegative = 0.05
    """A moving robot keeps this many seconds of its motion more than `margin`."""
    lookahead: Positive = 0.5
    """Robots steer for the point of the path this far ahead, and half a second of motion farther, in metres."""
    turn_on_spot: Annotated[float, Field(gt=0, le=4)] = 1.0
    """When the path leads off by more than this, a robot that can do so turns before it drives, in radians."""
    goal_tolerance: Positive = 0.1
    """A robot this near to its goal has arrived, in metres."""
    heading_tolerance: Positive = 0.05
    """And faces within this of the heading asked for, in radians."""
    progress_timeout: Positive = 3.0
    """A robot that gets no farther along its path for this long tries to free itself, in seconds."""
    recoveries: Annotated[int, Field(ge=0, le=1000)] = 4
    """After so many attempts in a row the path counts as blocked."""
    patience: Positive = 8.0
    """A robot that a teammate holds up for this long tries to free itself, in seconds."""
    beacon_timeout: Positive = 2.0
    """Teammates not heard for this long are no longer reckoned with, in seconds."""


CREEPING = {"margin": 0.01, "margin_time": 0.02, "min_speed": 0.03}
"""At most so much of these for who creeps: lidars see to a centimetre, and slow motions end within that."""

NUMBERS = np.dtype([(name, "f8") for name in LocalNavigation.model_fields], align=True)


def slowest_margin(parameters: LocalNavigation) -> float:
    """What a robot keeps between its body and obstacles when it drives as slowly as it can, in metres."""
    return parameters.margin + parameters.margin_time * parameters.min_speed


def numbers_of(parameters: LocalNavigation) -> NDArray[np.void]:
    """The parameters as records, for kernels: as they are, and for a robot that is stuck and creeps."""
    creeping = parameters.model_copy(
        update={name: min(getattr(parameters, name), most) for name, most in CREEPING.items()}
    )
    rows = [
        tuple(float(getattr(each, name)) for name in LocalNavigation.model_fields) for each in (parameters, creeping)
    ]
    return np.array(rows, dtype=NUMBERS)
