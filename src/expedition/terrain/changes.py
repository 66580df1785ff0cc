"""What changes in a terrain over time: doors, walking people, collapses.

These are descriptions only; the simulator plays them out. Random ones draw from a stream of their own, named after
the change's place in the terrain (`terrain/change/2`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from expedition.spec import Spec
from expedition.terrain.material import MaterialName

Coordinate = Annotated[float, Field(ge=-1e7, le=1e7)]
Point = tuple[Coordinate, Coordinate]
Seconds = Annotated[float, Field(ge=0, le=1e9)]
MeanTime = Annotated[float, Field(ge=0.001, le=1e9)]


class Rectangle(Spec):
    """An axis-parallel rectangle in metres."""

    left: Coordinate
    """Lowest x, in metres."""
    bottom: Coordinate
    """Lowest y, in metres."""
    right: Coordinate
    """Highest x, in metres."""
    top: Coordinate
    """Highest y, in metres."""

    @model_validator(mode="after")
    def _has_area(self) -> Rectangle:
        if not (self.left < self.right and self.bottom < self.top):
            raise ValueError("left must be below right, and bottom below top")
        return self


class Door(Spec):
    """A wall that comes and goes. It waits for robots and people in its way before it closes."""

    kind: Literal["door"] = "door"
    area: Rectangle
    """Where the door stands when closed."""
    closed: bool = False
    """Whether it is closed at the start."""
    switches: Annotated[tuple[Seconds, ...], Field(max_length=100_000)] = ()
    """Rising times at which it opens or closes in turn, in seconds; with none, and no means, it stays as it is."""
    mean_open: MeanTime | None = None
    """With `mean_closed`, instead of `switches`: how long it stays open on average, exponentially, in seconds."""
    mean_closed: MeanTime | None = None
    """With `mean_open`: how long it stays closed on average, in seconds."""
    material: MaterialName = "wood"
    """What the closed door is made of."""
    height: Annotated[float, Field(gt=0.01, le=655)] = 2.0
    """Of the closed door, in metres."""

    @model_validator(mode="after")
    def _one_way_to_switch(self) -> Door:
        if (self.mean_open is None) != (self.mean_closed is None):
            raise ValueError("a random door needs both mean_open and mean_closed")
        if self.switches and self.mean_open is not None:
            raise ValueError("a door follows its switches or is random, not both")
        if list(self.switches) != sorted(set(self.switches)):
            raise ValueError("switches must be rising times")
        return self


class Person(Spec):
    """A disc that walks its waypoints round and round, or wanders. It stops for robots and walls."""

    kind: Literal["person"] = "person"
    waypoints: Annotated[tuple[Point, ...], Field(min_length=1, max_length=10_000)]
    """Points `[x, y]` in metres: the start and where to walk in turn; with one point the person wanders."""
    speed: Annotated[float, Field(gt=0, le=20)] = 1.2
    """Of walking, in m/s."""
    radius: Annotated[float, Field(gt=0, le=5)] = 0.25
    """Of the disc, in metres."""
    height: Annotated[float, Field(gt=0, le=5)] = 1.7
    """What flies higher passes over the person, and what looks from higher does not see them, in metres."""
    mean_leg: MeanTime = 4.0
    """A wanderer turns to a new heading after exponential times of this mean, in seconds, and at walls."""


class Collapse(Spec):
    """At a time, part of the terrain turns into rubble, for good. A robot beneath is buried."""

    kind: Literal["collapse"] = "collapse"
    area: Rectangle
    """What comes down."""
    time: Seconds
    """When it comes down, in seconds."""
    fill: Annotated[float, Field(gt=0, le=1)] = 1.0
    """The share of the area's cells that turns into rubble, drawn at random."""
    material: MaterialName = "rubble"
    """What lies there then."""
    height: Annotated[float, Field(gt=0.01, le=655)] = 1.0
    """Of the rubble, in metres."""


Change = Annotated[Door | Person | Collapse, Field(discriminator="kind")]
