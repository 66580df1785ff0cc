"""What is asked before a terrain is there: its size, or which one to open and with which parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from nicegui import ui
from pydantic.fields import FieldInfo

from expedition.terrain import terrain
from expedition.viewer.draw.editor import TerrainEditor
from expedition.viewer.draw.saved import SavedTerrains

Read = Callable[[], str]


def new_dialog(editor: TerrainEditor) -> ui.dialog:
    """Asks for a size and a resolution."""
    with ui.dialog() as dialog, ui.card().classes("draw-dialog"):
        ui.label("New terrain").classes("draw-dialog-title")
        with ui.row().classes("draw-fields"):
            width = ui.number("Width", value=20, min=0.1, suffix="m").mark("new-width")
            height = ui.number("Height", value=15, min=0.1, suffix="m").mark("new-height")
            cell = ui.number("Cell", value=0.1, min=0.0001, step=0.05, suffix="m").mark("new-cell")
        closed = ui.checkbox("With a wall around it", value=True).mark("new-closed")

        def create() -> None:
            dialog.close()
            editor.do("create", width.value, height.value, cell.value, closed.value)

        with ui.row().classes("draw-dialog-end"):
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
            ui.button("Create", on_click=create).props("unelevated no-caps").mark("new-create")
    return dialog


def open_dialog(editor: TerrainEditor, saved: SavedTerrains) -> ui.dialog:
    """Lists what is in the store, and what is registered with its parameters."""
    with ui.dialog() as dialog, ui.card().classes("draw-dialog draw-dialog-wide"):
        ui.label("Open").classes("draw-dialog-title")

        def open_saved(name: str) -> None:
            dialog.close()
            editor.do("openSaved", name)

        def open_registered(spec: str) -> None:
            dialog.close()
            editor.do("openRegistered", spec)

        @ui.refreshable
        def contents() -> None:
            ui.label("Saved here").classes("draw-dialog-part")
            with ui.row().classes("draw-names"):
                names = saved.names()
                for name in names:
                    ui.button(name, on_click=lambda name=name: open_saved(name)).props("flat no-caps dense")
                if not names:
                    ui.label("Nothing yet: what you save is listed here.").classes("draw-soft")
            _registered(open_registered)

        contents()
        dialog.on("show", contents.refresh)
    return dialog


def _registered(chosen: Callable[[str], None]) -> None:
    """The terrains that come with the program, and the fields of the one that is chosen."""
    ui.label("Generated and published").classes("draw-dialog-part")
    values: dict[str, Read] = {}

    def spec() -> str:
        given = ",".join(f"{field}={text}" for field, read in values.items() if (text := read()))
        return f"{which.value}:{given}" if given else str(which.value)

    def show_fields() -> None:
        values.clear()
        fields.clear()
        about.set_text(terrain.find(which.value).summary)
        with fields:
            for name, info in terrain.find(which.value).parameters.model_fields.items():
                values[name] = _field(name, info)

    which = ui.select(terrain.names(), value="office", on_change=show_fields).classes("w-full").mark("open-terrain")
    about = ui.label().classes("draw-soft")
    fields = ui.element("div").classes("draw-parameters")
    show_fields()
    with ui.row().classes("draw-dialog-end"):
        ui.button("Open", on_click=lambda: chosen(spec())).props("unelevated no-caps").mark("open-registered")


def _field(name: str, info: FieldInfo) -> Read:
    """An input for a parameter; empty, it is left at its default."""
    label, help_text = name.replace("_", " "), info.description or ""
    choices = [choice for part in (info.annotation, *get_args(info.annotation)) for choice in _words(part)]
    if info.annotation is bool:
        choices = ["true", "false"]
    if choices:
        select = ui.select(choices, label=label, value=_spelled(info.default)).props("dense").tooltip(help_text)
        return lambda: "" if select.value == _spelled(info.default) else str(select.value)
    field = ui.input(label, placeholder=_spelled(info.default)).props("dense stack-label").tooltip(help_text)
    return lambda: str(field.value or "").strip()


def _words(annotation: Any) -> list[str]:
    return [choice for choice in get_args(annotation) if isinstance(choice, str)]


def _spelled(value: Any) -> str:
    """A default as it is written in a spec."""
    if isinstance(value, bool):
        return str(value).lower()
    return "x".join(f"{part:g}" for part in value) if isinstance(value, tuple) else f"{value}"
