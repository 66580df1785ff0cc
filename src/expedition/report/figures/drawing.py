"""What every figure of a report is: a drawing with its name and words, panels in rows, parts where there are many."""

from __future__ import annotations

import re
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from expedition.plotstyle import new_figure

WIDTH_CM = 17.0
"""The text width of a journal's page."""
NARROW_CM = 11.0
MOST_PANELS = 8
MOST_LINES = 8
"""As many as there are colours that stay apart."""


@dataclass(frozen=True)
class Drawing:
    """A figure with what is said of it."""

    name: str
    """Of its files, without the suffix."""
    title: str
    caption: str
    alt: str
    """What it shows, for those who cannot see it."""
    figure: Figure
    raster: bool = False
    """Whether it is mostly picture, so that a page shows it as PNG."""


def file_name(*words: object) -> str:
    """Words as the name of a file: small letters, digits and hyphens."""
    text = "-".join(str(word) for word in words if word is not None)
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:80] or "figure"


def panel_grid(panels: int, height_cm: float = 5.6, columns: int | None = None) -> tuple[Figure, list[Axes]]:
    """A figure with so many axes in rows; one alone is narrower."""
    if columns is None:
        columns = 1 if panels == 1 else 2 if panels <= 4 or panels > 6 else 3
    rows = -(-panels // columns)
    figure = new_figure(NARROW_CM if panels == 1 else WIDTH_CM, (height_cm + (panels == 1)) * rows)
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for spare in axes[panels:]:
        spare.remove()
    return figure, axes[:panels]


def of_parts(name: str, number: int, count: int) -> str:
    """A title's or file's ending that tells parts of a figure apart; nothing for a single one."""
    return f"{name}{number + 1}" if count > 1 else ""
