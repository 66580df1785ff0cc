"""Opens the page: finds what is to be seen, serves it, and says where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from expedition.bench.store import Store
from expedition.errors import ExpeditionError
from expedition.log.find import find_log
from expedition.viewer.address import address_of, check_extra, listen_at, open_in_browser


def open_viewer(
    run: str | None,
    store: Path,
    host: str,
    port: int | None,
    token: str | None,
    show: bool,
    say: Callable[[str], None],
    strategies: Path | None = None,
    missions: int | None = None,
) -> None:
    """Serve the page until interrupted."""
    check_extra()
    from expedition.viewer.gate import Gate
    from expedition.viewer.server import make_app, serve
    from expedition.viewer.setup.allowed import Allowed
    from expedition.viewer.setup.runs import Runs
    from expedition.viewer.shelf import Shelf

    is_store = run is not None and (Path(run) / "missions").is_dir()
    place = Store(run if run is not None and is_store else store)
    shelf = Shelf(place)
    path = "/" if run is None or is_store else f"/watch/{shelf.add(find_log(run))}"
    if strategies is not None and not strategies.is_dir():
        raise ExpeditionError(f"--strategies {strategies}: no such folder")
    shelf.runs = Runs(shelf, Allowed(place.folder, strategies), missions)
    gate = Gate.of(host, token)
    listening = listen_at(host, port)
    address = address_of(listening, gate, path)

    def begun() -> None:
        say(f"expedition is at {address}")
        say("Ctrl-C ends it.")
        if show:
            open_in_browser(address)

    serve(make_app(shelf, gate), listening, begun)
