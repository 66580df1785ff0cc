"""`expedition view`: the page in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from expedition.cli.app import app
from expedition.cli.words import say


@app.command("view")
def view_command(
    run: Annotated[
        str | None, typer.Argument(help="A log, or the folder of a mission or a store; without one, the start page.")
    ] = None,
    store: Annotated[Path, typer.Option(help="The folder of finished missions.")] = Path("results"),
    host: Annotated[
        str, typer.Option(help="The address to serve at; others than localhost need a token.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(help="The port; by default the first free one from 8080 on.", min=0, max=65535)
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(help="The token that a link must carry, instead of a random one.", envvar="EXPEDITION_TOKEN"),
    ] = None,
    strategies: Annotated[
        Path | None,
        typer.Option(help="A folder of your own strategies, whose files may be chosen on the page.", metavar="FOLDER"),
    ] = None,
    missions: Annotated[
        int | None,
        typer.Option(help="How many missions run at a time; by default as many as there are cores.", min=1),
    ] = None,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
) -> None:
    """Watch missions in the browser, live or again; set them up, and draw terrains."""
    from expedition.viewer.opening import open_viewer

    open_viewer(run, store, host, port, token, show, say, strategies, missions)
