"""Pictures of missions, fit for a paper: who drove where and saw what first, and the map that came of it.

The left panel is the truth with the robots' ways; ground has the colour of the robot that saw it first. The right panel
is the merged map of the robot that knew most, with what is wrong or missing in it marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray

from expedition.belief.grid import UNKNOWN
from expedition.plotstyle import (
    INK,
    check_target,
    legend,
    new_figure,
    robot_colour,
    robot_marker,
    save,
    tidy,
)
from expedition.terrain.picture import draw

if TYPE_CHECKING:
    from expedition.mission import Result

PANEL_CM = 9.0
SHADE = 0.28
"""How strong the colour of what a robot saw first is."""
BEYOND, GROUND, WALL = "#e4e7eb", "#ffffff", INK
WRONG, MISSING = "#d6001c", "#f7dc9a"
SHADES = (BEYOND, GROUND, WALL, MISSING, WRONG)
"""Of UNKNOWN, FREE and OCCUPIED cells, then of those that are missing or wrong."""
MOST_NAMED = 16
"""Larger fleets are told apart by colour and marker alone: a legend of them all would outgrow the picture."""


def save_picture(result: Result, path: str | Path) -> Path:
    """Write a picture of a mission as PNG, SVG or PDF."""
    check_target(path)
    left, right, bottom, top = result.mission.terrain.extent
    ratio = min(max((top - bottom) / (right - left), 0.2), 2.5)
    figure = new_figure(2 * PANEL_CM, (PANEL_CM - 1.0) * ratio + 2.2)
    ways, mapped = figure.subplots(1, 2)
    handles = [*draw_ways(result, ways), *draw_map(result, mapped)]
    legend(figure, handles)
    return save(figure, path)


def draw_ways(result: Result, axes: Axes) -> list[Artist]:
    """Draw the terrain, what each robot saw first, its way, where it started and where it ended."""
    mission, monitor = result.mission, result.monitor
    handles = draw(mission.terrain, axes)
    seen = np.where(monitor.truth.explorable, monitor.first_seen, -1)
    draw_first_seen(axes, seen, monitor.frame.extent)
    handles += draw_routes(axes, np.array(monitor.series.poses), result.measurements.facts.get("broken_down", ()))
    if (base := mission.fleet.base) is not None:
        handles.append(draw_base(axes, base.x, base.y))
    axes.set_title(titles_of(result)[0])
    axes.set(xlim=mission.terrain.extent[:2], ylim=mission.terrain.extent[2:])
    tidy(axes)
    return handles


def draw_first_seen(axes: Axes, robots: NDArray[np.integer], extent: tuple[float, float, float, float]) -> None:
    """Draw ground in the colours of the robots that saw it first; `robots` is -1 where nobody did."""
    shades = np.zeros((int(robots.max(initial=-1)) + 2, 4))
    for robot in range(len(shades) - 1):
        shades[robot] = (*to_rgb(robot_colour(robot)), SHADE)
    # Cells that nobody saw hold -1 and so take the last shade, which is none.
    _picture(axes, shades[robots], extent, zorder=0.5)


def draw_routes(axes: Axes, ways: NDArray[np.float64], broken: Sequence[int] = ()) -> list[Artist]:
    """Draw the robots' ways (samples, robots, x and y), where they started and ended, and those that broke down.

    Returns handles for a legend.
    """
    robots = ways.shape[1]
    width = 0.8 if robots <= 12 else 0.5
    for robot in range(robots):
        colour = robot_colour(robot)
        axes.plot(ways[:, robot, 0], ways[:, robot, 1], color=colour, linewidth=width, alpha=0.9, zorder=2)
        start, end = ways[0, robot], ways[-1, robot]
        axes.plot(
            *start[:2], marker="o", markersize=2.6, markerfacecolor="white", markeredgecolor=colour,
            markeredgewidth=0.6, zorder=4,
        )  # fmt: skip
        axes.plot(
            *end[:2], marker=robot_marker(robot), markersize=4.2, color=colour, markeredgecolor="white",
            markeredgewidth=0.4, linestyle="none", zorder=5,
        )  # fmt: skip
    handles = [*_robot_handles(robots), _mark("o", "white", INK, "start")]
    if broken:
        axes.plot(
            *ways[-1, list(broken), :2].T, marker="x", markersize=6.0, color=WRONG, markeredgewidth=1.2,
            linestyle="none", zorder=6,
        )  # fmt: skip
        handles.append(_mark("x", WRONG, WRONG, "broken down"))
    return handles


def draw_base(axes: Axes, x: float, y: float) -> Artist:
    """Mark the base station; returns a handle for a legend."""
    axes.plot(
        x, y, marker="s", markersize=5.0, markerfacecolor="none", markeredgecolor=INK, markeredgewidth=0.9,
        linestyle="none", zorder=6,
    )  # fmt: skip
    return _mark("s", "none", INK, "base station")


def draw_map(result: Result, axes: Axes) -> list[Artist]:
    """Draw the map of the robot that knew most, and where it differs from the truth."""
    monitor, best = result.monitor, result.best_robot
    state, truth = result.controller.grids.state[best], monitor.truth_of(best)
    missing = truth.explorable & (state == UNKNOWN)
    wrong = (state != UNKNOWN) & (state != truth.state) & (truth.state != UNKNOWN)
    shown = np.where(missing, np.uint8(3), np.where(wrong, np.uint8(4), state))
    shades = np.array([to_rgb(shade) for shade in SHADES])
    _picture(axes, shades[monitor.in_world(best, shown)], monitor.frame.extent, zorder=0)
    left, right, bottom, top = result.mission.terrain.extent
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect="equal", xlabel="x (m)", yticklabels=[])
    axes.set_title(titles_of(result)[1])
    tidy(axes)
    handles: list[Artist] = [Patch(facecolor=BEYOND, edgecolor="none", label="unknown")]
    if missing.any():
        handles.append(Patch(facecolor=MISSING, edgecolor="none", label="missing"))
    if wrong.any():
        handles.append(Patch(facecolor=WRONG, edgecolor="none", label="wrong"))
    return handles


def titles_of(result: Result) -> tuple[str, str]:
    """What was asked for and what came of it, for a panel each."""
    mission, metrics = result.mission, result.metrics
    robots = len(mission.fleet)
    fleet = f"{robots} {'robot' if robots == 1 else 'robots'}"
    asked = f"{mission.terrain.name}, {fleet}, {mission.strategy_name}, seed {mission.seed}"
    at_base = metrics["base_completeness"]
    known = f"{metrics['completeness']:.1%}{'' if at_base is None else f', {at_base:.1%} at base,'}"
    came = f"{result.ending}: {known} in {metrics['time_s']:,.0f} s, {metrics['cost_m']:,.0f} m"
    return (
        f"{asked}\nways, and who saw what first",
        f"{came} driven\nmap of robot {result.best_robot}: {metrics['map_error_cells']:,.0f} cells wrong, "
        f"quality {metrics['map_quality']:.3f}",
    )


def _picture(
    axes: Axes, colours: NDArray[np.float64], extent: tuple[float, float, float, float], zorder: float
) -> None:
    axes.imshow(colours, origin="lower", extent=extent, interpolation="nearest", zorder=zorder)


def _robot_handles(robots: int) -> list[Artist]:
    if robots > MOST_NAMED:
        return [_mark("o", INK, "white", f"robots 0 to {robots - 1} at the end")]
    return [_mark(robot_marker(robot), robot_colour(robot), "white", f"robot {robot}") for robot in range(robots)]


def _mark(marker: str, face: str, edge: str, label: str) -> Line2D:
    return Line2D(
        [], [], linestyle="none", marker=marker, markersize=4.2, markerfacecolor=face, markeredgecolor=edge,
        markeredgewidth=0.6, label=label,
    )  # fmt: skip
