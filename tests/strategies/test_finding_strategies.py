"""How strategies are named, parameterised and led."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from expedition.errors import ExpeditionError
from expedition.robot import Robot
from expedition.strategies import Fleet, centralised, make_strategy
from expedition.strategies.central import ORDERS
from tests.strategies.arena import try_out

MINE = '''
"""A strategy of mine."""

async def mine(robot, *, seconds: float = 1.0, greeting: str = "hello"):
    """Say something and wait."""
    robot.note(f"{greeting} {seconds}")
    await robot.wait(seconds)
'''


class Patient:
    """A strategy with parameters and a state of its own."""

    def __init__(self, *, seconds: float = 2.0, words: str = "none") -> None:
        self.seconds = seconds
        self.words = words
        self.calls = 0

    async def __call__(self, robot: Robot) -> None:
        self.calls += 1
        robot.note(f"{self.words} {self.calls}")
        await robot.wait(self.seconds)


def test_a_class_is_made_anew_for_each_robot_with_checked_parameters() -> None:
    result = try_out(Patient, 2, parameters={"seconds": 3, "words": "well"})
    assert result.controller.notes == [(0.0, 0, "well 1"), (0.0, 1, "well 1")]
    assert result.controller.time == 3.0
    with pytest.raises(ExpeditionError, match="Patient: seconds: input should be a valid number"):
        try_out(Patient, parameters={"seconds": "long"})


def test_a_strategy_of_a_file_takes_parameters_from_text(tmp_path: Path) -> None:
    path = tmp_path / "my_file.py"
    path.write_text(MINE)
    result = try_out(f"{path}:mine:seconds=2,greeting=hi")
    assert result.controller.notes == [(0.0, 0, "hi 2.0")]
    assert result.mission.strategy_name == f"{path}:mine:seconds=2,greeting=hi"
    for wrong, said in (("second=2", "did you mean 'seconds'"), ("seconds=soon", "seconds"), ("seconds", "key=value")):
        with pytest.raises(ExpeditionError, match=said):
            make_strategy(f"{path}:mine:{wrong}")
    with pytest.raises(ExpeditionError, match="did you mean 'mine'"):
        make_strategy(f"{path}:mien")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nearest-frontiers", "unknown strategy 'nearest-frontiers'; did you mean 'nearest-frontier'"),
        ("cost-utility:range=-1", "cost-utility: range: input should be greater than 0"),
        ("cost-utility:wait=3", "unknown field 'wait'"),
        ("nowhere.py:mine", "no such file"),
    ],
)
def test_a_wrong_name_or_parameter_gets_one_clear_sentence(text: str, said: str) -> None:
    with pytest.raises(ExpeditionError) as caught:
        make_strategy(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_installed_strategy_is_found_by_its_entry_point(tmp_path: Path) -> None:
    """A real distribution on the path, as pip would lay it."""
    (tmp_path / "my_strategies.py").write_text(MINE)
    info = tmp_path / "my_strategies-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-strategies\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[expedition.strategy]\nmine = my_strategies:mine\n")
    program = (
        "from expedition.strategies import make_strategy, strategy\n"
        "assert 'mine' in strategy.names()\n"
        "print(make_strategy('mine:seconds=3')[0])"
    )
    path = os.pathsep.join([str(tmp_path), *sys.path])
    run = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert run.stdout.strip() == "mine:seconds=3", run.stderr


def test_robots_obey_the_leader_and_go_on_alone_when_it_falls_silent() -> None:
    @centralised
    async def leads_for_a_while(fleet: Fleet) -> None:
        await fleet.wait(1.0)
        assert [member.id for member in fleet.members] == [0, 1]
        assert fleet.members[0].age == 0.0
        frontiers = fleet.frontiers()
        assert fleet.travel_costs(fleet.members, frontiers).shape == (2, len(frontiers))
        for member in fleet.members:
            fleet.assign(member, frontiers[0])
        await fleet.wait(3.0)
        fleet.leader.note(f"{fleet.leader.teammates[1].goal == (frontiers[0].x, frontiers[0].y)}")

    result = try_out(leads_for_a_while, 2, seconds=60)
    assert result.failure is None
    assert [text for _, _, text in result.controller.notes] == ["True"]
    travelled = [way[1] for way in result.monitor.series.travelled]
    assert travelled[-1] > travelled[30] + 1.0


def test_a_robot_that_never_hears_the_leader_explores_on_its_own() -> None:
    result = try_out("hungarian", 2, radio="none", seconds=60)
    assert result.failure is None
    travelled = [way[1] for way in result.monitor.series.travelled]
    assert travelled[15] < 0.1
    assert travelled[-1] > 2.0


def test_orders_travel_as_messages() -> None:
    heard: list[Any] = []

    async def leads_and_listens(robot: Robot) -> None:
        if robot.id == 0:
            await robot.wait(1.0)
            fleet = Fleet(robot)
            fleet.assign(fleet.members[1], fleet.frontiers()[0])
        await robot.wait(5.0, until=lambda: bool(robot.inbox))
        heard.extend(robot.inbox.take())

    assert try_out(leads_and_listens, 2).failure is None
    assert [(message.sender, message.topic) for message in heard] == [(0, ORDERS)]
