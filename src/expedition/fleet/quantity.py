"""Quantities in robot models: SI units, with bounds that no robot on Earth exceeds."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import BeforeValidator, Field


def radians(value: object) -> object:
    """Angles are radians, or text such as `190 deg`."""
    if isinstance(value, str) and value.rstrip().endswith("deg"):
        try:
            return math.radians(float(value.rstrip().removesuffix("deg")))
        except ValueError:
            return value
    return value


Length = Annotated[float, Field(ge=0.001, le=100)]
Offset = Annotated[float, Field(ge=-100, le=100)]
Height = Annotated[float, Field(ge=0, le=1000)]
Distance = Annotated[float, Field(ge=0, le=100_000)]
Range = Annotated[float, Field(gt=0, le=100_000)]
Speed = Annotated[float, Field(gt=0, le=300)]
TurnRate = Annotated[float, BeforeValidator(radians), Field(gt=0, le=1000)]
Acceleration = Annotated[float, Field(gt=0, le=10_000)]
Rate = Annotated[float, Field(gt=0, le=1000)]
Sigma = Annotated[float, Field(ge=0, le=1000)]
Probability = Annotated[float, Field(ge=0, le=1)]
FieldOfView = Annotated[float, BeforeValidator(radians), Field(ge=1e-6, le=math.tau)]
Heading = Annotated[float, BeforeValidator(radians), Field(ge=-math.tau, le=math.tau)]
