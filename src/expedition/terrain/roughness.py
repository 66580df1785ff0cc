"""Patches of rough ground: swamp, gravel or scree strewn over the ground of a generated terrain."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import numpy as np
from pydantic import Field
from scipy import ndimage

from expedition.streams import generator
from expedition.terrain.terrain import Terrain

RoughShare = Annotated[float, Field(ge=0, le=1, description="share of the free ground that is rough")]
RoughSpeed = Annotated[int, Field(ge=1, le=100, description="percent of its speed that a robot reaches there")]
RoughPatch = Annotated[float, Field(gt=0, le=100, description="about how wide a patch of rough ground is, m")]


def with_rough_ground(terrain: Terrain, seed: int, share: float, speed_percent: int, patch: float) -> Terrain:
    """The terrain with a share of its free cells in rough patches: where a smooth random field is highest.

    Without any share it is the very same terrain.
    """
    if share == 0.0:
        return terrain
    noise = generator(seed, f"terrain/{terrain.name}/rough").standard_normal(terrain.shape)
    field = ndimage.gaussian_filter(noise, 0.25 * patch / terrain.resolution, mode="reflect")
    free = ~terrain.occupied
    level = np.quantile(field[free], 1.0 - share)
    speed = np.where(free & (field >= level), speed_percent, 100).astype(np.uint8)
    return replace(terrain, speed_percent=speed)
