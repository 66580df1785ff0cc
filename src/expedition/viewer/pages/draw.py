"""The page on which a terrain is drawn."""

from __future__ import annotations

from nicegui import ui

from expedition.viewer.draw.dialogs import new_dialog, open_dialog
from expedition.viewer.draw.editor import TerrainEditor
from expedition.viewer.draw.saved import FOLDER, SavedTerrains
from expedition.viewer.pages.frame import page_frame
from expedition.viewer.shelf import Shelf

STYLE = '<link rel="stylesheet" href="/static/draw/draw.css">'


def add_page(shelf: Shelf) -> None:
    """Serve it at `/draw`; with `?terrain=NAME` for a saved terrain, `?spec=SPEC` for a registered one."""
    saved = SavedTerrains(shelf.store.folder / FOLDER)

    @ui.page("/draw")
    def draw(terrain: str = "", spec: str = "") -> None:
        header = page_frame("Draw a terrain")
        ui.add_head_html(STYLE)
        editor = TerrainEditor({"saved": terrain[:200], "spec": spec[:2000]})
        new, opening = new_dialog(editor), open_dialog(editor, saved)
        with header:
            _button("note_add", "New", "A new terrain of a size").on_click(new.open)
            _button("folder_open", "Open", "A saved, generated or published terrain").on_click(opening.open)
            _script_button("image", "Import", "An image: dark is wall", "chooseImage")
            ui.element("div").classes("draw-gap")
            _script_button("save", "Save", "Into the store (Ctrl-S)", "save")
            _script_button("download", "Download", "As a ROS map: a zip of YAML and PGM", "download")
            _script_button("rocket_launch", "Set up a mission here", "Save, and choose robots for it", "setUp")


def _button(icon: str, name: str, said: str) -> ui.button:
    button = ui.button(name, icon=icon, color=None).props(f'flat dense no-caps aria-label="{name}"')
    return button.classes("draw-action").tooltip(said)


def _script_button(icon: str, name: str, said: str, does: str) -> None:
    """A button whose click never leaves the browser: some things a browser does only in answer to a click."""
    _button(icon, name, said).on("click", js_handler=f"() => window.expeditionDraw?.act('{does}')")
