"""The robots' ways over each terrain, and how many missions succeed in each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image

from expedition.plotstyle import FONT, FONT_SIZE, INK, PALE, legend, new_figure, robot_colour, save, tidy
from studies.maps.mission import Row
from studies.maps.report import SUCCEEDING, floored, terrains_of
from studies.maps.terrains import label

COLUMNS = 5
PANEL_CM = 4.3
WALL, GROUND = 0.76, 1.0
BAD = "#b3261e"
PIXELS = 1600
SHADES = 4
SHAPE = 0.85
"""The height of a panel by its width."""
EDGE = 1.0
"""Metres around the free ground that a panel shows."""


def ways(shown: Sequence[tuple[Row, Path]]) -> Figure:
    """A panel a terrain: its walls and the way of each robot; `shown` has the files of trajectories."""
    rows = -(-len(shown) // COLUMNS)
    drawing = new_figure(COLUMNS * PANEL_CM, rows * (SHAPE * PANEL_CM + 1.2))
    panels = list(drawing.subplots(rows, COLUMNS, squeeze=False).flat)
    most = 0
    for axes, (row, file) in zip(panels, shown, strict=False):
        with np.load(file) as kept:
            most = max(most, kept["ways"].shape[1])
            _draw_ways(axes, kept["walls"], kept["extent"], kept["ways"])
        axes.set_title(
            f"{label(row.case.terrain)}\n{row['time_s']:,.0f} s, {floored(row['explored_share'])}"
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
                end, is_long = 100 * good / len(some), good / len(some) > 0.15
                axes.text(
                    end - 0.6 if is_long else end + 0.6, at, f"{good} of {len(some)}", fontsize=FONT_SIZE - 1.5,
                    fontfamily=FONT, color="white" if is_long else INK, va="center_baseline",
                    ha="right" if is_long else "left",
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
    """Write a figure as a page shows it: not too wide, and in the few colours that it is drawn in and their shades."""
    save(figure, path)
    with Image.open(path) as drawn:
        small = drawn.convert("RGB")
    if small.width > PIXELS:
        small = small.resize((PIXELS, round(small.height * PIXELS / small.width)), Image.Resampling.LANCZOS)
    small.quantize(palette=_palette(), dither=Image.Dither.NONE).save(path, optimize=True)
    return path


def _palette() -> Image.Image:
    """The style's colours, each in steps to white and to the grey of walls, as lines with smooth edges need them."""
    grounds = [np.array([255.0 * shade] * 3) for shade in (GROUND, WALL)]
    inks = [255.0 * np.array(to_rgb(colour)) for colour in (INK, BAD, *map(robot_colour, range(8)))]
    shades = [
        ground + (ink - ground) * step / SHADES for ground in grounds for ink in inks for step in range(1, SHADES + 1)
    ]
    shades += [grounds[1] + (grounds[0] - grounds[1]) * step / SHADES for step in range(SHADES + 1)]
    distinct = list(dict.fromkeys(tuple(round(part) for part in shade) for shade in shades))
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for shade in distinct for part in shade])
    return palette


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
        axes.plot(*routes[:, robot].T, color=colour, linewidth=0.65, zorder=2)
        axes.plot(
            *routes[0, robot], marker="o", markersize=2.6, color="white", markeredgecolor=colour, markeredgewidth=0.7,
            zorder=3,
        )  # fmt: skip
    rows, columns = (np.flatnonzero(~walls.all(axis=axis)) for axis in (1, 0))
    size = (right - left) / walls.shape[1]
    middle_x, middle_y = (
        first + (cells[0] + cells[-1] + 1) / 2 * size for first, cells in ((left, columns), (bottom, rows))
    )
    width, height = ((cells[-1] - cells[0] + 1) * size for cells in (columns, rows))
    # All panels have one shape, so that they stand in line.
    reach = max(width, height / SHAPE) / 2 + EDGE
    xlim, ylim = (middle_x - reach, middle_x + reach), (middle_y - SHAPE * reach, middle_y + SHAPE * reach)
    axes.set(xlim=xlim, ylim=ylim, aspect="equal", xticks=[], yticks=[], facecolor=str(WALL))
    axes.set_xlabel(f"{width:.0f} x {height:.0f} m")
