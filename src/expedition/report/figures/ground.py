"""What a stored mission left on the ground, drawn from its arrays alone: ways, who saw what first, and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.image import AxesImage
from numpy.typing import NDArray

from expedition.picture import BEYOND, draw_base, draw_first_seen, draw_routes
from expedition.plotstyle import FONT, FONT_SIZE, INK, tidy

Extent = tuple[float, float, float, float]
WALL = "#6d737d"
EARLY_TO_LATE = "RdYlBu"
"""Red was seen first and blue last, as in MAES; both kinds of colour blindness tell them apart."""
MOST_COLOURS = 8
"""Robots that colours alone tell apart."""
MARGIN = 1.0
"""Metres of wall around the ground that is to be explored."""


@dataclass(frozen=True)
class Ground:
    """The layers of a mission, (rows, columns) each, and where they lie."""

    explorable: NDArray[np.bool_]
    first_seen: NDArray[np.int16]
    seen_at: NDArray[np.float32]
    covered_at: NDArray[np.float32]
    extent: Extent
    base: tuple[float, float] | None = None
    """Where the base station stands, if there is one."""
    broken_down: tuple[int, ...] = ()
    """The robots that were out of order at the end."""

    @classmethod
    def of(cls, maps: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> Ground | None:
        """The layers in a mission's stored maps; None where the design did not keep them."""
        if not {"explorable", "first_seen", "seen_at", "covered_at"} <= maps.keys():
            return None
        rows, columns = maps["explorable"].shape
        (left, bottom), resolution = facts["origin"], facts["resolution"]
        extent = (left, left + columns * resolution, bottom, bottom + rows * resolution)
        base = tuple(facts["base"]) if "base" in facts else None
        return cls(
            maps["explorable"], maps["first_seen"], maps["seen_at"], maps["covered_at"], extent, base,
            tuple(facts.get("broken_down", ())),
        )  # fmt: skip

    @property
    def view(self) -> Extent:
        """The part of the extent that holds the explorable ground, with a margin."""
        rows, columns = np.nonzero(self.explorable.any(axis=1))[0], np.nonzero(self.explorable.any(axis=0))[0]
        left, right, bottom, top = self.extent
        if not len(rows):
            return self.extent
        size = (right - left) / self.explorable.shape[1]
        return (
            max(left, left + columns[0] * size - MARGIN),
            min(right, left + (columns[-1] + 1) * size + MARGIN),
            max(bottom, bottom + rows[0] * size - MARGIN),
            min(top, bottom + (rows[-1] + 1) * size + MARGIN),
        )

    @property
    def ratio(self) -> float:
        """Height by width of the view, within what a panel can have."""
        left, right, bottom, top = self.view
        return min(max((top - bottom) / (right - left), 0.2), 2.5)


def ways_of(series: pl.DataFrame) -> NDArray[np.float64]:
    """The robots' true positions, (samples, robots, 2), from a mission's series."""
    rows = series.filter(pl.col("robot").is_not_null()).sort("time_s", "robot")
    robots = max(1, rows["robot"].n_unique())
    return rows.select("x", "y").to_numpy().reshape(-1, robots, 2)


def draw_ground(axes: Axes, ground: Ground) -> None:
    """Draw walls and what nobody was to explore dark, the rest white; everything else lies above it."""
    picture = np.where(ground.explorable[..., None], to_rgb("white"), to_rgb(WALL))
    axes.imshow(picture, origin="lower", extent=ground.extent, interpolation="nearest", zorder=0)
    left, right, bottom, top = ground.view
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect="equal", xlabel="x (m)")
    tidy(axes)


def draw_ways(axes: Axes, ground: Ground, ways: NDArray[np.float64]) -> list[Artist]:
    """Draw where robots drove and who saw what first; returns handles for a legend.

    Of larger fleets than there are colours, ends have their robots' numbers.
    """
    draw_ground(axes, ground)
    draw_first_seen(axes, np.where(ground.explorable, ground.first_seen, -1), ground.extent)
    handles = draw_routes(axes, ways, ground.broken_down)
    if ground.base is not None:
        handles.append(draw_base(axes, *ground.base))
    if ways.shape[1] > MOST_COLOURS:
        for robot, (x, y) in enumerate(ways[-1]):
            axes.annotate(
                str(robot), (x, y), (2.0, 2.0), textcoords="offset points", fontsize=FONT_SIZE - 2, fontfamily=FONT,
                color=INK, zorder=6, annotation_clip=False,
            )  # fmt: skip
    return handles


def draw_times(axes: Axes, ground: Ground, times: NDArray[np.floating[Any]], latest: float) -> AxesImage:
    """Draw when each cell was seen or driven over, from red to blue; what never was is grey. For a colour bar."""
    draw_ground(axes, ground)
    never = np.zeros((*ground.explorable.shape, 4))
    never[ground.explorable] = (*to_rgb(BEYOND), 1.0)
    axes.imshow(never, origin="lower", extent=ground.extent, interpolation="nearest", zorder=0.4)
    shown = np.ma.masked_invalid(np.where(ground.explorable, times, np.nan))
    return axes.imshow(
        shown, origin="lower", extent=ground.extent, interpolation="nearest", cmap=EARLY_TO_LATE, vmin=0.0,
        vmax=max(latest, 1e-9), zorder=0.5,
    )  # fmt: skip
