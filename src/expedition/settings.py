"""What users may set of the robots' software. The defaults are the papers' (Yan et al. 2017, section 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Field

from expedition.belief.attention import AttentionSettings
from expedition.belief.grid import GridKind
from expedition.belief.mapping import MappingSettings
from expedition.errors import ExpeditionError
from expedition.guard import GuardSettings
from expedition.navigate.costs import Inflation
from expedition.navigate.local_parameters import LocalNavigation
from expedition.network.settings import NetworkSettings
from expedition.spec import Spec

Hertz = Annotated[float, Field(gt=0, le=1000)]


class ControllerSettings(Spec):
    """A robot's software: belief, network, navigation."""

    localiser: str = "scan-matching"
    """How a robot knows where it is: perfect, odometry or scan-matching."""
    grid: GridKind = "log-odds"
    """What a cell of the map holds: log-odds, or MRXT's counters."""
    resolution: Annotated[float, Field(ge=0.01, le=10)] | None = None
    """The side of a map's cells, in metres; if not given 0.2 as in the papers, or finer where that lets the fleet reach
    more of the terrain."""
    attention: AttentionSettings = AttentionSettings()
    """Which scans a robot looks at to localise itself and to map."""
    mapping: MappingSettings = MappingSettings()
    """Which scans go into the map."""
    merge: str = "greedy"
    """How teammates' maps are merged: greedy, probabilistic or aligned."""
    radio: str = "circle"
    """Who hears whom: circle, line-of-sight, path-loss, through-walls, everywhere or none."""
    network: NetworkSettings = NetworkSettings()
    """What channels carry, delay and lose, and over how many hops messages travel."""
    exchange_rate: Hertz = 1.0
    """How often robots in contact exchange maps, in Hz."""
    control_rate: Hertz = 10.0
    """How often commands are given, in Hz."""
    replan_rate: Hertz = 1.0
    """How often paths are planned anew, in Hz."""
    planner: str = "a-star"
    """The global planner: dijkstra, a-star, jump-point or topological."""
    inflation: Inflation = Inflation()
    """What nearness to walls costs a path."""
    local: LocalNavigation = LocalNavigation()
    """Local collision avoidance."""
    min_frontier: Annotated[float, Field(ge=0, le=1000)] | None = None
    """Shorter frontiers wait until no longer ones are left, in metres; ten times the inscribed radius if not given."""
    unreachable_for: Annotated[float, Field(ge=0, le=1e6)] = 30.0
    """A goal that the robot failed to get to is no frontier's for this long, in seconds, and then for twice as long
    after each further failure, until the map around it changes."""
    tag_range: Annotated[float, Field(ge=0, le=1000)] = 2.0
    """How far robots read tags, in metres."""
    guard: GuardSettings = GuardSettings()
    """What strategies may take of the machine."""


def nested(dotted: Mapping[str, Any], place: Callable[[str], str]) -> dict[str, Any]:
    """Settings by dotted names as dictionaries in dictionaries; `place` tells where a name was given."""
    settings: dict[str, Any] = {}
    for name, value in dotted.items():
        *rooms, last = name.split(".")
        here = settings
        for room in rooms:
            here = here.setdefault(room, {})
            if not isinstance(here, dict):
                raise ExpeditionError(f"{place(name)}: {room} is set as a whole already, or has no fields")
        if last in here:
            raise ExpeditionError(f"{place(name)}: it is set already")
        here[last] = dict(value) if isinstance(value, Mapping) else value
    return settings
