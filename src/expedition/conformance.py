"""What every strategy promises, as checks that a strategy's author can run.

From a shell: `expedition check my_file.py:my_strategy`; in a test of your own:

    from expedition.conformance import check_strategy

    def test_my_strategy_keeps_its_promises():
        check_strategy("my_file.py:my_strategy")

Each check is a function that runs short missions in a small maze, and whose docstring says why it matters.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from expedition.action import Outcome
from expedition.decisions import Strategy
from expedition.exploring import explore
from expedition.mission import Result
from expedition.registry import Component
from expedition.robot import Robot
from expedition.strategies.library import make_strategy, strategy
from expedition.terrain import Terrain, find_terrain

MAZE = "perfect-maze:size=20,seed=4"
ROBOT = "pioneer-3dx:lidar.range=6"
TIME_LIMIT = 600.0
"""Seconds of simulated time within which a strategy must have explored the maze; those that ship need 40 to 200."""
MAX_BYTES_PER_SECOND = 10_000.0
MAX_MESSAGES_PER_SECOND = 20.0


@dataclass(frozen=True)
class Subject:
    """A strategy under check."""

    name: str
    component: Component[Any]
    run: Strategy
    finishes: bool


@dataclass(frozen=True)
class Verdict:
    """What came out of a check."""

    name: str
    why: str
    """Why it matters."""
    passed: bool
    detail: str
    """What was seen."""


Check = Callable[[Subject], str]
"""Says what was seen, or raises `Unmet`."""


class Unmet(Exception):
    """A check's finding that a promise is not kept."""


def check_strategy(given: str | Callable[..., Any], parameters: Mapping[str, Any] | None = None) -> None:
    """Raise an AssertionError that says which promises a strategy does not keep, and why they matter."""
    failed = [verdict for verdict in verdicts(subject_of(given, parameters)) if not verdict.passed]
    if failed:
        lines = [f"{verdict.name}: {verdict.detail}\n    {verdict.why}" for verdict in failed]
        raise AssertionError("\n".join(["the strategy does not keep its promises", *lines]))


def subject_of(given: str | Callable[..., Any], parameters: Mapping[str, Any] | None = None) -> Subject:
    """The strategy of a name, a file or a function, to be checked."""
    name, run = make_strategy(given, parameters)
    component = strategy.parse(given)[0] if isinstance(given, str) else strategy.component(name, given)
    return Subject(name, component, run, getattr(component.build, "finishes", True))


def verdicts(subject: Subject, checks: Sequence[Check] | None = None) -> Iterator[Verdict]:
    """Run all checks, or those given, one after the other."""
    for check in CHECKS if checks is None else checks:
        why = " ".join((inspect.getdoc(check) or "").split())
        try:
            passed, detail = True, check(subject)
        except Unmet as finding:
            passed, detail = False, str(finding)
        yield Verdict(check.__name__.replace("_", " "), why, passed, detail)


def has_typed_parameters_with_defaults(subject: Subject) -> str:
    """Parameters with types are checked when a design is read, and with defaults a strategy runs by its name alone."""
    for name, field in subject.component.parameters.model_fields.items():
        if field.annotation is Any:
            raise Unmet(f"parameter {name} has no type; write {name}: float")
        if field.is_required():
            raise Unmet(f"parameter {name} has no default")
    return ", ".join(subject.component.parameters.model_fields) or "no parameters"


def finishes(subject: Subject) -> str:
    """A strategy explores all there is, with one robot, two or four, and says nothing when it has."""
    return ", ".join(_explores(subject, subject.run, robots) for robots in (1, 2, 4))


def is_deterministic(subject: Subject) -> str:
    """The same mission gives the same bytes, so that a result can be repeated: draw random numbers from `robot.rng`,
    and take no decision by the clock or by what an earlier mission left in a global variable."""
    first, second = (_mission(subject.run, 2, time_limit=60.0) for _ in range(2))
    if digest(first) != digest(second):
        raise Unmet("two missions with the same seed differ")
    return "two missions are alike, bit by bit"


def respects_the_network(subject: Subject) -> str:
    """Robots share nothing but messages. Here nobody hears anybody, and a teammate's body stands still; whether its
    strategy thinks or not must make no difference to the other robot."""
    for observed in (0, 1):
        stand_ins: list[Strategy] = [partial(_only_think, subject.run), _end_at_once]
        missions = [
            _mission(_mixed(subject.run, observed, other), 2, radio="none", tag_range=0.0, time_limit=40.0)
            for other in stand_ins
        ]
        paths = [np.array(mission.monitor.series.poses) for mission in missions]
        length = min(len(path) for path in paths)
        if not np.array_equal(paths[0][:length, observed], paths[1][:length, observed]):
            raise Unmet(f"robot {observed} knows what robot {1 - observed} thinks, though nobody hears anybody")
    return "robots that hear nobody know nothing of each other's thoughts"


def survives_silence(subject: Subject) -> str:
    """Radios fail: robots that never hear of anybody must each explore on their own."""
    return _explores(subject, subject.run, 2, radio="none")


def survives_losing_its_teammates(subject: Subject) -> str:
    """Robots break: the one that is left, whichever it is, must explore what its teammates no longer do."""
    return ", ".join(
        f"robot {left}: {_explores(subject, _mixed(subject.run, left, _end_after_a_while), 2)}" for left in (0, 1)
    )


def copes_with_nothing_to_explore(subject: Subject) -> str:
    """In a closet all is known at once, and there is no frontier to choose from."""
    return _mission(
        subject.run, 1, terrain=_closet(), robot="maes", placement="at:positions=[[1.5, 1.5]]", time_limit=20.0
    ).ending


def does_not_flood_the_network(subject: Subject) -> str:
    """Radios are slow: a robot says little, and not all the time."""
    said: list[int] = []
    result = _mission(partial(_count_messages, subject.run, said), 4, time_limit=60.0)
    robot_seconds = max(1.0, 4.0 * result.controller.time)
    messages, size = len(said) / robot_seconds, sum(said) / robot_seconds
    if messages > MAX_MESSAGES_PER_SECOND or size > MAX_BYTES_PER_SECOND:
        raise Unmet(
            f"{messages:.0f} messages and {size:,.0f} bytes a second from each robot; "
            f"allowed: {MAX_MESSAGES_PER_SECOND:.0f} messages and {MAX_BYTES_PER_SECOND:,.0f} bytes"
        )
    return f"{messages:.1f} messages and {size:.0f} bytes a second from each robot"


CHECKS: tuple[Check, ...] = (
    has_typed_parameters_with_defaults,
    finishes,
    is_deterministic,
    respects_the_network,
    survives_silence,
    survives_losing_its_teammates,
    copes_with_nothing_to_explore,
    does_not_flood_the_network,
)


def digest(result: Result) -> str:
    """Where all robots were and what they knew at the end, in few letters: equal only if missions went alike."""
    series = result.monitor.series
    arrays = (np.array(series.poses), np.array(series.sent), result.controller.grids.fused)
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


def _mission(run: Strategy, robots: int, **options: Any) -> Result:
    """A mission in the maze, or as the options say, that counts as a finding if it fails."""

    async def checked(robot: Robot) -> None:
        await run(robot)

    defaults = {"terrain": _maze(), "robot": ROBOT, "placement": "grouped", "time_limit": TIME_LIMIT}
    result = explore(robots=robots, strategy=checked, seed=1, localiser="perfect", **{**defaults, **options})
    if result.failure is not None:
        raise Unmet(str(result.failure))
    return result


def _explores(subject: Subject, run: Strategy, robots: int, **settings: Any) -> str:
    if subject.finishes:
        result = _mission(run, robots, **settings)
        if not result.succeeded:
            share = result.metrics["completeness"] or 0.0
            raise Unmet(
                f"{robots} robots: {result.ending} after {result.controller.time:.0f} s with {share:.0%} explored"
            )
        return f"{result.controller.time:.0f} s"
    result = _mission(run, robots, time_limit=60.0, **settings)
    shares = [float(explored.max()) for explored in result.monitor.series.explored]
    if not shares[-1] > shares[0]:
        raise Unmet(f"{robots} robots: no more explored after {result.controller.time:.0f} s than at the start")
    return f"{shares[-1]:.0%} in {result.controller.time:.0f} s"


def _mixed(run: Strategy, observed: int, others: Strategy) -> Strategy:
    """One robot runs the strategy, the others something else."""
    return lambda robot: run(robot) if robot.id == observed else others(robot)


async def _end_at_once(robot: Robot) -> None:
    pass


async def _end_after_a_while(robot: Robot) -> None:
    await robot.wait(5.0)


async def _only_think(run: Strategy, robot: Robot) -> None:
    """The strategy's thoughts without its deeds: all it wants to do turns out to be blocked."""
    thoughts = run(robot)
    outcome: Outcome | None = None
    try:
        while True:
            thoughts.send(outcome)
            await robot.wait(1.0)
            outcome = Outcome.BLOCKED
    except StopIteration:
        return
    finally:
        thoughts.close()


async def _count_messages(run: Strategy, said: list[int], robot: Robot) -> None:
    """The strategy, with the size of all it sends noted."""
    from expedition.network import Receipt, encode

    send = robot.send

    def counted(payload: Any, *where: Any, **how: Any) -> Receipt:
        receipt = send(payload, *where, **how)
        said.append(len(encode(payload)) + len(str(how.get("topic", ""))))
        return receipt

    robot.send = counted  # type: ignore[method-assign]
    await run(robot)


@cache
def _maze() -> Terrain:
    return find_terrain(MAZE)


@cache
def _closet() -> Terrain:
    occupied = np.ones((30, 30), dtype=bool)
    occupied[5:25, 5:25] = False
    return Terrain.from_occupied("closet", occupied, resolution=0.1)
