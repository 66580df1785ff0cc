"""The wings of a building: rectangles along a corridor, and what joins them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

import numpy as np

from expedition.terrain.floorplan.polygons import Box, Corners, Frame, apart

# Metres.
BETWEEN = 0.6  # between parts of the building that are not joined
STEP = 0.3  # from the end of a wing to where its corridor bends, at least

End = Literal["blind", "joined", "out"]
"""A corridor ends at a wall or a hall, leads to another wing, or out of the map."""


@dataclass(frozen=True)
class Branch:
    """Where the corridor of another wing leaves through the rooms above (side 0) or below (side 1)."""

    side: int
    u: float
    width: float


@dataclass
class Wing:
    """A corridor along u from 0 to `length` in the middle of its frame, and rooms of given depth above and below."""

    frame: Frame
    length: float
    corridor: float
    depths: tuple[float, float]
    wall: float
    outer: float
    branches: list[Branch] = field(default_factory=list)
    near: End = "blind"
    far: End = "blind"

    def half(self, side: int) -> float:
        """From the middle of the corridor to the outer face above or below."""
        return self.corridor / 2 + self.wall + self.depths[side] + self.outer

    @property
    def outline(self) -> Corners:
        return self.frame.corners(Box(0.0, -self.half(1), self.length, self.half(0)))

    def end(self, far: bool) -> Frame:
        """At the middle of one end, u pointing away from the wing."""
        return self.frame.moved(self.length, 0.0) if far else self.frame.moved(0.0, 0.0, math.pi)

    def face(self, far: bool) -> Corners:
        """The two corners of an end, inside the outer walls."""
        u = self.length if far else 0.0
        return np.array(
            [self.frame.point(u, self.half(0) - self.outer), self.frame.point(u, self.outer - self.half(1))]
        )


@dataclass(frozen=True)
class Joint:
    """The corridor from one wing to the next, and the corner between them, which may be a lobby."""

    passages: tuple[Corners, Corners]
    corner: Corners
    lobby: bool


@dataclass
class Building:
    """Wings and what joins them."""

    wings: list[Wing]
    joints: list[Joint] = field(default_factory=list)

    def corners(self) -> Corners:
        return np.concatenate([*(wing.outline for wing in self.wings), *(joint.corner for joint in self.joints)])

    def keeps_apart(self) -> bool:
        """Whether no two wings meet, nor two corners, nor a corner and a wing that it does not join."""
        outlines = [wing.outline for wing in self.wings]
        between = [joint.corner for joint in self.joints]
        return (
            all(apart(one, other, STEP - 1e-6) for one, other in combinations(outlines, 2))
            and all(apart(one, other, BETWEEN) for one, other in combinations(between, 2))
            and all(sum(not apart(corner, outline, BETWEEN) for outline in outlines) == 2 for corner in between)
        )

    def ways_out(self, reach: float) -> Iterator[tuple[Wing, bool, Corners]]:
        """The blind ends from which a corridor can go on for `reach` metres and meets nothing of the building."""
        for wing in self.wings:
            others = [other.outline for other in self.wings if other is not wing]
            others += [joint.corner for joint in self.joints]
            for far, end in ((False, wing.near), (True, wing.far)):
                way = wing.end(far).corners(Box(-wing.outer, -wing.corridor / 2, reach, wing.corridor / 2))
                if end == "blind" and all(apart(way, other, BETWEEN) for other in others):
                    yield wing, far, way
