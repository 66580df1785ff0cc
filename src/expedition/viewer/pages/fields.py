"""Fields of forms, made from questions: each with its help, its default and its mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.validation_element import ValidationElement
from nicegui.elements.mixins.value_element import ValueElement

from expedition.errors import ExpeditionError
from expedition.viewer.setup.questions import Group, Question

Changed = Callable[[str, Any], None]
"""Called with a field's name and its value; None for what is as by default."""


class Fields:
    """The fields that are on a page, by dotted name, and what is wrong with what was typed into them."""

    def __init__(self, changed: Changed) -> None:
        self._changed = changed
        self._elements: dict[str, Element] = {}
        self.mistakes: dict[str, str] = {}
        """Of fields whose content is no value of their kind."""

    def ask(self, questions: Iterable[Question], values: dict[str, Any]) -> None:
        """Show fields with the values that they have now."""
        with ui.element("div").classes("fields"):
            for one in questions:
                self._show(one, values.get(one.name))

    def add(self, name: str, element: Element) -> None:
        """Let mistakes of a field that was made elsewhere be shown at it."""
        self._elements[name] = element
        element.props(f'data-field="{name}"')

    def forget(self, prefix: str) -> None:
        """Fields that are to be made anew are none at first."""
        for name in [name for name in self._elements if name.startswith(prefix)]:
            del self._elements[name]
            self.mistakes.pop(name, None)

    def blame(self, mistakes: dict[str, str]) -> None:
        """Show each mistake at its field, or at the nearest thing around it that is on the page."""
        at: dict[str, str] = {}
        for name, sentence in {**mistakes, **self.mistakes}.items():
            known = name
            while known and known not in self._elements:
                known = known.rpartition(".")[0]
            if known:
                at[known] = sentence if known == name else f"{name.removeprefix(known).lstrip('.')}: {sentence}"
        for name, element in self._elements.items():
            if isinstance(element, ValidationElement):
                element.error = at.get(name)

    def _show(self, one: Question, value: Any) -> None:
        element = _element(one, value)
        element.classes("field")
        _mark(element, value is not None)
        self.add(one.name, element)

        def heard() -> None:
            try:
                found = one.read(element.value)
            except ExpeditionError as error:
                self.mistakes[one.name] = str(error)
                if isinstance(element, ValidationElement):
                    element.error = str(error)
                self._changed(one.name, None)
                return
            self.mistakes.pop(one.name, None)
            _mark(element, found is not None)
            self._changed(one.name, found)

        element.on_value_change(heard)


def ask_tree(fields: Fields, entries: Iterable[Question | Group], values: dict[str, Any]) -> None:
    """Questions, and groups of them that open when clicked; what lies in a group is made when it is first opened."""
    loose = [one for one in entries if isinstance(one, Question)]
    if loose:
        fields.ask(loose, values)
    for group in entries:
        if isinstance(group, Group):
            _ask_group(fields, group, values)


def _ask_group(fields: Fields, group: Group, values: dict[str, Any]) -> None:
    is_set = any(name.startswith(f"{group.name}.") for name in values)
    with ui.expansion(group.name.rpartition(".")[2].replace("_", " "), caption=group.help, value=is_set) as expansion:
        expansion.classes("group").props(f'dense data-group="{group.name}"')
        if is_set:
            ask_tree(fields, group.questions, values)

    def opened() -> None:
        if expansion.value and not expansion.default_slot.children:
            with expansion:
                ask_tree(fields, group.questions, values)

    expansion.on_value_change(opened)


def _element(one: Question, value: Any) -> ValueElement[Any]:
    shown = one.shown(value)
    element: ValueElement[Any]
    if one.kind == "switch":
        element = ui.switch(one.label, value=bool(shown)).tooltip(one.help)
        return element
    if one.kind == "choice":
        options: Any = list(one.options)
        element = ui.select(options, label=one.label, value=shown, clearable=one.default is None)
    elif one.kind in ("number", "whole"):
        element = ui.number(one.label, value=shown, precision=0 if one.kind == "whole" else None)
        if one.kind == "whole":
            element.props("step=1")
        else:
            element.props("step=any")
    else:
        element = ui.input(one.label, value=None if shown is None else str(shown))
    if isinstance(element, ValidationElement):
        element.without_auto_validation()
    usual = "" if one.default is None else f"default {one.shown(None)}"
    element.props("outlined dense debounce=300 stack-label")
    element.props["hint"] = f"{one.help} ({usual})" if one.help and usual else one.help or usual.capitalize()
    if one.required:
        element.props("placeholder=needed")
    return element


def _mark(element: Element, is_set: bool) -> None:
    """What is not as by default stands out."""
    element.classes(add="field-set") if is_set else element.classes(remove="field-set")
