"""The flat simulator: fast, exact in two dimensions, and the same to the last bit every time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError
from expedition.fleet import Fleet, check_placement
from expedition.sim.bodies import Floats, Shapes, State, initial_state, limits_of, shapes_of, walkers_of
from expedition.sim.ground import Ground, Slices, change_ground, lay_ground
from expedition.sim.motion import NOTHING, WALL, advance_bodies, blocking
from expedition.sim.neighbours import find_neighbours
from expedition.sim.observations import FlatObservations
from expedition.sim.protocol import Contact, Truth
from expedition.sim.rays import in_sight
from expedition.sim.suite import View, suite_of
from expedition.sim.timeline import Timeline
from expedition.terrain import Person, Rectangle, Terrain

PHYSICS_RATE = 60.0
CONTACT_GAP = 0.02
MARGIN = 1e-3
MAX_STEPS = 5_000_000  # ticks times bodies of one advance, whose poses are kept


class FlatSimulator:
    """Robots, people, doors and sensors in the plane.

    `physics_rate` is in Hz. Two contacts of a robot with the same thing count as one unless it was more than
    `contact_gap` metres away in between.
    """

    def __init__(self, physics_rate: float = PHYSICS_RATE, contact_gap: float = CONTACT_GAP) -> None:
        if not 1.0 <= physics_rate <= 10_000.0:
            raise ExpeditionError(f"physics rate must be within 1 and 10,000 Hz, found {physics_rate}")
        if not 0.0 <= contact_gap <= 1.0:
            raise ExpeditionError(f"contact gap must be within 0 and 1 m, found {contact_gap}")
        self._rate = physics_rate
        self._contact_gap = contact_gap
        self._is_set = False

    def reset(self, terrain: Terrain, fleet: Fleet, seed: int) -> FlatObservations:
        """Put the fleet at its starts, at rest, at time zero, and take the first readings."""
        self._is_set = False
        timeline = Timeline(terrain, seed)
        timeline.act(0.0, lambda area, height: True)
        now = timeline.terrain_now()
        check_placement(now, fleet.models, fleet.poses, connected=False)
        people = [(index, change) for index, change in enumerate(terrain.changes) if isinstance(change, Person)]
        only_people = [person for _, person in people]
        self._suite = suite_of(fleet, terrain, seed, self._rate)
        self._has_bumpers = bool(self._suite.has_bumper.any())
        undersides = [model.body.altitude for model in fleet.models] + [0.0] * len(people)
        self._slices = Slices(terrain, undersides + self._suite.heights())
        self._view = View(self._suite, self._slices, first=len(undersides))
        self._shapes = shapes_of(fleet, only_people, self._slices.index[: len(undersides)])
        self._limits = limits_of(fleet)
        self._state = initial_state(fleet, only_people)
        self._walkers = walkers_of(people, seed)
        top_speed = np.maximum(self._limits.forward, self._limits.reverse)
        self._top_speed = np.concatenate([top_speed, self._walkers.speed])
        self._reach_ticks = 0
        self._timeline = timeline
        self._ground = lay_ground(now, self._slices)
        _check_people(people, self._ground, self._shapes, self._state, terrain.name)
        self._tick = 0
        self._contacts: tuple[Contact, ...] = ()
        self._is_set = True
        history = self._state.pose[None].copy()
        self._last_odometry = [history[0] for _ in self._suite.odometers]
        return self._observe(-1, history, [(0, self._ground)])

    def advance(self, commands: Floats, duration: float) -> FlatObservations:
        """Follow velocity commands (robots, 3: forward m/s, sideways m/s, turning rad/s) for `duration` seconds."""
        command = self._checked(commands)
        # Every float is real; that it is one is seen much faster.
        exact = duration * self._rate if isinstance(duration, float | Real) and 0.0 < duration < 1e9 else 0.0
        ticks = round(exact)
        most = max(1, MAX_STEPS // len(self._state.pose))
        if not 1 <= ticks <= most or abs(ticks - exact) > 1e-6:
            raise ExpeditionError(
                f"duration must be a whole number of physics ticks of 1/{self._rate:g} s, here at most {most:,}, "
                f"found {duration} s"
            )
        start, tick_duration = self._tick, 1.0 / self._rate
        history = np.empty((ticks, *self._state.pose.shape))
        # A robot may begin to touch a wall and a body in every tick, at most.
        contacts = np.empty((2 * ticks * len(command), 3), dtype=np.int64)
        if ticks != self._reach_ticks:
            self._reach = self._shapes.circumradius + (self._top_speed * ticks * tick_duration + MARGIN)
            self._reach_ticks = ticks
        grounds: list[tuple[int, Ground]] = []
        found = 0
        for first, last in self._stretches(start, start + ticks):
            grounds.append((first - start, self._ground))
            found += advance_bodies(
                self._ground, self._shapes, self._limits, self._state, self._walkers, command, self._reach,
                first, last - first, tick_duration, self._contact_gap,
                history[first - start : last - start], contacts[found:],
            )  # fmt: skip
        self._tick = start + ticks
        self._contacts = ()
        if found:
            self._contacts = tuple(
                Contact(tick * tick_duration, robot, None if other == WALL else other)
                for tick, robot, other in contacts[:found].tolist()
            )
        return self._observe(start, history, grounds)

    def truth(self) -> Truth:
        """How things are now."""
        self._check_reset()
        robots = self._suite.robots
        return Truth(
            self._tick / self._rate,
            self._state.pose[:robots].copy(),
            self._state.velocity[:robots].copy(),
            self._state.pose[robots:, :2].copy(),
            self._contacts,
            self._timeline.terrain_now(),
        )

    def _observe(self, after: int, history: Floats, grounds: list[tuple[int, Ground]]) -> FlatObservations:
        """The observations of the ticks since `after`; remembers where odometers made their last reading."""
        starts = list(self._last_odometry)
        for k, group in enumerate(self._suite.odometers):
            _, ticks = group.due(after, self._tick)
            if ticks:
                self._last_odometry[k] = history[ticks[-1] - after - 1]
        return FlatObservations(
            self._suite,
            self._view,
            self._shapes,
            1.0 / self._rate,
            after,
            self._tick,
            history,
            grounds,
            starts,
            self._pressed() if self._has_bumpers else self._suite.has_bumper,
        )

    def _pressed(self) -> NDArray[np.bool_]:
        """For each robot, whether something touches it that a bumper feels."""
        robots = self._suite.robots
        touched: NDArray[np.bool_] = self._state.touches_wall[:robots] | (self._state.touches_body[:robots, 0] >= 0)
        return touched

    def _stretches(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The ticks from start to end in stretches during which no wall changes."""
        tick = start
        while tick < end:
            for window in self._timeline.act(tick / self._rate, self._is_clear):
                self._ground = change_ground(self._ground, self._slices, self._timeline.wall_height_cm, window)
            upcoming = self._timeline.next_time * self._rate
            stop = end if upcoming >= end else max(tick + 1, math.ceil(upcoming - 1e-9))
            yield tick, stop
            tick = stop

    def _is_clear(self, area: Rectangle, height: float) -> bool:
        """Whether no body lower than `height` comes within its circumradius of a rectangle."""
        x, y = self._state.pose[:, 0], self._state.pose[:, 1]
        dx = np.maximum(np.maximum(area.left - x, x - area.right), 0.0)
        dy = np.maximum(np.maximum(area.bottom - y, y - area.top), 0.0)
        return not bool(np.any((np.hypot(dx, dy) < self._shapes.circumradius) & (self._shapes.low < height)))

    def _check_reset(self) -> None:
        if not self._is_set:
            raise ExpeditionError("the simulator has no terrain and no fleet yet: call reset first")

    def _checked(self, commands: Floats) -> Floats:
        self._check_reset()
        try:
            command = np.ascontiguousarray(commands)
        except (TypeError, ValueError, OverflowError):
            command = np.zeros(0, dtype=object)
        if command.dtype.kind not in "iuf":
            raise ExpeditionError("commands must be an array of numbers")
        command = command.astype(np.float64, copy=False)
        expected = (self._suite.robots, 3)
        if command.shape != expected:
            raise ExpeditionError(f"commands must have shape {expected}, found {command.shape}")
        # Where the sum is a number, all are.
        if not math.isfinite(command.sum()) and not np.isfinite(command).all():
            robot = int(np.argwhere(~np.isfinite(command))[0, 0])
            raise ExpeditionError(f"robot {robot}: a command must be finite, found {command[robot].tolist()}")
        return command


def _check_people(people: list[tuple[int, Person]], ground: Ground, shapes: Shapes, state: State, name: str) -> None:
    """Refuse people who start in a wall, a robot or one another, or would have to walk through a wall."""
    if not people:
        return
    robots = len(state.pose) - len(people)
    near = find_neighbours(state.pose, shapes.circumradius)
    for body, (index, person) in enumerate(people, start=robots):
        place = f"terrain {name!r}: changes.{index}.waypoints"
        x, y = person.waypoints[0]
        hit = blocking(ground, shapes, state, body, near, x, y, 0.0)
        if hit != NOTHING:
            what = "a wall" if hit == WALL else f"robot {hit}" if hit < robots else f"changes.{people[hit - robots][0]}"
            raise ExpeditionError(f"{place}: the person at ({x:g}, {y:g}) would stand in {what}")
        points = [
            ((x - ground.origin_x) / ground.resolution, (y - ground.origin_y) / ground.resolution)
            for x, y in person.waypoints
        ]
        for number, (here, there) in enumerate(zip(points, points[1:] + points[:1], strict=True)):
            if not in_sight(ground.squares[0], *here, *there):
                raise ExpeditionError(f"{place}: a wall stands between point {number} and the next")
