"""Metrics and parameters as figures and tables call them."""

from __future__ import annotations

AXES = {"robots": "robots", "seed": "seed"}


def axis_label(parameter: str | None) -> str:
    """A parameter of a design, for an axis."""
    return "" if parameter is None else AXES.get(parameter, parameter.replace("_", " "))


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def counted(count: int, one: str, several: str | None = None) -> str:
    """A number of things: 1 mission, 12 missions."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"
