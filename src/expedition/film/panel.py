"""One map with all that is on it."""

from __future__ import annotations

import math

from PIL import Image

from expedition.film.canvas import FINER, Canvas
from expedition.film.ground import Ground
from expedition.film.robots import RobotMarks
from expedition.film.theme import Theme
from expedition.film.things import draw_base, draw_landmarks, draw_people, draw_scans, draw_tags
from expedition.film.view import View, around, fit
from expedition.film.ways import Trails, draw_goals, draw_links, draw_paths
from expedition.log.history import Which
from expedition.log.reader import LogReader
from expedition.log.scene import Floats, Scene

FOLLOWED = 24.0
"""Metres that a film which follows a robot shows to its shorter side; never more than half of the terrain."""


class Panel:
    """A map, drawn moment by moment.

    On the truth robots are where they are; on maps they are where they believe to be, as everything else on these.
    """

    def __init__(
        self, log: LogReader, which: Which, layers: frozenset[str], theme: Theme, unit: float, follow: int | None
    ) -> None:
        self._log = log
        self._which = which
        self._layers = layers
        self._theme = theme
        self._unit = unit
        self._follow = follow
        self._ground = Ground(log, which, theme, layers)
        self._robots = RobotMarks(log.header, "names" in layers)
        self._trails = Trails(log, not self.is_true) if "trails" in layers else None

    @property
    def is_true(self) -> bool:
        """Whether the panel shows how things are."""
        return self._which == "truth"

    def size(self, width: int, height: int) -> tuple[int, int]:
        """The pixels of those allowed that it takes."""
        if self._follow is not None:
            return width, height
        view = fit(self._log.header.extent, width, height)
        return view.width, view.height

    def view(self, scene: Scene, width: int, height: int) -> View:
        """What it shows of the world at a moment."""
        left, right, bottom, top = extent = self._log.header.extent
        if self._follow is None:
            return fit(extent, width, height)
        x, y, _ = self._poses(scene)[self._follow].tolist()
        metres = min(FOLLOWED, 0.5 * min(right - left, top - bottom))
        # No film shows more of the outside than it must.
        half = 0.5 * metres / min(width, height)
        return around(
            _within(x, left, right, half * width), _within(y, bottom, top, half * height), metres, width, height
        )

    def draw(self, scene: Scene, width: int, height: int) -> Image.Image:
        """The panel at a moment."""
        view = self.view(scene, width, height).grown(FINER)
        canvas = Canvas(self._ground.image(scene.time, view), view, self._theme, self._unit)
        header, layers, poses = self._log.header, self._layers, self._poses(scene)
        if self._trails is not None:
            self._trails.draw(canvas, scene.time, poses)
        if "links" in layers:
            draw_links(canvas, scene, poses, header.base)
        if "scans" in layers and not self.is_true:
            draw_scans(canvas, scene)
        if "landmarks" in layers:
            draw_landmarks(canvas, header, scene, self.is_true)
        if "paths" in layers:
            draw_paths(canvas, scene)
        if "tags" in layers:
            draw_tags(canvas, scene)
        if "base" in layers:
            draw_base(canvas, header.base)
        if "goals" in layers:
            draw_goals(canvas, scene)
        if "people" in layers:
            draw_people(canvas, header, scene)
        if "robots" in layers:
            self._robots.draw(canvas, scene, poses)
        return canvas.finish()

    def title(self) -> str:
        """What the map is."""
        if isinstance(self._which, int):
            return f"map of robot {self._which}"
        return {"union": "map of all robots together", "base": "map of the base", "truth": "truth"}[self._which]

    def _poses(self, scene: Scene) -> Floats:
        return scene.poses if self.is_true else scene.believed


def _within(middle: float, low: float, high: float, half: float) -> float:
    """A middle moved so that what is `half` to either side lies within bounds, if it can."""
    if math.isnan(middle) or high - low <= 2.0 * half:
        return 0.5 * (low + high)
    return min(max(middle, low + half), high - half)
