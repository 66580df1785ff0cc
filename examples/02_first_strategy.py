"""A first strategy in twenty lines, against the nearest frontier: eight robots in the maze, several seeds.

Run it as it is, or look at one mission:  expedition explore --strategy examples/02_first_strategy.py:spread_out
"""

from __future__ import annotations

import argparse
import math
from statistics import mean

from expedition import Robot, explore, strategy


@strategy
async def spread_out(robot: Robot, *, room: float = 10.0) -> None:
    """Go to the nearest frontier, but rather not where a teammate is going."""
    while frontiers := robot.frontiers():
        goals = [mate.goal for mate in robot.teammates.values() if mate.goal and mate.age < 30]
        costs = [
            robot.travel_cost(frontier)
            + 4 * sum(max(0.0, room - math.dist(g, (frontier.x, frontier.y))) for g in goals)
            for frontier in frontiers
        ]
        await robot.go_to(frontiers[costs.index(min(costs))], timeout=15)


def main() -> None:
    """Print the times of both strategies, seed by seed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, default=5, help="how many missions of each")
    options.add_argument("--terrain", default="maze", help="where to")
    seeds = range(1, options.parse_args().seeds + 1)
    terrain = options.parse_args().terrain
    times: dict[str, list[float]] = {"nearest-frontier": [], "spread-out": []}
    for seed in seeds:
        for name, given in (("nearest-frontier", "nearest-frontier"), ("spread-out", spread_out)):
            result = explore(terrain=terrain, robots=8, strategy=given, seed=seed)
            times[name].append(result.metrics["time_s"] or math.inf)
            print(f"seed {seed}  {name:<16}  {result.ending} after {times[name][-1]:.0f} s", flush=True)
    for name, seconds in times.items():
        print(f"{name:<16}  mean {mean(seconds):.0f} s")


if __name__ == "__main__":
    main()
