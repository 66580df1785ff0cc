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
            _button("note_add", "New", "new").on_click(new.open)
            _button("folder_open", "Open", "open").on_click(opening.open)
            _script_button("image", "Import an image", "import", "chooseImage")
            ui.element("div").classes("draw-gap")
            _script_button("save", "Save (Ctrl-S)", "save", "save")
            _script_button("download", "Download as a ROS map", "download", "download")
            _script_button("rocket_launch", "Set up a mission here", "mission", "setUp")


def _button(icon: str, said: str, mark: str) -> ui.button:
    button = ui.button(icon=icon).props(f'flat round dense aria-label="{said}" data-do="{mark}"').classes("draw-action")
    button.tooltip(said)
    return button


def _script_button(icon: str, said: str, mark: str, does: str) -> None:
    """A button whose click never leaves the browser: some things a browser does only in answer to a click."""
    _button(icon, said, mark).on("click", js_handler=f"() => window.expeditionDraw?.act('{does}')")
