"""How metrics go with the fleet's size in a table of missions: means, ratios, ranks."""

from __future__ import annotations

import polars as pl
from scipy import stats


def mean(missions: pl.DataFrame, metric: str, terrain: str, robots: int | None = None) -> float:
    """The mean of a metric over the successful missions in a terrain, of one fleet size or all."""
    found = _successful(missions, terrain, metric)
    if robots is not None:
        found = found.filter(pl.col("robots") == robots)
    value = found[metric].mean()
    return float(value) if isinstance(value, int | float) else float("nan")


def by_size(missions: pl.DataFrame, metric: str, terrain: str) -> dict[int, float]:
    """The mean of a metric at each fleet size at which some mission in a terrain succeeded."""
    found = _successful(missions, terrain, metric).group_by("robots").agg(pl.col(metric).mean()).sort("robots")
    return dict(zip(found["robots"].to_list(), found[metric].to_list(), strict=True))


def rank_correlation(missions: pl.DataFrame, metric: str, terrain: str, above: int = 0) -> float:
    """Spearman's correlation of a metric with the fleet's size, of fleets larger than `above`: 1 if it only grows."""
    found = _successful(missions, terrain, metric).filter(pl.col("robots") > above)
    return float(stats.spearmanr(found["robots"].to_numpy(), found[metric].to_numpy()).statistic)


def speed(missions: pl.DataFrame, terrain: str, robots: int) -> float:
    """How fast a robot drove on average, standing and turning included, in m/s."""
    return mean(missions, "cost_m", terrain, robots) / mean(missions, "time_s", terrain, robots) / robots


def share_succeeded(missions: pl.DataFrame) -> str:
    """How many missions succeeded, as text."""
    return f"{int(missions['succeeded'].sum())} of {len(missions)}"


def _successful(missions: pl.DataFrame, terrain: str, metric: str) -> pl.DataFrame:
    return missions.filter((pl.col("terrain") == terrain) & pl.col("succeeded")).drop_nulls(metric)
