"""Missions that were started on the page, as they stand: a list of them, and the controls of one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import quote

from nicegui import ui

from expedition.errors import ExpeditionError
from expedition.viewer.setup.checking import plan
from expedition.viewer.setup.drafts import Draft
from expedition.viewer.setup.runs import Run, Runs
from expedition.viewer.shelf import Shelf

REFRESH = 0.5
"""Seconds."""


def missions_now(runs: Runs, title: str = "Missions", most: int = 8) -> None:
    """A list that stays up to date: those that run or wait, and the last that are over.

    It is made anew only when there is more to change than words: a click on what has gone would be lost.
    """
    words: dict[str, ui.label] = {}

    def state() -> list[tuple[str, str, bool, str]]:
        return [(run.name, run.state, run.has_log, run.why) for run in shown()]

    def shown() -> list[Run]:
        now = runs.now()
        return [*now, *[run for run in runs.all() if run.is_over][: max(0, most - len(now))]]

    @ui.refreshable
    def listed() -> None:
        found = shown()
        if not found:
            return
        with ui.element("div").classes("panel missions"):
            with ui.row().classes("panel-head"):
                ui.label(title).classes("panel-title")
                busy = sum(run.state in ("starting", "running", "stopping") for run in found)
                waiting = sum(run.state == "waiting" for run in runs.now())
                if busy or waiting:
                    told = f"{busy} of at most {runs.most} at a time" + (f", {waiting} waiting" if waiting else "")
                    ui.label(told).classes("soft")
            for run in found:
                words[run.name] = _row(runs, run)

    listed()
    before = state()

    def look() -> None:
        nonlocal before
        now = state()
        if now != before:
            before = now
            listed.refresh()
            return
        for run in shown():
            words[run.name].set_text(_told(runs, run))

    ui.timer(REFRESH, look)


def _row(runs: Runs, run: Run) -> ui.label:
    """A mission's line; the label that tells how it stands."""
    with ui.element("div").classes(f"mission mission-{run.state}").props(f'data-run="{run.name}"'):
        with ui.element("div").classes("mission-words"):
            title = f"{run.draft.title()}, seed {run.draft.seed}"
            if run.has_log:
                ui.link(title, f"/watch/{run.name}").classes("mission-title")
            else:
                ui.label(title).classes("mission-title")
            words = ui.label(_told(runs, run)).classes("soft mission-state")
            if run.why:
                ui.label(run.why).classes("why")
        if run.is_over:
            ui.button(icon="tune", on_click=lambda: ui.navigate.to(f"/setup?run={run.name}")).props(
                'flat dense round aria-label="Change set-up"'
            ).tooltip("Change the set-up")
        else:
            ui.button(icon="stop", on_click=lambda: runs.stop(run)).props('flat dense round aria-label="Stop"').tooltip(
                "Stop"
            )
    return words


def _told(runs: Runs, run: Run) -> str:
    if run.state == "waiting":
        return f"waits for its turn: {runs.place_in_queue(run)} before it in the queue"
    return f"{run.sentence()}, {_when(run)}" if run.is_over else run.sentence()


def _when(run: Run) -> str:
    today = run.when.date() == datetime.now().date()
    return f"started {run.when:%H:%M}" if today else f"started {run.when:%Y-%m-%d %H:%M}"


def run_controls(shelf: Shelf, name: str) -> None:
    """For the header of the page that watches a mission: stop it, run it again, change its set-up, compare it."""
    ui.add_head_html('<link rel="stylesheet" href="/static/controls.css">')
    runs = shelf.runs
    run = runs.find(name) if runs is not None else None
    with ui.element("div").classes("run-controls"):
        if run is not None and runs is not None:
            _controls_of(runs, run)
        elif shelf.store.has(name):
            _control("tune", "Set up a mission as this one", lambda: ui.navigate.to(f"/setup?mission={name}"))
        _control("compare", "Compare with another mission", lambda: ui.navigate.to(f"/compare?first={quote(name)}"))


def _control(icon: str, title: str, does: Callable[[], Any]) -> ui.button:
    button = ui.button(icon=icon, on_click=does).props("flat dense round size=sm").classes("run-control").tooltip(title)
    button.props["aria-label"] = title
    return button


def _controls_of(runs: Runs, run: Run) -> None:
    async def restart() -> None:
        await start_and_watch(runs, run.draft.with_seed(run.draft.seed + 1))

    words = ui.label().classes("run-state")
    stop = _control("stop", "Stop the mission", lambda: runs.stop(run))
    _control("restart_alt", "Run it again with the next seed", restart)
    _control("tune", "Change the set-up", lambda: ui.navigate.to(f"/setup?run={run.name}"))
    why = ui.element("div").classes("why-panel").props('role="alert"')

    def look() -> None:
        stop.set_visibility(not run.is_over)
        words.set_text("stopping ..." if run.state == "stopping" else run.words)
        if run.why and not why.default_slot.children:
            with why:
                ui.label(run.why).classes("why")
                ui.button(icon="close", on_click=why.delete).props('flat dense round size=sm aria-label="Close"')
        why.set_visibility(bool(run.why))

    look()
    ui.timer(REFRESH, look)


async def start_and_watch(runs: Runs, draft: Draft) -> Run | None:
    """Start a mission and go to where it is watched, once there is anything to see; tells why not if not."""
    try:
        run = runs.start(draft, plan(draft, runs.allowed))
    except ExpeditionError as error:
        ui.notify(str(error), type="negative", multi_line=True)
        return None
    if run.state == "waiting":
        ui.notify(
            f"As many missions run as may at a time, {runs.most}: this one waits in the queue, "
            f"{runs.place_in_queue(run)} before it",
            type="info", multi_line=True,
        )  # fmt: skip
        return run
    waiting = ui.notification(f"Starting {draft.title()} ...", spinner=True, timeout=None)
    while not run.watchable.is_set():
        waiting.message = run.words or f"Starting {draft.title()} ..."
        try:
            await _wait(run)
        except TimeoutError:
            continue
    waiting.dismiss()
    if run.has_log:
        ui.navigate.to(f"/watch/{run.name}")
    elif run.why:
        ui.notify(run.why, type="negative", multi_line=True, timeout=0, close_button=True)
    return run


async def _wait(run: Run) -> None:
    await asyncio.wait_for(asyncio.shield(run.watchable.wait()), 0.3)
