"""What changes in a terrain over time: doors, walking people, collapses.

These are descriptions only; the simulator plays them out. Random ones draw from a stream of their own, named after
the change's place in the terrain (`terrain/change/2`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, NonNegativeFloat, PositiveFloat, model_validator

from expedition.spec import Spec
from expedition.terrain.material import MaterialName

Coordinate = Annotated[float, Field(ge=-1e7, le=1e7)]
Point = tuple[Coordinate, Coordinate]
Seconds = Annotated[float, Field(ge=0, le=1e9)]


class Rectangle(Spec):
    """An axis-parallel rectangle in metres."""

    left: Coordinate
    bottom: Coordinate
    right: Coordinate
    top: Coordinate

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
    """Times at which it opens or closes, in seconds."""
    mean_open: PositiveFloat | None = None
    """With `mean_closed`: it switches at random after exponential times with these means, in seconds."""
    mean_closed: PositiveFloat | None = None
    material: MaterialName = "wood"
    height: Annotated[float, Field(gt=0.01, le=655)] = 2.0

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
    """Where the person starts and, if there are more points, walks in turn; with one point the person wanders."""
    speed: Annotated[float, Field(gt=0, le=20)] = 1.2
    radius: Annotated[float, Field(gt=0, le=5)] = 0.25
    height: Annotated[float, Field(gt=0, le=5)] = 1.7
    mean_leg: PositiveFloat = 4.0
    """A wanderer turns to a new heading after exponential times of this mean, in seconds, and at walls."""


class Collapse(Spec):
    """At a time, part of the terrain turns into rubble, for good. A robot beneath is buried."""

    kind: Literal["collapse"] = "collapse"
    area: Rectangle
    time: NonNegativeFloat
    fill: Annotated[float, Field(gt=0, le=1)] = 1.0
    """The share of the area's cells that turns into rubble, drawn at random."""
    material: MaterialName = "rubble"
    height: Annotated[float, Field(gt=0.01, le=655)] = 1.0


Change = Annotated[Door | Person | Collapse, Field(discriminator="kind")]
