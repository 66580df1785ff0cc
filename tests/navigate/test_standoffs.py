"""Standoffs with teammates that are not heard: what stands on a path, where there is room, and whose turn it is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.belief.grid import FREE, OCCUPIED, Frame
from expedition.navigate.costs import Costs
from expedition.navigate.refuge import find_refuge, find_room
from expedition.navigate.standoffs import RESTS, TRIES, WAITS, WAITS_LONGER, Standoffs, walls_on

FRAME = Frame.around((0.0, 12.0, 0.0, 8.0), 0.1)
RADIUS = 0.3
PATH = np.array([[1.0, 4.0], [11.0, 4.0]])


def map_with(*walls: tuple[float, float, float, float]) -> np.ndarray:
    """Open ground with walls (left, bottom, right, top)."""
    state = np.full(FRAME.shape, FREE, dtype=np.uint8)
    for left, bottom, right, top in walls:
        (row, column), (last_row, last_column) = FRAME.cell(left, bottom), FRAME.cell(right, top)
        state[row:last_row, column:last_column] = OCCUPIED
    return state


def costs_of(state: np.ndarray) -> Costs:
    costs = Costs(FRAME, RADIUS, passing=0.2)
    costs.refresh(state, np.zeros(FRAME.tiles, dtype=np.int64), 0)
    return costs


def corridor(width: float) -> np.ndarray:
    """Two rooms, joined by a corridor from x = 4 to x = 8 around y = 4."""
    return map_with((4.0, 0.0, 8.0, 4.0 - 0.5 * width), (4.0, 4.0 + 0.5 * width, 8.0, 8.0))


def test_walls_on_a_path_are_those_that_a_body_on_it_would_touch() -> None:
    state = map_with((4.0, 3.9, 4.2, 4.1), (6.0, 5.0, 6.3, 5.3), (10.0, 3.9, 10.2, 4.1))
    everywhere, near = walls_on(PATH, state, FRAME, 0.3), walls_on(PATH, state, FRAME, 0.3, (3.0, 4.2))
    columns = FRAME.centres(np.column_stack(np.divmod(near, FRAME.columns)))[:, 0]
    assert len(everywhere) > len(near) > 0
    assert (np.abs(columns - 4.1) < 0.2).all()
    assert len(walls_on(PATH, state, FRAME, 0.3, (3.0, 6.0))) == 0


def test_a_robot_in_a_corridor_finds_room_to_be_passed_in_the_room_that_it_came_from() -> None:
    costs = costs_of(corridor(0.8))
    path = find_room(costs.cost, FRAME, costs.escape_cells, (5.5, 4.0), RADIUS, (6.3, 4.0))
    assert path is not None
    x, y = path.points[-1]
    assert x < 4.0
    assert math.hypot(x - 4.0, y - 4.0) > 1.5 * RADIUS


def test_there_is_no_room_where_the_other_would_be_cut_off_wherever_one_stands() -> None:
    dead_end = corridor(0.8)
    dead_end[:, : FRAME.cell(4.0, 0.0)[1]] = OCCUPIED
    costs = costs_of(dead_end)
    assert find_room(costs.cost, FRAME, costs.escape_cells, (4.6, 4.0), RADIUS, (5.4, 4.0)) is None


@pytest.mark.parametrize("width", [0.8, 1.0])
def test_no_way_out_leads_past_the_teammate_that_asks_for_it(width: float) -> None:
    dead_end = corridor(width)
    dead_end[:, : FRAME.cell(4.0, 0.0)[1]] = OCCUPIED
    costs = costs_of(dead_end)
    lane = np.array([(5.5, 4.0), (4.6, 4.0), (4.3, 4.0)])
    refuge = find_refuge(
        costs.cost, FRAME, costs.escape_cells, (4.6, 4.0), RADIUS, lane, RADIUS, np.empty((0, 3))
    )  # fmt: skip
    assert refuge is None


def test_what_stands_in_the_way_is_waited_for_a_number_of_times_and_then_left_alone_for_a_while() -> None:
    standoffs, time = Standoffs(1, 7), 10.0
    for _ in range(TRIES):
        assert standoffs.may_try(0, 3.0, 4.0, time)
        standoffs.begin(0, 3.0, 4.0, time)
        assert standoffs.is_waiting(0, time + WAITS - 0.1)
        assert not standoffs.ends(0, time)
        time += WAITS + WAITS_LONGER
        assert not standoffs.is_waiting(0, time)
        assert standoffs.ends(0, time)
        assert not standoffs.ends(0, time)
    assert not standoffs.may_try(0, 3.2, 4.0, time)
    assert standoffs.may_try(0, 9.0, 4.0, time)
    assert standoffs.may_try(0, 3.2, 4.0, time + RESTS)


def test_two_robots_choose_differently_sooner_or_later_and_always_the_same_with_a_seed() -> None:
    chosen = []
    for _ in range(2):
        standoffs = Standoffs(2, 3)
        chosen.append([[standoffs.begin(robot, 3.0, 4.0, 20.0 * k) for k in range(TRIES)] for robot in range(2)])
    assert chosen[0] == chosen[1]
    assert chosen[0][0] != chosen[0][1]
