"""The one plot style: small sans-serif type, thin lines, colours that stay apart, the same bytes each time.

Figures are made as objects, never through pyplot, so that plotting leaves no state behind and works in any thread.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.legend import Legend
from matplotlib.lines import Line2D

from expedition.errors import ExpeditionError, shorten, unknown

FONT = "DejaVu Sans"  # comes with Matplotlib, so it is on every machine
FONT_SIZE = 7.0
INK = "#2b2f36"
PALE = "#c9cdd3"
DPI = 300
FORMATS = {".png": "png", ".svg": "svg", ".pdf": "pdf"}

# Okabe and Ito's colours (2008), told apart with every kind of colour vision; the yellow is too pale on white ground.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195", "#7f7f7f")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

_SETTINGS: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": [FONT],
    "mathtext.fontset": "dejavusans",
    "svg.hashsalt": "expedition",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "path.simplify": True,
    "savefig.facecolor": "white",
}

MOST_COLUMNS = 5
"""Entries of a legend beside each other."""
_LEGEND: dict[str, Any] = {
    "frameon": False,
    "prop": {"family": FONT, "size": FONT_SIZE},
    "labelcolor": INK,
    "handlelength": 1.2,
    "handleheight": 1.0,
    "columnspacing": 1.4,
    "handletextpad": 0.6,
    "borderpad": 0.1,
}

Item = TypeVar("Item")


def robot_colour(robot: int) -> str:
    """The colour of a robot in every plot; from the ninth on they repeat, with another `robot_marker`."""
    return _COLOURS[robot % len(_COLOURS)]


def robot_marker(robot: int) -> str:
    """The marker of a robot in every plot: with the colour, it tells 64 robots apart."""
    return _MARKERS[robot // len(_COLOURS) % len(_MARKERS)]


def new_figure(width_cm: float, height_cm: float) -> Figure:
    """An empty figure of that size whose axes make room for their labels."""
    layout = ConstrainedLayoutEngine(w_pad=0.04, h_pad=0.04)
    figure = Figure(figsize=(width_cm / 2.54, height_cm / 2.54), dpi=DPI, layout=layout, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def tidy(axes: Axes) -> None:
    """Give axes the small type and thin lines of the style."""
    axes.tick_params(labelsize=FONT_SIZE, width=0.5, length=2.5, color=INK, labelcolor=INK, labelfontfamily=FONT)
    for spine in axes.spines.values():
        spine.set(linewidth=0.5, color=INK)
    for label in (axes.xaxis.label, axes.yaxis.label, axes.title):
        label.set(fontsize=FONT_SIZE + (label is axes.title), color=INK, fontfamily=FONT)


def legend(place: Axes | Figure, *groups: Sequence[Artist]) -> Legend | None:
    """A legend without frame: inside single axes, or beneath those of a figure, which grows by its height.

    Beneath a figure each group begins a row, unless all fit into one; rows hold about as many entries each, of at most
    five. None without handles.
    """
    shown = [list(group) for group in groups if group]
    if not shown:
        return None
    if isinstance(place, Axes):
        return place.legend(handles=[handle for group in shown for handle in group], loc="best", **_LEGEND)
    if sum(map(len, shown)) <= MOST_COLUMNS:
        shown = [[handle for group in shown for handle in group]]
    for most in range(MOST_COLUMNS, 0, -1):
        rows = [row for group in shown for row in parts_of(group, most)]
        made = _beneath(place, rows)
        size = made.get_tightbbox()
        if most == 1 or size is None or size.width <= place.bbox.width:
            break
        made.remove()
    if size is not None:
        place.set_figheight(place.get_figheight() + size.height / place.dpi)
    return made


def parts_of(items: Sequence[Item], most: int) -> list[list[Item]]:
    """Items in as few parts of at most `most` as there must be, of about the same size."""
    count = max(1, -(-len(items) // most))
    size, rest = divmod(len(items), count)
    ends = [(part + 1) * size + min(part + 1, rest) for part in range(count)]
    return [list(items[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def _beneath(figure: Figure, rows: Sequence[Sequence[Artist]]) -> Legend:
    """A legend of these rows. Matplotlib fills columns first, so that short rows are filled up with nothing."""
    columns = max(map(len, rows))
    nothing = Line2D([], [], linestyle="none", label=" ")
    filled = [[*row, *[nothing] * (columns - len(row))] for row in rows]
    handles = [row[column] for column in range(columns) for row in filled]
    return figure.legend(handles=handles, loc="outside lower center", ncols=columns, **_LEGEND)


def check_target(path: str | Path) -> Path:
    """Refuse a name that no picture can have, before the work that leads to the picture is done."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise unknown("picture format", suffix or path.name, FORMATS, place=shorten(str(path)))
    if not path.parent.is_dir():
        raise ExpeditionError(
            f"{shorten(str(path))}: cannot be written: there is no folder {shorten(str(path.parent))}"
        )
    return path


def save(figure: Figure, path: str | Path) -> Path:
    """Write a figure as PNG, SVG or PDF, whichever the name says; the same figure gives the same bytes."""
    path = check_target(path)
    suffix = path.suffix.lower()
    no_dates = {
        "png": {"Software": None},
        "svg": {"Date": None, "Creator": None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    }
    data = io.BytesIO()
    with matplotlib.rc_context(_SETTINGS):
        figure.savefig(data, format=FORMATS[suffix], dpi=DPI, metadata=no_dates[FORMATS[suffix]])
    try:
        path.write_bytes(data.getvalue())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ExpeditionError(f"{shorten(str(path))}: cannot be written: {reason}") from None
    return path
