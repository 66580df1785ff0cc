"""The server of all pages: one process, bound to this machine unless told otherwise."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from nicegui import ui

from expedition.viewer.draw.routes import add_routes
from expedition.viewer.draw.saved import FOLDER, SavedTerrains
from expedition.viewer.gate import Gate, Guarded
from expedition.viewer.pages import compare, draw, setup, start, watch
from expedition.viewer.setup.allowed import Allowed
from expedition.viewer.setup.runs import Runs
from expedition.viewer.shelf import Shelf
from expedition.viewer.watch.channel import add_channel

STATIC = Path(__file__).parent / "static"
LARGEST_MESSAGE = 1 << 16
"""Bytes that a browser may send over a WebSocket at once."""


def make_app(shelf: Shelf, gate: Gate) -> Guarded:
    """The application: pages, the WebSocket behind them, and their files, all behind the gate. One a process."""
    api = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    api.mount("/static", StaticFiles(directory=STATIC), name="static")
    add_channel(api, shelf)
    add_routes(api, SavedTerrains(shelf.store.folder / FOLDER))
    if shelf.runs is None:
        shelf.runs = Runs(shelf, Allowed(shelf.store.folder))
    for page in (start, setup, compare, watch, draw):
        page.add_page(shelf)
    ui.run_with(api, title="expedition", favicon=STATIC / "favicon.svg", dark=None, show_welcome_message=False)
    api.router.on_shutdown.append(shelf.runs.close)
    api.router.on_shutdown.append(shelf.close)
    return Guarded(api, gate)


def serve(app: Guarded, listening: socket.socket, begun: Callable[[], None] = lambda: None) -> None:
    """Serve until interrupted; `begun` is called once browsers can come."""
    config = uvicorn.Config(
        app, log_level="warning", ws_max_size=LARGEST_MESSAGE, ws_per_message_deflate=False,
        timeout_graceful_shutdown=1, timeout_keep_alive=30,
    )  # fmt: skip
    _Server(config, begun).run(sockets=[listening])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, begun: Callable[[], None]) -> None:
        super().__init__(config)
        self._begun = begun

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._begun()
