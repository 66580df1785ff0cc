"""What a study is, and how its summaries are written: Markdown tables of means with their spread."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from studies.table import Row, Run

TERRAINS = ("loop", "cross", "zigzag", "maze")
"""Those of Yan et al."""


@dataclass(frozen=True)
class Study:
    """Missions, and what is made of their rows. Both take subsets as they are, for a first look."""

    name: str
    title: str
    seeds: int
    """How many seeds each case is run with."""
    runs: Callable[[int], list[Run]]
    """The missions for so many seeds."""
    report: Callable[[list[Row]], str]
    """What they show, in Markdown."""
    figure: Callable[[list[Row]], Figure]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; all columns but the first are numbers and stand right."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows]) + "\n"


def mean(values: Iterable[float]) -> float:
    """The mean of what there is; NaN of nothing."""
    there = [value for value in values if not math.isnan(value)]
    return float(np.mean(there)) if there else math.nan


def deviation(values: Iterable[float]) -> float:
    """The sample's standard deviation; 0 of a single value."""
    there = [value for value in values if not math.isnan(value)]
    return float(np.std(there, ddof=1)) if len(there) > 1 else 0.0


def written(value: float, pattern: str = ",.0f") -> str:
    """A number, or a dash where there is none."""
    return format(value, pattern) if math.isfinite(value) else "-"


def spread(values: Iterable[float], pattern: str = ",.0f") -> str:
    """Mean and standard deviation; a dash where there is nothing."""
    values = list(values)
    if math.isnan(mean(values)):
        return "-"
    return f"{written(mean(values), pattern)} ± {written(deviation(values), pattern)}"


def share(rows: Sequence[Row]) -> str:
    """How many missions succeeded."""
    return f"{sum(row.explored for row in rows)} of {len(rows)}"


def times(rows: Iterable[Row]) -> list[float]:
    """How long the missions took that succeeded; the others never got there."""
    return [row["time_s"] for row in rows if row.explored]


def values_of(rows: Iterable[Row], field: str) -> list[str]:
    """The values of a run's field that occur, in the order in which they come."""
    return list(dict.fromkeys(str(getattr(row.run, field)) for row in rows))


def fleets_of(rows: Iterable[Row]) -> list[int]:
    """The fleet sizes that occur, the smallest first."""
    return sorted({row.run.robots for row in rows})
