"""A robot's map in coloured characters, two cells above one another sharing one, with the robots on it."""

from __future__ import annotations

from functools import cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from rich.style import Style
from rich.text import Text

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.plotstyle import robot_colour
from expedition.terrain.sketch import dark_halves, edges, halves_in

KNOWN = 0.3
"""The share of half a character that must be known for it to count as such."""
COLOURS = {FREE: "#4c5561", OCCUPIED: "#f2f2f2"}
"""Of free ground and walls; the unknown has the terminal's own."""
PLAIN = {UNKNOWN: " ", FREE: ".", OCCUPIED: "#"}
"""Where there are no colours, or no characters but the oldest."""


def map_sketch(
    state: NDArray[np.uint8],
    frame: Frame,
    extent: tuple[float, float, float, float],
    poses: NDArray[np.float64],
    width: int,
    height: int,
    plain: bool = False,
) -> list[Text]:
    """The lines of a map's part in `extent` (left, right, bottom, top), at most that many characters wide and high."""
    (bottom, left), (top, right) = (frame.cell(extent[side], extent[side + 2]) for side in (0, 1))
    cells = state[bottom:top, left:right][::-1]
    tall, wide = halves_in(cells.shape, width, height)
    halves = _halves(cells, tall, wide)
    robots: dict[tuple[int, int], int] = {}
    for robot, (x, y) in reversed(list(enumerate(poses[:, :2].tolist()))):
        across = int((x - extent[0]) / (extent[1] - extent[0]) * wide)
        down = int((extent[3] - y) / (extent[3] - extent[2]) * tall)
        robots[min(max(down, 0), tall - 1) // 2, min(max(across, 0), wide - 1)] = robot
    draw = _plain if plain else _coloured
    lines = []
    for row, (above, below) in enumerate(zip(halves[0::2].tolist(), halves[1::2].tolist(), strict=True)):
        drawn = [draw(*pair, robots.get((row, column))) for column, pair in enumerate(zip(above, below, strict=True))]
        runs = groupby(drawn, key=lambda character: character[1])
        lines.append(Text.assemble(*(("".join(mark for mark, _ in run), style) for style, run in runs)))
    return lines


def _halves(cells: NDArray[np.uint8], tall: int, wide: int) -> NDArray[np.uint8]:
    """What each half character shows."""
    dark = dark_halves(cells == OCCUPIED, tall, wide)
    down, across = edges(max(cells.shape[0], tall), tall), edges(max(cells.shape[1], wide), wide)
    padded = np.zeros((down[-1], across[-1]))
    padded[: cells.shape[0], : cells.shape[1]] = cells != UNKNOWN
    known = np.add.reduceat(np.add.reduceat(padded, down[:-1], axis=0), across[:-1], axis=1)
    free = known > KNOWN * np.outer(np.diff(down), np.diff(across))
    return np.where(dark, OCCUPIED, np.where(free, FREE, UNKNOWN)).astype(np.uint8)


@cache
def _coloured(above: int, below: int, robot: int | None) -> tuple[str, Style]:
    if robot is not None:
        return "●", Style(color=robot_colour(robot), bgcolor=COLOURS[FREE], bold=True)
    if above == below == UNKNOWN:
        return " ", Style.null()
    if above == UNKNOWN:
        return "▄", Style(color=COLOURS[below])
    if above == below:
        return "█", Style(color=COLOURS[above])
    return "▀", Style(color=COLOURS[above], bgcolor=COLOURS.get(below))


@cache
def _plain(above: int, below: int, robot: int | None) -> tuple[str, Style]:
    return PLAIN[max(above, below)] if robot is None else "@", Style.null()
