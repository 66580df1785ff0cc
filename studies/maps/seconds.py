"""The seconds that missions took, kept beside the store: they are others on every machine."""

from __future__ import annotations

import csv
import math
from dataclasses import astuple
from pathlib import Path

from studies.maps.mission import Case

FILE = "seconds.csv"


def add_seconds(store: Path, case: Case, seconds: float) -> None:
    """Add a line; a mission that is run anew has several, of which the last counts."""
    if not math.isnan(seconds):
        store.mkdir(parents=True, exist_ok=True)
        with (store / FILE).open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow([*astuple(case), f"{seconds:.3f}"])


def read_seconds(store: Path) -> dict[Case, float]:
    """The seconds by mission."""
    path = store / FILE
    if not path.exists():
        return {}
    found = {}
    with path.open(newline="", encoding="utf-8") as file:
        for line in csv.reader(file):
            if len(line) == 7:  # not the half of a line that an interrupted study left
                terrain, strategy, robots, localiser, seed, limit, seconds = line
                found[Case(terrain, strategy, int(robots), localiser, int(seed), float(limit))] = float(seconds)
    return found
