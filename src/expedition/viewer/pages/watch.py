"""The page on which a mission is watched, live or again."""

from __future__ import annotations

from fastapi.responses import PlainTextResponse, Response
from nicegui import ui

from expedition.viewer.canvas import MissionView
from expedition.viewer.pages.frame import page_frame
from expedition.viewer.shelf import Shelf


def add_page(shelf: Shelf) -> None:
    """Serve it at `/watch/NAME`."""

    @ui.page("/watch/{name}")
    def watch(name: str) -> Response | None:
        if shelf.find(name) is None:
            return PlainTextResponse(f"no log named {name[:80]!r} here\n", status_code=404)
        page_frame(name)
        MissionView(f"/ws/watch/{name}")
        return None
