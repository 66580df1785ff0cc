"""The lines above maps: what the mission is, what time it is in it, and how much is explored."""

from __future__ import annotations

import math

from PIL import ImageDraw

from expedition.film.lettering import Text, fitted, width_of
from expedition.film.theme import Theme
from expedition.log.scene import Header, Scene

HEIGHT = 66.0
"""In pixels of 1280 x 720, as all sizes here."""
TITLE, TIME, SMALL = 22.0, 24.0, 13.0
UPPER, LOWER = 34.0, 54.0
"""Where the two lines stand."""


def draw_heading(
    draw: ImageDraw.ImageDraw, header: Header, scene: Scene, theme: Theme, unit: float, left: float, right: float,
    fine: bool,
) -> None:  # fmt: skip
    """Write the lines between two edges; `fine` has tenths of seconds. What stands at the left gives way."""
    time, known = clock(scene.time, fine), _explored(scene)
    room = right - left - max(width_of(time, TIME * unit, True), width_of(known, SMALL * unit)) - 20.0 * unit
    name, rest = fitted(header.terrain.name, TITLE * unit, room, True), fitted(what_it_is(header), SMALL * unit, room)
    Text(left, UPPER * unit, name, TITLE * unit, theme.ink, bold=True).write(draw)
    Text(left, LOWER * unit, rest, SMALL * unit, theme.quiet).write(draw)
    Text(right, UPPER * unit, time, TIME * unit, theme.ink, "rs", True).write(draw)
    Text(right, LOWER * unit, known, SMALL * unit, theme.quiet, "rs").write(draw)


def what_it_is(header: Header) -> str:
    """A mission's strategy, fleet and seed."""
    robots = f"{header.robots} {'robot' if header.robots == 1 else 'robots'}"
    return f"{header.strategy}, {robots}, seed {header.seed}"


def clock(seconds: float, fine: bool) -> str:
    """A time as on a clock; `fine` with tenths of a second."""
    tenths = round(10.0 * seconds) if fine else 10 * int(seconds + 1e-6)
    hours, minutes, rest = tenths // 36000, tenths // 600 % 60, tenths % 600
    written = f"{rest // 10:02d}.{rest % 10}" if fine else f"{rest // 10:02d}"
    return f"{hours}:{minutes:02d}:{written}" if hours else f"{minutes}:{written}"


def _explored(scene: Scene) -> str:
    known = f"{100.0 * scene.union:.1f} % explored"
    return known if math.isnan(scene.at_base) else f"{known}, {100.0 * scene.at_base:.1f} % at the base"
