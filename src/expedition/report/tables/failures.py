"""The missions that did not succeed, with the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from expedition.bench.records import GivenUp
from expedition.report.naming import axis_label
from expedition.report.statistics.factors import Factors, short_name
from expedition.report.tables.contents import told_apart_by
from expedition.report.tables.table import Shown, Table


def failures_table(
    results: pl.DataFrame, factors: Factors, failure_of: Mapping[str, str], given_up: Sequence[GivenUp]
) -> Table:
    """The missions that did not succeed, and those that were given up, with the reason."""
    parameters = told_apart_by(factors)
    entries = [
        ([row[name] for name in parameters], row["seed"], row["ending"], _why(row, failure_of), row["key"])
        for row in results.filter(~pl.col("succeeded")).iter_rows(named=True)
    ]
    entries += [
        ([one.vector.get(name) for name in parameters], one.seed, "given up", last_line(one.why), one.key)
        for one in given_up
    ]
    names = ("seed", "ending", "reason", "key")
    columns: dict[str, list[Any]] = {
        name: [None if entry[0][number] is None else str(entry[0][number]) for entry in entries]
        for number, name in enumerate(parameters)
    }
    columns |= {name: [entry[number] for entry in entries] for number, name in enumerate(names, start=1)}
    schema = {name: pl.Int64 if name == "seed" else pl.String for name in columns}
    rows = [(*map(short_name, given), str(seed), ending, why, key[:8]) for given, seed, ending, why, key in entries]
    header = (*map(axis_label, parameters), *names)
    return Table(
        "failures",
        "Missions that did not succeed",
        "How each of them ended, and why.",
        pl.DataFrame(columns, schema=schema),
        Shown(header, rows, len(header), [entry[-1] for entry in entries]),
    )


def last_line(text: str) -> str:
    """The last line of a traceback, which names the error; of a sentence, the sentence."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _why(row: Mapping[str, Any], failure_of: Mapping[str, str]) -> str:
    if failure := failure_of.get(row["key"]):
        return last_line(failure)
    explored = row.get("completeness")
    so_far = f"{explored:.1%} explored" if isinstance(explored, float) else ""
    time = f"after {row['time_s']:,.0f} s" if isinstance(row.get("time_s"), float | int) else ""
    return " ".join(part for part in (so_far, time) if part)
