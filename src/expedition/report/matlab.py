"""The results for MATLAB and Octave: `results.mat` and a script that draws a metric from it."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.io import savemat

from expedition.measure.metrics import Metric
from expedition.report.cells import Centre, cells_of
from expedition.report.statistics.factors import CASE, Factors, case_names, short_name, values_of
from expedition.report.tables.table import plain

LONGEST_NAME = 63
HEADER = b"MATLAB 5.0 MAT-file, written by expedition"
HEADER_BYTES = 116


def mat_file(results: pl.DataFrame, factors: Factors, metrics: Sequence[Metric], centre: Centre, design: str) -> bytes:
    """A MAT-file of version 5 with the structs `results` (arrays over terrain, case and fleet) and `missions`.

    `results.time_s.centre(p, c, x)` is the mean or median of a cell, `.low` and `.high` its interval, NaN where there
    is none; `missions.time_s` is a column with one row a mission.
    """
    panels, cases, xs = values_of(results, factors.panels), case_names(results), values_of(results, factors.x)
    shape = (len(panels), len(cases), len(xs))
    place = {
        (panel, case, x): (p, c, n)
        for p, panel in enumerate(panels)
        for c, case in enumerate(cases)
        for n, x in enumerate(xs)
    }
    made: dict[str, Any] = {
        "design": design,
        "statistic": centre,
        "terrains": _words([short_name(panel) if factors.panels else "all" for panel in panels]),
        "cases": _words([short_name(case) for case in cases]),
        "axis": factors.x or "",
        "x": np.array(xs, dtype=np.float64) if factors.x else np.array([0.0]),
        "metrics": _words([field_name(metric.name) for metric in metrics]),
        "labels": _words([metric.label_with_unit for metric in metrics]),
    }
    for metric in metrics:
        arrays = {name: np.full(shape, np.nan) for name in ("centre", "low", "high", "missions", "succeeded")}
        for cell in cells_of(results, factors, metric, centre):
            for name, array in arrays.items():
                value = getattr(cell, name)
                array[place[cell.panel, cell.case, cell.x]] = np.nan if value is None else value
        made["missions"], made["succeeded"] = arrays.pop("missions"), arrays.pop("succeeded")
        made[field_name(metric.name)] = arrays
    missions = {field_name(column.name): _column(column) for column in plain(results.drop(CASE))}
    return _packed({"results": made, "missions": missions})


def plot_script() -> bytes:
    """`plot_results.m`: loads `results.mat` and draws a metric against the fleet size."""
    return files("expedition.report").joinpath("plot_results.m").read_bytes()


def field_name(name: str) -> str:
    """A name as a field of a struct: letters, digits and underscores, a letter first."""
    bare = re.sub(r"\W", "_", name, flags=re.ASCII)
    return (bare if bare[:1].isalpha() else f"x_{bare}")[:LONGEST_NAME]


def _column(column: pl.Series) -> NDArray[Any]:
    if column.dtype.is_numeric() or column.dtype == pl.Boolean:
        return column.cast(pl.Float64).fill_null(np.nan).to_numpy().reshape(-1, 1)
    return _words([value or "" for value in column.cast(pl.String).to_list()])


def _words(texts: Sequence[str]) -> NDArray[np.object_]:
    """A column of texts, a cell array there."""
    cells = np.empty((len(texts), 1), dtype=object)
    cells[:, 0] = texts
    return cells


def _packed(variables: Mapping[str, Any]) -> bytes:
    """The file's bytes; its header names no time and no system, so that they are the same each time."""
    data = io.BytesIO()
    # The stubs know only paths; SciPy writes to any binary file.
    savemat(data, dict(variables), do_compression=True, long_field_names=True, oned_as="row")  # type: ignore[arg-type]
    return HEADER.ljust(HEADER_BYTES) + data.getvalue()[HEADER_BYTES:]
