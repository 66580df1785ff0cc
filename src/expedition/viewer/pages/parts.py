"""The elements that pages are made of where NiceGUI's own are too heavy: plain HTML that scripts find by its part."""

from __future__ import annotations

from nicegui import ui
from nicegui.element import Element


def part(tag: str, name: str = "", classes: str = "", text: str = "", **attributes: str) -> Element:
    """An HTML element; scripts find it by `data-part`, and tests as well."""
    element = ui.element(tag)
    if name:
        element._props["data-part"] = name
    for attribute, value in attributes.items():
        element._props[attribute.strip("_").replace("_", "-")] = value
    if classes:
        element.classes(classes)
    if text:
        with element:
            ui.label(text)
    return element


def action(name: str, title: str, icon: str = "", text: str = "", classes: str = "") -> Element:
    """A button that does what the action of that name in `static/panels/actions.js` does."""
    button = part("button", classes=f"act {classes}", type="button", title=title, aria_label=title, data_act=name)
    with button:
        if icon:
            ui.icon(icon)
        if text:
            ui.label(text)
    return button
