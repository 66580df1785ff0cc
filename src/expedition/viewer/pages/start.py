"""The start page: what can be watched, set up and drawn."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from fastapi.responses import PlainTextResponse, Response
from nicegui import app, ui

from expedition.design.source import shipped
from expedition.errors import ExpeditionError
from expedition.terrain import terrain as terrains
from expedition.viewer.catalogue import Entry, entries, matching, outcome
from expedition.viewer.pages.frame import PATIENCE, page_frame
from expedition.viewer.pages.missions import missions_now
from expedition.viewer.setup.drafts import FOLDER, saved
from expedition.viewer.setup.preview import small_picture_of
from expedition.viewer.setup.runs import Runs
from expedition.viewer.shelf import Shelf

ROWS = 20
"""Missions of the store that are listed at once."""


def add_page(shelf: Shelf) -> None:
    """Serve it at `/`, and small pictures of terrains at `/terrain-picture/NAME`."""

    @ui.page("/", response_timeout=PATIENCE)
    async def start() -> None:
        runs = shelf.runs
        assert runs is not None
        page_frame("Missions and terrains")
        ui.add_head_html(
            '<link rel="stylesheet" href="/static/setup.css"><link rel="stylesheet" href="/static/controls.css">'
        )
        with ui.element("div").classes("start-page"):
            with ui.element("div").classes("start-main"):
                _welcome()
                missions_now(runs, "Missions started here", most=6)
                _given(shelf, runs)
                await _stored(shelf)
            with ui.element("div").classes("start-rest"):
                _designs(shelf)
                _terrains(runs)

    @app.get("/terrain-picture/{name}")
    async def picture(name: str) -> Response:
        runs = shelf.runs
        assert runs is not None
        try:
            if name in terrains.names():
                data = await asyncio.to_thread(lambda: small_picture_of(name))
            else:
                path = runs.allowed.map_file(name, "terrain")
                data = await asyncio.to_thread(lambda: small_picture_of(path, _changed(runs, name)))
        except ExpeditionError as error:
            return PlainTextResponse(f"{error}\n", status_code=404)
        return Response(data, media_type="image/png", headers={"cache-control": "no-cache"})


def _welcome() -> None:
    with ui.element("div").classes("panel welcome"):
        ui.label("Explore").classes("welcome-title")
        ui.label("Send a fleet of robots into unknown terrain, and watch what they come to know.").classes("soft")
        with ui.row().classes("welcome-actions"):
            ui.button("Set up a mission", icon="tune", on_click=lambda: ui.navigate.to("/setup")).props(
                "unelevated no-caps"
            )
            ui.button(
                "Start one right away", icon="play_arrow",
                on_click=lambda: ui.navigate.to("/setup?terrain=cave&robots=4&strategy=coordinated&start=1"),
            ).props("flat no-caps")  # fmt: skip
            ui.button("Compare two", icon="compare", on_click=lambda: ui.navigate.to("/compare")).props("flat no-caps")


def _given(shelf: Shelf, runs: Runs) -> None:
    """Logs that were named on the command line."""
    names = [name for name in shelf.logs if runs.find(name) is None]
    if not names:
        return
    with ui.element("div").classes("panel"):
        ui.label("Logs").classes("panel-title")
        for name in names:
            with ui.element("div").classes("mission"), ui.element("div").classes("mission-words"):
                ui.link(name, f"/watch/{quote(name)}").classes("mission-title")
                ui.label(str(shelf.logs[name])).classes("soft mission-state")


async def _stored(shelf: Shelf) -> None:
    """Missions of the store, searched and page by page."""
    store = shelf.store
    found: list[Entry] = await asyncio.to_thread(lambda: entries(store))
    with ui.element("div").classes("panel").props('data-panel="stored"'):
        with ui.row().classes("panel-head"):
            ui.label("Missions in the store").classes("panel-title")
            ui.label(str(store.folder)).classes("soft")
        if not found:
            ui.label(
                "None with a log yet. They come from designs, which run on all cores and can be watched afterwards:"
            ).classes("soft empty")
            where = "" if str(store.folder) == "results" else f" --store {store.folder}"
            ui.code(f"expedition run quick --record{where}", language="bash").classes("choice")
            return
        page = 0
        search = ui.input(placeholder=f"Search {len(found):,} missions: terrain, strategy, seed 3, design ...")
        search.props("outlined dense clearable debounce=200").classes("choice")

        @ui.refreshable
        async def listed() -> None:
            left = matching(found, search.value or "")
            shown = left[page * ROWS : (page + 1) * ROWS]
            told = await asyncio.to_thread(lambda: [outcome(store, entry.key) for entry in shown])
            with ui.element("div").classes("table"):
                for title in ("terrain", "robots", "strategy", "seed", "ended", "time", ""):
                    ui.label(title).classes("table-head")
                for entry, end in zip(shown, told, strict=True):
                    ui.link(entry.terrain or entry.key[:12], f"/watch/{entry.key}").classes("mission-title").tooltip(
                        f"design {entry.design}" if entry.design else entry.key
                    )
                    ui.label(entry.robots)
                    ui.label(entry.strategy)
                    ui.label("" if entry.seed is None else str(entry.seed))
                    distorted = ", map distorted" if end and end.is_distorted else ""
                    ended = ui.label(f"{end.ending}{distorted}" if end else "damaged")
                    ended.classes("good" if end and end.succeeded and not distorted else "warn")
                    ui.label(f"{end.time:,.0f} s" if end and end.time is not None else "")
                    if entry.design:
                        ui.link("set up", f"/setup?mission={entry.key}").classes("quiet-link")
                    else:
                        ui.label("")
            if not left:
                ui.label("No mission has all these words.").classes("soft empty")
            if len(left) > ROWS:
                with ui.row().classes("pager"):
                    last = (len(left) - 1) // ROWS
                    ui.button(icon="chevron_left", on_click=lambda: turn(-1)).props(
                        'flat dense round aria-label="Earlier"'
                    ).set_enabled(page > 0)
                    ui.label(f"{page * ROWS + 1:,} to {min(len(left), (page + 1) * ROWS):,} of {len(left):,}").classes(
                        "soft"
                    )
                    ui.button(icon="chevron_right", on_click=lambda: turn(1)).props(
                        'flat dense round aria-label="Further"'
                    ).set_enabled(page < last)

        async def turn(by: int) -> None:
            nonlocal page
            page = max(0, page + by)
            await listed.refresh()

        async def searched() -> None:
            nonlocal page
            page = 0
            await listed.refresh()

        search.on_value_change(searched)
        await listed()


def _designs(shelf: Shelf) -> None:
    store = shelf.store
    kinds = [
        ("Saved here", [(name, f"{FOLDER}/{name}") for name in saved(store)]),
        ("Run into the store", [(name, f"store/{name}") for name in store.designs()]),
        ("Shipped", [(name, name) for name in shipped()]),
    ]
    with ui.element("div").classes("panel").props('data-panel="designs"'):
        ui.label("Designs").classes("panel-title")
        for title, names in kinds:
            if names:
                ui.label(title).classes("soft kind")
                with ui.row().classes("chips"):
                    for name, address in names[:40]:
                        ui.link(name, f"/setup?design={quote(address, safe='')}").classes("chip")


def _terrains(runs: Runs) -> None:
    files = runs.allowed.terrain_files()
    with ui.element("div").classes("panel").props('data-panel="terrains"'):
        with ui.row().classes("panel-head"):
            ui.label("Terrains").classes("panel-title")
            ui.link("Draw one", "/draw").classes("quiet-link")
        with ui.element("div").classes("thumbs"):
            for name in [*files, *terrains.names()]:
                with ui.element("div").classes("thumb"):
                    with ui.link(target=f"/setup?terrain={quote(name)}"):
                        ui.html(f'<img src="/terrain-picture/{quote(name)}" alt="" loading="lazy">', sanitize=False)
                        ui.label(name.removesuffix(".yaml"))
                    if name in files:
                        ui.link("draw", f"/draw?terrain={quote(name.removesuffix('.yaml'))}").classes("quiet-link")


def _changed(runs: Runs, name: str) -> float:
    try:
        return (runs.allowed.terrains / name).stat().st_mtime
    except OSError:
        return 0.0
