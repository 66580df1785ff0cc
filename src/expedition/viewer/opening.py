"""Opens the page: finds what is to be seen, serves it, and says where."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Callable
from pathlib import Path

from expedition.bench.store import Store
from expedition.errors import ExpeditionError


def open_viewer(
    run: str | None,
    store: Path,
    host: str,
    port: int | None,
    token: str | None,
    show: bool,
    say: Callable[[str], None],
    live: bool = False,
    strategies: Path | None = None,
    missions: int | None = None,
) -> None:
    """Serve the page until interrupted."""
    os.nice(int(os.environ.get("EXPEDITION_NICENESS", "0")))
    try:
        import nicegui  # noqa: F401
    except ImportError as error:
        raise ExpeditionError('the page needs NiceGUI: pip install "expedition[view]"') from error
    from expedition.viewer.allowed import Allowed
    from expedition.viewer.gate import Gate
    from expedition.viewer.runs import Runs
    from expedition.viewer.server import address_of, listen_at, make_app, serve
    from expedition.viewer.shelf import Shelf

    path = "/"
    place = Store(store)
    shelf = Shelf(place)
    if run is not None:
        path = f"/watch/{shelf.add(Path(run), live)}"
    if strategies is not None and not strategies.is_dir():
        raise ExpeditionError(f"--strategies {strategies}: no such folder")
    shelf.runs = Runs(shelf, Allowed(place.folder, strategies), missions)
    gate = Gate.of(host, token)
    listening = listen_at(host, port)
    address = address_of(listening, gate, path)

    def begun() -> None:
        say(f"expedition is at {address}")
        say("Ctrl-C ends it.")
        if show and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            webbrowser.open(address)

    serve(make_app(shelf, gate), listening, begun)
