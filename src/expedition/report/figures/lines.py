"""Lines of cells on axes: a marker a cell, bars for its interval, the marker's size by the share that succeeded."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from expedition.measure.metrics import Metric
from expedition.plotstyle import FONT, FONT_SIZE, INK, PALE, robot_colour, tidy
from expedition.report.cells import Cell

SMALLEST, LARGEST = 2.2, 5.8
"""Diameters of markers in points: no mission succeeded, all did."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")
ROOMY = 18
"""Places on an axis beyond which markers would touch."""
ROOM = 0.1
"""The share of the distance between two places on the axis by which a line may stand beside its place."""
ROOM_OF_ROBOTS = 0.15
"""Robots by which it may, where they are the axis: 4 robots are not to be taken for 4.5."""


SCORES = ("map_quality", "auc", "workload_balance")
"""Metrics without a unit that are at most 1."""


@dataclass(frozen=True)
class Line:
    """The cells of one case, or of one terrain."""

    cells: Sequence[Cell]
    style: int
    """Its number: colour and marker."""


@dataclass(frozen=True)
class Scale:
    """What the numbers on the y axis may be: an amount begins at 0, a score has a highest value."""

    from_zero: bool = False
    ceiling: float = math.inf

    @classmethod
    def of(cls, metric: Metric) -> Scale:
        """Amounts are what has a unit, and shares and counts of which less is better; the others are scores."""
        from_zero = metric.unit not in ("", "%") or metric.better == "lower"
        return cls(from_zero, 1.0 if metric.unit == "%" or metric.name in SCORES else math.inf)


def marker_size(succeeded: int, missions: int, places: int = 1) -> float:
    """The diameter of a marker in points, which grows with the share of the finished missions that succeeded.

    On an axis with many places all markers are smaller.
    """
    scale = min(1.0, max(0.6, ROOMY / places))
    return scale * (SMALLEST + (LARGEST - SMALLEST) * (succeeded / max(1, missions)))


def draw_lines(
    axes: Axes, lines: Sequence[Line], values: Sequence[Any], scale: Scale, connect: bool = True,
    room: float = math.inf,
) -> None:  # fmt: skip
    """Draw lines over an axis that has these values; a cell without successful missions leaves a gap.

    Lines that connect their cells stand a little beside each other, by at most `room` on the axis, so that no bar hides
    one.
    """
    place = {value: number for number, value in enumerate(values)}
    numeric = all(isinstance(value, int | float) for value in values)
    logarithmic = numeric and is_logarithmic(values)
    for number, line in enumerate(lines):
        shift = 2 * ROOM * (number / (len(lines) - 1) - 0.5) * connect if len(lines) > 1 else 0.0
        cells = sorted(line.cells, key=lambda cell: place[cell.x])
        at = [
            _beside(cell.x, _shifted(cell.x, shift, values, logarithmic), room) if numeric else place[cell.x] + shift
            for cell in cells
        ]
        colour, marker = robot_colour(line.style), MARKERS[line.style % len(MARKERS)]
        if connect:
            middles = [math.nan if cell.centre is None else cell.centre for cell in cells]
            axes.plot(at, middles, color=colour, linewidth=0.8, alpha=0.75, zorder=2)
        shown = [(x, cell) for x, cell in zip(at, cells, strict=True) if cell.centre is not None]
        barred = [(x, cell.low, cell.high) for x, cell in shown if cell.low is not None and cell.high is not None]
        if barred:
            axes.vlines(*zip(*barred, strict=True), color=colour, linewidth=0.7, alpha=0.6, zorder=1)
        if shown:
            axes.scatter(
                [x for x, _ in shown], [cell.centre for _, cell in shown],  # type: ignore[arg-type]
                s=[marker_size(cell.succeeded, cell.missions, len(values)) ** 2 for _, cell in shown],
                marker=marker, facecolors=[colour if cell.succeeded else "white" for _, cell in shown],
                edgecolors=["white" if cell.succeeded else colour for _, cell in shown], linewidths=0.4, zorder=3,
                clip_on=False,
            )  # fmt: skip
    _limit(axes, [cell for line in lines for cell in line.cells if cell.centre is not None], scale)
    if numeric:
        _number_axis(axes, values, logarithmic)
    else:
        axes.set_xticks(range(len(values)), [str(value) for value in values])
        axes.set_xlim(-0.6, len(values) - 0.4)
        if sum(len(str(value)) for value in values) > 34:
            axes.tick_params(axis="x", rotation=30)
            for label in axes.get_xticklabels():
                label.set(ha="right", rotation_mode="anchor")
    if not any(cell.centre is not None for line in lines for cell in line.cells):
        say_empty(axes, "no mission succeeded")


def finish(axes: Axes) -> None:
    """The look of axes with numbers: a pale grid to read values by, no box."""
    tidy(axes)
    axes.grid(axis="y", color=PALE, linewidth=0.4, zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def percent_tick(value: float, _: object = None) -> str:
    """A share beside an axis, in percent with as many digits as it needs."""
    return f"{100 * value:.6g}%"


def say_empty(axes: Axes, sentence: str) -> None:
    """Say on empty axes why they are."""
    axes.text(
        0.5, 0.5, sentence, transform=axes.transAxes, ha="center", va="center", color=INK, fontsize=FONT_SIZE,
        fontfamily=FONT,
    )  # fmt: skip
    axes.set_yticks([])


def line_handles(lines: Mapping[str, int]) -> list[Artist]:
    """What a legend says of the lines; none for a single one."""
    if len(lines) < 2:
        return []
    return [
        Line2D(
            [], [], color=robot_colour(style), marker=MARKERS[style % len(MARKERS)], markersize=LARGEST,
            linewidth=0.8, markeredgecolor="white", markeredgewidth=0.4, label=label,
        )
        for label, style in lines.items()
    ]  # fmt: skip


def size_handles(cells: Sequence[Cell], places: int) -> list[Artist]:
    """What a legend says of the markers' sizes: at most three of those that are there."""
    found = {(cell.succeeded, cell.missions) for cell in cells if cell.centre is not None and cell.succeeded}
    same_missions = len({cell.missions for cell in cells}) == 1
    shares: dict[Fraction, str] = {}
    for succeeded, missions in sorted(found, key=lambda one: Fraction(*one)):
        share = Fraction(succeeded, missions)
        counted = f"{succeeded} of {missions} succeeded"
        shares[share] = counted if same_missions else "all succeeded" if share == 1 else f"{float(share):.0%} succeeded"
    if not shares:
        return []
    listed = list(shares)
    named = listed if len(listed) <= 3 else [listed[0], listed[len(listed) // 2], listed[-1]]
    return [
        Line2D(
            [], [], linestyle="none", marker="o", markersize=marker_size(share.numerator, share.denominator, places),
            color=INK, markeredgecolor="white", markeredgewidth=0.4, label=shares[share],
        )
        for share in named
    ]  # fmt: skip


def is_logarithmic(values: Sequence[Any]) -> bool:
    """Whether numbers grow by factors rather than steps, as 1, 2, 4, 8, 16 do."""
    if len(values) < 4 or min(values) <= 0:
        return False
    gaps = np.diff(np.array(values, dtype=np.float64))
    return bool(gaps.max() >= 4 * gaps.min() and max(values) >= 8 * min(values))


def _shifted(value: Any, shift: float, values: Sequence[Any], logarithmic: bool) -> float:
    numbers = np.array(values, dtype=np.float64)
    if len(numbers) < 2:
        return float(value) + shift
    if logarithmic:
        return float(value * np.exp(shift * np.diff(np.log(numbers)).min()))
    return float(value + shift * np.diff(numbers).min())


def _beside(value: Any, shifted: float, room: float) -> float:
    """A place beside a value, no farther from it than there is room."""
    return min(max(shifted, float(value) - room), float(value) + room)


def _number_axis(axes: Axes, values: Sequence[Any], logarithmic: bool) -> None:
    if logarithmic:
        axes.set_xscale("log", base=2)
    if logarithmic or len(values) <= 10:
        axes.set_xticks(list(values), [f"{value:g}" for value in values])
        axes.minorticks_off()
    else:
        whole = all(float(value).is_integer() for value in values)
        axes.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=whole, steps=[1, 2, 5, 10]))
    side = max(0.6, 0.025 * len(values))
    low, high = _shifted(values[0], -side, values, logarithmic), _shifted(values[-1], side, values, logarithmic)
    axes.set_xlim(low, high)


def _limit(axes: Axes, cells: Sequence[Cell], scale: Scale) -> None:
    """Limits that show every marker; a bar much longer than the markers' spread is cut, so that they stay apart.

    Amounts begin at 0. Scores do so if they differ much; else their axis spans a tenth of them, so that little
    looks like little.
    """
    if not cells:
        return
    middles = [cell.centre for cell in cells if cell.centre is not None]
    low, high = min(middles), max(middles)
    spread = max(high - low, 0.1 * abs(high)) or 1.0
    ends = [end for cell in cells for end in (cell.low, cell.high) if end is not None]
    bottom = max(min([low, *ends]), low - spread)
    top = min(max([high, *ends]), high + spread)
    top = min(top, scale.ceiling) if high <= scale.ceiling else top
    if low >= 0 and (scale.from_zero or bottom < 0 or high - low > 0.3 * high):
        axes.set_ylim(0.0, (top or spread) * 1.06)
        return
    if (missing := spread - (top - bottom)) > 0:
        top, bottom = top + missing / 2, bottom - missing / 2
        above = max(0.0, top - scale.ceiling) if high <= scale.ceiling else 0.0
        top, bottom = top - above, bottom - above
    room = 0.06 * (top - bottom)
    axes.set_ylim(bottom - room, top + room)
