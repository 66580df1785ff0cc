"""Pictures of terrains, fit for a paper and as the ground of other plots.

`draw` puts a terrain onto axes in metres and returns what a legend would say; `save_picture` makes a whole figure.
Walls have the colour of their material, low ones a paler shade of it; rough ground is shaded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, PathPatch
from matplotlib.patches import Rectangle as Box
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray

from expedition.plotstyle import FONT, FONT_SIZE, INK, legend, new_figure, robot_colour, save, tidy
from expedition.terrain.changes import Collapse, Door, Person
from expedition.terrain.material import MATERIALS
from expedition.terrain.terrain import Terrain

LOW_WALL = 1.5
"""Walls below this many metres are drawn paler: a person looks over them."""

MAX_PIXELS = 2400
"""Terrains with more cells to a side are drawn from blocks of cells, so that a picture stays small."""

SMOOTH, ROUGH = np.array(to_rgb("#ffffff")), np.array(to_rgb("#f3df7c"))
DOOR, PERSON, COLLAPSE, LANDMARK = "#c2571a", "#7a5195", "#b3261e", "#1a9850"


def draw(
    terrain: Terrain,
    axes: Axes,
    *,
    starts: Sequence[tuple[float, float]] = (),
    landmarks: bool = True,
    changes: bool = True,
    start_radius: float = 0.3,
) -> list[Artist]:
    """Draw a terrain onto axes, in metres, beneath whatever else is drawn there; returns handles for a legend.

    The legend is the caller's, since only the caller knows what else it must say. It is empty for a terrain of high
    walls of one material. Robots at `starts` are numbered discs, never too small to see.
    """
    block = max(1, math.ceil(max(terrain.shape) / MAX_PIXELS))
    heights, materials, speeds = layers_in_blocks(terrain, block)
    left, _, bottom, _ = terrain.extent
    right = left + heights.shape[1] * block * terrain.resolution
    top = bottom + heights.shape[0] * block * terrain.resolution
    axes.imshow(
        _colours(heights, materials, speeds),
        origin="lower",
        extent=(left, right, bottom, top),
        interpolation="antialiased",
        interpolation_stage="rgba",
        zorder=0,
    )
    axes.set(xlim=terrain.extent[:2], ylim=terrain.extent[2:], aspect="equal", xlabel="x (m)", ylabel="y (m)")
    tidy(axes)
    handles = [*_wall_handles(heights, materials), *_ground_handles(speeds[heights == 0])]
    if landmarks and terrain.landmarks:
        handles.append(_draw_landmarks(terrain, axes))
    if changes:
        handles += _draw_changes(terrain, axes)
    for robot, (x, y) in enumerate(starts):
        _draw_start(axes, robot, x, y, max(start_radius, 0.0115 * (right - left)))
    return handles


def save_picture(
    terrain: Terrain,
    path: str | Path,
    *,
    width_cm: float = 12.0,
    starts: Sequence[tuple[float, float]] = (),
    title: str | None = None,
    landmarks: bool = True,
    changes: bool = True,
) -> Path:
    """Write a picture of a terrain as PNG, SVG or PDF."""
    left, right, bottom, top = terrain.extent
    ratio = (top - bottom) / (right - left)
    # A very long and thin terrain gets a figure that is still a figure.
    height_cm = min(max((width_cm - 1.3) * ratio, 1.5), 2.5 * width_cm)
    figure = new_figure(width_cm, height_cm + 1.1)
    axes = figure.add_subplot()
    if title:
        axes.set_title(title)
    handles = draw(terrain, axes, starts=starts, landmarks=landmarks, changes=changes)
    legend(figure, handles)
    if title:
        figure.set_figheight(figure.get_figheight() + 0.18)
    return save(figure, path)


def pixels(terrain: Terrain, most: int) -> NDArray[np.uint8]:
    """The cells of a terrain as an RGB picture of at most so many pixels to a side; the first row is the lowest y."""
    return _colours(*layers_in_blocks(terrain, max(1, math.ceil(max(terrain.shape) / most))))


def layers_in_blocks(terrain: Terrain, block: int) -> tuple[NDArray[np.uint16], NDArray[np.uint8], NDArray[np.uint8]]:
    """Heights, materials and speeds of blocks of cells; the highest wall of a block stands for it."""
    heights, materials, speeds = terrain.wall_height_cm, terrain.material, terrain.speed_percent
    if block == 1:
        return heights, materials, speeds
    rows, columns = (math.ceil(side / block) for side in terrain.shape)
    highest = np.zeros((rows, columns), dtype=np.uint16)
    of_highest = np.array(materials[::block, ::block])
    slowest = np.full((rows, columns), 100, dtype=np.uint8)
    for down in range(block):
        for across in range(block):
            part = heights[down::block, across::block]
            here = (slice(part.shape[0]), slice(part.shape[1]))
            higher = part > highest[here]
            of_highest[here][higher] = materials[down::block, across::block][higher]
            np.maximum(highest[here], part, out=highest[here])
            np.minimum(slowest[here], speeds[down::block, across::block], out=slowest[here])
    return highest, of_highest, slowest


def _colours(heights: NDArray[np.uint16], materials: NDArray[np.uint8], speeds: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """An RGB picture by table look-up: a free cell by its speed, a wall by its material and whether it is low."""
    palette = np.empty((101 + 2 * len(MATERIALS), 3))
    palette[:101] = SMOOTH + (ROUGH - SMOOTH) * (1 - np.arange(101)[:, None] / 100)
    for index, material in enumerate(MATERIALS):
        palette[101 + 2 * index] = to_rgb(material.colour)
        palette[102 + 2 * index] = _pale(material.colour)
    entry = np.where(heights == 0, speeds, 101 + 2 * materials.astype(np.uint16) + (heights < 100 * LOW_WALL))
    colours: NDArray[np.uint8] = np.round(255 * palette).astype(np.uint8)[entry]
    return colours


def _pale(colour: str) -> tuple[float, float, float]:
    red, green, blue = (0.45 * part + 0.55 for part in to_rgb(colour))
    return red, green, blue


def _wall_handles(heights: NDArray[np.uint16], materials: NDArray[np.uint8]) -> list[Artist]:
    """One entry for each kind of wall, if there is more than one kind."""
    walls = heights > 0
    kinds = np.unique(2 * materials[walls].astype(np.uint16) + (heights[walls] < 100 * LOW_WALL))
    if len(kinds) < 2 and not any(kinds % 2):
        return []
    handles: list[Artist] = []
    for kind in kinds.tolist():
        material, low = MATERIALS[kind // 2], kind % 2
        colour = _pale(material.colour) if low else material.colour
        name = f"{material.name}, below {LOW_WALL:g} m" if low else material.name
        handles.append(Patch(facecolor=colour, edgecolor="none", label=name))
    return handles


def _ground_handles(speeds: NDArray[np.uint8]) -> list[Artist]:
    if not speeds.size or (slowest := int(speeds.min())) == 100:
        return []
    shade = SMOOTH + (ROUGH - SMOOTH) * (1 - slowest / 100)
    return [Patch(facecolor=shade, edgecolor=INK, linewidth=0.3, label=f"rough ground, speed down to {slowest} %")]


def _draw_landmarks(terrain: Terrain, axes: Axes) -> Artist:
    (points,) = axes.plot(
        [landmark.x for landmark in terrain.landmarks],
        [landmark.y for landmark in terrain.landmarks],
        linestyle="none",
        marker="s",
        markersize=1.8,
        markerfacecolor=LANDMARK,
        markeredgecolor="white",
        markeredgewidth=0.2,
        label="landmark",
        zorder=2,
    )
    return points


def _draw_changes(terrain: Terrain, axes: Axes) -> list[Artist]:
    """Doors, people and collapses; one handle for each kind that there is."""
    handles: dict[str, Artist] = {}
    for change in terrain.changes:
        if isinstance(change, Person):
            x, y = change.waypoints[0]
            if len(change.waypoints) > 1:
                xs, ys = zip(*change.waypoints, change.waypoints[0], strict=True)
                axes.plot(xs, ys, color=PERSON, linewidth=0.6, linestyle=(0, (4, 2)), zorder=2)
            axes.add_patch(Circle((x, y), change.radius, facecolor=PERSON, edgecolor="white", linewidth=0.3, zorder=3))
            handles["person"] = Line2D([], [], linestyle="none", marker="o", markersize=4, color=PERSON, label="person")
            continue
        area = change.area
        corner, width, height = (area.left, area.bottom), area.right - area.left, area.top - area.bottom
        if isinstance(change, Door):
            face = DOOR if change.closed else "none"
            axes.add_patch(Box(corner, width, height, facecolor=face, edgecolor=DOOR, linewidth=0.7, zorder=2))
            name = "door, closed at first" if change.closed else "door"
            handles[name] = Patch(facecolor=face, edgecolor=DOOR, linewidth=0.7, label=name)
        elif isinstance(change, Collapse):
            style = {"facecolor": "none", "edgecolor": COLLAPSE, "linewidth": 0.6, "hatch": "//////"}
            axes.add_patch(Box(corner, width, height, zorder=2, **style))  # type: ignore[arg-type]
            axes.text(
                area.left + width / 2,
                area.bottom + height / 2,
                f"{change.time:g} s",
                fontsize=FONT_SIZE - 1.5,
                fontfamily=FONT,
                color=COLLAPSE,
                ha="center",
                va="center",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
                clip_on=True,
                zorder=3,
            )
            handles["collapse"] = Patch(label="collapse", **style)  # type: ignore[arg-type]
    return list(handles.values())


def _draw_start(axes: Axes, robot: int, x: float, y: float, radius: float) -> None:
    """A disc with the robot's number, whose outline is drawn in metres so that it always fits."""
    axes.add_patch(Circle((x, y), radius, facecolor=robot_colour(robot), edgecolor="none", zorder=4))
    outline = TextPath((0, 0), str(robot), size=1, prop=FontProperties(family=FONT))
    box = outline.get_extents()
    scale = 1.3 * radius / math.hypot(box.width, box.height)
    middle = Affine2D().translate(-(box.x0 + box.x1) / 2, -(box.y0 + box.y1) / 2).scale(scale).translate(x, y)
    axes.add_patch(PathPatch(middle.transform_path(outline), facecolor="white", edgecolor="none", zorder=5))
