"""What a placement may ask beside the terrain and the robots: from where they can go far, and what it may tell.

A placement that wants it has a fourth argument named `site`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from expedition.fleet.check import Poses
from expedition.fleet.clearance import MARGIN
from expedition.fleet.model import RobotModel
from expedition.fleet.reach import Region, coarsest, ground_from, largest_region, share_of
from expedition.terrain import Terrain


class Site:
    """A terrain as a place for a fleet to start in."""

    def __init__(
        self,
        terrain: Terrain,
        models: Sequence[RobotModel],
        resolution: float | None = None,
        margin: float = MARGIN,
        connected: bool = True,
    ) -> None:
        """`resolution` is that of the robots' maps, if it is given, and `margin` what they keep from walls."""
        self.terrain = terrain
        self.models = tuple(models)
        self.resolution = resolution
        self.margin = margin
        self.connected = connected
        """Whether each robot must be able to drive to the first, or the first to it."""
        self.notes: list[str] = []
        """Sentences on where the robots were placed, and why there."""

    @cached_property
    def region(self) -> Region | None:
        """The largest region that the robots can explore; None if they fit nowhere."""
        return largest_region(self.terrain, self.models, self.resolution, self.margin)

    def share_from(self, poses: Poses) -> float:
        """The share of the free ground that the robots reach from there."""

        def share(resolution: float) -> float:
            ground = ground_from(self.terrain, self.models, poses, resolution, self.margin)
            return share_of(self.terrain, ground)

        return coarsest(share)[1] if self.resolution is None else share(self.resolution)

    @property
    def starts(self) -> NDArray[np.bool_] | None:
        """The cells from which robots get to all of the largest region."""
        return None if self.region is None else self.region.starts
