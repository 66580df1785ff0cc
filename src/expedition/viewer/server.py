"""The server of all pages: one process, bound to this machine unless told otherwise."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from nicegui import ui

from expedition.bench.places import PAGE_PORT
from expedition.errors import ExpeditionError
from expedition.viewer.channel import add_channel
from expedition.viewer.gate import LOOPBACK, Gate, Guarded
from expedition.viewer.pages import setup, start, watch
from expedition.viewer.shelf import Shelf

STATIC = Path(__file__).parent / "static"
LARGEST_MESSAGE = 1 << 16
"""Bytes that a browser may send over a WebSocket at once."""
PORTS_TRIED = 20


def make_app(shelf: Shelf, gate: Gate) -> Guarded:
    """The application: pages, the WebSocket behind them, and their files, all behind the gate. One a process."""
    api = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    api.mount("/static", StaticFiles(directory=STATIC), name="static")
    add_channel(api, shelf)
    for page in (start, setup, watch):
        page.add_page(shelf)
    ui.run_with(api, title="expedition", favicon=STATIC / "favicon.svg", dark=None, show_welcome_message=False)
    if shelf.runs is not None:
        api.router.on_shutdown.append(shelf.runs.close)
    api.router.on_shutdown.append(shelf.close)
    return Guarded(api, gate)


def listen_at(host: str, port: int | None) -> socket.socket:
    """A socket at a port, or at the first free one from the usual one on; an error if there is none."""
    ports = [port] if port is not None else range(PAGE_PORT, PAGE_PORT + PORTS_TRIED)
    why: OSError | None = None
    for number in ports:
        try:
            family = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0][0]
            listening = socket.socket(family, socket.SOCK_STREAM)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, number))
        except OSError as error:
            why = error
            continue
        return listening
    said = why.strerror if why is not None else "no port"
    raise ExpeditionError(f"--host {host} --port {ports[0]}: the page cannot be served there: {said}")


def address_of(listening: socket.socket, gate: Gate, path: str = "/") -> str:
    """What to open in a browser."""
    port = listening.getsockname()[1]
    host = gate.host if gate.host in LOOPBACK else socket.gethostname() if gate.host in ("0.0.0.0", "::") else gate.host
    token = f"{'&' if '?' in path else '?'}token={gate.token}" if gate.token else ""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{path}{token}"


def serve(app: Guarded, listening: socket.socket, begun: Callable[[], None]) -> None:
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
