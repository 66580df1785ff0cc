"""The sensors a robot may carry. Each has its own rate; noise is Gaussian and given by its standard deviation."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from expedition.fleet.quantity import Distance, FieldOfView, Heading, Height, Offset, Probability, Range, Rate, Sigma
from expedition.spec import Spec

MAX_GROUND_POINTS = 1_000_000
"""Of a reading of a ground camera."""


class Lidar(Spec):
    """A laser range finder that scans a plane."""

    beams: Annotated[int, Field(ge=1, le=100_000)]
    """How many beams a scan has."""
    field_of_view: FieldOfView
    """Between the first and the last beam, in radians or as `190 deg`; 2 pi is the full circle."""
    range: Range
    """What lies farther is not seen, in metres."""
    min_range: Distance = 0.0
    """What lies nearer reads as this far away, in metres."""
    rate: Rate
    """Scans a second."""
    sigma_range: Sigma = 0.0
    """Noise of a range, in metres."""
    dropout: Probability = 0.0
    """The share of beams that return nothing, at random, from 0 to 1."""
    height: Height = 0.2
    """Of the scanned plane above the robot's underside, in metres: lower walls are not seen."""
    x: Offset = 0.0
    """Where it is mounted: ahead of the robot's middle, in metres."""
    y: Offset = 0.0
    """Where it is mounted: to the left of the robot's middle, in metres."""
    heading: Heading = 0.0
    """Where it looks: to the left of the robot's heading, in radians."""

    @model_validator(mode="after")
    def _sees_something(self) -> Lidar:
        if self.min_range >= self.range:
            raise ValueError(f"min_range {self.min_range} must be below range {self.range}")
        return self

    @property
    def angles(self) -> NDArray[np.float64]:
        """The beams' directions from the lidar's own, in radians, from right to left.

        They reach from -fov/2 to +fov/2, both included; on a full circle the last one would repeat the first and is
        left out. A single beam looks straight ahead.
        """
        if self.beams == 1:
            return np.zeros(1)
        full_circle = self.field_of_view > math.tau - 1e-9
        half = 0.5 * self.field_of_view
        return np.linspace(-half, half, self.beams, endpoint=not full_circle)


class GaussianNoise(Spec):
    """The same noise on every reading of a moving robot, however far it moved (Yan et al. 2017); none at rest."""

    kind: Literal["gaussian"] = "gaussian"
    sigma_position: Sigma
    """Of x and of y, in metres."""
    sigma_heading: Sigma
    """Of the heading, in radians."""


Alpha = Annotated[float, Field(ge=0, le=100)]


class MotionNoise(Spec):
    """Noise that grows with the motion: the odometry model of Thrun, Burgard and Fox, Probabilistic Robotics, 5.4."""

    kind: Literal["motion"] = "motion"
    alpha1: Alpha
    """Variance of a turn for each rad^2 turned, in rad^2."""
    alpha2: Alpha
    """Variance of a turn for each m^2 driven, in rad^2."""
    alpha3: Alpha
    """Variance of the way for each m^2 driven, in m^2."""
    alpha4: Alpha
    """Variance of the way for each rad^2 turned, in m^2."""


class Odometry(Spec):
    """What the wheels (or the flow sensor) say about the way travelled."""

    rate: Rate
    """Readings a second."""
    noise: Annotated[GaussianNoise | MotionNoise, Field(discriminator="kind")] | None = None
    """What blurs each reading; exact if not given."""


class _Sighting(Spec):
    range: Range
    """What lies farther is not seen, in metres."""
    field_of_view: FieldOfView = math.tau
    """Around the robot's heading, in radians or as `90 deg`."""
    rate: Rate
    """Readings a second."""
    sigma_range: Sigma = 0.0
    """Noise of a distance, in metres."""
    sigma_bearing: Sigma = 0.0
    """Noise of a bearing, in radians."""


class GroundCamera(Spec):
    """A camera that looks at the ground around the robot and tells how fast it can be driven; walls hide it.

    It sees along `rays` spread over its field of view, at `steps` points of each.
    """

    range: Annotated[float, Field(gt=0, le=1000)]
    """What lies farther is not seen, in metres."""
    field_of_view: FieldOfView = math.tau
    """Around the robot's heading, in radians or as `90 deg`."""
    rate: Rate
    """Readings a second."""
    resolution: Annotated[float, Field(ge=0.01, le=10)] = 0.2
    """Metres between the points that it looks at, along a ray, and between rays at the end of its range."""
    sigma_speed: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Noise of the share of its speed that a robot would reach there."""

    @model_validator(mode="after")
    def _looks_at_few_points(self) -> GroundCamera:
        if self.rays * self.steps > MAX_GROUND_POINTS:
            raise ValueError(
                f"a reading would have {self.rays * self.steps:,} points, more than {MAX_GROUND_POINTS:,}: take a "
                "shorter range or a coarser resolution"
            )
        return self

    @property
    def steps(self) -> int:
        """Points along a ray."""
        return max(1, round(self.range / self.resolution))

    @property
    def rays(self) -> int:
        """How many there are."""
        return max(1, math.ceil(self.field_of_view * self.range / self.resolution))

    @property
    def angles(self) -> NDArray[np.float64]:
        """The rays' directions from the robot's heading, in radians, from right to left."""
        half = 0.5 * self.field_of_view
        angles: NDArray[np.float64] = (np.arange(self.rays) + 0.5) / self.rays * self.field_of_view - half
        return angles

    @property
    def distances(self) -> NDArray[np.float64]:
        """How far the points of a ray are, in metres; the last lies at the range."""
        distances: NDArray[np.float64] = (np.arange(self.steps) + 1.0) / self.steps * self.range
        return distances


class LandmarkCamera(_Sighting):
    """A camera that measures distance, bearing and descriptor of the landmarks in view; walls hide them."""

    sigma_descriptor: Sigma = 0.0
    """Noise of each number of a descriptor."""


class RobotDetector(_Sighting):
    """Measures distance and bearing of the robots around."""

    blocked_by_walls: bool = True
    """Whether walls hide other robots."""
