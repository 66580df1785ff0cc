"""Strategies that misbehave: the mission fails alone, soon, at the strategy's own line; the next one runs as ever."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import hashlib
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.mission import Result, run
from tests.strategies.arena import try_out

MY_FILE = Path(__file__).name
LITTLE_MEMORY = {"step_seconds": 5.0, "memory_mb": 200.0}


async def behaves(robot: Any) -> None:
    while frontiers := robot.frontiers():
        await robot.go_to(min(frontiers, key=robot.travel_cost))


def digest(result: Result) -> str:
    """All that a mission of two robots came to, as bytes."""
    series = result.monitor.series
    arrays = [np.array(series.poses), np.array(series.believed), np.array(series.sent), result.controller.grids.fused]
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


@pytest.fixture(scope="module")
def expected() -> str:
    return digest(try_out(behaves, 2, seconds=5))


@pytest.fixture(autouse=True)
def nothing_else_is_harmed(expected: str) -> Iterator[None]:
    """After each trial the process is as before, and a mission gives the same bytes as before."""
    handlers = [signal.getsignal(number) for number in (signal.SIGUSR1, signal.SIGINT)]
    switching, hook, files = sys.getswitchinterval(), sys.unraisablehook, len(os.listdir("/proc/self/fd"))
    yield
    assert [signal.getsignal(number) for number in (signal.SIGUSR1, signal.SIGINT)] == handlers
    assert sys.getswitchinterval() == switching
    assert sys.unraisablehook is hook
    assert len(os.listdir("/proc/self/fd")) == files
    assert not [thread for thread in threading.enumerate() if thread.name == "expedition guard"]
    assert digest(try_out(behaves, 2, seconds=5)) == expected


def failure(strategy: Any, said: str, line: str, **options: Any) -> Result:
    """Run a strategy that fails; `line` is what stands at the place that the sentence names."""
    result = try_out(strategy, **options)
    assert result.ending == "failed"
    assert result.failure is not None
    sentence = str(result.failure)
    assert said in sentence, sentence
    place = re.search(rf"{re.escape(MY_FILE)}:(\d+): ", sentence)
    assert place is not None, sentence
    assert line in Path(__file__).read_text(encoding="utf-8").splitlines()[int(place[1]) - 1]
    assert result.failure.report.startswith("Traceback")
    assert "decisions.py" not in result.failure.report
    assert "guard.py" not in result.failure.report
    assert result.metrics["time_s"] == result.controller.time
    return result


async def raises_at_once(robot: Any) -> None:
    raise ValueError("no")


async def raises_later(robot: Any) -> None:
    await robot.wait(2.0)
    robot.memory["absent"]


async def raises_system_exit(robot: Any) -> None:
    sys.exit(3)


async def raises_keyboard_interrupt(robot: Any) -> None:
    raise KeyboardInterrupt


async def raises_stop_iteration(robot: Any) -> None:
    next(iter([]))


async def raises_generator_exit(robot: Any) -> None:
    raise GeneratorExit


async def raises_what_cannot_be_printed(robot: Any) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    raise Mute


async def recurses(robot: Any) -> None:
    def deeper() -> None:
        deeper()

    deeper()


@pytest.mark.parametrize(
    ("strategy", "said", "line"),
    [
        (raises_at_once, "ValueError: 'no'", 'raise ValueError("no")'),
        (raises_later, "failed after 2.0 s", 'robot.memory["absent"]'),
        (raises_system_exit, "SystemExit", "sys.exit(3)"),
        (raises_keyboard_interrupt, "KeyboardInterrupt", "raise KeyboardInterrupt"),
        (raises_stop_iteration, "coroutine raised StopIteration", "next(iter([]))"),
        (raises_generator_exit, "GeneratorExit", "raise GeneratorExit"),
        (raises_what_cannot_be_printed, "cannot be printed", "raise Mute"),
        (recurses, "RecursionError", "deeper()"),
    ],
)
def test_a_strategy_that_raises_fails_at_its_own_line(strategy: Any, said: str, line: str) -> None:
    failure(strategy, said, line, robots=2)


async def awaits_a_number(robot: Any) -> None:
    await 5


async def awaits_none(robot: Any) -> None:
    await asyncio.sleep(0)


async def awaits_asyncio(robot: Any) -> None:
    await asyncio.sleep(1.0)


async def awaits_nonsense(robot: Any) -> None:
    class Nonsense:
        def __await__(self) -> Iterator[float]:
            yield float("nan")

    await Nonsense()


@pytest.mark.parametrize(
    ("strategy", "said", "line"),
    [
        (awaits_a_number, "TypeError", "await 5"),
        (awaits_none, "awaited None: a strategy awaits what its robot offers", "await asyncio.sleep(0)"),
        (awaits_asyncio, "no running event loop", "await asyncio.sleep(1.0)"),
        (awaits_nonsense, "awaited nan", "yield float"),
    ],
)
def test_a_strategy_awaits_only_what_its_robot_offers(strategy: Any, said: str, line: str) -> None:
    failure(strategy, said, line)


def test_a_strategy_that_is_told_what_it_awaited_wrongly_may_do_better() -> None:
    async def learns(robot: Any) -> None:
        try:
            await asyncio.sleep(0)
        except ExpeditionError:
            robot.note("understood")
        await robot.wait(1.0)

    result = try_out(learns)
    assert result.ending == "gave up"
    assert [text for _, _, text in result.controller.notes] == ["understood"]


@pytest.mark.parametrize("value", [42, float("nan"), "done", [None]])
def test_a_strategy_returns_nothing(value: Any) -> None:
    async def returns_nonsense(robot: Any) -> Any:
        return value

    failure(returns_nonsense, "a strategy returns nothing, but this one returned", "async def returns_nonsense")


def test_a_strategy_may_end_with_an_outcome_or_at_once() -> None:
    async def ends(robot: Any) -> Any:
        return await robot.wait(1.0) if robot.id else None

    result = try_out(ends, 2)
    assert result.ending == "gave up"
    assert result.metrics["time_s"] == 1.0


def test_what_is_no_strategy_is_refused_before_any_robot_drives() -> None:
    def plain(robot: Any) -> None: ...

    async def generates(robot: Any) -> Any:
        yield robot

    async def takes_two(robot: Any, other: Any) -> None: ...

    class NotCalled:
        pass

    for given, said in (
        (plain, "write `async def plain(robot)`"),
        (generates, "awaits and does not yield"),
        (takes_two, "takes one robot"),
        (NotCalled, "a class needs `async def __call__"),
        (3, "a name or an `async def` function, found 3"),
    ):
        with pytest.raises(ExpeditionError, match=re.escape(said)):
            try_out(given)


def test_what_gives_no_coroutine_fails_the_mission_and_not_the_program() -> None:
    good = try_out(behaves, seconds=1).mission
    result = run(dataclasses.replace(good, strategy=lambda robot: 3))
    assert result.ending == "failed"
    assert "a strategy is an `async def` function, but calling it gave 3" in str(result.failure)


def test_an_object_may_be_a_strategy() -> None:
    class Waits:
        async def __call__(self, robot: Any) -> None:
            await robot.wait(1.0)

    assert try_out(Waits()).ending == "gave up"


async def spins(robot: Any) -> None:
    await robot.wait(1.0)
    while True:
        pass


async def forgets_to_await(robot: Any) -> None:
    while True:
        robot.go_to((2.0, 2.0))


async def sleeps(robot: Any) -> None:
    time.sleep(1000)


async def catches_exceptions(robot: Any) -> None:
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            robot.note("not me")


async def catches_everything(robot: Any) -> None:
    while True:
        try:
            time.sleep(0.05)
        except BaseException:
            robot.note("not me")


async def loops_in_until(robot: Any) -> None:
    def until() -> bool:
        while True:
            pass

    await robot.wait(10.0, until=until)


@pytest.mark.parametrize(
    ("strategy", "line"),
    [
        (spins, ""),
        (forgets_to_await, ""),
        (sleeps, "time.sleep(1000)"),
        (catches_exceptions, ""),
        (catches_everything, ""),
        (loops_in_until, ""),
    ],
)
def test_a_strategy_that_never_awaits_is_interrupted(strategy: Any, line: str) -> None:
    failure(strategy, "computed for more than 0.5 s without awaiting anything", line)


def test_a_strategy_that_waits_for_the_keyboard_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "asks.py").write_text("async def asks(robot):\n    input()\n")
    program = (
        "from tests.strategies.arena import try_out\n"
        "result = try_out('asks.py:asks')\n"
        "print(result.ending, result.failure)"
    )
    paths = os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        answer = process.stdout.read()
    assert answer.startswith("failed")
    assert "asks.py:2: computed for more than 0.5 s" in answer


@pytest.mark.parametrize("strategy", [spins, catches_exceptions, raises_later, behaves])
def test_strategies_are_guarded_in_other_threads_too(strategy: Any) -> None:
    results: list[Result] = []
    thread = threading.Thread(target=lambda: results.append(try_out(strategy, seconds=5)))
    thread.start()
    thread.join()
    assert results[0].ending == ("timed out" if strategy is behaves else "failed")
    if strategy is spins:
        assert "computed for more than 0.5 s" in str(results[0].failure)
        assert MY_FILE in str(results[0].failure)


def test_ctrl_c_ends_the_mission_even_if_the_strategy_catches_it() -> None:
    async def catches(robot: Any) -> None:
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        await robot.wait(10.0)

    result = try_out(catches)
    assert result.ending == "interrupted"
    assert result.failure is None


def test_a_keyboard_interrupt_is_the_strategys_own_where_nobody_can_press_ctrl_c() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        result = try_out(raises_keyboard_interrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.ending == "failed"
    assert result.failure is not None


async def grows_at_once(robot: Any) -> None:
    robot.memory["much"] = [0] * 1_000_000_000


async def grows_in_one_step(robot: Any) -> None:
    kept = []
    while True:
        kept.append("x" * 1_000_000)


async def grows_over_many_steps(robot: Any) -> None:
    kept = []
    while True:
        kept.append(b"x" * 20_000_000)
        await robot.wait(0.0)


async def grows_and_catches(robot: Any) -> None:
    kept = []
    while True:
        kept.append(b"x" * 20_000_000)
        try:
            await robot.wait(0.0)
        except BaseException:
            robot.note("not me")


@pytest.mark.parametrize(
    ("strategy", "line"),
    [
        (grows_at_once, "1_000_000_000"),
        (grows_in_one_step, ""),
        (grows_over_many_steps, "await robot.wait(0.0)"),
        (grows_and_catches, ""),
    ],
)
def test_a_strategy_that_grows_is_stopped(strategy: Any, line: str) -> None:
    failure(strategy, "took more than 200 MB of memory", line, guard=LITTLE_MEMORY, seconds=60)


def test_strategies_are_asked_to_end_and_dropped_if_they_resist() -> None:
    heard: list[str] = []

    async def resists(robot: Any) -> None:
        while True:
            try:
                await robot.wait(1.0)
            except BaseException as error:
                heard.append(type(error).__name__)

    assert try_out(resists, seconds=2).ending == "timed out"
    assert set(heard) == {"GeneratorExit"}


@pytest.mark.parametrize("worse", ["raises", "awaits", "spins", "sleeps"])
def test_finally_clauses_run_and_cannot_hold_up_the_end(worse: str) -> None:
    ran: list[int] = []

    async def with_finally(robot: Any) -> None:
        try:
            await robot.wait(100.0)
        finally:
            ran.append(robot.id)
            if worse == "raises":
                raise ValueError
            if worse == "awaits":
                await robot.wait(1.0)
            while worse == "spins":
                pass
            if worse == "sleeps":
                time.sleep(1000)

    assert try_out(with_finally, 2, seconds=1).ending == "timed out"
    assert ran == [0, 1]


def test_an_error_in_a_finally_clause_shows_the_first_one_too() -> None:
    async def raises_twice(robot: Any) -> None:
        try:
            raise ValueError("the first")
        finally:
            raise KeyError("the second")

    result = failure(raises_twice, "the second", "the second")
    assert result.failure is not None
    assert "the first" in result.failure.report


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda robot: robot.go_to((float("nan"), 1.0)), "a target is a frontier"),
        (lambda robot: robot.go_to(None), "a target is a frontier"),
        (lambda robot: robot.go_to("kitchen"), "found 'kitchen'"),
        (lambda robot: robot.go_to("12"), "found '12'"),
        (lambda robot: robot.go_to((1e308, 0.0)), "found (1e+308, 0.0)"),
        (lambda robot: robot.go_to((10**400, 0.0)), "a target is"),
        (lambda robot: robot.go_to((1.0, 2.0), timeout=-1.0), "a time in seconds must be a number within 0"),
        (lambda robot: robot.go_to((1.0, 2.0), timeout="soon"), "found 'soon'"),
        (lambda robot: robot.go_to((1.0, 2.0), until=3), "until is a function"),
        (lambda robot: robot.follow([]), "a path is 1 to 10,000 points"),
        (lambda robot: robot.follow([(1.0, float("inf"))]), "a path is"),
        (lambda robot: robot.follow([(1.0, 2.0, 3.0)]), "a path is"),
        (lambda robot: robot.drive(float("nan")), "a velocity must be a number"),
        (lambda robot: robot.drive("fast"), "found 'fast'"),
        (lambda robot: robot.drive(1.0, seconds=-1.0), "a time in seconds"),
        (lambda robot: robot.wait(float("nan")), "a time in seconds"),
        (lambda robot: robot.wait(1.0, until=lambda: 1 / 0), "ZeroDivisionError"),
        (lambda robot: robot.go_to((3.0, 3.0), until=lambda: 1 / 0), "ZeroDivisionError"),
        (lambda robot: robot.travel_cost([1.0]), "a target is"),
        (lambda robot: robot.expected_gain((1.0, 1.0), float("nan")), "range must be a number"),
        (lambda robot: robot.frontiers(min_size="long"), "the least size of a frontier"),
        (lambda robot: robot.send(b"x" * 5_000_000), "bytes; the limit is 65,536"),
        (lambda robot: robot.send(lambda: 0), "which cannot be sent"),
        (lambda robot: robot.send([[object()]]), "the payload[0][0] is a object"),
        (lambda robot: robot.send(1, to=0), "robot 0 sends to itself"),
        (lambda robot: robot.send(1, to=-1), "there is no robot -1"),
        (lambda robot: robot.send(1, to=99), "there is no robot 99: the fleet's are 0 to 0"),
        (lambda robot: robot.send(1, to="base"), "there is no robot 'base': the fleet's are 0 to 0"),
        (lambda robot: robot.send(1, to=robot.base_id), "robot.base_id is None without a base station"),
        (lambda robot: robot.send(1, topic="c" * 1000), "sends on topic"),
        (lambda robot: robot.send(1, channel="wfi"), "did you mean 'wifi'"),
        (lambda robot: [robot.send("x" * 65_000) for _ in range(200)], "more than its radio carries"),
        (lambda robot: robot.drop_tag("t" * 5000), "at most 1,000 characters"),
        (lambda robot: robot.map.state.fill(1), "read-only"),
    ],
)
def test_nonsense_asked_of_the_robot_is_refused_at_the_strategys_line(ask: Callable[[Any], Any], said: str) -> None:
    async def asks(robot: Any) -> None:
        await robot.wait(0.5)
        await ask(robot)

    failure(asks, said, "lambda robot")


@pytest.mark.parametrize("target", [(6.0, 0.5), (-50.0, 2.0), (2.0, 1e9), (0.0, 0.0), (11.9, 5.9), (41.0, 3.0)])
@pytest.mark.parametrize("through_unknown", [False, True])
def test_asking_for_a_wall_or_a_place_outside_the_map_does_no_harm(
    target: tuple[float, float], through_unknown: bool
) -> None:
    outcomes = []

    async def asks_for_a_wall(robot: Any) -> None:
        outcomes.append(await robot.go_to(target, timeout=15.0, through_unknown=through_unknown))
        assert robot.travel_cost(target) >= 0.0
        robot.path_to(target, through_unknown)
        outcomes.append(await robot.follow([target], timeout=2.0))

    result = try_out(asks_for_a_wall, seconds=20)
    assert result.ending == "gave up", result.failure
    assert len(outcomes) == 2
    if abs(target[0]) > 40.5 or target[1] > 6.5:
        assert "arrived" not in outcomes


def test_an_action_is_a_description_that_may_be_awaited_again_and_by_another_robot() -> None:
    shared: list[Any] = []
    outcomes = []

    async def shares(robot: Any) -> None:
        shared.append(robot.drive(0.2, seconds=1.0))
        for action in (shared[0], shared[0]):
            outcomes.append((robot.id, robot.time, await action))

    assert try_out(shares, 2).ending == "gave up"
    assert outcomes == [(0, 0.0, "arrived"), (1, 0.0, "arrived"), (0, 1.0, "arrived"), (1, 1.0, "arrived")]
    again = []

    async def of_another_mission(robot: Any) -> None:
        again.append(await shared[0])

    assert try_out(of_another_mission).ending == "gave up"
    assert again == ["arrived"]


def test_a_frontier_that_the_strategy_tampered_with_does_no_harm() -> None:
    async def tampers(robot: Any) -> None:
        await robot.wait(1.0)
        frontier = robot.frontiers()[0]
        frontier.cells[:] = 2**31 - 1
        await robot.go_to(frontier, timeout=2.0)

    assert try_out(tampers).failure is None


def test_what_a_strategy_changes_is_its_own_copy() -> None:
    async def changes(robot: Any) -> None:
        while frontiers := robot.frontiers():
            robot.covariance[:] = 7.0
            robot.map.probability[:] = 1.0
            robot.teammates.clear()
            goal = min(frontiers, key=robot.travel_cost)
            if (path := robot.path_to(goal)) is not None:
                path[:] = 0.0
            await robot.go_to(goal)

    assert digest(try_out(changes, 2, seconds=5)) == digest(try_out(behaves, 2, seconds=5))


def test_missions_neither_use_nor_move_the_global_random_numbers() -> None:
    async def seeds(robot: Any) -> None:
        random.seed(robot.time)
        np.random.seed(3)  # noqa: NPY002
        await behaves(robot)

    assert digest(try_out(seeds, 2, seconds=5)) == digest(try_out(behaves, 2, seconds=5))
    random.seed(1)
    before = random.getstate()
    try_out(behaves, 2, seconds=2)
    assert random.getstate() == before


def test_a_strategy_that_prints_a_lot_explores_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    async def prints(robot: Any) -> None:
        while frontiers := robot.frontiers():
            print("frontier " * 10_000)
            await robot.go_to(min(frontiers, key=robot.travel_cost))

    assert digest(try_out(prints, 2, seconds=5)) == digest(try_out(behaves, 2, seconds=5))


def test_a_failure_travels_between_processes() -> None:
    error = try_out(raises_at_once).failure
    assert error is not None
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.robot, copy.time, copy.report) == (str(error), error.robot, error.time, error.report)
