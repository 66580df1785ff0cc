"""The navigator: takes every robot of a fleet to its goal, planning anew as maps grow.

A goal is planned to when it is given and then once a second. The follower drives along the path in between, around
whatever stands in the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from expedition.action import Follow, GoTo, Outcome
from expedition.belief.finder import FrontierFinder
from expedition.belief.grid import Grids
from expedition.belief.prior import Prior
from expedition.belief.roughness import Roughness
from expedition.fleet import Fleet
from expedition.fleet.clearance import passing_radius
from expedition.navigate.between import costs_between
from expedition.navigate.coarse import CoarseCosts, may_be_coarse
from expedition.navigate.costs import OCCUPIED_COST, SQUEEZE_COST, Costs, Inflation, cells_within, mark_trails
from expedition.navigate.failed_places import FailedPlace, FailedPlaces
from expedition.navigate.field import DistanceField
from expedition.navigate.follower import Follower
from expedition.navigate.local_records import BLOCKED, DRIVING, IDLE, NOBODY
from expedition.navigate.path import NARROW, Path, closed_after, geometry, narrow_cells_ahead
from expedition.navigate.planner import Planner
from expedition.navigate.refuge import find_refuge, find_room
from expedition.navigate.standoffs import Standoffs, walls_on
from expedition.navigate.steps import Unknown, step_table
from expedition.stopwatch import Stopwatch

Floats = NDArray[np.float64]

GONE = 0.3
"""A frontier is explored when less than this share of its cells is left on a frontier."""
TOLERANCE = 0.5
"""A target on which the robot cannot stand means the nearest place within so many metres where it can."""
SAME_GOAL = 1.0
"""Goals nearer to each other than this, in metres, are the same place."""
NEARER = 0.3
STUCK_AFTER = 60.0
"""A robot that in so many seconds came not even `NEARER` metres nearer to its goal is blocked, whatever it tried."""
STRAIGHT_ENOUGH = 1.03
"""A clear way at most this much longer than the straight line to the goal is kept: no other could be much better."""
PATIENCE = 1.0
"""Seconds after which a goal without a way is given up: a robot in the way may have gone by then."""
BOXED_IN = 16.0
"""A robot that can reach fewer square metres than this has taken teammates for walls, and looks around."""
SURPRISE = 2.0
"""A way that turns out to be this much longer than thought, in metres, is a surprise and no sign of a stuck robot;
once more only after it has moved as far."""
CLOSED_FOR = 60.0
"""Seconds that a narrow place stays closed at first through which a robot did not get."""
HELD_LONG = 5.0
"""Seconds after which a robot looks for a path around a teammate that holds it up ..."""
AROUND_FOR, SLOWLY = 15.0, 0.3
"""... and keeps to it for so long, or as long as it takes at so many m/s, ..."""
STANDS_AFTER = 45.0
"""Seconds after which a teammate that has not moved, and around which is no path, counts as a wall for a while."""
HAS_MOVED = 0.5
"""... until the teammate has moved so far, in metres."""
LOOKS_FOR = 8.0
"""Seconds that it does so before it gives up: once around."""


@dataclass(frozen=True)
class Detour:
    """The teammate around which a robot plans, where that stands, and since and until when."""

    other: int
    x: float
    y: float
    since: float
    until: float


class Navigator:
    """Goals and paths of all robots."""

    def __init__(
        self,
        fleet: Fleet,
        grids: Grids,
        poses: Floats,
        planner: Planner,
        follower: Follower,
        finder: FrontierFinder,
        inflation: Inflation,
        stopwatch: Stopwatch,
        take_for_free: Callable[[int, NDArray[np.int64]], None],
        prior: Prior | None = None,
        roughness: Roughness | None = None,
        changing: bool = False,
        seed: int = 0,
    ) -> None:
        """`poses` (robots, 3) are where robots believe to be, kept up to date by their localiser.

        A base station plans for robots like the first. `take_for_free` makes a robot forget what it saw in cells.
        """
        self._take_for_free = take_for_free
        self._standoffs = Standoffs(len(fleet), seed)
        self._last_ways: list[Floats | None] = [None] * len(fleet)
        """The path that each robot was on before something came to stand on it, or is on."""
        self._base = fleet.base
        self._grids = grids
        self._poses = poses
        self._planner = planner
        self.follower = follower
        self._finder = finder
        self._stopwatch = stopwatch
        layers = np.empty(grids.state.shape, dtype=np.uint8)
        slowest_margin = follower.slowest_margin
        self.costs = [
            Costs(
                grids.frame,
                model.body.circumradius,
                inflation,
                layer,
                None if prior is None else prior.layer(node),
                # What flies is no slower above rough ground.
                None if roughness is None or model.body.altitude > 0.0 else roughness.layer(node),
                passing_radius(model.body, grids.frame.resolution, slowest_margin),
            )
            for node, (model, layer) in enumerate(
                zip([*fleet.models, *fleet.models[: fleet.nodes - len(fleet)]], layers, strict=True)
            )
        ]
        self._coarse = [CoarseCosts(costs) if may_be_coarse(costs) else None for costs in self.costs]
        self._fields = _one_a_kind(self.costs, self._coarse)
        self._fields_elsewhere = _one_a_kind(self.costs, self._coarse)
        self._field_of: tuple[int, int, Unknown] | None = None
        self.goals: list[GoTo | Follow | None] = [None] * len(fleet)
        self._ways: list[Floats | None] = [None] * len(fleet)
        self._no_way_since = np.full(len(fleet), math.inf)
        self.looks_around = np.zeros(len(fleet), dtype=np.bool_)
        """(robots,): who turns on the spot: it found no way out of where it is, or sees nothing new at its frontier."""
        self._may_change = changing
        self._closed = [FailedPlaces(grids.frame, state, CLOSED_FOR) for state in grids.state]
        self._closed_cells: list[list[tuple[FailedPlace, NDArray[np.int64], bool]]] = [[] for _ in grids.state]
        """For each node the places that it found closed, the cells there, and whether a teammate stands in them."""
        self._trails = np.zeros(grids.state.shape, dtype=np.bool_)
        for costs, trail in zip(self.costs, self._trails, strict=True):
            costs.trail, costs.may_close = trail, changing
        self._trail_ends = poses[:, :2].copy()
        self._radii = [model.body.circumradius for model in fleet.models]
        self._around = [Detour(NOBODY, 0.0, 0.0, 0.0, -math.inf)] * len(fleet)
        # Rough ground, a wrong prior or a door that closes make ways longer while robots are under way.
        self._has_surprises = changing or prior is not None or roughness is not None
        self._surprised_at = np.full((len(fleet), 2), math.inf)
        self._nearest = np.full(len(fleet), math.inf)
        self._nearest_at = np.zeros(len(fleet))
        self._last_goal = np.full((len(fleet), 2), math.inf)
        self._arrived_at = np.full(len(fleet), math.inf)
        self.goal_points = np.full((len(fleet), 2), math.nan)
        """(robots, 2): where each robot is going, NaN if it is not: what it tells its teammates."""
        self.tick, self.time = 0, 0.0

    def begin(self, robot: int, goal: GoTo | Follow, time: float) -> None:
        """Take a robot to a new goal."""
        self.goals[robot] = goal
        self._no_way_since[robot] = math.inf
        x, y = (goal.x, goal.y) if isinstance(goal, GoTo) else goal.points[-1].tolist()
        # A strategy that asks again and again for the same place does not make the way there any better.
        is_same = math.hypot(x - self._last_goal[robot, 0], y - self._last_goal[robot, 1]) <= SAME_GOAL
        if not is_same:
            self._nearest[robot], self._nearest_at[robot] = math.inf, time
        if not is_same or time - self._arrived_at[robot] > 2.0 * LOOKS_FOR:
            self._arrived_at[robot] = math.inf
        self._last_goal[robot] = x, y
        self.goal_points[robot] = x, y
        if self.follower.yields_to[robot] != NOBODY or self._standoffs.is_waiting(robot, time):
            return  # It makes way first; the review after that sends it on.
        if isinstance(goal, GoTo):
            self._plan(robot, goal, time)
        else:
            self.follower.set_path(robot, np.vstack([self._poses[robot, :2], goal.points]), None)

    def follow_trails(self) -> None:
        """Keep where robots have been."""
        mark_trails(self._trails, self._poses, self._trail_ends, self.follower.strides, geometry(self._grids.frame))

    def make_way(self, time: float, may_move: NDArray[np.bool_]) -> None:
        """Let robots make way for teammates that they hold up, as `giving_way.py` says; not those that may not move."""
        for robot, other, only_asks in self.follower.requests():
            if not may_move[robot] or not self.follower.may_ask_again(robot, other):
                continue
            with self._stopwatch.within("plan"):
                path = self._refuge(robot, other, time)
            if path is None:
                self.follower.set_way_out(robot, other, math.inf)
            elif only_asks:
                self.follower.set_way_out(robot, other, path.length())
            else:
                self.follower.make_way(robot, other, path.points)

    def stopped_making_way(self, robot: int) -> bool:
        """Whether a robot that is blocked was making way for a teammate, which it gives up then, and not its goal."""
        other = int(self.follower.yields_to[robot])
        if other == NOBODY:
            return False
        self.follower.clear(robot)
        self.follower.set_way_out(robot, other, math.inf)
        return True

    def _refuge(self, robot: int, other: int, time: float) -> Path | None:
        """The path to the nearest place where a robot is in no heard teammate's way."""
        follower = self.follower
        beacon = follower.heard[robot, other]
        lane = np.vstack([[beacon["x"], beacon["y"]], beacon["ahead"]]).astype(np.float64)
        near = follower.heard_lately(robot)
        near[other] = False
        heard = follower.heard[robot][near]
        mates = np.column_stack([heard["x"], heard["y"], heard["radius"]]).astype(np.float64)
        costs = self.costs[robot]
        self.cost_grid(robot)
        return find_refuge(
            costs.cost, costs.frame, costs.escape_cells, self._place(robot), self._radii[robot], lane,
            float(beacon["radius"]), mates,
        )  # fmt: skip

    def halt(self, robot: int) -> None:
        """Forget a robot's goal; it stops, unless it is making way for a teammate: it does so to the end."""
        self.goals[robot] = None
        self.goal_points[robot] = math.nan
        self.looks_around[robot] = False
        is_busy = self.follower.yields_to[robot] != NOBODY or self._standoffs.is_waiting(robot, self.time)
        if not is_busy or self.follower.status[robot] == BLOCKED:
            self.follower.clear(robot)

    def review(self, robot: int, time: float) -> Outcome | None:
        """Once a second: is the goal still worth it, and is there a better way? Says how it ended, if it did."""
        goal = self.goals[robot]
        if goal is None:
            return None
        self.reopen(robot, time)
        if goal.until is not None:
            with self._stopwatch.within("Python"):
                over = goal.until()
            if over:
                return Outcome.STALE
        is_yielding = self.follower.yields_to[robot] != NOBODY
        if isinstance(goal, Follow):
            if not is_yielding and self.follower.status[robot] == IDLE:
                self.follower.set_path(robot, np.vstack([self._poses[robot, :2], goal.points]), None)
            return None if is_yielding else self._verdict(robot, self.follower.left(robot), time)
        if not self._is_worth_it(robot, goal):
            return Outcome.STALE
        if is_yielding:
            self._nearest_at[robot], self._arrived_at[robot] = time, math.inf
            return None
        if self._arrived_at[robot] < math.inf:
            return Outcome.ARRIVED if time - self._arrived_at[robot] >= LOOKS_FOR else None
        left = self._left_of_good_way(robot, goal, time)
        return self._verdict(robot, self._plan(robot, goal, time) if left is None else left, time)

    def arrive(self, robot: int, time: float) -> bool:
        """A robot has come to the end of its path: is that all? At a frontier that is still one, it looks around."""
        goal = self.goals[robot]
        if not (isinstance(goal, GoTo) and goal.frontier is not None and self._is_worth_it(robot, goal)):
            self._last_goal[robot] = math.inf
            return True
        self._arrived_at[robot] = min(self._arrived_at[robot], time)
        self.looks_around[robot] = True
        self.follower.clear(robot)
        return False

    def _is_worth_it(self, robot: int, goal: GoTo) -> bool:
        """Whether enough of the frontier is left that is the goal; what is no frontier always is."""
        if goal.frontier is None:
            return True
        with self._stopwatch.within("frontiers"):
            return self._finder.remaining(robot, goal.frontier) >= GONE

    def cost_grid(self, robot: int) -> NDArray[np.uint8]:
        """A robot's planning costs as its map is now."""
        costs = self.costs[robot]
        if not costs.is_fresh(self.tick):
            with self._stopwatch.within("plan"):
                costs.refresh(self._grids.state[robot], self._grids.state_stamp[robot], self.tick)
        return costs.cost

    def travel_cost(self, robot: int, x: float, y: float, through_unknown: bool = False) -> float:
        """Metres of open, smooth floor from where a robot is to a point, infinite where it knows no way."""
        with self._stopwatch.within("plan"):
            return self._field(robot, through_unknown).cost_to(x, y, TOLERANCE)

    def nearest_place(self, robot: int, x: float, y: float) -> tuple[float, float]:
        """A point, or where a robot knows no way there the place nearest to it, at any distance, to which it does.

        A robot that is boxed in looks around first, as it does on its way to the point itself.
        """
        with self._stopwatch.within("plan"):
            place = self._field(robot, False).nearest_place(x, y)
            if place == (x, y) or self.is_boxed_in(robot):
                return x, y
            # Planners take a point for a place nearby unless a wall stands between, which fields do not look at.
            is_near = math.dist(place, (x, y)) <= TOLERANCE
            return (x, y) if is_near and self._path(robot, x, y, False) is not None else place

    def has_way_to(self, robot: int, targets: Floats) -> NDArray[np.bool_]:
        """To which of many points (n, 2) a robot knows a way."""
        with self._stopwatch.within("plan"):
            return self._field(robot, False).has_way_to(targets, TOLERANCE)

    def travel_costs(self, robot: int, starts: Floats, targets: Floats, within: float | Floats = math.inf) -> Floats:
        """(starts, targets): what the ways between points (n, 2) cost on a robot's map, infinite if above `within`.

        That is a number, one for each target, or one for each way.
        """
        most = np.asarray(within)
        if most.ndim < 2:
            most = np.broadcast_to(most, (len(starts), len(targets)))
        # Costs are the same both ways: spread from the side that has fewer points. A target that is cut off is a place
        # beside it: nothing would spread from the target itself.
        if len(targets) < len(starts):
            with self._stopwatch.within("plan"):
                targets = self._field(robot, False).places(targets, TOLERANCE)
            return self.travel_costs(robot, targets, starts, most.T).T
        here = self._fields[robot] if self._field_of == (robot, self.tick, _unknown(False)) else None
        with self._stopwatch.within("plan"):
            field = self._refreshed(self._fields_elsewhere, robot)
            return costs_between(field, here, starts, targets, most, TOLERANCE)

    def path_to(
        self, robot: int, x: float, y: float, through_unknown: bool = False, start: tuple[float, float] | None = None
    ) -> Floats | None:
        """Way points (n, 2) from where a robot is, or from `start`, to a point, None where it knows no way."""
        with self._stopwatch.within("plan"):
            path = self._path(robot, x, y, through_unknown, start)
        return None if path is None else path.points

    def _verdict(self, robot: int, left: float, time: float) -> Outcome | None:
        """Blocked, if there was no way for a while, or the robot has come no nearer for long."""
        if left < self._nearest[robot] - NEARER:
            self._nearest[robot] = left
            self._nearest_at[robot] = time
        stuck = time - self._nearest_at[robot] >= STUCK_AFTER
        if stuck:
            self._last_goal[robot] = math.inf  # Asked for again, it is given as long again.
        patience = LOOKS_FOR if self.looks_around[robot] else PATIENCE
        return Outcome.BLOCKED if stuck or time - self._no_way_since[robot] >= patience else None

    def _left_of_good_way(self, robot: int, goal: GoTo, time: float) -> float | None:
        """What is left of the way being driven, if it is clear and so straight that no other can be better."""
        points = self._ways[robot]
        if points is None or self.follower.status[robot] != DRIVING or self.costs[robot].knows_rough_ground:
            return None
        if self._goes_around(robot, time) != NOBODY:
            return None
        left = self.follower.left(robot)
        x, y = self._place(robot)
        if left > STRAIGHT_ENOUGH * math.hypot(goal.x - x, goal.y - y):
            return None
        table = step_table(_unknown(goal.through_unknown))
        closed = closed_after(self.cost_grid(robot), table, points, geometry(self._grids.frame))
        return left if closed == math.inf else None

    def _plan(self, robot: int, goal: GoTo, time: float) -> float:
        """Give the follower a path to the goal; note since when there is none. Returns what is left to go."""
        path = self._path_around_teammate(robot, goal, time)
        if path is None:
            path = self._path(robot, goal.x, goal.y, goal.through_unknown)
        if path is not None:
            self._no_way_since[robot] = math.inf
            self.looks_around[robot] = False
            self.follower.set_path(robot, path.points, goal.heading)
            self._ways[robot] = path.points
            if len(self._in_the_way(robot, time)) == 0:
                self._last_ways[robot] = path.points
            if self._has_surprises:
                self._allow_for_surprise(robot, path.cost, time)
            return path.cost
        self._ways[robot] = None
        if self._no_way_since[robot] == math.inf:
            self._no_way_since[robot] = time
            self.looks_around[robot] = self.is_boxed_in(robot)
            self.follower.clear(robot)
        return math.inf

    def _path_around_teammate(self, robot: int, goal: GoTo, time: float) -> Path | None:
        """A path around a teammate that has held the robot up for long, if there is one; kept to until it is driven."""
        other = self._goes_around(robot, time)
        if other == NOBODY:
            return None
        beacon, costs = self.follower.heard[robot, other], self.costs[robot]
        self.cost_grid(robot)
        reach = self._radii[robot] + float(beacon["radius"])
        cells = cells_within(costs.frame, float(beacon["x"]), float(beacon["y"]), reach)
        flat = costs.cost.reshape(-1)
        before = flat[cells]
        flat[cells] = OCCUPIED_COST
        costs.version += 1  # Planners must not keep what they derive from these costs.
        try:
            path = self._path(robot, goal.x, goal.y, goal.through_unknown)
        finally:
            flat[cells] = before
            costs.version += 1
        if path is not None:
            detour = self._around[robot]
            self._around[robot] = replace(detour, until=max(detour.until, time + path.length() / SLOWLY))
        elif time - self._around[robot].since > STANDS_AFTER:
            # It has broken down, or does not get on either: there is no path where it stands.
            self._close(
                robot, float(beacon["x"]), float(beacon["y"]), cells[before <= SQUEEZE_COST], time, is_mate=True
            )
        return path

    def _goes_around(self, robot: int, time: float) -> int:
        """The teammate around which a robot plans since it stood in the way for long; until it has moved."""
        follower = self.follower
        if follower.held_for(robot) > HELD_LONG:
            other = int(follower.held_by[robot])
            beacon, before = follower.heard[robot, other], self._around[robot]
            is_same = other == before.other and math.hypot(beacon["x"] - before.x, beacon["y"] - before.y) < HAS_MOVED
            x, y, since = (before.x, before.y, before.since) if is_same else (beacon["x"], beacon["y"], time)
            self._around[robot] = Detour(other, float(x), float(y), since, time + AROUND_FOR)
        detour = self._around[robot]
        if detour.other == NOBODY or time > detour.until:
            return NOBODY
        beacon = follower.heard[robot, detour.other]
        return detour.other if math.hypot(beacon["x"] - detour.x, beacon["y"] - detour.y) < HAS_MOVED else NOBODY

    def _allow_for_surprise(self, robot: int, left: float, time: float) -> None:
        """Count from now on how near a robot came, if its way has become longer by what it has learnt on the way."""
        if left < self._nearest[robot] + SURPRISE:
            return
        x, y = self._place(robot)
        if math.hypot(x - self._surprised_at[robot, 0], y - self._surprised_at[robot, 1]) >= SURPRISE:
            self._surprised_at[robot] = x, y
            self._nearest[robot], self._nearest_at[robot] = left, time

    def is_boxed_in(self, robot: int) -> bool:
        """Whether a robot knows of next to no ground that it can reach."""
        field = self._field(robot, False)
        return field.cells_reached * field.costs.frame.resolution**2 < BOXED_IN

    def lets_pass(self, robot: int, time: float) -> bool:
        """Whether a robot that is blocked by what may be a teammate that it does not hear lets it pass first."""
        with self._stopwatch.within("plan"):
            walls = self._in_the_way(robot, time)
            if len(walls) == 0:
                return False
            x, y = self._middle(walls)
            path = None
            if self._standoffs.begin(robot, x, y, time):
                costs, place = self.costs[robot], self._place(robot)
                path = find_room(
                    self.cost_grid(robot), costs.frame, costs.escape_cells, place, self._radii[robot], (x, y)
                )
        if path is None:
            self.follower.clear(robot)
        else:
            self._standoffs.step_back(robot, path.length())
            self.follower.set_path(robot, path.points)
        return True

    def is_letting_pass(self, robot: int, time: float) -> bool:
        """Whether a robot stands aside or still for what it does not hear; then it takes its path for free again."""
        if self._standoffs.is_waiting(robot, time):
            if self.follower.status[robot] == BLOCKED:
                self.follower.clear(robot)
            return True
        path = self._last_ways[robot]
        if path is not None and self._standoffs.ends(robot, time):
            costs = self.costs[robot]
            self._take_for_free(robot, walls_on(path, self._grids.state[robot], costs.frame, costs.passing))
            self.reopen(robot, time, all_unsure=True)
            self._nearest_at[robot], self._no_way_since[robot] = time, math.inf
        return False

    @property
    def letting_pass(self) -> NDArray[np.bool_]:
        """(robots,): who stands aside or still for what it does not hear."""
        return self._standoffs.are_waiting(self.time)

    def may_be_let_pass(self, robot: int, time: float) -> bool:
        """Whether what stands in a robot's way may be a teammate that it does not hear, and go."""
        return robot < len(self.goals) and len(self._in_the_way(robot, time)) > 0

    def _in_the_way(self, robot: int, time: float) -> NDArray[np.int64]:
        """The cells where walls have come to stand on a robot's path, as unheard teammates do; none if they stay."""
        path = self._last_ways[robot]
        if path is None or not self.follower.has_unheard_mates(robot):
            return np.empty(0, dtype=np.int64)
        costs = self.costs[robot]
        walls = walls_on(path, self._grids.state[robot], costs.frame, costs.passing, self._place(robot))
        if len(walls) and not self._standoffs.may_try(robot, *self._middle(walls), time):
            return walls[:0]
        return walls

    def _middle(self, cells: NDArray[np.int64]) -> tuple[float, float]:
        rows, columns = np.divmod(cells, self._grids.frame.columns)
        return self._grids.frame.centre(float(rows.mean()), float(columns.mean()))

    def goes_on_elsewhere(self, robot: int, time: float) -> bool:
        """Whether a robot that is blocked by a passage that its lidar finds too narrow has another path to its goal.

        One that has been through there before, as whoever drives out of where it came in, goes on as it is.
        """
        goal, place = self.goals[robot], self.follower.too_narrow_place(robot)
        if place is None or not isinstance(goal, GoTo):
            return False
        frame = self._grids.frame
        has_been_there = bool(self._trails[robot].reshape(-1)[cells_within(frame, *place, frame.resolution)].any())
        may_be_mate = self.follower.has_unheard_mates(robot)
        if may_be_mate and self.cost_grid(robot)[frame.cell(*place)] < SQUEEZE_COST:
            return False  # It is wide on the map: somebody stands there.
        if not has_been_there:
            # What cannot be a teammate nor a door stays as narrow as it is.
            self._close(robot, *place, cells_within(frame, *place, NARROW), time, not (self._may_change or may_be_mate))
        if self._plan(robot, goal, time) == math.inf:
            return False
        if has_been_there:
            self.follower.trust_path(robot)
        return True

    def close_where_stuck(self, robot: int, time: float) -> None:
        """A robot got no farther: where its path is narrow, and no teammate can be near, it does not fit through.

        Such a place looked wide enough on the map. It stays closed for as long as a goal would rest that failed as
        often. Where the robot has been stays open.
        """
        points = self._ways[robot]
        if points is None or self.follower.has_company(robot) or self.follower.has_unheard_mates(robot):
            return
        costs, frame = self.cost_grid(robot), self._grids.frame
        cells = narrow_cells_ahead(costs, self._trails[robot], points, self._place(robot), geometry(frame))
        if len(cells):
            self._close(robot, *frame.centre(*divmod(int(cells[0]), frame.columns)), cells, time)

    def _close(
        self,
        robot: int,
        x: float,
        y: float,
        cells: NDArray[np.int64],
        time: float,
        for_good: bool = False,
        is_mate: bool = False,
    ) -> None:
        """Let no path lead through some cells any more, for a while or as long as the map there stays as it is.

        Where the robot has been stays open, unless a teammate stands there now.
        """
        if not is_mate:
            cells = cells[~self._trails[robot].reshape(-1)[cells]]
        self._closed_cells[robot].append((self._closed[robot].fail(x, y, time, for_good), cells, is_mate))
        self.costs[robot].close(cells, self.tick)
        self._field_of = None

    def reopen(self, robot: int, time: float, all_unsure: bool = False) -> bool:
        """Open narrow places again that have rested long enough, or where the map has changed or the robot has passed.

        `all_unsure`: or that were closed without being measured. Whether there were any such.
        """
        if not self._closed_cells[robot]:
            return False
        closed, trail = self._closed[robot], self._trails[robot].reshape(-1)
        closed.forget_changed()
        kept, opened = [], False
        for place, cells, is_mate in self._closed_cells[robot]:
            has_passed = not is_mate and trail[cells].any()
            rests = place.is_given_up or (place.until > time and not all_unsure)
            if place in closed.places and rests and not has_passed:
                kept.append((place, cells, is_mate))
            else:
                self.costs[robot].reopen(cells, self.tick)
                opened = True
        if not opened:
            return False
        self._closed_cells[robot] = kept
        self._field_of = None
        return True

    def _path(
        self, robot: int, x: float, y: float, through_unknown: bool, start: tuple[float, float] | None = None
    ) -> Path | None:
        self.cost_grid(robot)
        begin = self._place(robot) if start is None else start
        return self._planner.plan(self.costs[robot], begin, (x, y), unknown=_unknown(through_unknown))

    def _field(self, robot: int, through_unknown: bool) -> DistanceField:
        """The field from where a robot is: the one at hand if it is that, else a new one."""
        unknown = _unknown(through_unknown)
        key = (robot, self.tick, unknown)
        if self._field_of != key:
            self._refreshed(self._fields, robot).begin(self._place(robot), unknown=unknown)
            self._field_of = key
        return self._fields[robot]

    def _refreshed(self, fields: list[DistanceField], robot: int) -> DistanceField:
        """One of the fields over a robot's costs as its map is now, still to be computed."""
        self.cost_grid(robot)
        coarse = self._coarse[robot]
        if coarse is not None:
            coarse.refresh(self._grids.state_stamp[robot], self.tick)
        field = fields[robot]
        field.costs, field.coarse = self.costs[robot], coarse
        return field

    def _place(self, robot: int) -> tuple[float, float]:
        if self._base is not None and robot == len(self._poses):
            return self._base.x, self._base.y
        return float(self._poses[robot, 0]), float(self._poses[robot, 1])


def _one_a_kind(costs: list[Costs], coarse: list[CoarseCosts | None]) -> list[DistanceField]:
    """For each robot a field, which all those have in common that compute distances in cells of the same size."""
    fields = {of_robot is None: DistanceField(fine, of_robot) for fine, of_robot in zip(costs, coarse, strict=True)}
    return [fields[of_robot is None] for of_robot in coarse]


def _unknown(through_unknown: bool) -> Unknown:
    return "free" if through_unknown else "avoid"
