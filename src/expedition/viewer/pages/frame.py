"""What all pages have in common: the header with its links, the type and the colours, light and dark."""

from __future__ import annotations

from nicegui import ui

PATIENCE = 60.0
"""Seconds that a page may take to be built: on a busy machine it comes late, which is better than an error."""
LINKS = {"/": "Start", "/setup": "Set up", "/draw": "Draw"}


def page_frame(title: str, links: dict[str, str] | None = None) -> ui.header:
    """Begin a page: its style sheet and its header, to which the page may add controls of its own."""
    ui.add_head_html('<link rel="stylesheet" href="/static/style.css"><meta name="color-scheme" content="light dark">')
    ui.page_title(f"{title} · expedition")
    with ui.header().classes("frame-header") as header:
        ui.link("expedition", "/").classes("frame-name")
        for target, name in (LINKS if links is None else links).items():
            ui.link(name, target).classes("frame-link")
        ui.label(title).classes("frame-title")
        ui.space()
    return header
