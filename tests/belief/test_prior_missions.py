"""Missions with a prior map: a right one shortens ways, a wrong one is unlearnt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN
from expedition.cli.app import app
from expedition.design import build_mission
from expedition.errors import ExpeditionError
from expedition.exploring import explore
from expedition.mission import Result
from expedition.robot import Robot
from expedition.terrain import Terrain
from expedition.terrain.files import save
from tests.design.writing import design_of


def ring(block: bool = True) -> Terrain:
    """A corridor of 3 m around a block of 14 x 4 m."""
    occupied = np.zeros((100, 200), dtype=bool)
    occupied[[0, -1]] = occupied[:, [0, -1]] = True
    occupied[30:70, 30:170] = block
    return Terrain.from_occupied("ring", occupied)


def roam(strategy: Any, **options: Any) -> Result:
    options.setdefault("robot", "pioneer-3dx:lidar.range=3")
    options.setdefault("placement", "at:positions=[[1.5, 1.5]]")
    return explore(
        options.pop("terrain", ring()), 1, strategy, seed=2, localiser="perfect",
        explored=options.pop("explored", 1.0), time_limit=options.pop("time_limit", 200.0), **options,
    )  # fmt: skip


async def out_and_home(robot: Robot) -> None:
    """Along three sides of the ring, then home."""
    for x, y in ((18.5, 1.5), (18.5, 8.5), (8.0, 8.5)):
        await robot.go_to((x, y), through_unknown=True)
    robot.note(f"{robot.travel_cost(robot.base):.1f}")
    robot.note(str(await robot.go_to(robot.base)))
    await robot.wait(1000.0)


def test_a_right_prior_shows_a_shorter_way_home_over_ground_never_sensed() -> None:
    plain, told = roam(out_and_home, time_limit=120.0), roam(out_and_home, time_limit=120.0, prior="truth")
    (_, _, far), (_, _, home) = plain.controller.notes
    (_, _, near), (_, _, home_too) = told.controller.notes
    assert home == home_too == "arrived"
    assert float(near) < 20.0 < 30.0 < float(far)
    assert told.monitor.travelled[0] < plain.monitor.travelled[0] - 10.0


async def look(robot: Robot) -> None:
    await robot.wait(2.0)
    view = robot.map
    robot.memory["view"] = view
    robot.note(f"{len(robot.frontiers())} {robot.travel_cost((18.5, 8.5)):.0f} {view.known_area:.0f}")
    await robot.wait(1000.0)


def test_frontiers_and_what_counts_as_explored_are_of_what_was_sensed() -> None:
    plain, told = roam(look, time_limit=4.0), roam(look, time_limit=4.0, prior="truth")
    assert told.monitor.series.explored[-1] == plain.monitor.series.explored[-1]
    assert np.array_equal(plain.controller.grids.state, told.controller.grids.state)
    (frontiers, cost, area), (same, told_cost, same_area) = (
        one.controller.notes[0][2].split() for one in (plain, told)
    )
    assert (frontiers, area) == (same, same_area)
    assert cost == "inf"
    assert 20 < float(told_cost) < 40


def test_a_map_shows_its_prior_and_what_the_robot_expects() -> None:
    controller = roam(look, time_limit=4.0, prior="truth").controller
    view = Robot(controller, 0, 0, controller.inboxes[0]).map
    far, block = view.frame.cell(18.5, 8.5), view.frame.cell(10.0, 5.0)
    assert view.state[far] == UNKNOWN
    assert (view.prior[far], view.expected[far]) == (FREE, FREE)
    assert (view.prior[block], view.expected[block]) == (OCCUPIED, OCCUPIED)
    near = view.frame.cell(1.5, 1.5)
    assert view.expected[near] == view.state[near] == FREE
    with pytest.raises(ValueError, match="read-only"):
        view.prior[far] = OCCUPIED
    nothing = Robot(roam(look, time_limit=1.0).controller, 0, 0, controller.inboxes[0]).map
    assert not nothing.prior.any()
    assert np.array_equal(nothing.expected, nothing.state)


async def go_across(robot: Robot) -> None:
    robot.note(str(await robot.go_to((18.5, 8.5))))
    await robot.wait(1000.0)


def test_a_prior_without_a_wall_that_stands_is_unlearnt_on_the_way(tmp_path: Path) -> None:
    save(ring(block=False), tmp_path / "hall.yaml")
    result = roam(go_across, prior=str(tmp_path / "hall.yaml"), time_limit=120.0)
    assert result.controller.notes[0][2] == "arrived"
    assert not result.monitor.contacts_with_walls.any()


@pytest.mark.parametrize("prior", ["truth:wrong=0.4,shift=0.5", "truth:known=0.3,wrong=0.2", "walled.yaml"])
def test_a_wrong_prior_does_not_keep_a_mission_from_its_end(tmp_path: Path, prior: str) -> None:
    if prior == "walled.yaml":  # Walls across both ways around the ring, none of which is there.
        walled = ring().occupied.copy()
        walled[:30, [60, 61, 140]] = walled[70:, [60, 61, 140]] = True
        save(Terrain.from_occupied("walled", walled), tmp_path / prior)
        prior = str(tmp_path / prior)
    result = roam("nearest-frontier", prior=prior, explored=0.97, time_limit=400.0)
    assert result.ending == "explored"
    state, truth = result.controller.grids.state[0], result.monitor.truth.state
    sensed = (state != UNKNOWN) & (truth != UNKNOWN)
    assert np.mean(state[sensed] == truth[sensed]) > 0.95


def test_missions_with_priors_come_out_the_same_each_time_and_say_which_they_had() -> None:
    one, two = (
        roam("nearest-frontier", prior="truth:known=0.5,wrong=0.1", time_limit=20.0).to_dict(series=True)
        for _ in range(2)
    )
    assert json.dumps(one) == json.dumps(two)
    assert one["mission"]["prior"] == "truth:known=0.5,wrong=0.1"
    assert "prior" not in roam("nearest-frontier", time_limit=1.0).to_dict()["mission"]


def test_a_malformed_prior_is_refused_when_the_mission_is_made() -> None:
    with pytest.raises(ExpeditionError, match="prior: unknown prior 'trouth'; did you mean 'truth'"):
        roam("nearest-frontier", prior="trouth")


def test_designs_vary_priors_and_their_parameters(tmp_path: Path) -> None:
    save(ring(), tmp_path / "site.yaml")
    design = design_of(tmp_path, {"prior": ["none", "truth", "site.yaml:unknown=free"], "prior.known": [0.25, 0.5]})
    found = {build_mission(one.parameters).prior for one in design.missions()}
    assert found == {None, "truth:known=0.25", "truth:known=0.5", f"{tmp_path / 'site.yaml'}:unknown=free"}
    assert len({one.key for one in design.missions()}) == 4


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"prior": "truht"}, "prior: unknown prior 'truht'; did you mean 'truth'"),
        ({"prior": "truth", "prior.known": 2}, "prior.known: input should be less than or equal to 1"),
        ({"prior": "truth", "prior.now": 2}, "prior.now: unknown parameter of 'truth': 'now'"),
        ({"prior": "gone.yaml"}, "gone.yaml: no such file"),
    ],
)
def test_a_malformed_prior_in_a_design_is_told_with_its_line(
    tmp_path: Path, parameters: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ExpeditionError) as told:
        design_of(tmp_path, parameters)
    assert sentence in str(told.value)
    assert "line" in str(told.value)


def test_the_command_line_takes_a_prior() -> None:
    words = ["explore", "-t", "cross", "-n", "1", "--time-limit", "1", "--localiser", "perfect", "--quiet", "--json"]
    ran = CliRunner().invoke(app, [*words, "--prior", "truth:known=0.5"])
    assert json.loads(ran.stdout)["mission"]["prior"] == "truth:known=0.5"
