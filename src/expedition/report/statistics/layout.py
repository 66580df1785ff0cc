"""Missions side by side: a row for what missions share, a column for what is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from expedition.report.statistics.factors import CASE, Factors, level, values_of
from expedition.report.statistics.outcome import FAILED, VALUE


@dataclass(frozen=True)
class Layout:
    """Where each mission stands: its row, whose missions share all but the level, and its column, the level.

    A row has a panel and an x, by their numbers in `panels` and `xs`, and a block, whose rows share their seed.
    """

    factor: str
    levels: tuple[str, ...]
    panels: tuple[object, ...]
    xs: tuple[object, ...]
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    panel_of_row: NDArray[np.int64]
    x_of_row: NDArray[np.int64]
    block_of_row: NDArray[np.int64]

    def table(self, values: pl.Series) -> NDArray[np.float64]:
        """Values of missions as rows and columns, nan where there is none."""
        table = np.full((len(self.panel_of_row), len(self.levels)), np.nan)
        table[self.row, self.column] = values.cast(pl.Float64).fill_null(np.nan).to_numpy()
        return table


def lay_out(results: pl.DataFrame, factors: Factors, factor: str = CASE) -> Layout:
    """Lay missions out so that those in a row have the same seed and parameters, all but `factor`.

    `factor` is the case as a whole or one of the parameters that make it.
    """
    others = [name for name in factors.cases if factor not in (CASE, name)]
    shared = [*factors.surroundings, *others, "seed"]
    keys = results.select(shared)
    rows = keys.unique(maintain_order=True).with_row_index("row")
    row = keys.join(rows, on=shared, how="left", nulls_equal=True, maintain_order="left")["row"]
    column, levels = _numbered(results[factor], values_of(results, factor))
    panels, xs = values_of(results, factors.panels), values_of(results, factors.axis)
    labels = [str(value) if factor == CASE else level(factor, value) for value in levels]
    return Layout(
        factor,
        tuple(labels),
        tuple(panels),
        tuple(xs),
        row.to_numpy().astype(np.int64),
        column,
        _numbers(rows, factors.panels, panels),
        _numbers(rows, factors.axis, xs),
        rows.select(pl.struct(factors.blocks).rank("dense")).to_series().to_numpy().astype(np.int64),
    )


def failures(layout: Layout, results: pl.DataFrame) -> NDArray[np.bool_]:
    """Which missions of a layout rank as the worst; missions that are absent do not."""
    failed: NDArray[np.bool_] = layout.table(results[FAILED]) == 1
    return failed


def values(layout: Layout, results: pl.DataFrame) -> NDArray[np.float64]:
    """The values of a layout's missions; nan where absent or failed."""
    return layout.table(results[VALUE])


def _numbers(rows: pl.DataFrame, name: str | None, values: Sequence[object]) -> NDArray[np.int64]:
    if name is None:
        return np.zeros(len(rows), np.int64)
    return _numbered(rows[name], values)[0]


def _numbered(column: pl.Series, values: Sequence[object]) -> tuple[NDArray[np.int64], list[object]]:
    """Each entry's number among `values`, and those."""
    numbers = {value: number for number, value in enumerate(values)}
    return np.array([numbers[value] for value in column.to_list()], np.int64), list(values)
