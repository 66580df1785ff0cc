"""The component of our own: the map of a mission, drawn on canvases by the scripts in `static/`."""

from __future__ import annotations

from nicegui.element import Element


class MissionView(Element, component="canvas.js"):
    """A mission that plays, as the WebSocket at `address` tells of it."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._props["address"] = address
        self.classes("mission-view")
