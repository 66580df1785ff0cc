"""Fleets: numbers, mixes and limits."""

from __future__ import annotations

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.fleet import Fleet, robot_model, robot_models
from expedition.terrain import terrain

MAZE = terrain.make("maze")


def kinds(*robots):
    return [model.name for model in robot_models(*robots)]


def test_fleet_of_one_model_has_the_number_asked_for():
    fleet = Fleet.of("pioneer-3dx", 8, MAZE, placement="line", seed=0)
    assert len(fleet) == 8
    assert set(fleet.models) == {robot_model("pioneer-3dx")}
    assert fleet.poses.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        fleet.poses[0, 0] = 1.0


@pytest.mark.parametrize(
    "robots",
    ["2 * maes + quadrotor", {"maes": 2, "quadrotor": 1}, ["maes", "maes", "quadrotor"], ["2*maes", "quadrotor"]],
)
def test_mixed_fleets_are_written_as_text_mapping_or_list(robots):
    assert kinds(robots) == ["maes", "maes", "quadrotor"]


def test_mixed_robots_may_have_fields_of_their_own():
    near, far = robot_models("maes:lidar.range=2,drive.max_speed=0.5 + maes:lidar.range=1e+1")
    assert (near.lidar.range, near.drive.max_speed, far.lidar.range) == (2.0, 0.5, 10.0)


def test_number_deals_out_the_mix_in_turn():
    assert kinds("maes + quadrotor", 5) == ["maes", "quadrotor", "maes", "quadrotor", "maes"]


@pytest.mark.parametrize(
    ("robots", "number"),
    [
        ("maes", 0),
        ("maes", 10_001),
        ("0 * maes", None),
        ("20000 * maes", None),
        ("6000 * maes + 6000 * maes", None),
        ({"maes": -1}, None),
        ({"maes": 2.5}, None),
        ([], None),
        (7, None),
        ([7], None),
        ("", None),
        ("4 * ", None),
        ("99999999999999999999 * maes", None),
    ],
)
def test_impossible_fleet_is_refused(robots, number):
    with pytest.raises(ExpeditionError):
        robot_models(robots, number)


def test_fleet_needs_a_finite_pose_for_each_robot():
    for poses in (np.zeros((1, 3)), np.full((2, 3), np.nan)):
        with pytest.raises(ExpeditionError, match="2 robots need a finite pose"):
            Fleet((robot_model("maes"),) * 2, poses)


def test_radios_of_a_base_need_names_of_their_own():
    radios = [{"name": "wifi", "range": 3}, {"name": "wifi", "range": 30}]
    with pytest.raises(
        ExpeditionError, match="base: radios: two radios are named 'wifi'; each needs a name of its own"
    ):
        Fleet.of("pioneer-3dx", 2, "maze", base={"x": 4, "y": 4, "radios": radios})


def test_base_whose_radios_no_robot_has_is_refused():
    def fleet(*names):
        return Fleet.of("pioneer-3dx", 2, "maze", base={"x": 4, "y": 4, "radios": [{"name": name} for name in names]})

    told = r"^base: radios: unknown radio 'wify'; did you mean 'wifi'\? allowed: wifi; the base would hear no robot$"
    with pytest.raises(ExpeditionError, match=told):
        fleet("wify", "lora")
    assert len(fleet("lora", "wifi").radios[-1]) == 2
    assert fleet().radios[-1] == ()
