"""Robots fail at a time or by chance, in part or as a whole, and recover; batteries run out; the rest goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition import explore
from expedition.design import build_mission, load_design
from expedition.energy import Energy
from expedition.errors import ExpeditionError
from expedition.failures import Failure, Faults, read_failures
from expedition.fleet import robot_model
from expedition.fleet.battery import Battery
from expedition.mission import Result
from expedition.robot import Robot


def events_of(result: Result, kind: str) -> list[tuple[float, int, str]]:
    events = result.measurements.events
    return [(event["time_s"], event["robot"], event["text"]) for event in events if event["event"] == kind]


def cross(robots: int = 2, **more: Any) -> Result:
    return explore("cross", robots, localiser="perfect", **{"explored": 1.0, "time_limit": 60.0, **more})


def test_failed_robot_stands_where_it_was_and_is_not_heard() -> None:
    result = cross(failures="robot:at=20,robots=1")
    times, poses = result.measurements.times, result.measurements.poses
    after = times >= 21.0
    assert np.ptp(poses[after, 1], axis=0).max() == 0.0
    assert np.ptp(poses[after, 0, :2], axis=0).max() > 5.0
    assert events_of(result, "breakdown") == [(20.0, 1, "robot")]
    assert result.measurements.saw[after, 1].max() == result.measurements.saw[after, 1].min()
    assert result.measurements.connected[after].max() == 0.5


def test_recovered_robot_drives_on() -> None:
    result = cross(failures="robot:at=10,robots=0,lasts=10")
    times, way = result.measurements.times, result.measurements.travelled[:, 0]
    assert np.ptp(way[(times >= 11) & (times <= 20)]) == 0.0
    assert way[-1] > way[times == 20.0][0] + 5.0
    assert events_of(result, "recovery") == [(20.0, 0, "robot")]


def test_blind_robot_sees_nothing_new_but_hears() -> None:
    result = cross(failures="sensors:at=5,robots=1", radio="everywhere")
    times, saw, explored = result.measurements.times, result.measurements.saw[:, 1], result.measurements.explored[:, 1]
    assert np.ptp(saw[times >= 6.0]) == 0.0
    assert explored[-1] > saw[-1] + 0.1


def test_mute_robot_explores_on_alone() -> None:
    result = cross(failures="radio:at=5,robots=1", radio="everywhere")
    times, received = result.measurements.times, result.measurements.received
    assert np.ptp(received[times >= 6.0, 1]) == 0
    assert result.measurements.saw[-1, 1] > result.measurements.saw[times == 6.0, 1][0]


def test_stuck_robot_still_sees_and_talks() -> None:
    result = cross(failures="drive:at=5,robots=1", radio="everywhere")
    times = result.measurements.times
    assert np.ptp(result.measurements.travelled[times >= 7.0, 1]) < 0.05
    assert result.measurements.received[-1, 1] > result.measurements.received[times == 7.0, 1][0]


def test_mission_ends_when_no_robot_is_left() -> None:
    result = cross(failures="robot:at=12", time_limit=500.0)
    assert (result.ending, result.succeeded) == ("no robot left", False)
    assert result.measurements.times[-1] == pytest.approx(12.0, abs=1.1)


def test_mission_whose_working_robots_have_ended_gave_up() -> None:
    async def ends(robot: Robot) -> None:
        await robot.wait(20.0)

    result = cross(2, strategy=ends, failures="robot:at=5,robots=0", time_limit=500.0)
    assert result.ending == "gave up"
    assert result.measurements.times[-1] == pytest.approx(20.0, abs=1.1)


def test_chance_is_the_same_in_every_run_and_no_robot_moves_anothers() -> None:
    failure = (Failure(rate_per_hour=120.0, mean_duration=20.0),)

    def history(robots: int) -> list[dict[str, Any]]:
        faults = Faults(failure, robots, 7)
        for second in range(600):
            faults.advance(float(second))
        return [event for event in faults.events if event["robot"] == 0]

    assert history(1) == history(5)
    assert len(history(1)) > 3


@settings(max_examples=50)
@given(st.lists(st.floats(0.1, 300.0), min_size=1, max_size=20).map(sorted), st.integers(0, 10**6))
def test_what_works_alternates_with_what_does_not(moments: list[float], seed: int) -> None:
    at_once, step_by_step = (Faults((Failure(rate_per_hour=360.0, lasts=5.0),), 2, seed) for _ in range(2))
    at_once.advance(moments[-1])
    for moment in moments:
        step_by_step.advance(moment)
    in_order = [
        sorted(faults.events, key=lambda event: (event["time_s"], event["robot"])) for faults in (at_once, step_by_step)
    ]
    assert in_order[0] == in_order[1]
    assert (at_once.down == step_by_step.down).all()
    for robot in range(2):
        own = [event["event"] for event in at_once.events if event["robot"] == robot]
        assert own == ["breakdown", "recovery"] * (len(own) // 2) + ["breakdown"] * (len(own) % 2)
        assert at_once.down[robot] == (len(own) % 2 == 1)


@pytest.mark.parametrize(
    ("given_failures", "sentence"),
    [
        ("legs:at=3", "failures: unknown part 'legs'"),
        ("robot", "a failure needs either at or rate_per_hour"),
        ("robot:at=3,rate_per_hour=2", "a failure needs either at or rate_per_hour"),
        ("robot:at=3,lasts=2,mean_duration=1", "not both"),
        ("robot:at=-3", "at: "),
        ("robot:att=3", "unknown field 'att'"),
        ({"part": "robot", "at": 3, "robots": [5]}, "there is no robot 5 in a fleet of 2"),
        (7, "expected failures as robot:at=100"),
        (
            "robot:at=1,robots=-1",
            "robots: needs 'all' or numbers of robots, from 0 on, such as [0, 2], found [-1]",
        ),
        ([{"at": 1.0, "robots": []}], "such as [0, 2], found []"),
    ],
)
def test_wrong_failure_is_told_in_a_sentence(given_failures: Any, sentence: str) -> None:
    with pytest.raises(ExpeditionError) as error:
        cross(failures=given_failures)
    assert sentence in str(error.value)


def test_failures_may_be_given_in_many_ways() -> None:
    text = read_failures("robot:at=3,robots=1 + radio:rate_per_hour=2")
    assert text == read_failures(["robot:at=3,robots=1", {"part": "radio", "rate_per_hour": 2}])
    assert read_failures(None) == read_failures("none") == ()
    assert text[0].robots == (1,)


def test_design_varies_failures(tmp_path: Path) -> None:
    design = tmp_path / "fail.yaml"
    design.write_text(
        "parameters: {terrain: cross, robots: 2, strategy: nearest-frontier, localiser: perfect, "
        "failures: [none, 'robot:at=5,robots=0']}\nstop: {explored: 0.3}\n"
    )
    missions = [build_mission(one.parameters) for one in load_design(str(design)).missions()]
    assert [len(mission.failures) for mission in missions] == [0, 1]
    design.write_text(design.read_text().replace("robots=0", "robots=9"))
    with pytest.raises(ExpeditionError, match="line 1: failures: there is no robot 9 in a fleet of 2"):
        load_design(str(design)).missions()


PIONEER = robot_model("pioneer-3dx")
FRUGAL = Battery(
    driving_j_per_m=10.0, turning_j_per_rad=2.0, computing_w=3.0, sensing_w=1.0, sending_j_per_kb=0.5,
    receiving_j_per_kb=0.25, capacity_wh=0.1,
)  # fmt: skip


def test_energy_adds_up_by_hand() -> None:
    energy = Energy([PIONEER.model_copy(update={"battery": FRUGAL}), PIONEER])
    on = np.array([True, True])
    none = np.zeros(2, dtype=np.int64)
    energy.take(np.array([[0.0, 0.0, 3.0], [0.0, 0.0, 0.0]]), 0.0, none, none, on)
    energy.take(np.array([[3.0, 4.0, -3.0], [9.0, 9.0, 0.0]]), 2.0, none + 4000, none + 2000, on)
    turned = 2.0 * np.pi - 6.0
    assert energy.used[0].tolist() == pytest.approx([5 * 10 + 2 * turned, 2 * 4.0, 4 * 0.5 + 2 * 0.25])
    assert energy.used[1].tolist() == [0.0, 0.0, 0.0]
    assert energy.left[0] == pytest.approx(360.0 - energy.used[0].sum())
    assert energy.left[1] == np.inf
    assert energy.reach(0, 1.0) == pytest.approx(energy.left[0] / (10.0 + 4.0))
    assert energy.reach(1, 1.0) == np.inf


def test_robot_whose_battery_runs_out_stops_for_good() -> None:
    model = PIONEER.model_copy(update={"battery": FRUGAL})
    result = cross(1, robot=model, time_limit=300.0)
    assert result.ending == "no robot left"
    ((time, robot, part),) = events_of(result, "breakdown")
    assert (robot, part) == (0, "battery")
    assert result.measurements.times[-1] >= time
    assert 5.0 < result.measurements.travelled[-1, 0] < 36.0


def test_battery_that_runs_out_after_the_strategy_has_ended_is_no_breakdown() -> None:
    """The first robot has ended at home and the second waits there; both batteries run out."""

    async def stand(robot: Robot) -> None:
        robot.activity = "waiting"
        await robot.wait(5.0 if robot.id == 0 else 1e6)

    result = cross(2, strategy=stand, robot=PIONEER.model_copy(update={"battery": FRUGAL}), time_limit=200.0)
    assert [robot for _, robot, _ in events_of(result, "switched off")] == [0]
    assert [robot for _, robot, _ in events_of(result, "breakdown")] == [1]
    assert result.metrics["breakdowns"] == 1.0
    assert result.measurements.facts["broken_down"] == [1]
    assert result.measurements.facts["activity_s"]["waiting"][0] == pytest.approx(5.0, abs=0.2)
    assert result.ending == "no robot left"


def test_strategy_knows_its_battery() -> None:
    seen = []

    async def watcher(robot: Robot) -> None:
        seen.append((robot.battery, robot.reach))
        await robot.drive(0.5, seconds=4.0)
        seen.append((robot.battery, robot.reach))

    cross(1, strategy=watcher, robot=PIONEER.model_copy(update={"battery": FRUGAL}))
    assert seen[0][0] == 1.0
    assert seen[1][0] < 1.0
    assert seen[1][1] < seen[0][1]
