"""Draws what is no robot: the base station, tags, landmarks, people, and where beams ended."""

from __future__ import annotations

import math

import numpy as np

from expedition.film.canvas import Canvas
from expedition.film.theme import mix
from expedition.log.scene import Floats, Header, Scene, SeenLandmark
from expedition.terrain.changes import Person

HOUSE = np.array([(-7.0, -7.0), (7.0, -7.0), (7.0, 2.0), (0.0, 9.0), (-7.0, 2.0)])
DOOR = np.array([(-2.0, -7.0), (2.0, -7.0), (2.0, -0.5), (-2.0, -0.5)])
FLAG = np.array([(0.0, 0.0), (0.0, 10.0), (7.0, 7.5), (1.2, 5.0), (1.2, 0.0)])
CORNERS = np.linspace(0.0, math.tau, 24, endpoint=False)
MOST_TAGS = 400


def draw_base(canvas: Canvas, base: tuple[float, float] | None) -> None:
    """The base station, a house."""
    if base is not None and canvas.shows(*base):
        canvas.shape(*base, 1.25 * HOUSE, canvas.theme.page)
        canvas.shape(*base, HOUSE, canvas.theme.base)
        canvas.shape(*base, DOOR, canvas.theme.page)


def draw_tags(canvas: Canvas, scene: Scene) -> None:
    """The newest tags, a flag each."""
    for tag in scene.tags[-MOST_TAGS:]:
        if canvas.shows(tag.x, tag.y):
            canvas.shape(
                tag.x, tag.y, FLAG, mix(canvas.theme.tag, canvas.theme.robot(tag.robot), 0.15), canvas.theme.ink
            )


def draw_scans(canvas: Canvas, scene: Scene) -> None:
    """Where the beams of the last scans met something."""
    for robot, ends in enumerate(scene.scans):
        if ends is not None:
            canvas.dots(ends, canvas.theme.line(robot), 1.8)


def draw_people(canvas: Canvas, header: Header, scene: Scene) -> None:
    """People, as wide as they are but never too small to see."""
    radii = [change.radius for change in header.terrain.changes if isinstance(change, Person)]
    for number, (x, y) in enumerate(scene.people.tolist()):
        if canvas.shows(x, y):
            true = radii[number] / canvas.metres(1.0) if number < len(radii) else 0.0
            canvas.disc(x, y, max(6.0, true), canvas.theme.person, canvas.theme.page, 1.4)


def draw_landmarks(canvas: Canvas, header: Header, scene: Scene, true: bool) -> None:
    """Landmarks where they are, or where robots believe them to be, with two standard deviations around them."""
    if true:
        for mark in header.terrain.landmarks:
            if canvas.shows(mark.x, mark.y):
                canvas.square(mark.x, mark.y, 3.0, canvas.theme.landmark, canvas.theme.page)
        return
    for seen in scene.landmarks:
        if canvas.shows(seen.x, seen.y):
            canvas.polygon(ellipse(seen), None, mix(canvas.theme.robot(seen.robot), canvas.theme.free, 0.3), 1.0)
            canvas.square(seen.x, seen.y, 2.6, canvas.theme.landmark, canvas.theme.page)


def ellipse(seen: SeenLandmark) -> Floats:
    """(n, 2): two standard deviations around where a landmark is believed to be."""
    xx, xy, yy = seen.covariance
    variances, axes = np.linalg.eigh(np.array([[xx, xy], [xy, yy]]))
    reach = 2.0 * np.sqrt(np.maximum(variances, 0.0))
    circle = np.column_stack([np.cos(CORNERS), np.sin(CORNERS)])
    around: Floats = (circle * reach) @ axes.T + np.array([seen.x, seen.y])
    return around
