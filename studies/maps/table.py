"""The study's table: a row a mission, in a file that is never seen half written."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path

from studies.maps.mission import FIGURES, Case, Row

CASE = tuple(field.name for field in fields(Case))
KINDS = {"robots": int, "seed": int, "time_limit_s": float}


def read(path: Path) -> dict[Case, Row]:
    """The rows by their missions, none if there is no such file."""
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        rows = [_row(cells) for cells in csv.DictReader(file)]
    return {row.case: row for row in rows}


def write(path: Path, rows: Iterable[Row]) -> None:
    """Write the table whole, in the order of its missions."""
    new = path.with_suffix(".new")
    with new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*CASE, "ending", "succeeded", *FIGURES, "at_end", "reason"])
        for row in sorted(rows, key=lambda row: row.case):
            case = {**asdict(row.case), "time_limit_s": f"{row.case.time_limit_s:g}"}
            figures = [_cell(row[name]) for name in FIGURES]
            writer.writerow([*case.values(), row.ending, str(row.succeeded).lower(), *figures, row.at_end, row.reason])
    new.replace(path)


def add(path: Path, row: Row) -> None:
    """Add or replace a row; what others have written meanwhile stays."""
    write(path, {**read(path), row.case: row}.values())


def _row(cells: dict[str, str]) -> Row:
    case = Case(**{name: KINDS.get(name, str)(cells[name]) for name in CASE})
    figures = {name: float(cells[name] or math.nan) for name in FIGURES}
    return Row(case, cells["ending"], cells["succeeded"] == "true", figures, cells["at_end"], cells["reason"])


def _cell(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6g}"
