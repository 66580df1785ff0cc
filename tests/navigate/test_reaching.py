"""What the way to a place costs is known exactly where every planner finds one, on any map and for any robot."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.fleet import robot_model
from expedition.fleet.clearance import passing_radius
from expedition.navigate import planners as planners
from expedition.navigate.coarse import CoarseCosts, may_be_coarse
from expedition.navigate.costs import SQUEEZE_COST, TIGHT_COST, Costs
from expedition.navigate.field import DistanceField
from expedition.navigate.planner import planner
from expedition.navigate.steps import Unknown
from tests.navigate.grids import costs_of

PLANNERS = [planner.make(name) for name in ("dijkstra", "a-star", "jump-point", "topological")]
ROBOTS = ("pioneer-3dx", "turtlebot3-burger", "maes", "quadrotor")
TOLERANCE = 0.5
"""That of planners, unless somebody sets another."""


def random_rooms(seed: int, resolution: float) -> tuple[Frame, np.ndarray]:
    """Walls with openings of all widths, pillars, and patches that nobody has seen, on 7 by 6 metres."""
    rng = np.random.default_rng(seed)
    frame = Frame.around((0.0, 7.0, 0.0, 6.0), resolution)
    state = np.full(frame.shape, FREE, dtype=np.uint8)
    for _ in range(rng.integers(1, 6)):
        row, column = rng.integers(0, frame.rows), rng.integers(0, frame.columns)
        gap = rng.integers(0, round(1.2 / resolution))
        if rng.random() < 0.5:
            state[row, :], state[row, column : column + gap] = OCCUPIED, FREE
        else:
            state[:, column], state[row : row + gap, column] = OCCUPIED, FREE
    for kind, number in ((OCCUPIED, rng.integers(0, 12)), (UNKNOWN, rng.integers(0, 8))):
        for row, column in rng.integers(0, (frame.rows, frame.columns), (number, 2)):
            high, wide = rng.integers(1, 2 + round(0.8 / resolution), 2)
            state[row : row + high, column : column + wide] = kind
    return frame, state


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    resolution=st.sampled_from([0.05, 0.1, 0.2]),
    robot=st.sampled_from(ROBOTS),
    unknown=st.sampled_from(["avoid", "free"]),
)
def test_travel_cost_is_finite_exactly_where_every_planner_finds_a_path(
    seed: int, resolution: float, robot: str, unknown: Unknown
) -> None:
    frame, state = random_rooms(seed, resolution)
    body = robot_model(robot).body
    costs = Costs(frame, body.circumradius, passing=passing_radius(body, resolution))
    costs.refresh(state, np.zeros(frame.tiles, dtype=np.int64), 0)
    coarse = CoarseCosts(costs) if may_be_coarse(costs) else None
    if coarse is not None:
        coarse.refresh(np.zeros(frame.tiles, dtype=np.int64), 0)
    field = DistanceField(costs, coarse)
    rng = np.random.default_rng([seed, 1])
    left, right, bottom, top = frame.extent
    # Robots stand anywhere, and most of all where they would rather not: beside walls.
    beside = np.argwhere((costs.cost == SQUEEZE_COST) | (costs.cost == TIGHT_COST))
    starts = rng.uniform((left, bottom), (right, top), (2, 2)).tolist()
    if len(beside):
        starts += [frame.centre(*beside[k]) for k in rng.integers(0, len(beside), 2)]
    for start in starts:
        field.begin((start[0], start[1]), unknown=unknown)
        for goal in rng.uniform((left, bottom), (right, top), (4, 2)).tolist():
            known = math.isfinite(field.cost_to(*goal, TOLERANCE))
            paths = [one.plan(costs, (start[0], start[1]), (goal[0], goal[1]), unknown) for one in PLANNERS]
            assert [path is not None for path in paths] == [known] * len(PLANNERS)
            ends = {tuple(np.round(path.points[-1], 6)) for path in paths if path is not None}
            assert len(ends) <= 1


@pytest.mark.parametrize("one", PLANNERS)
def test_robot_that_squeezes_goes_nowhere_that_it_does_not_fit_into(one: object) -> None:
    """Who stands where it cannot turn may leave that way, but not through closed cells beside it."""
    cost = np.full((9, 12), TIGHT_COST, dtype=np.uint8)
    cost[4, 1:6] = SQUEEZE_COST
    cost[2:7, 8:11] = 0
    costs = costs_of(cost, circumradius=0.5)
    start, goal = costs.frame.centre(4, 5), costs.frame.centre(4, 9)
    assert one.plan(costs, start, goal) is None  # type: ignore[attr-defined]
    costs.cost[4, 6:8] = SQUEEZE_COST
    costs.version += 1
    assert one.plan(costs, start, goal) is not None  # type: ignore[attr-defined]
