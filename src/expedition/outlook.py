"""What a strategy can ask of its robot's belief: frontiers, gains, teammates, robots and tags around."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from expedition.action import Pose
from expedition.belief.finder import Clusters
from expedition.navigate.costs import UNKNOWN_COST

if TYPE_CHECKING:
    from expedition.controller import Controller

GAIN_RANGE = 8.0
"""Metres within which a frontier's gain is counted, as in MRXT."""
SMALLEST = 3
"""Cells of the smallest frontier, as long as there are others."""


@dataclass(frozen=True, eq=False)
class Frontier:
    """A stretch of border between known free ground and the unknown."""

    x: float
    """Where to go to see beyond it, in metres: the cell nearest to the middle on which the robot can stand."""
    y: float
    centroid: tuple[float, float]
    """The mean of its cells, in metres; it may lie where no robot can."""
    size: float
    """Its length in metres, as far as the robot can stand on it: the number of those cells times their side.

    Along a wall that was seen from afar there are gaps between the points where beams met it; they look like frontiers,
    but a robot cannot stand so near to the wall.
    """
    cells: NDArray[np.int32]
    """Rows and columns of its cells in the map."""
    _gain: Callable[[], float]

    @property
    def gain(self) -> float:
        """The unknown area that should be in view from there, in square metres, within 8 m."""
        return self._gain()


@dataclass(frozen=True)
class Teammate:
    """What the robot last heard of another one."""

    id: int
    pose: Pose
    """Where it was, by its own belief."""
    goal: tuple[float, float] | None
    """Where it was going; None if it was not."""
    time: float
    """When it said so, in seconds since the start."""
    age: float
    """How long ago that is, in seconds."""


@dataclass(frozen=True)
class NearbyRobot:
    """A robot that the robot detector sees now."""

    id: int
    distance: float
    bearing: float
    """From the robot's heading, to the left, in radians."""


@dataclass(frozen=True)
class Tag:
    """A note that a robot left in the world, seen from here."""

    x: float
    y: float
    text: str
    robot: int
    """Who left it."""
    time: float
    """When, in seconds since the start."""


def frontiers(controller: Controller, robot: int, min_size: float | None) -> list[Frontier]:
    """The frontiers worth going to: long ones first of all, with a known path, where the robot did not fail lately."""
    with controller.stopwatch.within("frontiers"):
        return _worth_going_to(controller, robot, min_size)


def _worth_going_to(controller: Controller, robot: int, min_size: float | None) -> list[Frontier]:
    navigator = controller.navigator
    if min_size is None:
        min_size = controller.settings.min_frontier
    if min_size is None:
        model = controller.fleet.models[robot % controller.robots]  # A base looks for robots like the first.
        min_size = 10.0 * model.body.inscribed_radius
    clusters = controller.finder.find(robot, controller.tick, navigator.cost_grid(robot), UNKNOWN_COST)
    cells = np.diff(clusters.starts)
    # Through a narrow door that was seen from the side only a cell or two look out: worth a look when nothing else is.
    return _choose(controller, robot, clusters, cells >= SMALLEST, min_size) or _choose(
        controller, robot, clusters, (cells < SMALLEST) & (clusters.room > 0), min_size
    )


def _choose(
    controller: Controller, robot: int, clusters: Clusters, candidates: NDArray[np.bool_], min_size: float
) -> list[Frontier]:
    """Those of some candidates that are worth going to."""
    navigator, frame = controller.navigator, controller.grids.frame
    numbers = np.flatnonzero(candidates).tolist()
    if not numbers:
        return []
    targets = frame.centres(clusters.targets[numbers])
    failed = controller.failed[robot]
    failed.forget_changed()
    navigator.reopen(robot, controller.time)
    has_path, is_open = navigator.has_way_to(robot, targets), failed.are_open(targets, controller.time)
    if not has_path.any() and navigator.reopen(robot, controller.time, all_unsure=True):
        has_path = navigator.has_way_to(robot, targets)
    for k in np.flatnonzero(~(has_path & is_open)).tolist():
        if _move_target(controller, robot, frame.centres(clusters.cells_of(numbers[k])), targets[k]):
            has_path[k] = is_open[k] = True
    sizes = clusters.room[numbers] * frame.resolution
    kept = failed.are_possible(targets)
    # Who is boxed in tries all the same: it has taken teammates for walls, and looks around on its way.
    # So does who may be let pass by what stands in its way.
    if has_path.any() or not (navigator.is_boxed_in(robot) or navigator.may_be_let_pass(robot, controller.time)):
        kept &= has_path
    for is_good in (is_open, sizes >= min_size):
        if (kept & is_good).any():
            kept &= is_good
    if kept.any() and not is_open[kept].any():
        # Nothing else is left: try those again that failed least often, one after the other.
        failures = failed.failures_at(targets)
        kept &= failures == failures[kept].min()
    found = []
    centroids = frame.centres(clusters.centroids[numbers]).tolist()
    for k in np.flatnonzero(kept).tolist():
        x, y = targets[k].tolist()
        gain = partial(expected_gain, controller, robot, x, y, GAIN_RANGE)
        cells = clusters.cells_of(numbers[k])
        found.append(Frontier(x, y, tuple(centroids[k]), float(sizes[k]), cells, gain))
    return found


def _move_target(controller: Controller, robot: int, places: NDArray[np.float64], target: NDArray[np.float64]) -> bool:
    """Move a target that cannot be reached to the nearest of a frontier's `places` that may be; whether there is one.

    A frontier may run on behind a wall: its middle is out of reach, its nearer end is not.
    """
    good = controller.navigator.has_way_to(robot, places)
    if good.any():
        good &= controller.failed[robot].are_open(places, controller.time)
    if not good.any():
        return False
    away = np.hypot(places[:, 0] - target[0], places[:, 1] - target[1])
    target[:] = places[np.argmin(np.where(good, away, np.inf))]
    return True


def expected_gain(controller: Controller, robot: int, x: float, y: float, reach: float) -> float:
    """Square metres of unknown ground in view of a point within `reach` metres."""
    frame = controller.grids.frame
    row, column = frame.cell(x, y)
    if not frame.holds(row, column):
        return 0.0
    with controller.stopwatch.within("frontiers"):
        cells = controller.finder.unknown_in_view_by(robot, controller.tick, row, column, reach / frame.resolution)
    return cells * frame.resolution**2


def teammates(controller: Controller, robot: int) -> Mapping[int, Teammate]:
    """What the robot last heard of each other one."""
    heard_at = controller.follower.heard_at[robot]
    mates = {}
    for other in np.flatnonzero(heard_at > -math.inf).tolist():
        beacon = controller.follower.heard[robot, other]
        x, y = controller.goals_heard[robot, other].tolist()
        goal = None if math.isnan(x) else (x, y)
        pose = Pose(float(beacon["x"]), float(beacon["y"]), float(beacon["heading"]))
        mates[other] = Teammate(other, pose, goal, float(heard_at[other]), controller.time - float(heard_at[other]))
    return mates


def nearby_robots(controller: Controller, robot: int) -> list[NearbyRobot]:
    """What the robot's detector saw last in this period, nearest first."""
    if controller.observations is None or robot >= controller.robots:
        return []
    seen = controller.observations.detections([robot], latest=True)
    return sorted(
        (
            NearbyRobot(int(other), float(distance), float(bearing))
            for other, distance, bearing in zip(seen.others, seen.ranges, seen.bearings, strict=True)
        ),
        key=lambda other: other.distance,
    )


def tags(controller: Controller, robot: int) -> list[Tag]:
    """The tags in reach, placed in the robot's map by where it believes to be."""
    x, y, heading = controller.localiser.pose[robot].tolist()
    c, s = math.cos(heading), math.sin(heading)
    return [
        Tag(x + c * ahead - s * left, y + s * ahead + c * left, tag.text, tag.robot, tag.time)
        for tag, ahead, left in controller.world.tags_near(robot, controller.settings.tag_range)
    ]
