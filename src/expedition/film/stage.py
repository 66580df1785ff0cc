"""A whole picture of a moment: heading, one or two maps, and what stands beside them."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageDraw

from expedition.film.chart import Chart
from expedition.film.heading import HEIGHT, draw_heading
from expedition.film.lettering import Text, fitted, width_of
from expedition.film.panel import Panel
from expedition.film.roster import Roster
from expedition.film.shot import Shot
from expedition.film.theme import DARK, LIGHT
from expedition.film.view import View, scale_bar
from expedition.log.history import Which
from expedition.log.reader import LogReader
from expedition.log.scene import Scene

MARGIN, FOOT, GAP = 22.0, 30.0, 18.0
"""In pixels of 1280 x 720, and so in the rest of the file where nothing else is said."""
COLUMN = 300.0
"""Width of what stands beside maps, or height of what stands beneath them."""
NARROWEST, WIDEST = 230.0, 620.0
ROOMY = 400.0
"""The width beside maps from which it has curves unless told otherwise."""
FINE_CLOCK = 90.0
"""Seconds; a film of less of a mission has tenths on its clock."""
SMALLEST_UNIT = 0.62


@dataclass(frozen=True)
class Box:
    """A part of the picture, in its pixels."""

    left: int
    top: int
    width: int
    height: int


class Stage:
    """Draws the moments of a mission as pictures of one size."""

    def __init__(self, log: LogReader, shot: Shot, span: tuple[float, float], speed: float | None = None) -> None:
        """`span` is the time from the first to the last moment; `speed` is told, if there is one."""
        self._log = log
        self._shot = shot
        self._theme = DARK if shot.dark else LIGHT
        self._span = span
        self._speed = speed
        self.unit = unit = max(SMALLEST_UNIT, min(max(shot.size) / 1280, min(shot.size) / 720))
        maps: tuple[Which, ...] = ("truth", shot.which) if shot.side_by_side else (shot.which,)
        self.panels = [Panel(log, which, shot.layers, self._theme, unit, shot.follow) for which in maps]
        self.boxes, self._side = self._lay_out()
        self._chart = Chart(log.series, self._theme, unit, span) if self._has_curves() else None
        only_truth = all(panel.is_true for panel in self.panels)
        self._roster = Roster(log, shot.layers, self._theme, unit, only_truth) if self._side else None

    def draw(self, time: float) -> Image.Image:
        """The picture of a moment."""
        scene = self._log.scene(time)
        image = Image.new("RGB", self._shot.size, self._theme.page)
        draw = ImageDraw.Draw(image)
        for panel, box in zip(self.panels, self.boxes, strict=True):
            image.paste(panel.draw(scene, box.width, box.height), (box.left, box.top))
            edge = (box.left - 1, box.top - 1, box.left + box.width, box.top + box.height)
            draw.rectangle(edge, outline=self._theme.rule)
            self._foot(draw, panel.title(), panel.view(scene, box.width, box.height), box)
        self._beside(image, scene)
        fine = self._span[1] - self._span[0] < FINE_CLOCK
        margin, width = MARGIN * self.unit, self._shot.size[0]
        draw_heading(draw, self._log.header, scene, self._theme, self.unit, margin, width - margin, fine)
        return image

    def _foot(self, draw: ImageDraw.ImageDraw, title: str, view: View, box: Box) -> None:
        """What a map is, and how long a length is on it."""
        unit, theme, size = self.unit, self._theme, 12 * self.unit
        metres = scale_bar(min(0.25 * box.width, 160 * unit) / view.scale)
        long, words = metres * view.scale, f"{metres:g} m"
        y, right = box.top + box.height + 19 * unit, box.left + box.width
        if self._speed is not None and not self._shot.side_by_side:
            title = f"{title}, {speed_words(self._speed)}"
        room = box.width - long - width_of(words, size) - 24 * unit
        Text(box.left, y, fitted(title, size, room), size, theme.quiet).write(draw)
        Text(right - long - 6 * unit, y, words, size, theme.quiet, "rs").write(draw)
        low, wide = y - 1, max(1, round(1.6 * unit))
        draw.line((right - long, low, right, low), fill=theme.ink, width=wide)
        for end in (right - long, right):
            draw.line((end, low - 5 * unit, end, low), fill=theme.ink, width=wide)

    def _beside(self, image: Image.Image, scene: Scene) -> None:
        if self._side is None or self._roster is None:
            return
        box, unit = self._side, self.unit
        left, top, width, height = box.left, box.top, box.width, box.height
        if self._chart is not None:
            if width > 1.6 * height:  # beneath the maps: chart and list stand side by side
                wide = round(0.55 * width)
                image.paste(self._chart.draw(scene.time, wide, height), (left, top))
                left, width = left + wide + round(GAP * unit), width - wide - round(GAP * unit)
            else:
                high = round(min(0.62 * width, 0.5 * height))
                image.paste(self._chart.draw(scene.time, width, high), (left, top))
                top, height = top + high + round(GAP * unit), height - high - round(GAP * unit)
        if width > 40 and height > 40:
            image.paste(self._roster.draw(scene, width, height), (left, top))

    def _has_curves(self) -> bool:
        """Whether curves are wanted, or nobody said and there is room for them."""
        if self._shot.curves is None:
            return self._side is not None and self._side.width >= ROOMY * self.unit
        return self._shot.curves

    def _lay_out(self) -> tuple[list[Box], Box | None]:
        """Where maps stand, and what is beside or beneath them, if there is room or curves are wanted."""
        unit, (full_width, full_height) = self.unit, self._shot.size
        gap, margin, foot = (round(part * unit) for part in (GAP, MARGIN, FOOT))
        top = round(HEIGHT * unit)
        width, height = full_width - 2 * margin, full_height - top - foot - round(8 * unit)
        maps = len(self.panels)
        wanted, upright = bool(self._shot.curves), full_height > full_width
        column = round(COLUMN * unit) + gap if wanted and not upright else 0
        below = round(COLUMN * unit) if wanted and upright else 0
        across, down = self.panels[0].size((width - column - (maps - 1) * gap) // maps, height - below)
        used = maps * across + (maps - 1) * gap
        beside = width - used - gap
        side = None
        if beside >= round(NARROWEST * unit):
            wide = min(beside, round(WIDEST * unit))
            left = margin + (width - used - gap - wide) // 2
            side = Box(left + used + gap, top, wide, max(down, min(height, round(400 * unit))))
        elif (beneath := height - down - foot) >= round(0.6 * NARROWEST * unit):
            left = margin + (width - used) // 2
            side = Box(margin, top + down + foot, width, beneath)
        else:
            left = margin + (width - used) // 2
        if side is None or side.top == top:
            top += max(0, (height - max(down, side.height if side else 0)) // 2)
            side = side and Box(side.left, top, side.width, side.height)
        return [Box(left + number * (across + gap), top, across, down) for number in range(maps)], side


def speed_words(speed: float) -> str:
    """How fast a film goes."""
    return "as fast as it was" if abs(speed - 1.0) < 1e-9 else f"{speed:.3g} × as fast as it was"
