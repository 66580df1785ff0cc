"""Dialogs of the set-up page: opening and saving designs, and starting two missions to compare."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from nicegui import events, ui

from expedition.errors import ExpeditionError
from expedition.viewer.pages.setup_state import SetUp
from expedition.viewer.setup.allowed import COMPONENTS
from expedition.viewer.setup.checking import plan
from expedition.viewer.setup.drafts import LARGEST, Draft, Opened, designs, open_design, open_text, save_draft
from expedition.viewer.setup.runs import Runs
from expedition.viewer.shelf import Shelf

ROWS = 12
"""Missions of a design that are listed at once."""


async def open_dialog(shelf: Shelf, runs: Runs) -> Draft | None:
    """Let the user choose a design, and one of its missions; None if they think better of it."""
    with ui.dialog() as dialog, ui.card().classes("dialog"):
        ui.label("Open a design").classes("panel-title")
        names = await asyncio.to_thread(lambda: designs(shelf.store))
        select = ui.select(names, label="design", with_input=True).props("outlined dense stack-label").classes("choice")
        upload = ui.upload(label="or a file of yours", auto_upload=True, max_file_size=LARGEST, max_files=1)
        upload.props('accept=".yaml,.yml" flat bordered').classes("choice")
        place = ui.element("div").classes("vectors")
        with ui.row().classes("dialog-actions"):
            ui.button("Cancel", on_click=lambda: dialog.submit(None)).props("flat no-caps")

    async def show(opening: Any) -> None:
        place.clear()
        try:
            opened = await asyncio.to_thread(opening)
        except ExpeditionError as error:
            with place:
                ui.label(str(error)).classes("mistake")
            return
        if len(opened.vectors) == 1 and opened.design.iterations == 1:
            dialog.submit(opened.draft())
            return
        with place:
            _choose(opened, dialog)

    async def chosen() -> None:
        name = select.value
        if name is not None:
            await show(lambda: open_design(name, shelf.store, runs.allowed))

    async def uploaded(event: events.UploadEventArguments) -> None:
        if event.file.size() > LARGEST:
            ui.notify(f"larger than {LARGEST:,} bytes", type="negative")
            return
        content = await event.file.read()
        name = event.file.name

        def opening() -> Opened:
            try:
                return open_text(content.decode("utf-8"), runs.allowed, name)
            except UnicodeDecodeError:
                raise ExpeditionError(f"{name}: not a text file") from None

        await show(opening)

    select.on_value_change(chosen)
    upload.on_upload(uploaded)
    upload.on("rejected", lambda: ui.notify(f"a design has at most {LARGEST:,} bytes", type="negative"))
    draft = await dialog
    dialog.delete()
    return draft if isinstance(draft, Draft) else None


def _choose(opened: Opened, dialog: ui.dialog) -> None:
    """Which vector and iteration of a design with several."""
    design = opened.design
    iterations = f"{design.iterations} iteration{'s' if design.iterations != 1 else ''}"
    ui.label(f"{design.name}: {len(opened.vectors)} vectors, {iterations} each. Choose one.").classes("soft")
    columns = [
        {"name": name, "label": name, "field": name, "align": "left", "sortable": True}
        for name in ("number", *design.varied)
    ]
    rows = [
        {"number": index, **{name: str(vector.get(name)) for name in design.varied}}
        for index, vector in enumerate(opened.vectors)
    ]
    table = ui.table(rows=rows, columns=columns, row_key="number", selection="single", pagination=ROWS)
    table.props("flat dense").classes("choice")
    table.selected = rows[:1]
    iteration = ui.number("iteration", value=0, min=0, max=design.iterations - 1, precision=0)
    iteration.props("outlined dense stack-label")
    iteration.set_visibility(design.iterations > 1)

    def take() -> None:
        number = table.selected[0]["number"] if table.selected else 0
        dialog.submit(opened.draft(number, min(design.iterations - 1, max(0, int(iteration.value or 0)))))

    ui.button("Set up this mission", on_click=take).props("unelevated no-caps")


async def save_dialog(shelf: Shelf, setup: SetUp) -> None:
    """Keep what is set up as a design in the store, or as a file of the user's."""
    with ui.dialog() as dialog, ui.card().classes("dialog"):
        ui.label("Save as a design").classes("panel-title")
        name = ui.input("name", value=setup.name).props("outlined dense stack-label").classes("choice")
        name.without_auto_validation()
        ui.code(setup.draft().text(), language="yaml").classes("choice")

        def save() -> None:
            try:
                path = save_draft(replace(setup.draft(), name=name.value or ""), shelf.store)
            except ExpeditionError as error:
                name.error = str(error).removeprefix("name: ")
                return
            setup.name = name.value
            dialog.close()
            ui.notify(f"saved as {path}: `expedition run {path}` runs it too", multi_line=True)

        def download() -> None:
            try:
                draft = replace(setup.draft(), name=name.value or "")
                ui.download.content(draft.text(), f"{draft.name or 'design'}.yaml", "application/yaml")
            except ExpeditionError as error:
                name.error = str(error)

        with ui.row().classes("dialog-actions"):
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
            ui.button("Download", icon="download", on_click=download).props("flat no-caps")
            ui.button("Save", icon="save", on_click=save).props("unelevated no-caps")
    await dialog
    dialog.delete()


async def compare_dialog(runs: Runs, draft: Draft) -> None:
    """Start the mission with two strategies, and watch both in step."""
    first = draft.parameters["strategy"]
    names = [*COMPONENTS["strategy"].names(), *runs.allowed.strategy_names()]
    with ui.dialog() as dialog, ui.card().classes("dialog"):
        ui.label("Compare two strategies").classes("panel-title")
        ui.label(f"Two missions that are the same but for the strategy: {first}, and").classes("soft")
        others = [name for name in names if name != first]
        select = (
            ui.select(others, label="strategy", value=others[0]).props("outlined dense stack-label").classes("choice")
        )
        with ui.row().classes("dialog-actions"):
            ui.button("Cancel", on_click=lambda: dialog.submit(None)).props("flat no-caps")
            ui.button("Start both", icon="compare", on_click=lambda: dialog.submit(select.value)).props(
                "unelevated no-caps"
            )
    other = await dialog
    dialog.delete()
    if other is None:
        return
    kept = {name: value for name, value in draft.parameters.items() if not name.startswith("strategy.")}
    second = replace(draft, parameters={**kept, "strategy": other})
    try:
        both = [(one, plan(one, runs.allowed)) for one in (draft, second)]
        started = [runs.start(one, planned) for one, planned in both]
    except ExpeditionError as error:
        ui.notify(str(error), type="negative", multi_line=True)
        return
    if any(run.state == "waiting" for run in started):
        ui.notify(f"At most {runs.most} missions run at a time: the other one waits", type="info", multi_line=True)
    waiting = ui.notification("Starting both ...", spinner=True, timeout=None)
    await asyncio.gather(*(run.watchable.wait() for run in started))
    waiting.dismiss()
    failed = next((run for run in started if not run.has_log), None)
    if failed is not None:
        ui.notify(failed.why or failed.sentence(), type="negative", multi_line=True, timeout=0, close_button=True)
    else:
        ui.navigate.to(f"/compare/{started[0].name}/{started[1].name}")
