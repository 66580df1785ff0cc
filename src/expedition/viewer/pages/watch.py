"""The page on which a mission is watched, live or again.

Here is what stands on it. What moves is done in the browser by `static/panels/`, which asks the server over the
WebSocket of the map; NiceGUI has nothing to do once the page is there.
"""

from __future__ import annotations

from fastapi.responses import PlainTextResponse, Response
from nicegui import ui

from expedition.viewer.canvas import MissionView
from expedition.viewer.pages.frame import page_frame
from expedition.viewer.pages.missions import run_controls
from expedition.viewer.pages.parts import action, part
from expedition.viewer.pages.watch_panel import side_panel
from expedition.viewer.shelf import Shelf


def add_page(shelf: Shelf) -> None:
    """Serve it at `/watch/NAME`."""

    @ui.page("/watch/{name}")
    def watch(name: str) -> Response | None:
        path = shelf.find(name)
        if path is None:
            return PlainTextResponse(f"no log named {name[:80]!r} here\n", status_code=404)
        ui.add_head_html('<link rel="stylesheet" href="/static/watch.css">')
        with page_frame(name):
            run_controls(shelf, name)
            _header()
        with ui.element("main").classes("watch-page"):
            with part("section", classes="stage"):
                MissionView(f"/ws/watch/{name}", panels=True)
                part("div", "banners", role="status", aria_live="polite")
            _bar()
            side_panel()
        _share(path.name)
        part("div", "help", "overlay", hidden="", role="dialog", aria_label="Keyboard shortcuts")
        return None


def _header() -> None:
    part("span", "status", "chip")
    action("share", "Share: a link, a picture, a film", "share")
    action("theme", "Light or dark (d)", "contrast")
    action("help", "Keyboard shortcuts (?)", "keyboard", classes="no-phone")
    action("panel", "Show or hide the panel (b)", "view_sidebar")


def _bar() -> None:
    with part("section", "bar", "bar", aria_label="Time"):
        with part("div", classes="bar-buttons"):
            action("start", "To the start (Home)", "first_page")
            action("back-second", "A second back (Shift+←)", "fast_rewind")
            action("back", "A control period back (←)", "chevron_left")
            action("play", "Play or pause (space)", "play_arrow", classes="act-play")
            action("on", "A control period on (→)", "chevron_right")
            action("on-second", "A second on (Shift+→)", "fast_forward")
            action("end", "To the end (End)", "last_page")
            part("output", "clock", "clock", "0:00.0", aria_label="Time")
            part("select", "speed", "speed", title="Speed (+ and -)", aria_label="Speed")
            action("live", "Follow the newest moment (l)", text="Live", classes="act-live")
            part("div", "legend", "legend no-phone", role="group", aria_label="Events on the time line")
        with part(
            "div", "timeline", "timeline", role="slider", tabindex="0", aria_label="Time line", aria_valuemin="0"
        ):
            part("canvas", "timeline-shape")
            part("div", "timeline-cursor", "timeline-cursor")
            part("div", "timeline-tip", "tip", hidden="")


def _share(log: str) -> None:
    with part("div", "share", "popup", hidden="", role="dialog", aria_label="Share"):
        action("copy-link", "Copy a link that opens this moment as it is seen here", "link", "Copy link")
        part("input", "link", "field", readonly="", aria_label="Link", spellcheck="false")
        with part("label", classes="check", title="Who opens the link sees the mission play from here on"):
            part("input", "link-plays", type="checkbox")
            ui.label("plays when opened")
        action("save-png", "What is on screen, as pixels", "image", "Save PNG")
        action("save-svg", "What is on screen, as lines for print", "polyline", "Save SVG")
        with part("p", classes="hint"):
            ui.label("A film of it, in a terminal:")
            part("code", "film", text=f"expedition film {log} film.mp4")
