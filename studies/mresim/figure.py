"""What each strategy brings to the base and what it costs, by radio."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from expedition.measure.metrics import METRICS
from expedition.plotstyle import legend, new_figure, robot_colour, robot_marker, tidy
from expedition.report.statistics.intervals import mean_interval

SHOWN = ("news_latency_mean_s", "base_largest_jump", "base_ratio", "time_s")
WIDTH_CM, HEIGHT_CM = 16.0, 12.0


def figure(missions: pl.DataFrame) -> Figure:
    """Means over all grounds and fleet sizes with 95 % intervals: a mark a strategy, a place a radio."""
    strategies = missions["strategy"].unique(maintain_order=True).to_list()
    radios = missions["radio"].unique(maintain_order=True).to_list()
    drawing = new_figure(WIDTH_CM, HEIGHT_CM)
    handles: list[Artist] = []
    offsets = np.linspace(-0.3, 0.3, len(strategies))
    for axes, name in zip(drawing.subplots(2, 2).flat, SHOWN, strict=True):
        metric = METRICS[name]
        scale = 100.0 if metric.unit == "%" else 1.0
        handles = []
        for at, strategy in enumerate(strategies):
            values = [_values(missions, strategy, radio, name) * scale for radio in radios]
            means = [float(some.mean()) for some in values]
            spans = [mean_interval(some) for some in values]
            reach = [0.0 if span is None else span.high - middle for span, middle in zip(spans, means, strict=True)]
            handles.append(axes.errorbar(
                np.arange(len(radios)) + offsets[at], means, yerr=reach, linestyle="none", marker=robot_marker(at),
                color=robot_colour(at), markersize=4, elinewidth=0.8, label=strategy,
            ))  # fmt: skip
        axes.set_xticks(range(len(radios)), radios)
        axes.set(title=metric.label, ylabel=metric.unit, ylim=(0, None))
        tidy(axes)
        axes.spines[["top", "right"]].set_visible(False)
    legend(drawing, handles)
    return drawing


def _values(
    missions: pl.DataFrame, strategy: str, radio: str, metric: str
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    some = missions.filter((pl.col("strategy") == strategy) & (pl.col("radio") == radio) & pl.col("succeeded"))
    return some[metric].drop_nulls().to_numpy()
