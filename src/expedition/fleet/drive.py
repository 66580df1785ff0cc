"""The drive: how a robot may move, and how fast."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from expedition.fleet.quantity import Acceleration, Length, Speed, TurnRate, radians
from expedition.spec import Spec


class _Drive(Spec):
    max_speed: Speed
    """Forward, in m/s; a holonomic drive reaches it in every direction."""
    max_reverse_speed: Annotated[float, Field(ge=0, le=300)]
    """Backward, in m/s; as fast as forward if not given, and 0 if the robot cannot."""
    max_turn_rate: TurnRate
    """To either side, in rad/s."""
    max_acceleration: Acceleration
    """Of speeding up and of braking, in m/s^2."""
    max_turn_acceleration: Acceleration
    """Of the turning, in rad/s^2."""

    @model_validator(mode="before")
    @classmethod
    def _reverse_as_forward(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("max_reverse_speed") is None and "max_speed" in data:
            return {**data, "max_reverse_speed": data["max_speed"]}
        return data

    @property
    def min_turn_radius(self) -> float:
        """The tightest curve in metres; 0 for a robot that turns on the spot."""
        return 0.0


class DifferentialDrive(_Drive):
    """Two driven wheels side by side: drives along its heading and turns on the spot."""

    kind: Literal["differential"] = "differential"


class HolonomicDrive(_Drive):
    """Moves in any direction whatever its heading: omnidirectional wheels, or rotors."""

    kind: Literal["holonomic"] = "holonomic"


class CarDrive(_Drive):
    """Steers by its front wheels, so that it turns only while it moves."""

    kind: Literal["car"] = "car"
    wheelbase: Length
    """Between the axles, in metres."""
    max_steering_angle: Annotated[float, BeforeValidator(radians), Field(ge=0.01, le=1.5)]
    """Of the front wheels to either side, in radians."""

    @property
    def min_turn_radius(self) -> float:
        """The tightest curve of the rear axle's middle in metres."""
        return self.wheelbase / math.tan(self.max_steering_angle)


Drive = Annotated[DifferentialDrive | HolonomicDrive | CarDrive, Field(discriminator="kind")]
