"""Yan, Fabresse, Laval and Bouraqadi, IROS 2015: greedy against probabilistic merging of maps, fleets of 1 to 30."""

from __future__ import annotations

import polars as pl
from scipy import stats

from expedition.bench.store import Store
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
SPREAD = "spread_m"
"""How far robots are from the fleet's middle, as root mean square, while they part: from second 25 to 80."""
PARTING = (25.0, 80.0)
LARGE = 8
"""Fleets from this size on have parted by second 80."""
SEE_2017 = (
    "As in the study above: a crowd costs little speed here, computing takes no simulated time, and each robot more "
    "along the left wall sees a further part of the ground at once."
)


def statements(missions: pl.DataFrame) -> list[Statement]:
    """Each statement of the paper beside what the missions say."""
    analysis = analyse(missions, ["terrain", "robots", "merge"], [METRICS[name] for name in COMPARED])
    compared = {
        name: [one for one in analysis.comparisons if one.metric == name and one.kind == "all"] for name in COMPARED
    }
    return [
        _little("time_s", compared["time_s"], _together(missions)),
        *(_little(metric, compared[metric], "By the same cause as the time.") for metric in SAME[1:]),
        _mainly_quality(compared),
        *(_tends(missions, metric, sign) for metric, sign in zip(SAME, (1, 1, -1), strict=True)),
        _best_fleet(missions),
        _failures(missions),
    ]


def _little(metric: str, compared: list[Comparison], why: str) -> Statement:
    much = [one for one in compared if one.found and abs(one.change or 0.0) > LITTLE]
    return Statement(
        f"greedy and probabilistic merging do not differ significantly in {METRICS[metric].label}",
        f"with probabilistic merging {_listed(compared)}",
        "agrees" if not any(one.found for one in compared) else "differs" if much else "in part",
        why,
    )


def _together(missions: pl.DataFrame) -> str:
    """Whether fleets stay together with one of the two ways, and whether that is where they lose time."""
    pairs = (
        missions.filter(pl.col("robots") >= LARGE)
        .pivot(on="merge", index=["terrain", "robots", "seed"], values=["time_s", SPREAD])
        .with_columns(
            later=pl.col("time_s_probabilistic") - pl.col("time_s_greedy"),
            closer=pl.col(f"{SPREAD}_greedy") - pl.col(f"{SPREAD}_probabilistic"),
        )
    )
    told = []
    for terrain in TERRAINS:
        here = pairs.filter(pl.col("terrain") == terrain)
        spreads = [here[f"{SPREAD}_{merge}"].to_numpy().mean() for merge in ("probabilistic", "greedy")]
        told.append(f"{terrain} {spreads[0]:.1f} against {spreads[1]:.1f}")
    cross = pairs.filter(pl.col("terrain") == "cross").select("later", "closer")
    rank = stats.kendalltau(cross["later"].to_numpy(), cross["closer"].to_numpy())
    return (
        "Robots whose maps are the same sum tend to go to the same nearest frontier; maps that keep small differences "
        f"part the fleet where roads part. Distance from the middle of fleets of {LARGE} and more in the seconds "
        f"{PARTING[0]:.0f} to {PARTING[1]:.0f}, in m, with probabilistic against greedy merging: {', '.join(told)}. In "
        f"the cross, missions lose the more time the closer the fleet stays (Kendall's tau {rank.statistic:.2f}, p = "
        f"{rank.pvalue:.1g}, {len(cross)} pairs); for the maze we have no such reason. The paper tests fleets of five "
        "runs one by one, these tests all of them together."
    )


def _mainly_quality(compared: dict[str, list[Comparison]]) -> Statement:
    others = max(abs(one.change or 0.0) for metric in SAME for one in compared[metric])
    errors = [abs(one.change or 0.0) for one in compared["map_error_cells"]]
    return Statement(
        "they differ mainly in the quality of the map",
        f"map quality {_listed(compared['map_quality'])}; wrong cells {_listed(compared['map_error_cells'])}",
        "agrees" if errors and min(errors) > others else "in part" if errors and max(errors) > others else "differs",
        "In wrong cells they do but for the cross: of walls that several robots saw a little apart, summed evidence "
        "keeps the place that most agree on. The paper's quality is of whole maps, of which such cells are a per cent.",
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
        SEE_2017,
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
        SEE_2017,
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
        "Here plans have no deadline, the network carries what robots send, and no robot is astray by more than "
        f"{missions['trajectory_error_mean_m'].to_numpy().max():.1f} m in the mean of a mission.",
    )


def _spread(store: Store, key: str) -> float | None:
    """None of a robot alone, and where the mission was over before."""
    parting = store.series(key).drop_nulls("robot").filter(pl.col("time_s").is_between(*PARTING))
    squares = [(pl.col(axis) - pl.col(axis).mean()) ** 2 for axis in ("x", "y")]
    spreads = parting.group_by("time_s").agg(spread=(squares[0] + squares[1]).mean().sqrt())["spread"]
    return float(spreads.mean()) or None if len(spreads) else None  # type: ignore[arg-type]


STUDY = Reproduction(
    "yan2015",
    "Yan et al. (2015): greedy against probabilistic merging of maps",
    (
        "time_s", "cost_m", "efficiency_m2_per_m", "map_quality", "map_error_cells", "trajectory_error_mean_m",
        "overlap", "received_kb_per_s",
    ),
    ("time-s", "cost-m", "efficiency-m2-per-m", "map-quality"),
    statements,
    {**FURTHER, SPREAD: _spread},
    centre="median",
)  # fmt: skip
