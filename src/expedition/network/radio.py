"""Radio models: who hears whom."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from expedition.registry import Registry
from expedition.terrain import Terrain

Floats = NDArray[np.float64]
Links = NDArray[np.bool_]
"""(robots, robots): whether robot [row] hears robot [column]. None hears itself."""


class RadioModel(Protocol):
    """Made for the robot models of a fleet, says at each moment who hears whom."""

    def links(self, positions: Floats, terrain: Terrain) -> Links:
        """The links between robots at `positions` (robots, 2), in metres, in the terrain as it stands."""


radios: Registry[RadioModel] = Registry("radio")
"""Functions from the fleet's robot models to a radio model: `radios.make("circle:range=50", fleet.models)`."""
