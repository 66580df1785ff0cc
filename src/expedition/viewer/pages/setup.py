"""The page on which a mission is set up and started."""

from __future__ import annotations

import asyncio
import base64

from fastapi import Request
from nicegui import ui

from expedition.errors import ExpeditionError
from expedition.viewer.pages.frame import PATIENCE, page_frame
from expedition.viewer.pages.missions import missions_now, start_and_watch
from expedition.viewer.pages.setup_files import compare_dialog, open_dialog, save_dialog
from expedition.viewer.pages.setup_form import Form
from expedition.viewer.pages.setup_state import SetUp
from expedition.viewer.setup.checking import Look
from expedition.viewer.setup.drafts import Draft
from expedition.viewer.setup.presets import draft_from
from expedition.viewer.setup.preview import preview
from expedition.viewer.setup.runs import Runs
from expedition.viewer.shelf import Shelf

PAUSE = 0.25
"""Seconds after the last change until all is looked at."""


def add_page(shelf: Shelf) -> None:
    """Serve it at `/setup`."""

    @ui.page("/setup", response_timeout=PATIENCE)
    async def setup(request: Request) -> None:
        runs = shelf.runs
        assert runs is not None
        page_frame("Set up a mission")
        ui.add_head_html(
            '<link rel="stylesheet" href="/static/setup.css"><link rel="stylesheet" href="/static/controls.css">'
        )
        query = dict(request.query_params)
        draft, refused = Draft(), ""
        try:
            draft = await asyncio.to_thread(lambda: draft_from(query, shelf, runs))
        except ExpeditionError as error:
            refused = str(error)
        page = _Page(shelf, runs, draft)
        await ui.context.client.connected(PATIENCE)
        if refused:
            ui.notify(refused, type="negative", multi_line=True, timeout=0, close_button=True)
        await page.look()
        # Another site may send a browser here, but not have it start anything.
        if query.get("start") == "1" and not refused and request.headers.get("sec-fetch-site") != "cross-site":
            ui.navigate.history.replace("/setup")
            await page.start()


class _Page:
    """The form, what it comes to, and what can be done with it."""

    def __init__(self, shelf: Shelf, runs: Runs, draft: Draft) -> None:
        self._place: ui.element
        self._shelf = shelf
        self._runs = runs
        self._changes = 0
        self._looked: Look | None = None
        self.setup = SetUp(runs, draft, self._changed)
        self._form = Form(self.setup)
        with ui.element("div").classes("setup") as self._place:
            with ui.element("div").classes("setup-form"):
                self._form.show()
            with ui.element("div").classes("setup-side"):
                self._side()

    def _side(self) -> None:
        with ui.element("div").classes("panel"):
            self._picture = (
                ui.image().classes("preview").props('fit=contain no-spinner alt="The terrain and the starts"')
            )
            self._caption = ui.label("").classes("soft caption")
            self._notes = ui.element("div").classes("map-notes")
            self._mistakes = ui.element("div").classes("mistakes").props('role="alert"')
            with ui.row().classes("seed-row"):
                self._seed = ui.number("seed", value=self.setup.seed, min=0, precision=0)
                self._seed.props("outlined dense stack-label debounce=200 step=1 data-field=seed").classes(
                    "seed"
                ).without_auto_validation()
                self._seed.on_value_change(self._seed_changed)
                ui.button(icon="navigate_next", on_click=self._next_seed).props(
                    'flat dense aria-label="Next seed"'
                ).tooltip("The next seed")
                self._start = ui.button("Start", icon="play_arrow", on_click=self.start).props("unelevated no-caps")
                self._start.classes("start")
            with ui.row().classes("actions"):
                for title, icon, action, tip in (
                    ("Start with next seed", "fast_forward", self._start_next, "The same mission, another seed"),
                    ("Compare", "compare", self._compare, "Two missions that differ in the strategy only"),
                    ("Open", "folder_open", self._open, "A design that ships, from the store or from a file"),
                    ("Save", "save", self._save, "Keep this as a design"),
                ):
                    ui.button(title, icon=icon, on_click=action).props("flat dense no-caps").tooltip(tip)
        missions_now(self._runs)

    def _seed_changed(self) -> None:
        value = self._seed.value
        if value is None or value != int(value) or not 0 <= value <= 2**62:
            self._seed.error = "a whole number from 0 on"
            return
        self._seed.error = None
        self.setup.seed = int(value)
        self._changed()

    def _next_seed(self) -> None:
        self._seed.set_value(self.setup.seed + 1)

    def _changed(self) -> None:
        self._changes += 1
        self._looked = None
        number = self._changes

        async def later() -> None:
            await asyncio.sleep(PAUSE)
            if number == self._changes:
                await self.look()

        # At a place that stays: the field that changed may be about to be made anew.
        with self._place:
            ui.timer(0.0, later, once=True)

    async def look(self) -> Look:
        """Check what is set up, and show what is found."""
        number = self._changes
        look = await asyncio.to_thread(self.setup.look)
        if number != self._changes:
            return look
        self._looked = look
        self.setup.fields.blame(look.mistakes)
        self._tell({**look.mistakes, **self.setup.fields.mistakes})
        if look.terrain is not None:
            terrain, fleet = look.terrain, look.fleet
            data: bytes = await asyncio.to_thread(lambda: preview(terrain, fleet))
            if number == self._changes:
                self._picture.set_source(f"data:image/png;base64,{base64.b64encode(data).decode()}")
                left, right, bottom, top = terrain.extent
                robots = f", {len(fleet)} robot{'s' if len(fleet) != 1 else ''}" if fleet is not None else ""
                self._caption.set_text(
                    f"{terrain.name}: {right - left:g} x {top - bottom:g} m, {terrain.free_area:,.0f} m² free{robots}"
                )
                self._notes.clear()
                with self._notes:
                    for note in [*(f"map: {note}" for note in terrain.notes), *look.notes]:
                        ui.label(note).classes("soft")
                    if look.access:
                        ui.label(look.access).classes("soft")
        return look

    def _tell(self, mistakes: dict[str, str]) -> None:
        self._mistakes.clear()
        self._mistakes.set_visibility(bool(mistakes))
        self._start.set_enabled(not mistakes)
        with self._mistakes:
            for name, sentence in mistakes.items():
                ui.label(f"{name}: {sentence}" if name else sentence).classes("mistake")

    async def _right_draft(self) -> Draft | None:
        """What is set up, if nothing is wrong with it."""
        look = self._looked or await self.look()
        if not look.is_right or self.setup.fields.mistakes or self._seed.error:
            ui.notify("Not started: see what is marked in the form", type="warning")
            return None
        return self.setup.draft()

    async def start(self) -> None:
        """Start the mission, and go where it is watched."""
        draft = await self._right_draft()
        if draft is not None:
            await start_and_watch(self._runs, draft)

    async def _start_next(self) -> None:
        self._next_seed()
        await self.look()
        await self.start()

    def load(self, draft: Draft) -> None:
        """Show another draft in the form."""
        self.setup.load(draft)
        self._seed.set_value(draft.seed)
        self._form.show.refresh()
        self._changed()

    async def _open(self) -> None:
        draft = await open_dialog(self._shelf, self._runs)
        if draft is not None:
            self.load(draft)
            ui.notify(f"opened {draft.name}")

    async def _save(self) -> None:
        await save_dialog(self._shelf, self.setup)

    async def _compare(self) -> None:
        draft = await self._right_draft()
        if draft is not None:
            await compare_dialog(self._runs, draft)
