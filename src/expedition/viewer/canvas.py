"""The component of our own: the map of a mission, drawn on canvases by the scripts in `static/`."""

from __future__ import annotations

from nicegui.element import Element


class MissionView(Element, component="canvas.js"):
    """A mission that plays, as the WebSocket at `address` tells of it; with `panels`, those of its page go along."""

    def __init__(self, address: str, panels: bool = False) -> None:
        super().__init__()
        self._props["address"] = address
        self._props["panels"] = panels
        self.classes("mission-view")
