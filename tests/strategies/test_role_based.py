"""Whole missions by role: news comes home, whoever fails, comes late or never, and nobody waits for ever."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pytest
from benchmarks.markdown import MarkdownConsole
from benchmarks.swaps import LATE, Watch, mission, swaps

from expedition.action import Outcome
from expedition.conformance import digest
from expedition.exploring import explore
from expedition.mission import Result
from expedition.robot import Robot
from expedition.strategies.role_based import RoleBased
from expedition.strategies.roles.team import State, Told
from expedition.terrain import Terrain

QUICK: dict[str, Any] = {"wait": 10.0, "minimum": 10.0, "slack": 10.0, "spare": 5.0, "replan": 5.0, "patience": 5.0}
TIMES = ",".join(f"{name}={value}" for name, value in QUICK.items())


def comb() -> Terrain:
    """24 x 9 m: a corridor of 3 m with three rooms above it, dead ends all, far out of reach of the left end."""
    occupied = np.ones((90, 240), dtype=bool)
    occupied[5:35, 5:235] = False
    for left in (40, 110, 180):
        occupied[35:85, left : left + 40] = False
    return Terrain.from_occupied("comb", occupied, resolution=0.1)


COMB = comb()
STARTS = [[1.2, 1.2], [1.2, 2.4], [2.4, 1.2], [2.4, 2.4], [3.6, 1.2]]


def send(robots: int, strategy: Any = f"role-based:{TIMES}", **options: Any) -> Result:
    """Robots into the comb, with a radio of 4 m; the base must know it all."""
    given: dict[str, Any] = {
        "robot": "pioneer-3dx:lidar.range=4,lidar.beams=90,lidar.rate=5",
        "placement": f"at:positions={STARTS[:robots]}",
        "base": "start",
        "radio": "circle:range=4",
        "localiser": "perfect",
        "resolution": 0.4,
        "control_rate": 5.0,
        "time_limit": 600.0,
        "stop": {"explored": {"share": 0.99, "of": "base"}},
        **options,
    }
    result = explore(given.pop("terrain", COMB), robots, strategy, 1, **given)
    assert result.failure is None, result.failure.report
    return result


def activities(result: Result, robot: int) -> list[str]:
    return [word for _, who, what, word in result.controller.declared if who == robot and what == "activity"]


def roles(result: Result) -> list[tuple[int, str]]:
    return [(robot, word) for _, robot, what, word in result.controller.declared if what == "role"]


@pytest.mark.parametrize("robots", [1, 2, 3, 5])
def test_any_number_of_robots_brings_all_news_home(robots: int) -> None:
    result = send(robots)
    assert result.ending == "explored"
    assert roles(result) == [(0, "explorer")] if robots == 1 else (0, "relay") in roles(result)


@pytest.mark.parametrize(
    "options",
    [
        "swap=true",
        "through_obstacles=true",
        "swap=true,through_obstacles=true",
        "depth=3",
        "depth=3,swap=true",
        "depth=1",
    ],
)
def test_news_comes_home_with_every_option(options: str) -> None:
    result = send(3, f"role-based:{options},{TIMES}", radio="path-loss:range=4")
    assert result.ending == "explored"


def test_explorer_and_relay_meet_and_the_relay_carries_the_news() -> None:
    result = send(2)
    assert result.ending == "explored"
    assert State.GIVE_PARENT_INFO in activities(result, 1)
    assert State.GET_INFO_FROM_CHILD in activities(result, 0)
    carried = activities(result, 0)
    collected = carried.index(State.GET_INFO_FROM_CHILD)
    assert State.RETURN_TO_PARENT in carried[collected:]


def test_robots_never_break_off_while_all_news_reaches_the_base_at_once() -> None:
    result = send(4, radio="circle:range=100")
    assert result.ending == "explored"
    before_the_end = [event for event in result.controller.declared if event[0] < result.controller.time - 1.0]
    assert {word for _, _, what, word in before_the_end if what == "activity"} == {State.EXPLORE}


@pytest.mark.parametrize("failing", [0, 1])
@pytest.mark.parametrize("at", [5.0, 30.0, 60.0])
def test_the_other_brings_the_news_home_when_relay_or_explorer_fails(failing: int, at: float) -> None:
    result = send(2, failures=f"robot:at={at},robots={failing}")
    assert result.ending == "explored"


def test_robots_come_home_when_all_radios_but_the_bases_are_silent() -> None:
    result = send(2, failures="radio:at=0", time_limit=300.0, stop={"explored": False})
    assert result.ending == "gave up"
    assert [activities(result, robot)[-2:] for robot in (0, 1)] == [[State.GO_HOME, ""]] * 2


def test_explorer_goes_to_the_backup_point_and_then_home_when_its_relay_never_comes() -> None:
    async def relay_stays_away(robot: Robot) -> None:
        if robot.id == 1:
            await RoleBased(**QUICK)(robot)
            return
        # Let the explorer believe in a relay for a while, and then be gone.
        coroutine = RoleBased(**QUICK)(robot)
        outcome: Outcome | None = None
        while robot.time < 20.0:
            action = coroutine.send(outcome)
            outcome = await action
        coroutine.close()

    result = send(2, relay_stays_away, time_limit=400.0, stop={"explored": False})
    words = activities(result, 1)
    assert words.count(State.WAIT_FOR_PARENT) >= 2  # At the rendezvous, and at the backup point.
    assert words[-2:] == [State.GO_HOME, ""]
    assert result.monitor.series.explored[-1][1] > 0.95


def test_a_relay_that_hears_no_more_of_its_explorer_explores() -> None:
    result = send(2, failures="robot:at=20,robots=1")
    words = activities(result, 0)
    assert words[-1] in (State.EXPLORE, State.GIVE_PARENT_INFO, State.RETURN_TO_PARENT)
    assert result.monitor.series.explored[-1][0] > 0.95


def test_robot_that_knows_no_way_to_the_base_explores_on_until_it_does() -> None:
    """It sees ground beside the base from the other side of a wall, long before it finds the way around."""
    result = explore(
        "perfect-maze:cell=5,loops=0.1,size=[45,35],seed=1", 1, "role-based", base=[3.0, 3.0], placement="grouped",
        robot="mresim:drive.max_speed=1,radios=[{name: wifi, range: 8}]", radio="line-of-sight", localiser="perfect",
        stop={"explored": {"share": 0.3, "of": "base"}}, time_limit=600.0,
    )  # fmt: skip
    assert result.ending == "explored"


def test_robots_cut_off_from_the_base_for_good_explore_all_they_can_and_end() -> None:
    terrain = COMB.occupied.copy()
    terrain[5:35, 170] = True
    walled = Terrain.from_occupied("walled", terrain, resolution=0.1)
    result = send(2, base=[21.0, 7.5], terrain=walled, time_limit=900.0)
    assert result.ending == "gave up"
    assert result.measurements.union[-1] > 0.6


def test_all_return_to_the_base_when_nothing_is_left() -> None:
    result = send(3, stop={"explored": False}, time_limit=500.0)
    assert result.ending == "gave up"
    places = result.controller.world.true_poses()[:, :2]
    assert np.hypot(*(places - np.array([1.2, 1.2])).T).max() < 2.5


def test_a_robot_with_little_energy_left_comes_home() -> None:
    battery = "battery.capacity_wh=0.1,battery.computing_w=0,battery.sensing_w=0"
    # Who comes home may have to wait until those that stand there have made way.
    strategy = f"role-based:{TIMES},reserve=2"
    result = send(2, strategy, robot=f"pioneer-3dx:lidar.range=4,{battery}", stop={"explored": False})
    assert result.ending == "gave up"
    assert result.controller.energy.left.min() > 0.0
    assert result.monitor.series.explored[-1].max() < 0.9


def test_roles_are_swapped_and_every_robot_still_has_one_of_its_own() -> None:
    result = send(4, f"role-based:swap=true,swap_gain=0.1,{TIMES}")
    assert result.ending == "explored"
    assert len(roles(result)) > 4
    last = dict(roles(result))
    assert sorted(last.values()) == ["explorer", "explorer", "relay", "relay"]


def test_without_swaps_roles_stay_as_they_are() -> None:
    assert len(roles(send(4))) == 4


@pytest.mark.parametrize("options", ["swap=true", "through_obstacles=true"])
def test_the_same_mission_gives_the_same_bytes(options: str) -> None:
    first, second = (
        send(3, f"role-based:{options},{TIMES}", network={"link": {"loss": 0.2}}, failures="robot:at=40,robots=2")
        for _ in range(2)
    )
    assert digest(first) == digest(second)


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_a_mission_with_swaps_lost_messages_and_a_failing_robot_does_not_deadlock(seed: int) -> None:
    run = mission(seed)
    assert not run.raised
    assert not run.deadlocked
    assert run.same_lease_s == 0


@pytest.mark.slow
def test_the_command_counts_missions_by_how_they_ended() -> None:
    out = io.StringIO()
    swaps(MarkdownConsole(file=out), missions=4)
    rows = dict(re.findall(r"^\| ([a-z: ]+?) +\| ([0-9]+) ", out.getvalue(), re.M))
    assert int(rows["all known at the base"]) + int(rows["else: all robots that work are home"]) == 4
    assert rows["deadlocked"] == rows["raised"] == rows["two by the same lease"] == "0"


def test_nobody_waits_beyond_its_deadline() -> None:
    watch = Watch()
    result = send(
        4, watch.strategy, network={"link": {"loss": 0.2}}, failures="robot:at=20,robots=0 + radio:at=30,robots=3",
        tell=lambda progress: watch.look(progress.controller.faults.down),
    )  # fmt: skip
    assert result.ending == "explored"
    assert watch.late <= LATE
    assert watch.longest_wait > 0.0


def test_robots_out_of_contact_hear_of_each_other_over_a_second_channel() -> None:
    radios = "radios=[{name: wifi}, {name: far, range: 500, bandwidth_bits_per_s: 1000}]"
    robot = f"pioneer-3dx:lidar.range=4,lidar.beams=90,lidar.rate=5,{radios}"
    told: list[dict[int, Told]] = []

    async def spied(robot: Robot) -> None:
        await RoleBased(channel="far", **QUICK)(robot)
        told.append(robot.memory["team"].told)

    result = send(2, spied, robot=robot, network={"channels": {"wifi": {"radio": "none"}}})
    assert result.measurements.union[-1] > 0.99
    near, far = result.controller.network.messages_received
    assert near.sum() == 0
    assert far.sum() > 5
    assert sorted(mate for heard in told for mate in heard) == [0, 1]


def test_robots_that_do_not_know_each_others_frames_explore_all_the_same() -> None:
    result = send(2, base=None, merge="aligned", stop={"explored": 0.9})
    assert result.ending == "explored"
