"""Every parameter of section 3.1 of Yan et al. (2017) can be set in a design and arrives in the mission."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from expedition.design import build_mission
from expedition.design.trial import try_out
from expedition.errors import ExpeditionError
from expedition.mission import Mission
from expedition.network import Obstacles, radios
from expedition.terrain import MATERIALS
from tests.design.writing import design_of

Reached = Callable[[Mission], Any]


def model(mission: Mission, robot: int = 0) -> Any:
    return mission.fleet.models[robot]


def names(mission: Mission) -> list[str]:
    return [one.name for one in mission.fleet.models]


def kinds(mission: Mission) -> list[str]:
    return [change.kind for change in mission.terrain.changes]


def materials(mission: Mission) -> set[str]:
    return {MATERIALS[index].name for index in np.unique(mission.terrain.material)}


FOREST = {"terrain": "forest", "terrain.size": 20, "placement": "spread"}
PERSON = {"kind": "person", "waypoints": [[-36, 0], [36, 0]]}
DOOR = {"kind": "door", "area": {"left": -4, "right": 4, "bottom": 10, "top": 10.4}, "switches": [10, 20]}
COLLAPSE = {"kind": "collapse", "area": {"left": -4, "right": 4, "bottom": 10, "top": 12}, "time": 30}

ROBOT: dict[str, tuple[dict[str, Any], Reached, Any]] = {
    "size": ({"robot.body.length": 0.6}, lambda m: model(m).body.length, 0.6),
    "shape": ({"robot.body.shape": "disc", "robot.body.radius": 0.3}, lambda m: model(m).body.footprint, (0.3, -1.0)),
    "weight": ({"robot.body.mass": 12}, lambda m: model(m).body.mass, 12),
    "velocity": ({"robot.drive.max_speed": 0.5}, lambda m: model(m).drive.max_speed, 0.5),
    "reverse": ({"robot.drive.max_speed": 0.5}, lambda m: model(m).drive.max_reverse_speed, 0.5),
    "acceleration": ({"robot.drive.max_acceleration": 1}, lambda m: model(m).drive.max_acceleration, 1),
    "drive": ({"robot.drive.kind": "holonomic"}, lambda m: model(m).drive.kind, "holonomic"),
    "processor": ({"robot.computer.cpus": 8}, lambda m: model(m).computer.cpus, 8),
    "memory": ({"robot.computer.ram_gb": 16}, lambda m: model(m).computer.ram_gb, 16),
    "sensor rate": ({"robot.lidar.rate": 5}, lambda m: model(m).lidar.rate, 5),
    "sensor range": ({"robot.lidar.range": 12}, lambda m: model(m).lidar.range, 12),
    "sensor resolution": ({"robot.lidar.beams": 90}, lambda m: model(m).lidar.beams, 90),
    "field of view": ({"robot.lidar.field_of_view": "90 deg"}, lambda m: model(m).lidar.field_of_view, np.pi / 2),
    "no sensor": ({"robot.lidar": {"values": [None]}}, lambda m: model(m).lidar, None),
    "a sensor more": (
        {"robot.robot_detector": {"values": [{"range": 5, "rate": 2}]}}, lambda m: model(m).robot_detector.range, 5,
    ),
}  # fmt: skip
FLEET: dict[str, tuple[dict[str, Any], Reached, Any]] = {
    "number": ({"robots": 5}, lambda m: len(m.fleet), 5),
    "mixed": (
        {"robots": None, "robot": "3 * pioneer-3dx + 1 * quadrotor"}, names,
        ["pioneer-3dx"] * 3 + ["quadrotor"],
    ),
    "mixed with a number": (
        {"robots": 3, "robot": {"values": [["pioneer-3dx", "quadrotor"]]}}, names,
        ["pioneer-3dx", "quadrotor", "pioneer-3dx"],
    ),
    "mixed with a field": (
        {"robots": None, "robot": {"values": [{"pioneer-3dx": 1, "quadrotor": 1}]}, "robot.lidar.range": 9},
        lambda m: [one.lidar.range for one in m.fleet.models], [9, 9],
    ),
    "placement": ({"placement": "spread", "placement.heading": 1.0}, lambda m: set(m.fleet.poses[:, 2]), {1.0}),
    "positions": (
        {"placement": "at", "placement.positions": [[[-38, 38], [-30, 38, 1.5]]]}, lambda m: m.fleet.poses.tolist(),
        [[-38, 38, 0], [-30, 38, 1.5]],
    ),
    "bandwidth": (
        {"robot.radios.wifi.bandwidth_bits_per_s": 1_000_000}, lambda m: model(m).radios[0].bandwidth_bits_per_s, 1e6,
    ),
    "range": ({"robot.radios.wifi.range": 30}, lambda m: model(m).radios[0].range, 30),
    "range of all": (
        {"radio.range": 30},
        lambda m: radios.make(m.settings.radio, [one.radios[0] for one in m.fleet.models], 1)
        .reception(np.array([[0, 0], [31.0, 0]]), Obstacles.of(m.terrain), 0.0).any(),
        False,
    ),
}  # fmt: skip
ENVIRONMENT: dict[str, tuple[dict[str, Any], Reached, Any]] = {
    "size": (FOREST, lambda m: m.terrain.extent, (0, 20, 0, 20)),
    "two sides": ({**FOREST, "terrain.size": [[30, 20]]}, lambda m: m.terrain.extent, (0, 30, 0, 20)),
    "material of a generator": ({**FOREST, "terrain.material": "rock"}, materials, {"rock"}),
    "material of any": ({"terrain.material": "glass"}, materials, {"glass"}),
    "height of any": ({"terrain.wall_height": 1.2}, lambda m: m.terrain.wall_height_cm.max(), 120),
    "roughness": ({"terrain.speed_percent": 60}, lambda m: set(np.unique(m.terrain.speed_percent)), {60}),
    "density": ({**FOREST, "terrain.density": 0.0, "terrain.border": 0.5}, lambda m: m.terrain.free_area, 19.0**2),
    "obstacle shape": ({**FOREST, "terrain.shape": "square"}, lambda m: m.terrain.occupied.any(), True),
    "landform": ({"terrain": "zigzag"}, lambda m: m.terrain.name, "zigzag"),
    "dynamics": (
        {"terrain": "cross", "terrain.changes": [[PERSON, DOOR, COLLAPSE]]}, kinds,
        ["person", "door", "collapse"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("parameters", "reached", "value"), ROBOT.values(), ids=ROBOT)
def test_a_robot_is_as_the_design_says(tmp_path: Path, parameters: Any, reached: Reached, value: Any) -> None:
    (one,) = design_of(tmp_path, parameters).missions()
    assert reached(build_mission(one.parameters)) == value


@pytest.mark.parametrize(("parameters", "reached", "value"), FLEET.values(), ids=FLEET)
def test_a_fleet_is_as_the_design_says(tmp_path: Path, parameters: Any, reached: Reached, value: Any) -> None:
    (one,) = design_of(tmp_path, parameters).missions()
    assert reached(build_mission(one.parameters)) == value


@pytest.mark.parametrize(("parameters", "reached", "value"), ENVIRONMENT.values(), ids=ENVIRONMENT)
def test_an_environment_is_as_the_design_says(tmp_path: Path, parameters: Any, reached: Reached, value: Any) -> None:
    (one,) = design_of(tmp_path, parameters).missions()
    found = reached(build_mission(one.parameters))
    assert found == pytest.approx(value) if isinstance(value, float | tuple) else found == value


def test_changes_can_be_varied_like_any_parameter(tmp_path: Path) -> None:
    design = design_of(tmp_path, {"terrain": "cross", "terrain.changes": [[], [PERSON]]})
    assert design.varied == ("terrain.changes",)
    still, moving = (build_mission(one.parameters).terrain for one in design.missions())
    assert still.changes == ()
    assert len(moving.changes) == 1


def test_a_fleet_that_does_not_fit_is_found_without_running_anything(tmp_path: Path) -> None:
    lines = {"terrain": ["maze", "cross"], "placement": "line"}
    design = design_of(tmp_path, {**lines, "robots": [3, 39, 40]})
    with pytest.raises(ExpeditionError, match="maze, 40 robots: line: robot 39"):
        try_out(design.missions())
    assert try_out(design_of(tmp_path, {**lines, "robots": [3, 39]}).missions()) == 2
    assert try_out(design_of(tmp_path, {"terrain": ["maze", "cross"], "robots": 40}).missions()) == 2


def test_a_person_in_a_wall_is_found_without_running_anything(tmp_path: Path) -> None:
    walled = {"kind": "person", "waypoints": [[20, 20]]}
    with pytest.raises(ExpeditionError, match=r"changes\.0\.waypoints: \(20, 20\) is not on free ground"):
        try_out(design_of(tmp_path, {"terrain": "cross", "terrain.changes": [[walled]]}).missions())
