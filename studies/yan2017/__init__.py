"""Yan, Fabresse, Laval and Bouraqadi, *Robotics* 6(3), 2017: fleets of 1 to 30 in four terrains, five runs each."""

from __future__ import annotations

import numpy as np
import polars as pl

from expedition.bench.store import Store
from studies.reproduction import Reproduction, Statement
from studies.study import TERRAINS
from studies.tendency import by_size, mean, rank_correlation, share_succeeded, speed

LEADER = "leader_share"
"""The share of the ground that the robot which saw most of it first was the first to see."""
AT_START = "known_at_start"
"""The share of the ground that the robots together saw before any moved."""
PUBLISHED = (349.0, 489.0)
"""Seconds that eight robots took in the maze, with two processors a robot and with one (Table 2)."""
BEST = 11
NO_HELP = 1.25
"""A fleet that is less than so many times as fast is no help."""
CPU, RAM, NETWORK = 0.9, 0.35, 4.0
"""Shares of a robot's two processors and of its 2 GB, and Mb/s (section 5.3)."""
RAM_MB = 2000.0
OTHERS = tuple(terrain for terrain in TERRAINS if terrain != "maze")


def statements(missions: pl.DataFrame) -> list[Statement]:
    """Each statement of the paper beside what the missions say."""
    return [
        _eight_in_the_maze(missions),
        _zigzag_is_worst(missions),
        _one_robot_explores_the_zigzag(missions),
        _zigzag_needs_no_fleet(missions),
        _best_fleet(missions),
        _grows(missions, "time_s", "time tends to grow with the fleet in the other terrains", 1),
        _grows(missions, "cost_m", "and so does the cost", 1),
        _grows(missions, "efficiency_m2_per_m", "and the efficiency falls", -1),
        _failures(missions),
        _processor(missions),
        _memory(missions),
        _network(missions),
        _zigzag_takes_more(missions),
        _simulator_bandwidth(),
    ]


def _eight_in_the_maze(missions: pl.DataFrame) -> Statement:
    ours = mean(missions, "time_s", "maze", 8)
    low, high = PUBLISHED
    return Statement(
        f"8 robots explore the maze in {low:.0f} s with two processors each, in {high:.0f} s with one",
        f"{ours:.0f} s",
        "agrees" if low <= ours <= high else "differs",
        "Their software runs in real time on shared computers, and takes 140 s more with half of the processors: much "
        "of their time is computing. Here computing takes no simulated time. The study of the maze, below, shows "
        "what slower decisions and slower driving would cost.",
    )


def _zigzag_is_worst(missions: pl.DataFrame) -> Statement:
    times = {terrain: by_size(missions, "time_s", terrain) for terrain in TERRAINS}
    sizes = sorted(set.intersection(*(set(found) for found in times.values())))
    worst = [n for n in sizes if times["zigzag"][n] >= max(times[terrain][n] for terrain in TERRAINS)]
    return Statement(
        "performance is lowest in the zigzag",
        f"it takes longest with {len(worst)} of {len(sizes)} fleet sizes",
        "agrees" if worst == sizes else "in part" if len(worst) > len(sizes) / 2 else "differs",
    )


def _one_robot_explores_the_zigzag(missions: pl.DataFrame) -> Statement:
    """The share that one robot saw first, of fleets in which an equal share would be a fifth or less."""
    large = missions.filter(pl.col("robots") >= 5)
    leads = {terrain: mean(large, LEADER, terrain) for terrain in TERRAINS}
    return Statement(
        "there, exploration is mainly performed by a single robot",
        f"with 5 robots and more, one robot is the first to see {leads['zigzag']:.0%} of the ground, against "
        + ", ".join(f"{leads[terrain]:.0%} in the {terrain}" for terrain in TERRAINS if terrain != "zigzag"),
        "agrees" if leads["zigzag"] > 0.5 else "in part" if leads["zigzag"] == max(leads.values()) else "differs",
    )


def _zigzag_needs_no_fleet(missions: pl.DataFrame) -> Statement:
    times = by_size(missions, "time_s", "zigzag")
    gains = [times[few] / times[many] for few, many in ((1, 30), (8, 30)) if few in times and many in times]
    return Statement(
        "large fleets do not help in the zigzag",
        f"30 robots are {gains[0]:.2f} times as fast as one, and {gains[1]:.2f} times as fast as 8",
        "agrees" if max(gains) < NO_HELP else "in part" if min(gains) < NO_HELP else "differs",
        f"A single robot drives {mean(missions, 'cost_m', 'zigzag', 1):,.0f} m on a road of about 700 m: it goes back "
        "for what it left behind, which others do in a fleet. From 13 on the time is that of the robot in front, "
        f"{mean(missions.filter(pl.col('robots') >= 13), 'time_s', 'zigzag'):.0f} s, and more robots change nothing.",
    )


def _best_fleet(missions: pl.DataFrame) -> Statement:
    times = by_size(missions, "time_s", "maze")
    best = min(times, key=lambda n: times[n])
    falls = rank_correlation(missions.filter(pl.col("robots") <= BEST), "time_s", "maze")
    after = rank_correlation(missions, "time_s", "maze", above=BEST)
    return Statement(
        f"in the maze, time falls until a fleet of {BEST}, which is the best size",
        f"the least mean time has a fleet of {best}: {times[best]:.0f} s, against {times[BEST]:.0f} s with {BEST}; the "
        f"rank correlation of time and size is {falls:.2f} up to {BEST} robots and {after:.2f} beyond",
        "agrees" if abs(best - BEST) <= 2 else "in part" if falls < -0.5 else "differs",
        f"Here a crowd costs little speed: robots drive {speed(missions, 'maze', 1):.2f} m/s alone and "
        f"{speed(missions, 'maze', 30):.2f} m/s among 30, giving way by rule, so nothing makes times rise again. Sizes "
        "from 13 on are not told apart by tests, and the cost grows with each.",
    )


def _grows(missions: pl.DataFrame, metric: str, paper: str, sign: int) -> Statement:
    """Whether a metric goes up (or, with sign -1, down) with the fleet in the terrains other than the maze."""
    trends = {terrain: rank_correlation(missions, metric, terrain) for terrain in OTHERS}
    speeds = ", ".join(f"{t} {speed(missions, t, 1):.2f} and {speed(missions, t, 30):.2f}" for t in OTHERS)
    seen = ", ".join(
        f"{t} {mean(missions, AT_START, t, 1):.0%} and {mean(missions, AT_START, t, 30):.0%}" for t in OTHERS
    )
    agree = sum(sign * trend > 0.2 for trend in trends.values())
    return Statement(
        paper,
        "rank correlation with the size: " + ", ".join(f"{terrain} {trend:.2f}" for terrain, trend in trends.items()),
        "agrees" if agree == len(trends) else "in part" if agree else "differs",
        "Their robots lose time by avoiding each other and by planning anew on shared computers. Here they lose little "
        f"speed (m/s with 1 and with 30 robots: {speeds}), and a fleet that stands along the left wall knows more "
        f"before it moves ({seen}).",
    )


def _failures(missions: pl.DataFrame) -> Statement:
    zigzag = missions.filter((pl.col("terrain") == "zigzag") & (pl.col("robots") > 26))
    astray = missions["trajectory_error_mean_m"].to_numpy()
    return Statement(
        "runs fail, and with more than 26 robots in the zigzag all do (2015)",
        f"{share_succeeded(missions)} missions succeed; of those with more than 26 robots in the zigzag "
        f"{share_succeeded(zigzag)}",
        "differs" if bool(missions["succeeded"].all()) else "in part",
        "Theirs fail when a robot loses its place, a long path cannot be planned, or the network is overloaded. Here "
        "plans have no deadline, traffic is far below what the network carries, and robots are astray by "
        f"{np.median(astray):.2f} m in the median mission and by {astray.max():.1f} m in the worst.",
    )


def _processor(missions: pl.DataFrame) -> Statement:
    most = float(missions["cpu_share"].max())  # type: ignore[arg-type]
    return Statement(
        f"two processors a robot are enough: they are used to less than {CPU:.0%}",
        f"a robot's software takes {most:.2%} of two such cores at most, if it runs in real time",
        "agrees" if most < CPU else "differs",
    )


def _memory(missions: pl.DataFrame) -> Statement:
    most = float(missions["ram_mb"].max())  # type: ignore[arg-type]
    return Statement(
        f"memory holds at about {RAM:.0%} of 2 GB",
        f"a robot's maps, plans and messages take {most:.0f} MB at most, {most / RAM_MB:.1%} of 2 GB",
        "agrees" if abs(most / RAM_MB - RAM) < 0.1 else "differs",
        "Theirs is a virtual machine with its operating system, ROS and gmapping's particles, each with a map. Here "
        "only what belongs to one robot counts, and scan matching keeps one map.",
    )


def _network(missions: pl.DataFrame) -> Statement:
    most = max(float(missions[name].max()) for name in ("sent_kb_per_s", "received_kb_per_s"))  # type: ignore[arg-type]
    return Statement(
        f"a robot sends and receives not more than {NETWORK:.0f} Mb/s",
        f"{most * 8 / 1000:.2f} Mb/s at most",
        "agrees" if most * 8 / 1000 <= NETWORK else "differs",
        "Robots send what changed in their maps since the other last heard of it, theirs the whole map.",
    )


def _zigzag_takes_more(missions: pl.DataFrame) -> Statement:
    means = {
        metric: {terrain: mean(missions, metric, terrain) for terrain in TERRAINS}
        for metric in ("cpu_share", "received_kb_per_s")
    }
    most = {metric: max(found, key=lambda terrain: found[terrain]) for metric, found in means.items()}
    agree = sum(terrain == "zigzag" for terrain in most.values())
    return Statement(
        "in the zigzag robots take more processor time and network, since paths are longer",
        f"processor time is largest in the {most['cpu_share']} (zigzag: {_ratio(means['cpu_share'])} the mean), "
        f"traffic in the {most['received_kb_per_s']} (zigzag: {_ratio(means['received_kb_per_s'])} the mean)",
        ("differs", "in part", "agrees")[agree],
        "What a plan needs is kept from plan to plan, so that a long path costs little: with 16 robots, planning takes "
        "0.64 times as much of a second in the zigzag as in the maze, which has more frontiers, and exchange 0.68 "
        "times, since fewer walls change (`expedition explore --profile`, the design's own missions).",
    )


def _ratio(means: dict[str, float]) -> str:
    return f"{means['zigzag'] / (sum(means.values()) / len(means)):.2f} times"


def _simulator_bandwidth() -> Statement:
    """180 ranges of four bytes, 25 times a second, and ten odometry readings of 24 bytes, from each of 8 robots."""
    megabits = 8 * (25 * 180 * 4 + 10 * 24) * 8 / 1e6
    return Statement(
        "about 85 Mb/s flow between the simulator and 8 controllers",
        f"simulator and controllers share a process; the readings themselves would be {megabits:.1f} Mb/s",
        "differs",
        "Theirs carries ROS messages, with coordinate frames, maps for the monitor and their headers.",
    )


def _leader_share(store: Store, key: str) -> float:
    return float(max(store.outcome(key)["facts"]["saw_first"]))


def _known_at_start(store: Store, key: str) -> float:
    return float(store.series(key)["explored"][0])


FURTHER = {LEADER: _leader_share, AT_START: _known_at_start}
STUDY = Reproduction(
    "yan2017",
    "Yan et al. (2017): frontier-based exploration of four terrains by fleets of 1 to 30",
    (
        "time_s", "t90_s", "cost_m", "efficiency_m2_per_m", "overlap", "workload_balance", "idle_share",
        "map_error_cells", "map_quality", "collisions_with_walls", "collisions_with_others",
        "trajectory_error_mean_m", "cpu_share", "ram_mb", "received_kb_per_s", "sent_kb_per_s",
    ),
    ("fleet-metrics", "exploration-curves"),
    statements,
    FURTHER,
)  # fmt: skip
