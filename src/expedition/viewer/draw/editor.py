"""The component of our own: the terrain that is drawn, on canvases filled by the scripts in `static/draw/`."""

from __future__ import annotations

from typing import Any

from nicegui.element import Element

from expedition.fleet import names
from expedition.plotstyle import robot_colour
from expedition.terrain import MATERIALS


class TerrainEditor(Element, component="editor.js"):
    """A terrain to draw. `first` says what is opened: a saved terrain or a registered one, if any."""

    def __init__(self, first: dict[str, str]) -> None:
        super().__init__()
        self._props["first"] = first
        self._props["materials"] = [{"name": one.name, "colour": one.colour} for one in MATERIALS]
        self._props["robots"] = names()
        self._props["colours"] = [robot_colour(robot) for robot in range(8)]
        self.classes("draw")

    def do(self, what: str, *given: Any) -> None:
        """Have the scripts do something, as `do("create", 40, 30, 0.1)`."""
        self.run_method("act", what, *given)
