"""The body: what a robot fills of the world. Seen from above it is a disc or a rectangle around the robot's middle."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field

from expedition.fleet.quantity import Height, Length
from expedition.spec import Spec


class _Body(Spec):
    height: Length
    """From its underside to its top, in metres."""
    mass: Annotated[float, Field(gt=0, le=1_000_000)]
    """Of all of it, in kilograms."""
    altitude: Height = 0.0
    """Where the underside is above the ground, in metres: 0 for a robot that drives."""

    @property
    def top(self) -> float:
        """Where the body ends above the ground."""
        return self.altitude + self.height


class DiscBody(_Body):
    """A round body."""

    shape: Literal["disc"] = "disc"
    radius: Length
    """Of the disc, in metres."""

    @property
    def circumradius(self) -> float:
        """The radius of the smallest disc that covers the body: clear of walls by this, it may turn freely."""
        return self.radius

    @property
    def inscribed_radius(self) -> float:
        """The radius of the largest disc inside the body: what no passage may be narrower than."""
        return self.radius

    @property
    def footprint(self) -> tuple[float, float]:
        """The body as the kernels of `expedition.fleet.footprint` take it."""
        return self.radius, -1.0


class RectangleBody(_Body):
    """A rectangular body, long along its heading."""

    shape: Literal["rectangle"] = "rectangle"
    length: Length
    """Along the heading, in metres."""
    width: Length
    """Across the heading, in metres."""

    @property
    def circumradius(self) -> float:
        """The radius of the smallest disc that covers the body: clear of walls by this, it may turn freely."""
        return 0.5 * math.hypot(self.length, self.width)

    @property
    def inscribed_radius(self) -> float:
        """The radius of the largest disc inside the body: what no passage may be narrower than."""
        return 0.5 * min(self.length, self.width)

    @property
    def footprint(self) -> tuple[float, float]:
        """The body as the kernels of `expedition.fleet.footprint` take it."""
        return 0.5 * self.length, 0.5 * self.width


Body = Annotated[DiscBody | RectangleBody, Field(discriminator="shape")]
