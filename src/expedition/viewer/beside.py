"""The component of two missions that are shown in step."""

from __future__ import annotations

from nicegui.element import Element


class TwoMissions(Element, component="beside.js"):
    """Two logs by name, with one clock."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__()
        self._props["names"] = [first, second]
        self.classes("beside")
