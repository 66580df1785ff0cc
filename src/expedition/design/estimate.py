"""How long a design takes: a rough model, put right by the missions that are done already.

One robot alone drives along ground of the terrain's size, of which it comes to know a strip of `STRIP` metres, at
`PACE` of its top speed. A fleet of n takes the share `SHARED` + (1 - `SHARED`) / n of that time, since robots also
follow each other. In 720 missions through the four terrains of Yan et al. (2017) this is right within a factor of two
for four missions of five, and within 15 % for the sum; where robots only queue, as in the zigzag, it is too short. A
mission costs as many robot-seconds as it simulates, at the measured speed of one core.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from expedition.design.ground import build_terrain
from expedition.design.parts import canonical
from expedition.design.planned import Planned

STRIP = 7.5
"""Metres to both sides of a robot's way that it comes to know."""
PACE = 0.8
SHARED = 0.25
ROBOT_SECONDS = {"perfect": 700.0, "odometry": 700.0, "scan-matching": 550.0}
"""Simulated in a second by one core, by localiser."""
LEAST = 1.0
"""Seconds that any mission takes: setting up, and writing what came of it."""
MOST_TERRAINS = 20
"""Terrains that are made to learn their size; of more, some stand for the others."""


@dataclass(frozen=True)
class Estimate:
    """About how long missions take."""

    missions: int
    """Those still to run."""
    core_seconds: float
    """Of one core, for all of them."""
    longest: float
    """Of one core, for the longest of them."""

    def seconds(self, workers: int) -> float:
        """By the clock, with that many missions at a time."""
        return max(self.core_seconds / max(1, workers), self.longest)


def estimate(planned: Sequence[Planned], known: Mapping[str, float | None] | None = None) -> Estimate:
    """How long the missions take that are not `known`, which has by key the seconds that each took, if measured."""
    known = known or {}
    expected = expected_seconds(planned)
    times = {one.key: seconds for one in planned if (seconds := known.get(one.key)) is not None}
    modelled, taken = sum(expected[key] for key in times), sum(times.values())
    scale = taken / modelled if modelled > 0.0 and taken > 0.0 else 1.0
    left = {one.key: scale * expected[one.key] for one in planned if one.key not in known}
    return Estimate(len(left), sum(left.values()), max(left.values(), default=0.0))


def expected_seconds(planned: Sequence[Planned]) -> dict[str, float]:
    """Seconds of one core for each mission, by its key."""
    ground = _ground(planned)
    seconds: dict[tuple[int, ...], float] = {}
    found = {}
    for one in planned:
        # Missions share their parts, so that the parts' identities tell whether this one was reckoned before.
        parts = tuple(id(one.parameters[part]) for part in ("terrain", "fleet", "settings", "stop"))
        if parts not in seconds:
            seconds[parts] = _of_mission(one.parameters, ground[id(one.parameters["terrain"])])
        found[one.key] = seconds[parts]
    return found


def _ground(planned: Sequence[Planned]) -> dict[int, float]:
    """Square metres of each distinct terrain; where there are many, the mean of some for the others."""
    terrains = {id(one.parameters["terrain"]): one.parameters for one in planned}
    every = max(1, -(-len(terrains) // MOST_TERRAINS))
    areas: dict[str, float] = {}
    for parameters in list(terrains.values())[::every]:
        text = canonical(parameters["terrain"])
        if text not in areas:
            areas[text] = build_terrain(parameters["terrain"], parameters["files"]).free_area
    mean = sum(areas.values()) / len(areas) if areas else 0.0
    return {key: areas.get(canonical(parameters["terrain"]), mean) for key, parameters in terrains.items()}


def _of_mission(parameters: Mapping[str, Any], ground: float) -> float:
    fleet = parameters["fleet"]
    models = [fleet["models"][index] for index in fleet["robots"]]
    robots = len(models)
    speed = PACE * sum(model["drive"]["max_speed"] for model in models) / robots
    strip = sum(min(STRIP, model["lidar"]["range"] if model["lidar"] else 1.0) for model in models) / robots
    share = parameters["stop"].get("explored", {}).get("share", 1.0)
    alone = share * ground / (strip * speed)
    length = min(alone * (SHARED + (1.0 - SHARED) / robots), parameters["stop"]["time"]["seconds"])
    localiser = parameters["settings"]["localiser"]["name"]
    return float(max(LEAST, robots * length / ROBOT_SECONDS.get(localiser, min(ROBOT_SECONDS.values()))))
