"""What every figure of a report is: a drawing with its name and words, panels in rows, parts where there are many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D

from expedition.plotstyle import FONT, FONT_SIZE, INK, new_figure

WIDTH_CM = 17.0
"""The text width of a journal's page."""
NARROW_CM = 11.0
MOST_PANELS = 8
MOST_COLUMNS = 5
"""Entries of a legend beside each other."""
MOST_LINES = 8
"""As many as there are colours that stay apart."""

Item = TypeVar("Item")


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


def parts_of(items: Sequence[Item], most: int) -> list[list[Item]]:
    """Items in as few parts of at most `most` as there must be, of about the same size."""
    count = max(1, -(-len(items) // most))
    size, rest = divmod(len(items), count)
    ends = [(part + 1) * size + min(part + 1, rest) for part in range(count)]
    return [list(items[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


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


def legend_in_rows(figure: Figure, *groups: Sequence[Artist]) -> Legend | None:
    """A legend beneath a figure in which each group begins a row, or one row if all fit; None without handles.

    Rows have as many columns as the widest group has, of at most five, and hold about as many entries each.
    """
    shown = [list(group) for group in groups if group]
    if not shown:
        return None
    if sum(map(len, shown)) <= MOST_COLUMNS:
        shown = [[handle for group in shown for handle in group]]
    rows = [row for group in shown for row in parts_of(group, MOST_COLUMNS)]
    made = _legend(figure, rows)
    while (size := made.get_tightbbox()) is not None and size.width > figure.bbox.width and max(map(len, rows)) > 1:
        made.remove()
        most = max(map(len, rows)) - 1
        rows = [row for group in shown for row in parts_of(group, most)]
        made = _legend(figure, rows)
    if size is not None:
        figure.set_figheight(figure.get_figheight() + size.height / figure.dpi)
    return made


def _legend(figure: Figure, rows: Sequence[Sequence[Artist]]) -> Legend:
    """A legend of these rows. Matplotlib fills columns first, so that short rows are filled up with nothing."""
    columns = max(map(len, rows))
    nothing = Line2D([], [], linestyle="none", label=" ")
    filled = [[*row, *[nothing] * (columns - len(row))] for row in rows]
    return figure.legend(
        handles=[row[column] for column in range(columns) for row in filled], loc="outside lower center",
        ncols=columns, frameon=False, prop={"family": FONT, "size": FONT_SIZE}, labelcolor=INK, handlelength=1.2,
        handleheight=1.0, columnspacing=1.4, handletextpad=0.6, borderpad=0.1,
    )  # fmt: skip


def of_parts(name: str, number: int, count: int) -> str:
    """A title's or file's ending that tells parts of a figure apart; nothing for a single one."""
    return f"{name}{number + 1}" if count > 1 else ""
