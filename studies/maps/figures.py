"""The robots' ways over each terrain, and how many missions succeed in each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image

from expedition.plotstyle import FONT, FONT_SIZE, INK, PALE, legend, new_figure, robot_colour, save, tidy
from studies.maps.mission import Row
from studies.maps.report import SUCCEEDING, terrains_of
from studies.maps.terrains import label

COLUMNS = 5
PANEL_CM = 4.3
WALL, GROUND = 0.72, 1.0
BAD = "#b3261e"
PIXELS, COLOURS = 1900, 48


def ways(shown: Sequence[tuple[Row, Path]]) -> Figure:
    """A panel a terrain: its walls and the way of each robot; `shown` has the files of trajectories."""
    rows = -(-len(shown) // COLUMNS)
    drawing = new_figure(COLUMNS * PANEL_CM, rows * (PANEL_CM + 0.5))
    panels = list(drawing.subplots(rows, COLUMNS, squeeze=False).flat)
    most = 0
    for axes, (row, file) in zip(panels, shown, strict=False):
        with np.load(file) as kept:
            most = max(most, kept["ways"].shape[1])
            _draw_ways(axes, kept["walls"], kept["extent"], kept["ways"])
        axes.set_title(
            f"{label(row.case.terrain)}\n{row['time_s']:,.0f} s, {_floored(row['explored_share'])}"
            + ("" if row.succeeded else f", {row.ending}"),
        )
        tidy(axes)
        axes.title.set_color(INK if row.succeeded else BAD)
        axes.title.set_fontsize(FONT_SIZE)
    for axes in panels[len(shown) :]:
        axes.set_visible(False)
    start = Line2D(
        [], [], linestyle="none", marker="o", markersize=4, color="white", markeredgecolor=INK, label="start"
    )
    robots = [Line2D([], [], color=robot_colour(robot), label=f"robot {robot}") for robot in range(most)]
    legend(drawing, [*robots, start])
    return drawing


def successes(rows: Sequence[Row]) -> Figure:
    """A bar a terrain and localiser: the share of missions that succeed."""
    terrains = terrains_of(rows)
    localisers = list(dict.fromkeys(row.case.localiser for row in rows))
    drawing = new_figure(16.0, 1.6 + 0.52 * len(terrains))
    axes = drawing.add_subplot()
    height = 0.78 / len(localisers)
    for number, localiser in enumerate(localisers):
        for place, terrain in enumerate(terrains):
            some = [row for row in rows if (row.case.terrain, row.case.localiser) == (terrain, localiser)]
            if not some:
                continue
            good = sum(row.succeeded for row in some)
            at = place + (number - (len(localisers) - 1) / 2) * height
            axes.barh(at, 100 * good / len(some), height=0.9 * height, color=robot_colour(number))
            if good < len(some):
                axes.text(
                    100 * good / len(some) + 0.6, at, f"{good} of {len(some)}", fontsize=FONT_SIZE - 1.5,
                    fontfamily=FONT, color=INK, va="center",
                )  # fmt: skip
    axes.axvline(100 * SUCCEEDING, color=INK, linewidth=0.7, linestyle=(0, (4, 2)))
    axes.set_yticks(range(len(terrains)), [label(terrain) for terrain in terrains])
    axes.set(xlim=(0, 106), ylim=(len(terrains) - 0.4, -0.6), xlabel="missions that succeed (%)")
    axes.set_xticks(range(0, 101, 20))
    axes.grid(axis="x", color=PALE, linewidth=0.4)
    axes.set_axisbelow(True)
    tidy(axes)
    axes.spines[["top", "right"]].set_visible(False)
    handles = [
        Line2D([], [], color=robot_colour(number), linewidth=5, label=localiser)
        for number, localiser in enumerate(localisers)
    ]
    asked = Line2D([], [], color=INK, linewidth=0.7, linestyle=(0, (4, 2)), label=f"asked: {SUCCEEDING:.0%}")
    legend(drawing, [*handles, asked])
    return drawing


def keep(figure: Figure, path: Path) -> Path:
    """Write a figure as a page shows it: not too wide, and in few colours, which is a quarter of the bytes."""
    save(figure, path)
    with Image.open(path) as drawn:
        small = drawn.convert("RGB")
    if small.width > PIXELS:
        small = small.resize((PIXELS, round(small.height * PIXELS / small.width)), Image.Resampling.LANCZOS)
    small.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    return path


def _draw_ways(
    axes: Axes, walls: np.ndarray[tuple[int, int], np.dtype[np.bool_]], extent: Sequence[float],
    routes: np.ndarray[tuple[int, int, int], np.dtype[np.float32]],
) -> None:  # fmt: skip
    left, right, bottom, top = map(float, extent)
    axes.imshow(
        np.where(walls, WALL, GROUND), origin="lower", extent=(left, right, bottom, top), cmap="gray", vmin=0, vmax=1,
        interpolation="antialiased", zorder=0,
    )  # fmt: skip
    for robot in range(routes.shape[1]):
        colour = robot_colour(robot)
        axes.plot(*routes[:, robot].T, color=colour, linewidth=0.55, zorder=2)
        axes.plot(
            *routes[0, robot], marker="o", markersize=2.6, color="white", markeredgecolor=colour, markeredgewidth=0.7,
            zorder=3,
        )  # fmt: skip
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect="equal", xticks=[], yticks=[])
    axes.set_xlabel(f"{right - left:.0f} x {top - bottom:.0f} m")


def _floored(share: float) -> str:
    """A percentage that is not rounded up to what was not reached."""
    return "-" if math.isnan(share) else f"{math.floor(1000 * share + 1e-9) / 10:.1f} %"
