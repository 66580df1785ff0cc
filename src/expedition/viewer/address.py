"""Where the page is: the socket it is served at, and what to open in a browser."""

from __future__ import annotations

import os
import socket
import webbrowser

from expedition.bench.places import PAGE_PORT
from expedition.errors import ExpeditionError
from expedition.viewer.gate import LOOPBACK, Gate

PORTS_TRIED = 20


def listen_at(host: str, port: int | None) -> socket.socket:
    """A socket at a port, or at the first free one from the usual one on; an error if there is none.

    It listens already, so that a browser that comes before the server does waits for it.
    """
    ports = [port] if port is not None else range(PAGE_PORT, PAGE_PORT + PORTS_TRIED)
    why: OSError | None = None
    for number in ports:
        try:
            family = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0][0]
            listening = socket.socket(family, socket.SOCK_STREAM)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, number))
            listening.listen()
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


def open_in_browser(address: str) -> None:
    """Open a page where there is a screen."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)


def check_extra() -> None:
    """The page needs an extra that may not be installed; an error that says so."""
    from importlib.util import find_spec

    if find_spec("nicegui") is None:
        raise ExpeditionError('the page needs NiceGUI: pip install "expedition[view]"')
