"""Every opening that is at least as wide as is promised is open on the map, at any angle and wherever it lies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from expedition.belief.grid import FREE, OCCUPIED, Frame
from expedition.belief.mapping import INTO_WALL
from expedition.fleet import Body, DiscBody, RectangleBody, names, robot_model
from expedition.fleet.clearance import MARGIN, half_width, narrowest_opening, passing_radius
from expedition.navigate.costs import SQUEEZE_COST, Costs
from expedition.navigate.field import DistanceField
from expedition.navigate.local_parameters import LocalNavigation, slowest_margin

CELLS = (0.05, 0.1, 0.2)
SIDE = 6.0
"""Of the ground at least, in metres: a wall leads through its middle, with an opening there."""
DISC = DiscBody(radius=0.225, height=0.3, mass=5.0)
BODIES = {name: robot_model(name).body for name in names()} | {
    "disc of 45 cm": DISC,
    "disc of 1 m": DiscBody(radius=0.5, height=0.3, mass=5.0),
    "long": RectangleBody(length=1.2, width=0.5, height=0.3, mass=5.0),
}
places = st.tuples(
    st.floats(0.0, math.pi), st.floats(-0.2, 0.2), st.floats(-0.2, 0.2), st.floats(0.1, 0.4), st.floats(0.0, 0.15)
)


def map_of_wall(width: float, angle: float, at: tuple[float, float], thickness: float, cell: float) -> np.ndarray:
    """The map of a wall at an angle with an opening, where beams ended on either of its faces and in the opening.

    As in maps, an end counts a little way into the wall.
    """
    inside = min(INTO_WALL, 0.5 * thickness)
    along = np.arange(0.5 * width + inside, 3.0 * SIDE, 0.01)
    across = np.append(np.arange(inside - 0.5 * thickness, 0.5 * thickness - inside, 0.01), 0.5 * thickness - inside)
    one_side = [np.column_stack([along, np.full(len(along), face)]) for face in (across[0], across[-1])]
    one_side.append(np.column_stack([np.full(len(across), along[0]), across]))
    ends = np.concatenate([*one_side, *(points * (-1.0, 1.0) for points in one_side)])
    c, s = math.cos(angle), math.sin(angle)
    ends = ends @ np.array([[c, s], [-s, c]]) + at
    frame = frame_of(cell)
    cells = np.floor((ends - frame.origin) / cell).astype(int)
    column, row = cells[((cells >= 0) & (cells < (frame.columns, frame.rows))).all(axis=1)].T
    state = np.full(frame.shape, FREE, dtype=np.uint8)
    state[row, column] = OCCUPIED
    return state


def frame_of(cell: float) -> Frame:
    return Frame.around((-0.5 * SIDE, 0.5 * SIDE, -0.5 * SIDE, 0.5 * SIDE), cell)


def is_open(body: Body, width: float, cell: float, place: tuple[float, float, float, float]) -> bool:
    """Whether there is a way from one side of the wall to the other on the robot's planning costs."""
    angle, x, y, thickness = place
    state = map_of_wall(width, angle, (x, y), thickness, cell)
    costs = Costs(frame_of(cell), body.circumradius, passing=passing_radius(body, cell))
    costs.refresh(state, np.zeros(costs.frame.tiles, dtype=np.int64), 0)
    field = DistanceField(costs)
    away_x, away_y = -1.5 * math.sin(angle), 1.5 * math.cos(angle)
    field.begin((x + away_x, y + away_y))
    assert field.starts_in_the_open
    return math.isfinite(field.cost_to(x - away_x, y - away_y))


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("name", BODIES)
@settings(max_examples=25)
@given(place=places)
@example(place=(0.0, 0.0, 0.0, 0.2, 0.0))
@example(place=(0.25 * math.pi, 0.01, 0.03, 0.1, 0.0))
def test_every_opening_as_wide_as_promised_is_open(
    name: str, cell: float, place: tuple[float, float, float, float, float]
) -> None:
    body = BODIES[name]
    assert is_open(body, narrowest_opening(body, cell) + place[4], cell, place[:4])


@pytest.mark.parametrize("cell", CELLS)
@settings(max_examples=15)
@given(place=places)
def test_an_opening_half_as_wide_as_the_body_is_closed(
    cell: float, place: tuple[float, float, float, float, float]
) -> None:
    body = BODIES["disc of 1 m"]
    assert not is_open(body, 0.5 * half_width(body), cell, place[:4])


@pytest.mark.parametrize(("cell", "widest"), [(0.05, 0.6), (0.1, 0.6), (0.2, 0.8)])
def test_a_body_of_45_centimetres_passes_doors_of_ordinary_width(cell: float, widest: float) -> None:
    assert 2.0 * half_width(DISC) == 0.45
    assert narrowest_opening(DISC, cell) <= widest + 1e-9
    assert narrowest_opening(robot_model("pioneer-3dx").body, cell) <= widest + 1e-9


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("name", BODIES)
def test_an_opening_is_as_wide_as_the_body_and_its_margin_at_least(name: str, cell: float) -> None:
    body = BODIES[name]
    radius = passing_radius(body, cell)
    assert radius / cell == pytest.approx(max(round(radius / cell), 1))
    assert narrowest_opening(body, cell) >= 2.0 * (half_width(body) + MARGIN)
    assert narrowest_opening(body, cell, margin=0.2) >= 2.0 * (half_width(body) + 0.2)


def test_where_the_body_passes_but_cannot_turn_it_squeezes() -> None:
    body, cell = BODIES["long"], 0.1
    state = map_of_wall(narrowest_opening(body, cell), 0.0, (0.0, 0.0), 0.2, cell)
    costs = Costs(frame_of(cell), body.circumradius, passing=passing_radius(body, cell))
    costs.refresh(state, np.zeros(costs.frame.tiles, dtype=np.int64), 0)
    assert costs.cost[costs.frame.cell(0.0, 0.0)] == SQUEEZE_COST
    assert costs.cost[costs.frame.cell(0.0, 1.5)] < SQUEEZE_COST


def test_the_margin_is_what_a_robot_keeps_at_its_slowest() -> None:
    assert slowest_margin(LocalNavigation()) == pytest.approx(MARGIN)
