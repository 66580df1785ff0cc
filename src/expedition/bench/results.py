"""What a design came to: one row a finished mission, with its parameters, its ending and its metrics."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import polars as pl

from expedition.bench.store import Store
from expedition.errors import ExpeditionError
from expedition.measure.metrics import METRICS, Metric, Value, metric_of

if TYPE_CHECKING:
    from expedition.bench.records import DesignRecord, Listed


def load_results(store: Store, design: str, tell: Callable[[str], None] | None = None) -> pl.DataFrame:
    """One row a finished mission, in the design's order.

    Columns: key, iteration, seed, the design's parameters by their dotted names, ending, succeeded, and metrics: those
    that the design names first, then the others that ship. A metric that was not there when a mission ran, such as a
    user's new one, is computed from the mission's measurements. Where that fails it is null, and `tell`, or without it
    the standard error, gets a sentence.
    """
    record = store.design(design)
    there = store.finished()
    listed = [one for one in record.missions if one.key in there]
    metrics = [*dict.fromkeys([*record.metrics, *METRICS])]
    later = _Later(store)
    outcomes = [_outcome(store, one.key, metrics, later) for one in listed]
    for sentence in later.sentences():
        (tell or (lambda text: print(text, file=sys.stderr)))(sentence)
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


class _Later:
    """Metrics that were not there when a mission ran."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._unknown: dict[str, str] = {}
        """Why a metric cannot be found."""
        self._failed: dict[str, list[str]] = {}
        """Of each metric, the missions in which it fails, the first with the reason."""

    def compute(self, key: str, names: list[str]) -> dict[str, Value]:
        """What these metrics come to in a mission; nothing for those that cannot be found, or fail."""
        found: dict[str, Value] = dict.fromkeys(names)
        measurements = None
        for name in names:
            if (metric := self._find(name)) is None:
                continue
            measurements = measurements or self._store.measurements(key)
            try:
                value = metric.function(measurements)
                found[name] = None if value is None else float(value)
            except Exception as error:
                reason = str(error) if isinstance(error, ExpeditionError) else f"{type(error).__name__}: {error}"
                self._failed.setdefault(name, []).append(f"{key[:8]}: {reason}")
        return found

    def _find(self, name: str) -> Metric | None:
        if name in self._unknown:
            return None
        try:
            return metric_of(name)
        except ExpeditionError as error:
            self._unknown[name] = str(error)
            return None

    def sentences(self) -> Iterator[str]:
        """What went wrong: a sentence a metric."""
        for name, reason in self._unknown.items():
            yield f"metric {name} cannot be found, its column is empty: {reason}"
        for name, missions in self._failed.items():
            more = f" and {len(missions) - 1} more" if len(missions) > 1 else ""
            yield f"metric {name} fails in mission {missions[0]}{more}; it is empty there"


def _outcome(store: Store, key: str, metrics: list[str], later: _Later) -> dict[str, Any]:
    outcome = store.outcome(key)
    # What does not apply to a mission is None without a look at its measurements, which takes longest here.
    void = [name for name in metrics if name in METRICS and not METRICS[name].applies(outcome["facts"])]
    known: dict[str, Value] = {**dict.fromkeys(void), **outcome["metrics"], **store.measured(key)}
    missing = [name for name in metrics if name not in known]
    if missing:
        known.update(later.compute(key, missing))
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
