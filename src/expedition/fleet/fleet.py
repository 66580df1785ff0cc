"""A fleet: the robots of one run, where they start, and their base station."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np

from expedition.errors import ExpeditionError, shorten
from expedition.fleet.base import BaseStation, Place, base_station
from expedition.fleet.check import MAX_ROBOTS, Poses, check_number
from expedition.fleet.clearance import MARGIN
from expedition.fleet.library import robot_model
from expedition.fleet.model import Radio, RobotModel
from expedition.fleet.placement import place
from expedition.fleet.site import Site
from expedition.terrain import Terrain, find_terrain

Robots = str | RobotModel | Mapping[str, int] | Sequence[str | RobotModel]
"""Robots as users name them: `pioneer-3dx`, `4 * pioneer-3dx + 2 * quadrotor`, {pioneer-3dx: 4}, or a list."""


@dataclass(frozen=True, eq=False)
class Fleet:
    """Robot models and initial poses, one of each a robot; robots may differ."""

    models: tuple[RobotModel, ...]
    poses: Poses
    """(robots, 3): x, y in metres and heading in radians."""
    base: BaseStation | None = None
    notes: tuple[str, ...] = ()
    """Sentences on where the robots were placed, and why there."""

    def __post_init__(self) -> None:
        check_number(len(self.models))
        poses = np.array(self.poses, dtype=np.float64)
        if poses.shape != (len(self.models), 3) or not np.isfinite(poses).all():
            raise ExpeditionError(f"{len(self.models)} robots need a finite pose (x, y, heading) each")
        poses.flags.writeable = False
        object.__setattr__(self, "poses", poses)

    @classmethod
    def of(
        cls,
        robots: Robots,
        number: int | None,
        terrain: Terrain | str,
        placement: str = "auto",
        seed: int = 0,
        connected: bool = True,
        base: Place = None,
        resolution: float | None = None,
        margin: float = MARGIN,
    ) -> Fleet:
        """Place robots in a terrain.

        `resolution` is that of their maps, if it is given, and `margin` what they keep from walls, both in metres:
        where they can get to depends on them.

        >>> len(Fleet.of("3 * pioneer-3dx + 2 * quadrotor", None, "maze", placement="spread"))
        5
        """
        terrain = find_terrain(terrain) if isinstance(terrain, str) else terrain
        models = robot_models(robots, number)
        check_number(len(models))
        site = Site(terrain, models, resolution, margin, connected)
        poses = place(terrain, models, placement, seed, connected, site)
        return cls(models, poses, base_station(base, terrain, models, poses), tuple(site.notes))

    def __len__(self) -> int:
        return len(self.models)

    @property
    def nodes(self) -> int:
        """How many the network has: the robots, and the base station as the last."""
        return len(self.models) + (self.base is not None)

    @property
    def radios(self) -> list[tuple[Radio, ...]]:
        """Those of each node."""
        at_base = [] if self.base is None else [self.base.radios or ()]
        return [*(model.radios for model in self.models), *at_base]


def robot_models(robots: Robots, number: int | None = None) -> tuple[RobotModel, ...]:
    """One model a robot. With a `number`, those named are taken in turn, over and over, until there are that many."""
    if number is not None:
        check_number(number)
    named = _named(robots)
    check_number(len(named))
    return tuple(islice(cycle(named), number if number is not None else len(named)))


def _named(robots: Robots) -> list[RobotModel]:
    if isinstance(robots, RobotModel):
        return [robots]
    if isinstance(robots, str):
        return [model for part in re.split(r"\s\+\s|\+(?=\s*\d+\s*\*)", robots) for model in _several(part)]
    if isinstance(robots, Mapping):
        return [model for name, count in robots.items() for model in [robot_model(name)] * _count(count, name)]
    if not isinstance(robots, Sequence):
        raise ExpeditionError(f"expected robots by name, list or mapping, found {shorten(robots)}")
    return [model for item in robots for model in ([item] if isinstance(item, RobotModel) else _several(item))]


def _several(text: str) -> list[RobotModel]:
    """`4 * pioneer-3dx` or `pioneer-3dx`."""
    if isinstance(text, str) and (match := re.match(r"\s*(\d{1,9})\s*\*(.*)", text, flags=re.DOTALL)):
        return [robot_model(match[2].strip())] * _count(int(match[1]), text)
    return [robot_model(text)]


def _count(count: int, place: str) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MAX_ROBOTS:
        raise ExpeditionError(f"{shorten(place)}: a fleet has 1 to {MAX_ROBOTS:,} robots, found {shorten(count)}")
    return count
