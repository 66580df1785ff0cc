"""What the table says, in Markdown: what was asked and what came of it, and each mission that failed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from statistics import median
from typing import TypeVar

from studies.maps.mission import Row
from studies.maps.terrains import OPTIONS, is_plan, label
from studies.study import markdown, mean, written

Value = TypeVar("Value")

SUCCEEDING = 0.97
"""The share of missions that must succeed."""
STILL = 120.0
"""Seconds for which no fleet may stand still with something left to do."""
CONTACTS = 1.0
"""Contacts with walls that a mission may have on average."""


def report(rows: Sequence[Row], planned: int, causes: Mapping[str, str]) -> str:
    """The whole page; `causes` are what people found, by the missions that failed."""
    if not rows:
        return "No mission has been run yet.\n"
    parts = []
    if len(rows) < planned:
        parts.append(f"**{len(rows):,} of {planned:,} missions have been run so far.**\n")
    parts += [
        _asked(rows),
        "Missions that succeeded, by terrain, localiser and fleet:\n",
        _by_terrain(rows),
        "By strategy; times are medians of the missions that succeeded:\n",
        _by(rows, "strategy", lambda row: row.case.strategy),
        "By localiser and fleet:\n",
        _by(sorted(rows, key=_column), "localiser, robots", lambda row: f"{row.case.localiser}, {row.case.robots}"),
        "The terrains, as the fleets found them:\n",
        _terrains(rows),
    ]
    if failed := [row for row in rows if not row.succeeded]:
        parts += [f"The {len(failed):,} missions that failed, and what is known of each:\n", _failed(failed, causes)]
    if stood := [row for row in rows if row.succeeded and row["stood_still_s"] >= STILL]:
        parts += [f"Missions that succeeded after the fleet had stood still for {STILL:g} s or more:\n", _stood(stood)]
    return "\n".join(parts)


def timing(taken: Sequence[tuple[Row, float]]) -> str:
    """What missions take of this machine, which no table keeps: a line, and a table by fleet."""
    known = [(row, seconds) for row, seconds in taken if row["time_s"] > 0.0]
    if not known:
        return "No mission was timed.\n"
    hours, simulated = sum(seconds for _, seconds in known) / 3600, sum(row["time_s"] for row, _ in known) / 3600
    first = (
        f"{len(known):,} missions of {simulated:,.1f} simulated hours took {hours:,.2f} hours, each on one core: "
        f"{hours / simulated:.4f} s a simulated second, {max(seconds for _, seconds in known):,.0f} s the longest.\n"
    )
    lines = []
    for robots in sorted({row.case.robots for row, _ in known}):
        some = [(seconds, seconds / row["time_s"]) for row, seconds in known if row.case.robots == robots]
        seconds, rates = zip(*some, strict=True)
        lines.append([
            str(robots), f"{len(some):,}", f"{median(seconds):.1f}", f"{max(seconds):,.1f}", f"{median(rates):.4f}",
            f"{max(rates):.4f}",
        ])  # fmt: skip
    head = ["robots", "missions", "median (s)", "longest (s)", "s a simulated second, median", "most"]
    return f"{first}\n{markdown(head, lines)}"


def _asked(rows: Sequence[Row]) -> str:
    succeeded = sum(row.succeeded for row in rows)
    stood = [row for row in rows if row["stood_still_s"] >= STILL]
    longest = max((row["stood_still_s"] for row in rows if row["stood_still_s"] >= 0.0), default=0.0)
    contacts = [row["collisions_with_walls"] for row in rows]
    most = max((count for count in contacts if count >= 0.0), default=0.0)
    lines = [
        [
            f"at least {SUCCEEDING:.0%} of missions succeed",
            f"{succeeded:,} of {len(rows):,}: {floored(succeeded / len(rows))}",
            _verdict(succeeded >= SUCCEEDING * len(rows)),
        ],
        [
            f"no fleet stands still for {STILL:g} s with something left to do",
            f"{len(stood):,} of {len(rows):,} do; the longest time is {longest:,.0f} s",
            _verdict(not stood),
        ],
        [
            "at most one contact with a wall a mission, on average",
            f"{written(mean(contacts), '.2f')} on average, {most:,.0f} at most",
            _verdict(mean(contacts) <= CONTACTS),
        ],
    ]
    return markdown(["asked", "here", ""], lines).replace("---:", "---")


def floored(share: float) -> str:
    """A percentage that is not rounded up to what it does not reach."""
    return "-" if math.isnan(share) else f"{math.floor(1000 * share + 1e-9) / 10:.1f}%"


def _verdict(is_met: bool) -> str:
    return "met" if is_met else "**missed**"


def _by_terrain(rows: Sequence[Row]) -> str:
    columns = list(product(*(sorted(set(values)) for values in zip(*map(_column, rows), strict=True))))
    lines = []
    for terrain in terrains_of(rows):
        some = [row for row in rows if row.case.terrain == terrain]
        cells = [_succeeded([row for row in some if _column(row) == column]) for column in columns]
        lines.append([label(terrain), *cells, _succeeded(some)])
    return markdown(["terrain", *(f"{localiser}, {robots}" for localiser, robots in columns), "all"], lines)


def _by(rows: Sequence[Row], head: str, group: Callable[[Row], str]) -> str:
    lines = []
    for name in _values(rows, group):
        some = [row for row in rows if group(row) == name]
        times = [row["time_s"] for row in some if row.succeeded]
        lines.append([
            name, _succeeded(some), written(median(times)) if times else "-",
            str(sum(row["stood_still_s"] >= STILL for row in some)),
            written(mean(row["collisions_with_walls"] for row in some), ".2f"),
            written(mean(row["collisions_with_others"] for row in some), ".2f"),
            written(mean(row["distance_m"] for row in some)),
            written(mean(row["trajectory_error_mean_m"] for row in some), ".2f"),
        ])  # fmt: skip
    columns = [
        head, "succeeded", "time (s)", f"stood still for {STILL:g} s", "contacts with walls", "between robots",
        "driven (m)", "trajectory error (m)",
    ]  # fmt: skip
    return markdown(columns, lines)


def _terrains(rows: Sequence[Row]) -> str:
    lines = []
    for terrain in terrains_of(rows):
        some = [row for row in rows if row.case.terrain == terrain]
        reach = [row["reachable_share"] for row in some if row["reachable_share"] >= 0.0]
        sizes = sorted({row["cell_size_m"] for row in some if row["cell_size_m"] > 0.0})
        low, high = min(reach, default=float("nan")), max(reach, default=float("nan"))
        times = [row["time_s"] for row in some if row.succeeded]
        lines.append([
            label(terrain), written(low, ".1%") if high - low < 0.001 else f"{low:.1%} to {high:.1%}",
            " or ".join(f"{size:g}" for size in sizes) or "-", written(median(times)) if times else "-",
            "" if is_plan(terrain) else OPTIONS.get(terrain.partition(":")[0], ""),
        ])  # fmt: skip
    return markdown(["terrain", "reachable", "cells of maps (m)", "median time (s)", "read with"], lines)


def _failed(rows: Sequence[Row], causes: Mapping[str, str]) -> str:
    lines = []
    for row in rows:
        left = row["frontiers_left"]
        facts = [row.at_end, "" if left != left else f"{left:.0f} frontiers left", row.reason]
        lines.append([
            *_named(row), row.ending, floored(row["explored_share"]), written(row["time_s"]),
            written(row["stood_still_s"]), written(row["nothing_new_s"]), written(row["trajectory_error_max_m"], ".2f"),
            _cell("; ".join(filter(None, facts))), _cell(causes.get(str(row.case), "")),
        ])  # fmt: skip
    head = [
        "terrain", "strategy", "robots", "localiser", "ending", "explored", "time (s)", "stood still (s)",
        "nothing new (s)", "largest trajectory error (m)", "at the end", "cause",
    ]  # fmt: skip
    return markdown(head, lines)


def _stood(rows: Sequence[Row]) -> str:
    lines = [
        [*_named(row), written(row["stood_still_s"]), written(row["nothing_new_s"]), written(row["time_s"])]
        for row in rows
    ]
    head = ["terrain", "strategy", "robots", "localiser", "stood still (s)", "nothing new (s)", "time (s)"]
    return markdown(head, lines)


def terrains_of(rows: Iterable[Row]) -> list[str]:
    """The terrains that occur: files by name, then floor plans by seed."""
    found = {row.case.terrain for row in rows}
    return sorted(found, key=lambda name: (is_plan(name), int(name.rpartition("=")[2]) if is_plan(name) else 0, name))


def _named(row: Row) -> list[str]:
    case = row.case
    return [label(case.terrain), case.strategy, str(case.robots), case.localiser]


def _succeeded(rows: Sequence[Row]) -> str:
    """How many of them did; in bold where not all."""
    if not rows:
        return "-"
    text = f"{sum(row.succeeded for row in rows)} of {len(rows)}"
    return text if all(row.succeeded for row in rows) else f"**{text}**"


def _column(row: Row) -> tuple[str, int]:
    return row.case.localiser, row.case.robots


def _values(rows: Sequence[Row], of: Callable[[Row], Value]) -> list[Value]:
    return list(dict.fromkeys(of(row) for row in rows))


def _cell(text: str) -> str:
    """Text that does not end its cell."""
    return text.replace("|", "\\|")
