"""What a design came to: one row a finished mission, with its parameters, its ending and its metrics."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import polars as pl

from expedition.bench.store import Store
from expedition.measure.metrics import METRICS, Value, compute

if TYPE_CHECKING:
    from expedition.bench.records import DesignRecord, Listed


def load_results(store: Store, design: str) -> pl.DataFrame:
    """One row a finished mission, in the design's order.

    Columns: key, iteration, seed, the design's parameters by their dotted names, ending, succeeded, and metrics: those
    that the design names first, then the others that ship. A metric that was not there when a mission ran, such as a
    user's new one, is computed from the mission's measurements.
    """
    record = store.design(design)
    there = store.finished()
    listed = [one for one in record.missions if one.key in there]
    metrics = [*dict.fromkeys([*record.metrics, *METRICS])]
    outcomes = [_outcome(store, one.key, metrics) for one in listed]
    columns = {
        "key": pl.Series([one.key for one in listed], dtype=pl.String),
        "iteration": pl.Series([one.iteration for one in listed], dtype=pl.Int64),
        "seed": pl.Series([one.seed for one in listed], dtype=pl.Int64),
        **{name: _column([one.vector.get(name) for one in listed]) for name in _parameters(record, listed)},
        "ending": pl.Series([outcome["ending"] for outcome in outcomes], dtype=pl.String),
        "succeeded": pl.Series([outcome["succeeded"] for outcome in outcomes], dtype=pl.Boolean),
        **{name: pl.Series([outcome["metrics"][name] for outcome in outcomes], dtype=pl.Float64) for name in metrics},
    }
    return pl.DataFrame(columns)


def _outcome(store: Store, key: str, metrics: list[str]) -> dict[str, Any]:
    outcome = store.outcome(key)
    known: dict[str, Value] = {**outcome["metrics"], **store.measured(key)}
    missing = [name for name in metrics if name not in known]
    if missing:
        known.update(compute(store.measurements(key), missing))
    return {"ending": outcome["ending"], "succeeded": outcome["succeeded"], "metrics": known}


def _parameters(record: DesignRecord, listed: list[Listed]) -> list[str]:
    """Names of the parameters: the varied ones first."""
    return [*dict.fromkeys([*record.varied, *(name for one in listed for name in one.vector)])]


def _column(values: list[Any]) -> pl.Series:
    """A parameter's values in the narrowest type that holds them all; what is none of these as JSON."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {bool}:
        return pl.Series(values, dtype=pl.Boolean)
    if kinds <= {int}:
        return pl.Series(values, dtype=pl.Int64)
    if kinds <= {int, float}:
        return pl.Series([None if value is None else float(value) for value in values], dtype=pl.Float64)
    return pl.Series(
        [value if value is None or isinstance(value, str) else json.dumps(value) for value in values], dtype=pl.String
    )
