"""From a planned mission's plain parameters to the mission itself, on whichever machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from expedition.design.files import check_unchanged
from expedition.design.ground import build_terrain
from expedition.design.priors import build_prior
from expedition.design.robots import build_fleet
from expedition.design.software import build_settings, build_strategy
from expedition.failures import read_failures
from expedition.mission import Mission


def build_mission(parameters: Mapping[str, Any]) -> Mission:
    """The mission that `Planned.parameters` describes. Files that it names must be as they were when it was planned."""
    check_unchanged(parameters["files"])
    seed = parameters["seed"]
    terrain = build_terrain(parameters["terrain"], parameters["files"])
    settings = build_settings(parameters["settings"])
    fleet = build_fleet(parameters["fleet"], parameters["placement"], terrain, seed, settings)
    name, strategy = build_strategy(parameters["strategy"])
    measurements = _ordered(parameters["measurements"])
    stop, prior = _ordered(parameters["stop"]), build_prior(parameters["prior"])
    failures = read_failures(parameters["fleet"]["failures"])
    return Mission(terrain, fleet, strategy, name, seed, settings, stop, measurements, prior, failures)


def _ordered(named: Mapping[str, Any]) -> dict[str, Any]:
    """In one order on all machines, whose folders differ: of conditions that hold at once, the first counts."""
    return {name: named[name] for name in sorted(named, key=lambda name: (name.rpartition(":")[2], name))}
