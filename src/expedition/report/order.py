"""The order of a design's values, whatever of it is finished: a terrain keeps its panel, a case its colour."""

from __future__ import annotations

import json
from typing import Any

import polars as pl

from expedition.bench.records import DesignRecord
from expedition.report.statistics.factors import CASE, Factors, values_of, with_case


def in_design_order(results: pl.DataFrame, record: DesignRecord) -> pl.DataFrame:
    """The results with words among the parameters as Enums, whose order is that of the design's missions."""
    words = [name for name in record.varied if name in results.columns and results[name].dtype == pl.String]
    orders = {name: _planned_words(record, name) for name in words}
    return results.with_columns(
        pl.col(name).cast(pl.Enum(order))
        for name, order in orders.items()
        if set(results[name].drop_nulls()) <= set(order)
    )


def with_planned_case(results: pl.DataFrame, factors: Factors, record: DesignRecord) -> pl.DataFrame:
    """The results with a column `case`, an Enum of the cases of all planned missions in the design's order."""
    made = with_case(results, factors)
    if not factors.cases or len(results) == len(record.missions):
        return made
    planned = {one.key: one for one in record.missions}.values()
    columns: dict[str, list[Any]] = {name: [one.vector.get(name) for one in planned] for name in factors.cases}
    kinds = {name: pl.String if isinstance(results[name].dtype, pl.Enum) else results[name].dtype for name in columns}
    frame = pl.DataFrame(
        [
            pl.Series(name, [_like(value, kinds[name]) for value in values], kinds[name])
            for name, values in columns.items()
        ]
    )
    cases = list(dict.fromkeys(with_case(frame, factors)[CASE].to_list()))
    if not set(made[CASE]) <= set(cases):
        return made  # Two parameters share a value only among missions that are missing, so that labels differ.
    return made.with_columns(pl.col(CASE).cast(pl.String).cast(pl.Enum(cases)))


def places_of(results: pl.DataFrame, name: str | None) -> dict[object, int]:
    """The place of each value in the design, also of values no mission of which is finished: its colour and marker."""
    kind = None if name is None else results[name].dtype
    values = kind.categories.to_list() if isinstance(kind, pl.Enum) else values_of(results, name)
    return {value: number for number, value in enumerate(values)}


def _planned_words(record: DesignRecord, name: str) -> list[str]:
    values = dict.fromkeys(_like(one.vector.get(name), pl.String) for one in record.missions)
    return [value for value in values if value is not None]


def _like(value: Any, kind: pl.DataType | type[pl.DataType]) -> Any:
    """A value of a vector as the column of the results has it: what is neither word nor number as JSON."""
    return value if kind != pl.String or value is None or isinstance(value, str) else json.dumps(value)
