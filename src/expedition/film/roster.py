"""The list of robots beside a map, and what the signs on it mean."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from PIL import Image

from expedition.film.canvas import FINER, Canvas
from expedition.film.lettering import fitted, width_of
from expedition.film.robots import is_dead
from expedition.film.theme import Theme, mix
from expedition.film.things import DOOR, FLAG, HOUSE
from expedition.film.view import View
from expedition.log.reader import LogReader
from expedition.log.scene import Scene

ROW = 22.0
"""Height of a row, in pixels of 1280 x 720."""
SIZE = 12.0
NARROWEST, WIDEST, GAP = 170.0, 420.0, 26.0
"""Of a column of robots, and between two."""
SIGNS = {
    "robots": "robot", "goals": "goal", "paths": "path", "frontiers": "frontier", "links": "link", "base": "base",
    "tags": "tag", "people": "person", "failed": "broken down",
}  # fmt: skip


class Roster:
    """Robots row by row: colour, number, role, state, and how much each has explored."""

    def __init__(self, log: LogReader, layers: frozenset[str], theme: Theme, unit: float, true_only: bool) -> None:
        self._theme = theme
        self._unit = unit
        header = log.header
        there = {"base": header.base is not None, "tags": bool(log.scene(log.end).tags)}
        there |= {"people": bool(len(log.scene(log.start).people)), "frontiers": not true_only}
        self._signs = [sign for sign in SIGNS if sign in layers and there.get(sign, True)]
        if any(is_dead(failed) for failed in log.scene(log.end).failed):
            self._signs.append("failed")

    def draw(self, scene: Scene, width: int, height: int) -> Image.Image:
        """The list at a moment, and the signs beneath it."""
        view = View(0.0, 0.0, FINER * self._unit, width * FINER, height * FINER)
        canvas = Canvas(Image.new("RGB", (view.width, view.height), self._theme.page), view, self._theme, self._unit)
        across, down = width / self._unit, height / self._unit
        below = self._write_signs(canvas, across, down)
        robots, rows = len(scene.states), max(1, int((down - below - 0.3 * ROW) / ROW))
        columns = math.ceil(robots / rows)
        wide = min(WIDEST, (across + GAP) / columns - GAP)
        if wide >= NARROWEST:
            for robot in range(robots):
                left, row = robot // rows * (wide + GAP), robot % rows
                self._write_robot(canvas, scene, robot, left, left + wide, (row + 0.5) * ROW)
        else:
            self._write_counts(canvas, scene, min(WIDEST, across), down - below)
        return canvas.finish()

    def _write_robot(self, canvas: Canvas, scene: Scene, robot: int, left: float, right: float, y: float) -> None:
        theme, failed = self._theme, scene.failed[robot]
        dead = is_dead(failed)
        colour = mix(theme.robot(robot), theme.broken, 0.75) if dead else theme.robot(robot)
        canvas.disc(left + 9.0, -y, 8.0, colour)
        canvas.write(left + 9.0, -y, str(robot), 10.0, (255, 255, 255), bold=True)
        state = f"{failed} failed" if failed and failed != "robot" else "broken down" if failed else scene.states[robot]
        words = ", ".join(part for part in (scene.roles[robot], state) if part)
        share = f"{100.0 * scene.explored[robot]:.0f} %"
        battery = scene.batteries[robot]
        if not np.isnan(battery):
            share = f"{100.0 * battery:.0f} % battery   {share}"
        room = right - left - 28.0 - width_of(share, SIZE * self._unit) / self._unit - 8.0
        words = fitted(words, SIZE * self._unit, room * self._unit)
        canvas.write(left + 26.0, -y, words, SIZE, theme.failed if failed else theme.ink, anchor="lm")
        canvas.write(right, -y, share, SIZE, theme.quiet, anchor="rm")

    def _write_counts(self, canvas: Canvas, scene: Scene, across: float, down: float) -> None:
        """How many robots do what, where there is no room for each."""
        states = [
            "broken down" if is_dead(failed) else state
            for state, failed in zip(scene.states, scene.failed, strict=True)
        ]
        counts = Counter(state for state in states if state)
        roles = Counter(role for role in scene.roles if role)
        lines = [*counts.most_common(), *roles.most_common()]
        for row, (words, count) in enumerate(lines[: max(0, int(down / ROW))]):
            y = (row + 0.5) * ROW
            canvas.write(0.0, -y, words, SIZE, self._theme.ink, anchor="lm")
            canvas.write(across, -y, f"{count}", SIZE, self._theme.quiet, anchor="rm")

    def _write_signs(self, canvas: Canvas, across: float, down: float) -> float:
        """Write what signs mean at the bottom; the height that it takes."""
        rows: list[list[tuple[str, float]]] = [[]]
        x = 0.0
        for sign in self._signs:
            wide = 24.0 + width_of(SIGNS[sign], 11.0 * self._unit) / self._unit + 12.0
            if x + wide > across + 12.0 and rows[-1]:
                rows.append([])
                x = 0.0
            rows[-1].append((sign, x))
            x += wide
        height = len(rows) * 20.0
        for row, signs in enumerate(rows):
            y = down - height + (row + 0.5) * 20.0
            for sign, x in signs:
                self._sign(canvas, sign, x + 9.0, -y)
                canvas.write(x + 22.0, -y, SIGNS[sign], 11.0, self._theme.quiet, anchor="lm")
        return height if self._signs else 0.0

    def _sign(self, canvas: Canvas, sign: str, x: float, y: float) -> None:
        theme, colour = self._theme, self._theme.robot(0)
        ends = np.array([(x - 8.0, y), (x + 8.0, y)])
        if sign == "robots":
            canvas.shape(x, y, np.array([(9.5, 0.0), (1.5, 5.0), (1.5, -5.0)]), colour)
            canvas.disc(x, y, 5.5, colour)
        elif sign == "goals":
            canvas.disc(x, y, 5.0, None, colour, 1.7)
            canvas.disc(x, y, 1.8, colour)
        elif sign == "paths":
            canvas.dashes(ends, colour, 1.6, 4.0, 3.0)
        elif sign == "links":
            canvas.line(ends, theme.link, 1.2)
        elif sign == "frontiers":
            canvas.line(ends, theme.frontier, 3.0)
        elif sign == "base":
            canvas.shape(x, y, 0.8 * HOUSE, theme.base)
            canvas.shape(x, y, 0.8 * DOOR, theme.page)
        elif sign == "tags":
            canvas.shape(x - 3.0, y - 5.0, FLAG, theme.tag, theme.ink)
        elif sign == "people":
            canvas.disc(x, y, 5.5, theme.person)
        elif sign == "failed":
            canvas.disc(x, y, 5.5, theme.broken)
            canvas.cross(x, y, 5.5, theme.failed, 2.0)
