"""Yan, Fabresse, Laval and Bouraqadi, IROS 2015: greedy against probabilistic merging of maps, fleets of 1 to 30."""

from __future__ import annotations

import polars as pl

from expedition.measure.metrics import METRICS
from expedition.report.statistics.analysis import analyse
from expedition.report.statistics.comparison import Comparison
from studies.reproduction import Reproduction, Statement
from studies.study import TERRAINS
from studies.tendency import by_size, rank_correlation, share_succeeded
from studies.yan2017 import BEST, FURTHER, OTHERS

SAME = ("time_s", "cost_m", "efficiency_m2_per_m")
OF_MAPS = ("map_quality", "map_error_cells")
COMPARED = (*SAME, *OF_MAPS)
LITTLE = 0.05
"""A change of the mean below this counts as little."""


def statements(missions: pl.DataFrame) -> list[Statement]:
    """Each statement of the paper beside what the missions say."""
    analysis = analyse(missions, ["terrain", "robots", "merge"], [METRICS[name] for name in COMPARED])
    compared = {
        name: [one for one in analysis.comparisons if one.metric == name and one.kind == "all"] for name in COMPARED
    }
    return [
        *(_little(metric, compared[metric]) for metric in SAME),
        _mainly_quality(compared),
        *(_tends(missions, metric, sign) for metric, sign in zip(SAME, (1, 1, -1), strict=True)),
        _best_fleet(missions),
        _failures(missions),
    ]


def _little(metric: str, compared: list[Comparison]) -> Statement:
    much = [one for one in compared if one.found and abs(one.change or 0.0) > LITTLE]
    return Statement(
        f"greedy and probabilistic merging do not differ significantly in {METRICS[metric].label}",
        f"with probabilistic merging {_listed(compared)}",
        "agrees" if not any(one.found for one in compared) else "differs" if much else "in part",
    )


def _mainly_quality(compared: dict[str, list[Comparison]]) -> Statement:
    others = max(abs(one.change or 0.0) for metric in SAME for one in compared[metric])
    errors = [abs(one.change or 0.0) for one in compared["map_error_cells"]]
    return Statement(
        "they differ mainly in the quality of the map",
        f"map quality {_listed(compared['map_quality'])}; wrong cells {_listed(compared['map_error_cells'])}",
        "agrees" if errors and min(errors) > others else "in part" if errors and max(errors) > others else "differs",
    )


def _listed(compared: list[Comparison]) -> str:
    """The change in each terrain; those that the tests find, after Holm's correction, in bold."""
    changes = [f"{one.panel} {one.change:+.1%}" for one in compared if one.change is not None]
    bold = [f"**{text}**" if one.found else text for text, one in zip(changes, compared, strict=False)]
    return ", ".join(bold).replace("-", "−")


def _tends(missions: pl.DataFrame, metric: str, sign: int) -> Statement:
    trends = [
        (terrain, merge, rank_correlation(missions.filter(pl.col("merge") == merge), metric, terrain))
        for terrain in OTHERS
        for merge in ("greedy", "probabilistic")
    ]
    agree = sum(sign * trend > 0.2 for *_, trend in trends)
    listed = ", ".join(f"{terrain} {trend:.2f}" for terrain, merge, trend in trends if merge == "greedy")
    return Statement(
        f"outside the maze, {METRICS[metric].label} tends to {'grow' if sign > 0 else 'fall'} with the fleet",
        f"rank correlation with the size, greedy: {listed}",
        "agrees" if agree == len(trends) else "in part" if agree else "differs",
    )


def _best_fleet(missions: pl.DataFrame) -> Statement:
    best = {}
    for merge in ("greedy", "probabilistic"):
        times = by_size(missions.filter(pl.col("merge") == merge), "time_s", "maze")
        best[merge] = min(times, key=lambda n: times[n])
    return Statement(
        f"the ideal fleet for the maze has {BEST} robots",
        ", ".join(f"{merge}: {size}" for merge, size in best.items()),
        "agrees" if all(abs(size - BEST) <= 2 for size in best.values()) else "differs",
    )


def _failures(missions: pl.DataFrame) -> Statement:
    by_terrain = ", ".join(
        f"{terrain} {share_succeeded(missions.filter(pl.col('terrain') == terrain))}" for terrain in TERRAINS
    )
    return Statement(
        "some runs fail: robots lose their place, long paths cannot be planned, the network is overloaded; with more "
        "than 26 robots in the zigzag, all runs",
        f"succeeded: {by_terrain}",
        "differs" if bool(missions["succeeded"].all()) else "in part",
    )


STUDY = Reproduction(
    "yan2015",
    "Yan et al. (2015): greedy against probabilistic merging of maps",
    (
        "time_s", "cost_m", "efficiency_m2_per_m", "map_quality", "map_error_cells", "trajectory_error_mean_m",
        "overlap", "received_kb_per_s",
    ),
    ("time-s", "cost-m", "efficiency-m2-per-m", "map-quality"),
    statements,
    FURTHER,
    centre="median",
)  # fmt: skip
