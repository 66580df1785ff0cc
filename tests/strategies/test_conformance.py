"""The checks that ship with the package: strategies that ship pass, and each promise that is broken is found."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from expedition.cli import app
from expedition.conformance import CHECKS, check_strategy, subject_of, verdicts
from expedition.strategies import strategy


def failed(given: Any, *, only: str) -> dict[str, str]:
    """What one check finds about a strategy."""
    subject = subject_of(given)
    [check] = [check for check in CHECKS if check.__name__ == only]
    found = {}
    for verdict in verdicts(subject, (check,)):
        if not verdict.passed:
            found[verdict.name] = verdict.detail
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", strategy.names())
def test_every_strategy_that_ships_keeps_its_promises(name: str) -> None:
    check_strategy(name)


async def good(robot: Any) -> None:
    while frontiers := robot.frontiers():
        await robot.go_to(min(frontiers, key=robot.travel_cost))


def test_a_parameter_without_type_or_default_is_found() -> None:
    async def untyped(robot: Any, *, range=3.0) -> None:  # type: ignore[no-untyped-def]
        await good(robot)

    assert failed(untyped, only="has_typed_parameters_with_defaults") == {
        "has typed parameters with defaults": "parameter range has no type; write range: float"
    }


def test_a_strategy_that_gives_up_early_is_found() -> None:
    async def lazy(robot: Any) -> None:
        await robot.wait(1.0)

    assert "gave up" in failed(lazy, only="finishes")["finishes"]


def test_a_strategy_that_raises_is_found_with_its_line() -> None:
    async def raises(robot: Any) -> None:
        raise ValueError("no")

    detail = failed(raises, only="copes_with_nothing_to_explore")["copes with nothing to explore"]
    assert Path(__file__).name in detail
    assert "ValueError" in detail


def test_a_strategy_that_remembers_earlier_missions_is_found() -> None:
    counter = itertools.count()

    async def remembers(robot: Any) -> None:
        await robot.drive(0.0, turn=0.01 * next(counter), seconds=1.0)
        await good(robot)

    assert "differ" in failed(remembers, only="is_deterministic")["is deterministic"]


def test_robots_that_share_a_global_variable_are_found() -> None:
    shared: dict[int, float] = {}

    async def shares(robot: Any) -> None:
        shared.clear()
        await robot.wait(2.0)
        while True:
            shared[robot.id] = robot.time
            others = [time for number, time in shared.items() if number != robot.id]
            await robot.drive(0.0, turn=0.5 if others else -0.5)

    assert "thinks" in failed(shares, only="respects_the_network")["respects the network"]


def test_a_strategy_that_waits_for_its_teammates_is_found() -> None:
    async def waits_for_others(robot: Any) -> None:
        while robot.fleet_size > 1 and not robot.teammates:
            await robot.wait(1.0)
        await good(robot)

    assert "timed out" in failed(waits_for_others, only="survives_silence")["survives silence"]


def test_a_chatterbox_is_found() -> None:
    async def chatters(robot: Any) -> None:
        while True:
            for _ in range(5):
                robot.send("x" * 100)
            await robot.wait(0.1)

    assert "allowed: 20 messages" in failed(chatters, only="does_not_flood_the_network")["does not flood the network"]


def test_the_command_prints_a_table_and_tells_by_its_exit_code(tmp_path: Path) -> None:
    path = tmp_path / "lazy.py"
    path.write_text("async def lazy(robot):\n    await robot.wait(1.0)\n")
    result = CliRunner().invoke(app, ["check", f"{path}:lazy"])
    assert result.exit_code == 1
    assert "FAIL" in result.output
    assert "of 8 checks passed" in result.output
    with pytest.raises(AssertionError, match="does not keep its promises"):
        check_strategy(f"{path}:lazy")
