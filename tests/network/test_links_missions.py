"""Whole missions over channels that carry little, delay and lose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from expedition.exploring import plan_mission
from expedition.mission import Result, run
from expedition.robot import Robot

LOSSY = {"loss": 0.3, "bandwidth_bits_per_s": 400_000.0, "shared": True, "latency": 0.05, "jitter": 0.1}


def fly(strategy: Any = "nearest-frontier", seconds: float = 15.0, robots: int = 3, **settings: Any) -> Result:
    base = settings.pop("base", None)
    mission = plan_mission(
        "maze", robots, strategy, 1, stop={"time": seconds}, base=base, settings={"localiser": "perfect", **settings}
    )
    return run(mission)


@pytest.mark.parametrize("merge", ["greedy", "probabilistic", "aligned"])
def test_lossy_mission_is_the_same_each_time_and_maps_travel(merge: str) -> None:
    first, second = (fly(merge=merge, network={"link": LOSSY}) for _ in range(2))
    assert first.to_dict(series=True) == second.to_dict(series=True)
    told = first.controller.exchange.told_until
    assert (told[~np.eye(3, dtype=bool)] > 0).all()


def test_seed_of_the_mission_decides_what_is_lost() -> None:
    ends = []
    for seed in (1, 2):
        mission = plan_mission(
            "maze", 3, "nearest-frontier", seed, stop={"time": 5.0},
            settings={"localiser": "perfect", "network": {"link": {"loss": 0.5}}},
        )  # fmt: skip
        ends.append(run(mission).controller.network.bytes_received.tolist())
    assert ends[0] != ends[1]


async def stands_still(robot: Robot) -> None:
    await robot.wait(8.0)
    robot.note(str(max(mate.age for mate in robot.teammates.values())))
    await robot.wait(100.0)


def test_beacons_grow_old_where_most_are_lost() -> None:
    ages = []
    for loss in (0.0, 0.9):
        result = fly(stands_still, 9.0, network={"link": {"loss": loss, "latency": 0.2}})
        ages.append(max(float(text) for _, _, text in result.controller.notes))
    assert ages[0] == pytest.approx(0.2)
    assert ages[1] > 0.4


def test_base_hears_of_the_map_over_a_lossy_channel() -> None:
    result = fly(base="start", network={"link": LOSSY})
    assert result.measurements.at_base[-1] > 0.0
    assert (result.controller.exchange.told_until[3, :3] > 0).all()
    assert result.controller.network.bytes_sent.shape == (1, 4)


async def asks(robot: Robot) -> None:
    receipt = robot.send("there?", to=1 - robot.id, topic="hail", confirm=True) if robot.id == 0 else None
    await robot.wait(2.0)
    if receipt is not None:
        robot.note(str(receipt.confirmed))
    for message in robot.inbox.take():
        robot.note(f"{message.topic} {message.channel} {message.payload}")


def test_strategy_learns_by_a_confirmation_that_its_message_arrived() -> None:
    for loss, expected in ((0.0, [(0, "True"), (1, "hail wifi there?")]), (1.0, [(0, "False")])):
        result = fly(asks, 4.0, 2, network={"link": {"loss": loss, "latency": 0.1}})
        assert [(robot, text) for _, robot, text in result.controller.notes] == expected
