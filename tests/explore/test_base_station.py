"""A base station hears, holds a map, leads centralised strategies, and ends missions by what it knows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expedition import explore
from expedition.belief.grid import FREE, UNKNOWN
from expedition.design import build_mission, load_design
from expedition.errors import ExpeditionError
from expedition.exploring import plan_mission
from expedition.fleet.base import base_fields
from expedition.measure.measurements import Measurements
from expedition.mission import Result, run
from expedition.robot import Robot


async def tour(robot: Robot) -> None:
    """Drive out of the radio's reach, look, and come home."""
    await robot.go_to((robot.base[0] + 25.0, robot.base[1]), through_unknown=True)
    await robot.go_to(robot.base)
    await robot.wait(3.0)


def tour_result(base: str | None = "start") -> Result:
    return explore("cross", 1, tour, base=base, localiser="perfect", radio="circle:range=10")


def test_base_knows_what_a_robot_brings_home() -> None:
    result = tour_result()
    at_base, union, times = result.measurements.at_base, result.measurements.union, result.measurements.times
    away = (times > 15) & (times < 30)
    assert np.ptp(at_base[away]) == 0.0
    assert (union[away] > at_base[away]).all()
    assert at_base[-1] == union[-1]
    maps = result.measurements.maps
    explorable = maps["explorable"]
    late = maps["known_at_base"][explorable] - maps["seen_at"][explorable]
    assert np.nanmin(late) >= 0.0
    assert np.nanmax(late) > 20.0
    assert np.isnan(maps["known_at_base"]).sum() == np.isnan(maps["seen_at"]).sum()
    assert ((maps["base_map"] == FREE) <= (maps["map"] != UNKNOWN)).all()


def test_series_of_a_mission_with_a_base_have_what_the_base_knew() -> None:
    with_base, without = tour_result().measurements, tour_result(None).measurements
    series = with_base.series_frame()
    assert series["at_base"].drop_nulls().to_list() == with_base.at_base.tolist()
    assert "at_base" not in without.series_frame().columns
    again = Measurements.read(series, with_base.facts)
    assert again.at_base.tolist() == with_base.at_base.tolist()
    assert again.has_base
    assert not again.own


def test_mission_may_end_by_what_the_base_knows() -> None:
    stop = {"explored": {"share": 0.5, "of": "base"}}
    result = explore("cross", 2, base="start", localiser="perfect", radio="everywhere", stop=stop)
    assert result.ending == "explored"
    assert 0.5 <= result.measurements.at_base[-1] < 0.7


def test_centralised_strategy_leads_from_the_base() -> None:
    result = explore("cross", 2, "hungarian", base="start", localiser="perfect", radio="everywhere", explored=0.6)
    assert result.ending == "explored"
    leader = result.controller.decisions
    assert len(leader.done) == 3
    assert not leader.done[2]


async def moving_base(robot: Robot) -> None:
    await (robot.go_to((0.0, 0.0)) if robot.is_base else robot.wait(1.0))


moving_base.leads_from_base = True  # type: ignore[attr-defined]


def test_base_does_not_move() -> None:
    result = explore("cross", 1, moving_base, base="start", localiser="perfect")
    assert result.ending == "failed"
    assert "a base station does not move" in str(result.failure)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("home", "expected none, start, a point as 3,-4, or x and y, found 'home'"),
        ("1,2,3", "expected none, start"),
        ("1,two", "base: y"),
        ({"x": 1, "z": 2}, "unknown field 'z'"),
        ("39.9,39.9", "(39.9, 39.9) is no free ground of terrain 'cross'"),
        ("500,0", "(500, 0) is no free ground"),
    ],
)
def test_wrong_base_is_told_in_a_sentence(given: object, sentence: str) -> None:
    with pytest.raises(ExpeditionError) as error:
        plan_mission("cross", 1, "nearest-frontier", base=given)  # type: ignore[arg-type]
    assert sentence in str(error.value)


def test_base_may_be_given_in_many_ways() -> None:
    assert base_fields(None) is base_fields("none") is base_fields(False) is None
    assert base_fields(True) == base_fields("start") == {}
    assert base_fields("3,-4") == base_fields([3, -4]) == base_fields({"x": 3, "y": -4}) == {"x": 3.0, "y": -4.0}


def test_robots_without_a_common_frame_have_no_base() -> None:
    with pytest.raises(ExpeditionError, match="cannot know where their base is"):
        plan_mission("cross", 2, "nearest-frontier", base="start", settings={"merge": "aligned"})


def test_design_gives_missions_a_base(tmp_path: Path) -> None:
    design = tmp_path / "with-base.yaml"
    design.write_text(
        "parameters: {terrain: cross, robots: 2, strategy: nearest-frontier, localiser: perfect, radio: everywhere, "
        "base: [start, '0,0', none]}\nstop: {explored: 0.3}\n"
    )
    missions = [build_mission(one.parameters) for one in load_design(str(design)).missions()]
    bases = [mission.fleet.base for mission in missions]
    assert [base and (base.x, base.y) for base in bases] == [(-38.0, 38.0), (0.0, 0.0), None]
    assert run(missions[0]).measurements.at_base[-1] > 0.2
