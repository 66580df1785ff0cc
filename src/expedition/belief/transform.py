"""Where one robot's frame lies in another's, when each has a frame of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Transform:
    """Their point (x', y') lies at R(rotation) (x', y') + (x, y) in my frame."""

    rotation: float
    x: float
    y: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of their frame in mine."""
        c, s = math.cos(self.rotation), math.sin(self.rotation)
        return c * x - s * y + self.x, s * x + c * y + self.y

    def inverse(self) -> Transform:
        """Where my frame lies in theirs."""
        c, s = math.cos(self.rotation), math.sin(self.rotation)
        return Transform(-self.rotation, -c * self.x - s * self.y, s * self.x - c * self.y)

    def of(self, inner: Transform) -> Transform:
        """Where a third one's frame lies in mine, from where it lies in theirs."""
        rotation = math.remainder(self.rotation + inner.rotation, 2.0 * math.pi)
        return Transform(rotation, *self.point(inner.x, inner.y))


IDENTITY = Transform(0.0, 0.0, 0.0)
