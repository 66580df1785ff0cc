"""Does a threshold part the walls of a picture from its ground? What can be said from its grey levels.

A grey level is a run of greys, without a wide gap, that covers more than a little of the picture: paint and its noise,
not the soft edges between two paints. Of those levels that a threshold puts on one side, the one nearest to it is
doubtful if almost nothing of the picture is on the other side, or if it lies close to the threshold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from expedition.terrain.files.raster import Raster

Shares = NDArray[np.float64]

HARDLY_ANY = 0.005
"""A map with a smaller share of walls than this, or of free ground, is doubtful."""
NOTABLE = 0.01
"""A level close to the threshold matters if it covers more than this."""
CLOSE = 32
FAINT, GAP, LEAST = 0.001, 10, 0.005
"""Greys of smaller shares than FAINT are no paint; a gap of GAP greys parts two levels; a level covers LEAST."""
WIDE = 60
"""Greys of a blurred picture that run without a gap over more than this are still two things."""
ROS_UNKNOWN = 205
"""What map savers of ROS write for unknown cells: it looks like a paint between walls and ground, and is meant so."""
SHOWN = 5
STRIP_ROWS = 256


@dataclass(frozen=True)
class Level:
    """Greys from `low` to `high`, which cover the given share of the picture, and the most frequent of them."""

    low: int
    high: int
    share: float
    grey: int


@dataclass(frozen=True)
class Split:
    """How the shades of a picture are divided: a table of which are walls, which side is wall, and what to change."""

    is_wall: NDArray[np.bool_]
    dark_is_wall: bool
    where: str
    """How the division is called, as `threshold 125`."""
    remedy: Callable[[float], str]
    """How a user writes another threshold, a grey from 0 to 255."""
    threshold: float | None = None
    """The grey of the division, if a level may be too close to it."""


def doubt(raster: Raster, split: Split, walls: NDArray[np.bool_]) -> str | None:
    """What is doubtful about the walls found in a picture, and which threshold would part its greys."""
    shares = _shares(raster, split.is_wall)
    share_of_walls = np.count_nonzero(walls) / walls.size
    for is_wall, share_beyond in ((False, share_of_walls), (True, 1.0 - share_of_walls)):
        is_dark = is_wall == split.dark_is_wall
        levels = _levels(shares[int(is_wall)])
        ordered = levels[::-1] if is_dark else levels
        hardly_any = share_beyond < HARDLY_ANY
        if len(ordered) >= 2 and not (ordered[0].grey == ROS_UNKNOWN and share_beyond > 0):
            nearest, following = ordered[:2]
            if not hardly_any and not _is_too_close(raster, split, walls, is_wall, nearest):
                continue
            between = (nearest.low + following.high) if is_dark else (nearest.high + following.low)
            parting = math.ceil(between / 2)
        elif hardly_any and len(levels) == 1 and levels[0].high - levels[0].low > WIDE:
            nearest, parting = levels[0], _otsu(shares[int(is_wall)])
        else:
            continue
        read_as, missing = ("wall", "free ground") if is_wall else ("free", "walls")
        if hardly_any:
            told = f"hardly any {missing} ({share_beyond:.1%} of the cells) at {split.where}"
        else:
            place = f"just {'below' if is_dark else 'above'} {split.where}"
            told = f"grey {nearest.grey} ({nearest.share:.1%}) lies {place} and is read as {read_as}"
        return f"{told}; greys found: {_most_frequent(shares.sum(axis=0))}; {split.remedy(parting)} would part them"
    return None


def _is_too_close(raster: Raster, split: Split, walls: NDArray[np.bool_], is_wall: bool, level: Level) -> bool:
    """Whether a notable share of a level lies close to the threshold and is no soft edge of the other side's cells."""
    if split.threshold is None or level.share <= NOTABLE:
        return False
    if min(abs(level.low - split.threshold), abs(level.high - split.threshold)) > CLOSE:
        return False
    greys = _greys(raster.white)
    chosen = raster.select((greys >= level.low) & (greys <= level.high)) & (walls == is_wall)
    chosen &= ~ndimage.binary_dilation(walls != is_wall, structure=np.ones((3, 3), dtype=bool))
    return bool(np.count_nonzero(chosen) > NOTABLE * walls.size)


def _greys(white: int) -> NDArray[np.int64]:
    """The grey from 0 to 255 of each shade."""
    greys: NDArray[np.int64] = np.floor(np.arange(white + 1) * (255.0 / white) + 0.5).astype(np.int64)
    return greys


def _shares(raster: Raster, is_wall: NDArray[np.bool_]) -> Shares:
    """(2, 256): the share of the picture of each grey among free cells and among walls; clear pixels have no grey."""
    counts = np.zeros(raster.white + 1)
    # In strips, since counting makes eight bytes of each pixel.
    for top in range(0, raster.shade.shape[0], STRIP_ROWS):
        shade = raster.shade[top : top + STRIP_ROWS]
        seen = shade.ravel() if raster.alpha is None else shade[raster.alpha[top : top + STRIP_ROWS] >= 128]
        counts += np.bincount(seen, minlength=raster.white + 1)
    greys = _greys(raster.white)
    sides = [np.bincount(greys, np.where(is_wall == side, counts, 0.0), minlength=256) for side in (False, True)]
    return np.stack(sides) / raster.shade.size


def _levels(shares: Shares) -> list[Level]:
    """The grey levels of a picture, the darkest first."""
    greys = np.flatnonzero(shares >= FAINT)
    runs = np.split(greys, np.flatnonzero(np.diff(greys) >= GAP) + 1)
    levels = [
        Level(int(run[0]), int(run[-1]), float(shares[run].sum()), int(run[shares[run].argmax()]))
        for run in runs
        if run.size
    ]
    return [level for level in levels if level.share >= LEAST]


def _otsu(shares: Shares) -> int:
    """The threshold for which the greys on either side vary least (Otsu 1979)."""
    below = np.cumsum(shares)[:-1]
    above = shares.sum() - below
    mass = np.cumsum(shares * np.arange(256))
    with np.errstate(divide="ignore", invalid="ignore"):
        between = below * above * (mass[:-1] / below - (mass[-1] - mass[:-1]) / above) ** 2
    return int(np.nan_to_num(between).argmax()) + 1


def _most_frequent(shares: Shares) -> str:
    """The greys that cover most, as `127 (72.0%), 195 (27.9%)`."""
    order = np.argsort(-shares, kind="stable")
    shown = [f"{grey} ({shares[grey]:.1%})" for grey in order[:SHOWN] if shares[grey] > 0]
    more = int(np.count_nonzero(shares)) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
