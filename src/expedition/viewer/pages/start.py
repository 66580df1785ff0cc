"""The start page: what can be watched."""

from __future__ import annotations

from nicegui import ui

from expedition.viewer.pages.frame import page_frame
from expedition.viewer.shelf import Shelf


def add_page(shelf: Shelf) -> None:
    """Serve it at `/`."""

    @ui.page("/")
    def start() -> None:
        page_frame("Start")
        for name in [*shelf.logs, *shelf.stored()]:
            ui.link(name, f"/watch/{name}")
