"""What the network costs: radio, links, beacons, messages and the exchange of maps, of a mission of many robots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.missions import time_missions, warm_up
from expedition.exploring import plan_mission
from expedition.measure.stops import DEFAULTS

ROBOTS = 120
TIME_LIMIT = 1000.0
TERRAINS = ("cave:size=75,seed=1", "maze")
RADIUS = 8.0
"""Metres around one point within which all robots start."""
TARGET = 0.2
NETWORKS: dict[str, dict[str, Any]] = {
    "ideal, in a circle": {},
    "20 Mbit/s shared, 10 % lost, path loss": {
        "radio": "path-loss",
        "network": {"link": {"bandwidth_bits_per_s": 20e6, "shared": True, "loss": 0.1}},
    },
}


def network(
    console: Console,
    robots: int = ROBOTS,
    time_limit: float = TIME_LIMIT,
    networks: Mapping[str, dict[str, Any]] = NETWORKS,
) -> None:
    """Print the share of the mission's time that goes into the network, from its start to its end."""
    table = Table(
        "terrain", "network", "ending", "share", f"of {TARGET:.0%}", "ms a simulated second", "all, ms", "MB sent",
        title=f"what the network costs: {robots} pioneer-3dx, perfect localisation, from start to end",
        caption="processor time of one thread, one mission each; the network is all of the phase exchange",
    )  # fmt: skip
    for terrain in TERRAINS:
        for name, settings in networks.items():
            mission = plan_mission(
                terrain, robots, "nearest-frontier", 1, placement=f"grouped:radius={RADIUS:g}",
                stop={**DEFAULTS, "time": time_limit}, settings={"localiser": "perfect", **settings},
            )  # fmt: skip
            warm_up(mission)
            cost = time_missions([mission], profile=True)
            spent = {phase: 1000.0 * taken / cost.simulated for phase, taken in cost.phases.items()}
            table.add_row(
                terrain.partition(":")[0],
                name,
                f"{cost.endings[0]}, {cost.simulated:,.0f} s",
                f"{cost.share('exchange'):.1%}",
                f"{cost.share('exchange') / TARGET:.2f}",
                f"{spent['exchange']:,.0f}",
                f"{sum(spent.values()):,.0f}",
                f"{cost.sent / 1e6:,.1f}",
            )
    console.print(table)
