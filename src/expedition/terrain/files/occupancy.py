"""How ROS map_server reads a pixel: as a probability of being occupied, and by mode as one of three states or a scale.

With x the average of the colours and 255 white: p = (255 - x) / 255, or x / 255 if negated.
- trinary: occupied if p > occupied_thresh, free if p < free_thresh, else unknown. Opacity counts as one more colour.
- scale: the same, but in between from 0 to 100 %; what is not opaque is unknown.
- raw: x itself is the percentage, and unknown above 100.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from expedition.terrain.files.raster import Raster

Mode = Literal["trinary", "scale", "raw"]

UNKNOWN = -1


def walls_in(
    raster: Raster,
    mode: Mode,
    negate: bool,
    occupied_thresh: float,
    free_thresh: float,
    unknown_is_wall: bool,
    wall_percent: float,
) -> NDArray[np.bool_]:
    """Where a map has walls: cells at least `wall_percent` occupied, and the unknown ones if so wished."""
    raster = as_read(raster, mode)
    table = wall_by_shade(raster.white, mode, negate, occupied_thresh, free_thresh, unknown_is_wall, wall_percent)
    walls = raster.select(table)
    if mode == "scale" and raster.alpha is not None:
        walls[raster.alpha < 255] = unknown_is_wall
    return walls


def as_read(raster: Raster, mode: Mode) -> Raster:
    """The picture whose shades a mode looks at."""
    return raster.with_alpha_averaged() if mode == "trinary" else raster


def wall_by_shade(
    white: int,
    mode: Mode,
    negate: bool,
    occupied_thresh: float,
    free_thresh: float,
    unknown_is_wall: bool,
    wall_percent: float,
) -> NDArray[np.bool_]:
    """For each shade from 0 to `white`, whether it is wall."""
    percent = percent_by_shade(white, mode, negate, occupied_thresh, free_thresh)
    return np.where(percent == UNKNOWN, unknown_is_wall, percent >= wall_percent)


def percent_by_shade(
    white: int, mode: Mode, negate: bool, occupied_thresh: float, free_thresh: float
) -> NDArray[np.float64]:
    """For each shade from 0 to `white`, how occupied a cell is: from 0 to 100, or UNKNOWN."""
    shade = np.arange(white + 1)
    if mode == "raw":
        value = np.floor(shade * 255.0 / white + 0.5)
        return np.where(value <= 100, value, UNKNOWN)
    probability = (shade if negate else white - shade) / white
    between = np.full(white + 1, float(UNKNOWN))
    if mode == "scale":
        between = np.rint(100.0 * (probability - free_thresh) / (occupied_thresh - free_thresh))
    return np.where(probability > occupied_thresh, 100.0, np.where(probability < free_thresh, 0.0, between))
