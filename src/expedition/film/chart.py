"""The curves beside a map: the explored share over time, with a line that moves."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from expedition.film.canvas import FINER
from expedition.film.lettering import Text, width_of
from expedition.film.theme import Colour, Theme, mix
from expedition.film.view import scale_bar
from expedition.log.scene import Floats, Series

MOST_CURVES = 16
"""Robots that have a curve each."""


class Chart:
    """Curves in a box of pixels."""

    def __init__(self, series: Series, theme: Theme, unit: float, span: tuple[float, float]) -> None:
        """`span` are the seconds from left to right."""
        self._series = series
        self._theme = theme
        self._unit = unit
        self._span = span
        self._still: tuple[tuple[int, int], Image.Image] | None = None

    def draw(self, time: float, width: int, height: int) -> Image.Image:
        """The chart at a time: what was is strong, what comes is pale."""
        if self._still is None or self._still[0] != (width, height):
            self._still = (width, height), self._frame(width, height)
        image, theme = self._still[1].copy(), self._theme
        draw = ImageDraw.Draw(image)
        box = self._box(width, height)
        series = self._series
        until = int(np.searchsorted(series.times, time, side="right"))
        robots = series.explored.shape[1]
        if robots <= MOST_CURVES:
            for robot in range(robots):
                colour = mix(theme.line(robot), theme.page, 0.25)
                self._curve(draw, box, series.times[:until], series.explored[:until, robot], colour, 1.1)
        if not np.isnan(series.at_base).all():
            self._curve(draw, box, series.times[:until], series.at_base[:until], theme.quiet, 2.0)
        self._curve(draw, box, series.times[:until], series.union[:until], theme.ink, 2.4)
        (x,) = self._across(box, np.array([time]))
        wide = max(1, round(1.0 * FINER * self._unit))
        draw.line((x, box[1], x, box[3]), fill=theme.failed, width=wide)
        shown = image.reduce(FINER)
        self._letters(shown, width, height)
        return shown

    def _frame(self, width: int, height: int) -> Image.Image:
        """What stays the same: the grid, and the whole curve."""
        image = Image.new("RGB", (width * FINER, height * FINER), self._theme.page)
        draw, box = ImageDraw.Draw(image), self._box(width, height)
        wide = max(1, round(0.8 * FINER * self._unit))
        for share in (0.0, 0.5, 1.0):
            y = box[3] + share * (box[1] - box[3])
            draw.line((box[0], y, box[2], y), fill=self._theme.rule, width=wide)
        self._curve(draw, box, self._series.times, self._series.union, self._theme.rule, 2.0)
        return image

    def _letters(self, image: Image.Image, width: int, height: int) -> None:
        draw, theme, size = ImageDraw.Draw(image), self._theme, max(11.0 * self._unit, 8.0)
        left, top, right, bottom = (edge / FINER for edge in self._box(width, height))
        Text(0, top - 0.9 * size, "explored share", size, theme.quiet).write(draw)
        if not np.isnan(self._series.at_base).all():
            x = right - width_of("at the base", size)
            Text(x, top - 0.9 * size, "at the base", size, theme.quiet).write(draw)
            Text(x - 0.9 * size, top - 0.9 * size, "all robots", size, theme.ink, "rs", True).write(draw)
        for share, words in ((0.0, "0"), (0.5, "50 %"), (1.0, "100 %")):
            y = bottom + share * (top - bottom)
            Text(left - 0.5 * size, y, words, size, theme.quiet, "rm").write(draw)
        begin, end = self._span
        step = scale_bar(max((end - begin) / 2.5, 1e-3))
        at = np.arange(np.ceil(begin / step) * step, end + 1e-9, step)
        for x, seconds in zip((self._across(self._box(width, height), at) / FINER).tolist(), at.tolist(), strict=True):
            Text(x, bottom + 0.6 * size, f"{seconds:g} s", size, theme.quiet, "ma").write(draw)

    def _curve(
        self, draw: ImageDraw.ImageDraw, box: tuple[float, ...], times: Floats, shares: Floats, colour: Colour,
        wide: float,
    ) -> None:  # fmt: skip
        shown = (times >= self._span[0]) & (times <= self._span[1]) & ~np.isnan(shares)
        # More points than pixels make no better line.
        at = np.flatnonzero(shown)
        at = at[:: max(1, len(at) // 1500)]
        if len(at) > 1:
            points = np.column_stack([self._across(box, times[at]), box[3] + shares[at] * (box[1] - box[3])])
            width = max(1, round(wide * FINER * self._unit))
            draw.line(points.ravel().tolist(), fill=colour, width=width, joint="curve")

    def _across(self, box: tuple[float, ...], times: Floats) -> Floats:
        begin, end = self._span
        across: Floats = box[0] + (times - begin) / max(end - begin, 1e-9) * (box[2] - box[0])
        return across

    def _box(self, width: int, height: int) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the curves, in the finer pixels."""
        size = max(11.0 * self._unit, 8.0)
        return FINER * 4.0 * size, FINER * 2.4 * size, FINER * (width - 1.2 * size), FINER * (height - 2.0 * size)
