"""The panel beside the map: what is shown, robots, curves and events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nicegui import ui

from expedition.viewer.pages.parts import action, part

TABS = {"view": "View", "robots": "Robots", "curves": "Curves", "events": "Events"}
LAYOUTS = {
    "belief": "What the chosen map knows",
    "truth": "How things are",
    "both": "The truth beside the map",
    "over": "The map over the truth",
}
COLUMNS = {
    "number": ("Robot", "By number"),
    "state": ("State", "By what it does"),
    "explored": ("Seen", "By the share of the ground that it knows"),
    "travelled": ("Way", "By the metres driven"),
    "battery": ("Batt.", "By the energy left"),
}


def side_panel() -> None:
    """All of it; which tab is open is the browser's matter."""
    with part("aside", "panel", "panel", aria_label="Panels"):
        with part("div", classes="tabs", role="tablist"):
            for name, title in TABS.items():
                part(
                    "button", f"tab-{name}", "tab", title,
                    type="button", role="tab", data_tab=name, aria_controls=f"page-{name}",
                )  # fmt: skip
        with _page("view"):
            _view()
        with _page("robots"):
            _robots()
        with _page("curves"):
            _curves()
        with _page("events"):
            part("input", "event-search", "field", type="search", placeholder="Find: collision, robot 3, …")
            part("div", "event-kinds", "legend", role="group", aria_label="Kinds of events")
            part("div", "event-list", "rows", tabindex="0", role="listbox", aria_label="Events")


@contextmanager
def _page(name: str) -> Iterator[None]:
    with part("div", f"page-{name}", "tab-page", role="tabpanel", hidden=""):
        yield


def map_and_layers(key: str = "") -> None:
    """Whose map is seen, how, and with which layers; `key` is what switches the layout."""
    with part("label", classes="choice"):
        ui.label("Map of")
        part("select", "map", "field", aria_label="Whose map")
    with part("div", "layouts", "segments", role="radiogroup", aria_label="Layout"):
        for name, title in LAYOUTS.items():
            part(
                "button", f"layout-{name}", "segment", name.capitalize(),
                type="button", role="radio", title=f"{title} {key}".strip(), data_layout=name,
            )  # fmt: skip
    part("div", "layers", "layer-groups")


def _view() -> None:
    map_and_layers("(m)")
    with part("div", classes="row-buttons"):
        action("fit", "The whole terrain (0)", "fit_screen", "Fit")
        action("ruler", "Measure distances (r)", "straighten", "Ruler")
        action("usual", "The layers that are on at first", "restart_alt", "Usual layers")


def _robots() -> None:
    part("input", "robot-search", "field", type="search", placeholder="Find: 7, scout, blocked, failed …")
    with part("div", classes="robot-head", role="group", aria_label="Sort"):
        for name, (title, about) in COLUMNS.items():
            part("button", f"sort-{name}", f"sort sort-{name}", title, type="button", title=about, data_sort=name)
    part("div", "robot-list", "rows", tabindex="0", role="listbox", aria_label="Robots")
    part("div", "inspector", "inspector", hidden="")


def _curves() -> None:
    with part("label", classes="choice"):
        ui.label("Robots")
        part("select", "curve-robots", "field", aria_label="Robots in the curves")
    part("div", "charts", "charts")
