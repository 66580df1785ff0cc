"""Stop conditions: when missions end, how that is called, and whether it counts as success."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import expedition
from expedition.errors import ExpeditionError
from expedition.measure.stops import check_base, check_stops
from expedition.terrain import Terrain, find_terrain

CLOSET = "forest:size=12,density=0"


def explore(stop: Mapping[str, Any], seconds: float = 40.0, robots: int = 2, **more: Any) -> expedition.Result:
    more = {"terrain": "cross", "placement": "line", **more}
    terrain = more.pop("terrain")
    return expedition.explore(terrain, robots, seed=1, localiser="perfect", time_limit=seconds, stop=stop, **more)


def closet() -> Terrain:
    return find_terrain(CLOSET)


def test_time_is_over_at_the_limit_and_that_is_no_success() -> None:
    result = explore({}, 7.35)
    assert (result.ending, result.succeeded) == ("timed out", False)
    assert result.metrics["time_s"] == pytest.approx(7.4)


def test_explored_by_one_robot_comes_later_than_by_all_together_without_radio() -> None:
    ends = {
        of: explore({"explored": {"share": 0.3, "of": of}}, 200.0, radio="none", placement="spread")
        for of in ("robot", "union")
    }
    assert {result.ending for result in ends.values()} == {"explored"}
    seconds = {of: result.metrics["time_s"] or 0.0 for of, result in ends.items()}
    assert seconds["union"] < seconds["robot"]


def test_no_frontier_left_is_a_success_unless_told_otherwise() -> None:
    stop = {"explored": False, "no-frontier": True}
    result = explore(stop, 300.0, terrain=closet(), placement="grouped")
    assert (result.ending, result.succeeded) == ("no frontier left", True)
    result = explore({**stop, "no-frontier": {"succeeds": False}}, 300.0, terrain=closet(), placement="grouped")
    assert (result.ending, result.succeeded) == ("no frontier left", False)


def test_area_is_a_goal_and_distance_a_budget() -> None:
    result = explore({"area": 600.0})
    assert (result.ending, result.succeeded) == ("area reached", True)
    assert result.metrics["explored_m2"] == pytest.approx(600.0, rel=0.2)
    result = explore({"distance": 15.0})
    assert (result.ending, result.succeeded) == ("distance spent", False)
    assert 15.0 <= (result.metrics["cost_m"] or 0.0) < 19.0
    result = explore({"distance": {"metres": 10.0, "of": "robot"}})
    assert 10.0 <= result.measurements.travelled[-1].max() < 12.0


def test_success_counts_before_a_budget_that_ends_with_it() -> None:
    assert explore({"distance": 1e-9, "area": 1e-9}).ending == "area reached"


def test_users_condition_ends_with_its_own_name_or_word(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        "from expedition.measure.stops import End\n\n"
        "def far_enough(progress, *, metres: float = 5.0):\n    return progress.monitor.travelled.max() > metres\n\n"
        "def late(progress):\n    return End('too late', False) if progress.time > 4 else None\n\n"
        "def broken(progress):\n    return progress.nothing\n\n"
        "def nonsense(progress):\n    return 3\n"
    )
    result = explore({f"{path}:far_enough": 3.0})
    assert (result.ending, result.succeeded) == ("far enough", True)
    assert 3.0 < result.measurements.travelled[-1].max() < 5.0
    assert explore({f"{path}:late": True}).ending == "too late"
    for name, said in (("broken", "AttributeError"), ("nonsense", "expected None, True, False or an End, found 3")):
        result = explore({f"{path}:{name}": True})
        assert result.ending == "failed"
        assert said in str(result.failure)


def test_conditions_are_completed_and_always_have_a_limit_of_time() -> None:
    assert check_stops({"explored": 0.5}) == {
        "time": {"seconds": 2000.0},
        "explored": {"share": 0.5, "of": "robot"},
    }


@pytest.mark.parametrize(
    ("stop", "sentence"),
    [
        ({"explred": 0.9}, "unknown stop condition 'explred'; did you mean 'explored'"),
        ({"explored": {"shair": 0.9}}, "unknown field 'shair'; did you mean 'share'"),
        ({"explored": 1.5}, "share: input should be less than or equal to 1, found 1.5"),
        ({"explored": {"of": "anyone"}}, "of: input should be 'robot', 'union' or 'base'"),
        ({"time": False}, "a mission needs a limit"),
        ({"area": True}, "missing: square_metres"),
        ({"explored": 0.5, "explored:share=0.6": True}, "stop: explored: is given twice"),
        ({"explored:share=0.6": 0.5}, "stop: explored: share: is given twice"),
        ({"time:seconds=5": True, "time": 6}, "stop: time: is given twice"),
        ([1, 2], "expected conditions by name"),
    ],
)
def test_wrong_condition_is_told_in_a_sentence(stop: Any, sentence: str) -> None:
    with pytest.raises(ExpeditionError) as error:
        check_stops(stop)
    assert sentence in str(error.value)


def test_limit_of_time_may_stand_in_one_line() -> None:
    assert check_stops({"time:seconds=5": True}) == {"time": {"seconds": 5.0}}


@pytest.mark.parametrize("name", ["explored", "area"])
def test_condition_on_a_base_that_is_not_there_is_told(name: str) -> None:
    first: dict[str, Any] = {"share": 0.5} if name == "explored" else {"square_metres": 9}
    stop = check_stops({name: {**first, "of": "base"}})
    check_base(stop, True)
    check_base(check_stops({name: first}), False)
    with pytest.raises(ExpeditionError, match=f"stop: {name}: of: base: the mission has no base station"):
        check_base(stop, False)
