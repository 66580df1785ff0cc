"""Many small missions in which robots swap roles while messages are lost and a robot fails: does any deadlock?

A mission is free of deadlock if it ends with what was to be explored known at the base, or with all robots that work at
home, and if no robot waits for another beyond the deadline it has set itself. Beside that, no two robots may ever hold
a post by the same lease.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from rich.console import Console
from rich.table import Table

from expedition.exploring import explore
from expedition.mission import Result
from expedition.robot import Robot
from expedition.strategies import make_strategy
from expedition.strategies.roles.team import State, Team

MISSIONS = 1000
ROBOTS = 4
LOSS = 0.2
TIME_LIMIT = 900.0
STRATEGY = "role-based:swap=true,swap_gain=0.5,wait=10,minimum=10,slack=10,spare=5,replan=5,patience=5"
HOME = 3.0
"""Metres from the base within which a robot is home: four robots need some room."""
LATE = 2.0
"""Seconds by which a robot may wait longer than it meant to: it looks at the time once a second."""


@dataclass(frozen=True)
class Run:
    """What came of a mission."""

    seed: int
    ending: str
    raised: str
    all_home: bool
    """Whether all robots that work are home, their strategies ended."""
    swaps: int
    doubled_s: int
    """Seconds in which two robots held a post, by an older and a newer lease."""
    same_lease_s: int
    longest_wait_s: float
    late_s: float
    """The most by which a robot waited longer than it meant to."""

    @property
    def deadlocked(self) -> bool:
        """Whether it neither succeeded nor came home, or a robot waited too long."""
        return not (self.ending == "explored" or self.all_home) or self.late_s > LATE


class Watch:
    """Looks at what robots believe once a simulated second."""

    def __init__(self) -> None:
        self._run = make_strategy(STRATEGY)[1]
        self._robots: list[Robot] = []
        self._waiting_since: dict[int, tuple[State, float]] = {}
        self.doubled = self.same_lease = 0
        self.longest_wait = self.late = 0.0

    async def strategy(self, robot: Robot) -> None:
        """The strategy under test, of which the watch knows the robots."""
        self._robots.append(robot)
        await self._run(robot)

    def look(self, is_down: Iterable[bool]) -> None:
        """Whether posts are held twice, and how long robots have waited."""
        at_work = [robot for robot, down in zip(self._robots, is_down, strict=True) if not down]
        teams: list[Team] = [robot.memory["team"] for robot in at_work]
        posts = [team.post for team in teams]
        # By post, version and writer: with the holder, no two could ever be the same.
        leases = [(team.post, *team.posts.leases[team.post][:2]) for team in teams]
        self.doubled += len(set(posts)) < len(posts)
        self.same_lease += len(set(leases)) < len(leases)
        for robot, team in zip(at_work, teams, strict=True):
            if team.state not in (State.WAIT_FOR_PARENT, State.WAIT_FOR_CHILD) or robot.activity == "home":
                self._waiting_since.pop(robot.id, None)
                continue
            state, since = self._waiting_since.get(robot.id, (team.state, robot.time))
            self._waiting_since[robot.id] = team.state, since if state == team.state else robot.time
            self.longest_wait = max(self.longest_wait, robot.time - self._waiting_since[robot.id][1])
            self.late = max(self.late, robot.time - team.waits_until)


def mission(seed: int) -> Run:
    """One mission in a maze of its own, with a robot that fails at a time of its own."""
    watch = Watch()
    result = explore(
        f"perfect-maze:size=12,cell=3,seed={seed}", ROBOTS, watch.strategy, seed,
        robot="pioneer-3dx:lidar.range=3,lidar.beams=60,lidar.rate=5", localiser="perfect", placement="grouped",
        base="start", radio="circle:range=3", network={"link": {"loss": LOSS}}, resolution=0.4, control_rate=5.0,
        failures=f"robot:at={2 + 7 * seed % 60},robots={seed % ROBOTS}", time_limit=TIME_LIMIT,
        stop={"explored": {"share": 0.99, "of": "base"}}, measurements={"series": {"every": 10}},
        tell=lambda progress: watch.look(progress.controller.faults.down),
    )  # fmt: skip
    roles = Counter(what for _, _, what, _ in result.controller.declared)["role"]
    raised = "" if result.failure is None else str(result.failure)
    return Run(
        seed, result.ending, raised, _all_home(result), (roles - ROBOTS) // 2, watch.doubled, watch.same_lease,
        watch.longest_wait, watch.late,
    )  # fmt: skip


def _all_home(result: Result) -> bool:
    controller, base = result.controller, result.mission.fleet.base
    assert base is not None
    places = controller.world.true_poses()[:, :2].tolist()
    return all(
        controller.decisions.done[robot] and math.dist(places[robot], (base.x, base.y)) <= HOME
        for robot in range(ROBOTS)
        if not controller.faults.down[robot]
    )


def run_all(missions: int, workers: int | None = None) -> list[Run]:
    """So many missions, one process a core if not told otherwise."""
    with ProcessPoolExecutor(workers or os.cpu_count(), mp_context=get_context("spawn")) as pool:
        return list(pool.map(mission, range(missions), chunksize=min(10, missions)))


def swaps(console: Console, missions: int = MISSIONS) -> None:
    """Print (i): how many missions ended how, and whether any robot waited for ever."""
    runs = run_all(missions)
    table = Table(
        "what", "missions", "of", "seeds",
        title=f"(i) {missions:,} missions with role swaps: {ROBOTS} robots, one of which fails, {LOSS:.0%} loss",
        caption=f"in {sum(run.swaps for run in runs):,} swaps; the longest wait was "
        f"{max(run.longest_wait_s for run in runs):.0f} s, {max(run.late_s for run in runs):.1f} s past its deadline",
    )  # fmt: skip
    rows = {
        "all known at the base": [run.seed for run in runs if run.ending == "explored"],
        "else: all robots that work are home": [run.seed for run in runs if run.ending != "explored" and run.all_home],
        "with a swap": [run.seed for run in runs if run.swaps],
        "two at one post for a while": [run.seed for run in runs if run.doubled_s],
        "two by the same lease": [run.seed for run in runs if run.same_lease_s],
        "raised": [run.seed for run in runs if run.raised],
        "deadlocked": [run.seed for run in runs if run.deadlocked],
    }
    for what, seeds in rows.items():
        few = ", ".join(map(str, seeds[:5])) + (", ..." if len(seeds) > 5 else "")
        table.add_row(what, f"{len(seeds):,}", f"{missions:,}", few)
    console.print(table)
