"""Draws robots: a disc in the robot's colour with a nose that shows its heading, or its outline where it is larger."""

from __future__ import annotations

import math

import numpy as np

from expedition.film.canvas import Canvas, turned
from expedition.film.layers import MOST_NAMED
from expedition.film.theme import Colour, mix
from expedition.log.scene import Floats, Header, Scene

WHITE = (255, 255, 255)
ASTRAY = 0.5
"""Metres between where a robot is and where it believes to be, from which both are shown."""
LARGE = 1.8
"""Robots are drawn as they are from so many times the size of their disc on."""
DEAD = ("robot", "battery")
"""What is broken of a robot that does nothing any more."""


def is_dead(failed: str) -> bool:
    """Whether a robot is out of action, by what is broken of it."""
    return any(part in DEAD for part in failed.split(", "))


def radius_for(robots: int) -> float:
    """The size of a robot's disc, in pixels of 1280 x 720: smaller the more there are."""
    return 7.5 if robots <= 16 else 6.0 if robots <= MOST_NAMED else 4.2


class RobotMarks:
    """How the robots of a mission are drawn."""

    def __init__(self, header: Header, named: bool) -> None:
        self._footprints = header.footprints
        self._reach = [float(np.hypot(*outline.T).max()) for outline in header.footprints]
        self._size = radius_for(header.robots)
        self._named = named and header.robots <= MOST_NAMED
        self._lettered = header.robots <= MOST_NAMED

    def draw(self, canvas: Canvas, scene: Scene, poses: Floats) -> None:
        """Draw them at poses (robots, 3), those out of action beneath the others."""
        order = sorted(range(len(poses)), key=lambda robot: not is_dead(scene.failed[robot]))
        for robot in order:
            x, y, heading = poses[robot].tolist()
            if canvas.shows(x, y):
                self._astray(canvas, robot, (x, y), scene.poses[robot])
                self._robot(canvas, robot, (x, y, heading), scene)

    def _robot(self, canvas: Canvas, robot: int, pose: tuple[float, float, float], scene: Scene) -> None:
        (x, y, heading), theme = pose, canvas.theme
        failed, role = scene.failed[robot], scene.roles[robot]
        dead = is_dead(failed)
        colour = mix(theme.robot(robot), theme.broken, 0.75) if dead else theme.robot(robot)
        size = self._body(canvas, robot, pose, colour)
        if failed and not dead:
            canvas.disc(x, y, size + 3.5, None, theme.failed, 2.0)
        if dead:
            canvas.cross(x, y, 1.05 * size, theme.failed, 2.6)
        elif role and self._lettered:
            canvas.write(x, y, role[0].upper(), 1.35 * min(size, 14.0), WHITE, bold=True)
        elif role:
            canvas.disc(x, y, size + 1.5, None, theme.ink, 1.0)
        if self._named:
            # The number stands where the robot comes from, so that it hides neither its nose nor its way.
            up = -1.0 if math.sin(heading) > 0.0 else 1.0
            shift = (size + 4.0, up * (size + 2.0))
            canvas.write(x, y, str(robot), 12.0, theme.ink, shift, "lm", True, theme.page)

    def _body(self, canvas: Canvas, robot: int, pose: tuple[float, float, float], colour: Colour) -> float:
        """Draw a robot's body; its radius in pixels of 1280 x 720."""
        (x, y, heading), theme = pose, canvas.theme
        true = self._reach[robot] / canvas.metres(1.0)
        if true > LARGE * self._size:
            reach = self._reach[robot]
            nose = np.array([(1.45 * reach, 0.0), (0.8 * reach, 0.5 * reach), (0.8 * reach, -0.5 * reach)])
            for outline in (nose, self._footprints[robot]):
                canvas.polygon(turned(outline, heading) + np.array([x, y]), colour, theme.page, 1.2)
            return true
        size = self._size
        for grown, fill in ((1.4, theme.page), (0.0, colour)):
            nose = np.array(
                [
                    (1.75 * size + 1.6 * grown, 0.0),
                    (0.3 * size, 0.92 * size + grown),
                    (0.3 * size, -0.92 * size - grown),
                ]
            )
            canvas.shape(x, y, turned(nose, heading), fill)
            canvas.disc(x, y, size + grown, fill)
        return size

    def _astray(self, canvas: Canvas, robot: int, shown: tuple[float, float], true: Floats) -> None:
        """A ring where a robot really is, should it be drawn elsewhere."""
        x, y = float(true[0]), float(true[1])
        if math.hypot(x - shown[0], y - shown[1]) > max(ASTRAY, canvas.metres(1.5 * self._size)):
            colour = canvas.theme.robot(robot)
            canvas.dashes(np.array([shown, (x, y)]), colour, 1.0, 2.0, 3.0)
            canvas.disc(x, y, 0.8 * self._size, None, colour, 1.6)
