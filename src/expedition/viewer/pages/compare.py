"""The page on which two missions are watched in step, and the one on which they are chosen."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from fastapi.responses import PlainTextResponse, Response
from nicegui import ui

from expedition.viewer.beside import TwoMissions
from expedition.viewer.catalogue import entries
from expedition.viewer.pages.frame import PATIENCE, page_frame
from expedition.viewer.pages.parts import action, part
from expedition.viewer.pages.watch_panel import map_and_layers
from expedition.viewer.shelf import Shelf

MOST_CHOICES = 2000
"""Missions among which one chooses; of a larger store, those of the newest designs."""


def add_page(shelf: Shelf) -> None:
    """Serve it at `/compare/A/B`, and the choice at `/compare`."""

    @ui.page("/compare/{first}/{second}")
    def compare(first: str, second: str) -> Response | None:
        for name in (first, second):
            if shelf.find(name) is None:
                return PlainTextResponse(f"no log named {name[:80]!r} here\n", status_code=404)
        for sheet in ("watch", "compare"):
            ui.add_head_html(f'<link rel="stylesheet" href="/static/{sheet}.css">')
        with page_frame("Compare"):
            action("theme", "Light or dark (d)", "contrast")
        with ui.element("main").classes("compare-page watch-page"):
            TwoMissions(first, second)
            _bar()
            _layers()
        return None

    @ui.page("/compare", response_timeout=PATIENCE)
    async def choose(first: str = "") -> None:
        page_frame("Compare two missions")
        ui.add_head_html(
            '<link rel="stylesheet" href="/static/setup.css"><link rel="stylesheet" href="/static/compare.css">'
        )
        choices = await asyncio.to_thread(lambda: _choices(shelf))
        with ui.element("div").classes("pick"), ui.element("div").classes("panel"):
            ui.label("Compare two missions").classes("panel-title")
            if len(choices) < 2:
                ui.label(
                    "There are not yet two missions with logs. Set one up and press Compare there: it starts two "
                    "missions that differ in the strategy only."
                ).classes("soft empty")
                ui.button("Set up a mission", icon="tune", on_click=lambda: ui.navigate.to("/setup")).props(
                    "unelevated no-caps"
                )
                return
            ui.label("Both are watched in step: one clock, the same layers, each with its own map.").classes(
                "soft empty"
            )
            begun = [first if first in choices else next(iter(choices)), None]
            fields = [
                ui.select(choices, label=title, value=value, with_input=True)
                .props("outlined dense stack-label")
                .classes("choice")
                for title, value in zip(("first", "second"), begun, strict=True)
            ]

            def go() -> None:
                names = [field.value for field in fields]
                if None in names:
                    ui.notify("Choose two missions", type="warning")
                else:
                    ui.navigate.to(f"/compare/{quote(names[0])}/{quote(names[1])}")

            ui.button("Compare", icon="compare", on_click=go).props("unelevated no-caps").classes("start")


def _bar() -> None:
    with part("section", "bar", "bar", aria_label="Time"):
        with part("div", classes="bar-buttons"):
            action("start", "To the start (Home)", "first_page")
            action("back", "A second back (←)", "chevron_left")
            action("play", "Play or pause (space)", "play_arrow", classes="act-play")
            action("on", "A second on (→)", "chevron_right")
            action("end", "To the end (End)", "last_page")
            part("output", "clock", "clock", "0:00.0", aria_label="Time")
            part("select", "speed", "speed", title="Speed", aria_label="Speed")
            action("live", "Follow the newest moment (l)", text="Live", classes="act-live")
            part("div", classes="gap")
            action("fit", "The whole terrain (0)", "fit_screen")
            action("layers", "Layers and maps (b)", "layers")
        with part(
            "div", "timeline", "timeline", role="slider", tabindex="0", aria_label="Time line", aria_valuemin="0"
        ):
            part("canvas", "timeline-shape")
            part("div", "timeline-cursor", "timeline-cursor")


def _layers() -> None:
    with part("div", "layer-popup", "layer-popup", hidden="", role="dialog", aria_label="Layers"):
        map_and_layers()


def _choices(shelf: Shelf) -> dict[str, str]:
    """Logs by name, and what each is."""
    runs = shelf.runs
    found = {}
    for run in runs.all() if runs is not None else []:
        if shelf.find(run.name) is not None:
            found[run.name] = f"{run.draft.title()}, seed {run.draft.seed}: {run.sentence()} ({run.name})"
    found |= {name: f"{name} ({path})" for name, path in shelf.logs.items() if name not in found}
    for entry in entries(shelf.store)[:MOST_CHOICES]:
        robots = f"{entry.robots} robots" if entry.robots.isdigit() else entry.robots
        found[entry.key] = (
            f"{entry.terrain}, {robots}, {entry.strategy}, seed {entry.seed} ({entry.design or entry.key[:8]})"
        )
    return found
