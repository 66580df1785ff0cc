"""The table that a study leaves: a row a mission, which says all that the mission depends on and what came of it."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path

FIGURES = (
    "time_s", "t90_s", "t99_s", "completeness", "cost_m", "efficiency_m2_per_m", "collisions_with_walls",
    "collisions_with_others", "map_error_cells", "map_quality", "trajectory_error_mean_m", "trajectory_error_max_m",
    "share_spread",  "reckoning_error_mean_m", "reckoning_error_max_m",
)  # fmt: skip
"""The mission's metrics, and how far off dead reckoning would have been along the same ways."""


@dataclass(frozen=True)
class Run:
    """A mission of a study."""

    terrain: str
    robots: int
    strategy: str
    seed: int
    localiser: str = "scan-matching"
    merge: str = "greedy"
    robot: str = "pioneer-3dx"
    settings: str = ""
    """Further settings of the robots' software: `name=value` words with spaces between, dots for fields in fields."""
    time_limit: float = 2000.0


@dataclass(frozen=True)
class Row:
    """What came of it."""

    run: Run
    ending: str
    figures: dict[str, float]
    """By the names in `FIGURES`; NaN for what there is not, such as T99 of a mission that never got so far."""

    def __getitem__(self, figure: str) -> float:
        return self.figures[figure]

    @property
    def explored(self) -> bool:
        """Whether the mission succeeded."""
        return self.ending == "explored"

    @property
    def speed(self) -> float:
        """How fast a robot drove on average, standing and turning included, in m/s."""
        return self["cost_m"] / self["time_s"] / self.run.robots


def read(path: Path) -> dict[Run, Row]:
    """The rows of a table by their missions, none if there is no such file."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        rows = [_row(cells) for cells in csv.DictReader(file)]
    return {row.run: row for row in rows}


def write(path: Path, rows: Iterable[Row]) -> None:
    """Write a table whole, in the order of its missions; it is never seen half written."""
    new = path.with_suffix(".new")
    with new.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*(field.name for field in fields(Run)), "ending", *FIGURES])
        for row in sorted(rows, key=lambda row: astuple(row.run)):
            writer.writerow([*asdict(row.run).values(), row.ending, *(_cell(row[name]) for name in FIGURES)])
    new.replace(path)


def _row(cells: dict[str, str]) -> Row:
    kinds = {"robots": int, "seed": int, "time_limit": float}
    run = Run(**{field.name: kinds.get(field.name, str)(cells[field.name]) for field in fields(Run)})
    return Row(run, cells["ending"], {name: float(cells[name] or math.nan) for name in FIGURES})


def _cell(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6g}"
