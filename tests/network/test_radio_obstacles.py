"""What stands between radios, from the terrain as it is or from a robot's map."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.network import Obstacles
from expedition.terrain import Terrain
from expedition.terrain.material import MATERIALS, material_index


def terrain_with_wall(material: str = "brick", height: float = 2.0) -> Terrain:
    """10 x 4 m in cells of half a metre; a wall one cell thick at x from 5 to 5.5."""
    occupied = np.zeros((8, 20), dtype=np.bool_)
    occupied[:, 10] = True
    return Terrain.from_occupied("wall", occupied, 0.5, (-1.0, 2.0), height, material)  # type: ignore[arg-type]


START, END = np.array([[0.0, 3.0]]), np.array([[8.0, 3.0]])


@pytest.mark.parametrize("material", ["concrete", "metal", "foliage"])
def test_wall_takes_what_its_material_does_over_its_thickness(material: str) -> None:
    crossed = Obstacles.of(terrain_with_wall(material)).crossed(START, END)
    assert crossed.walls.tolist() == [1]
    assert crossed.metres.tolist() == pytest.approx([0.5])
    assert crossed.loss_db.tolist() == pytest.approx([0.5 * MATERIALS[material_index(material)].attenuation_db_per_m])


def test_any_wall_counts_whatever_its_height() -> None:
    assert Obstacles.of(terrain_with_wall(height=0.01)).crossed(START, END).walls.tolist() == [1]


def test_obstacles_stay_the_same_while_the_terrain_does() -> None:
    terrain = terrain_with_wall()
    one = Obstacles.of(terrain)
    rectangles = one.rectangles
    assert Obstacles.of(terrain) is one
    assert Obstacles.of(terrain).rectangles is rectangles
    assert Obstacles.of(terrain_with_wall()) is not one


def test_door_that_moves_changes_what_lies_on_the_line() -> None:
    closed = terrain_with_wall()
    height = closed.wall_height_cm.copy()
    height[1:4, 10] = 0
    opened = replace(closed, wall_height_cm=height)
    ends = np.array([[8.0, 3.0], [8.0, 5.9]])
    starts = ends - [9.0, 0.0]
    seen = [Obstacles.of(terrain).crossed(starts, ends).walls.tolist() for terrain in (closed, opened, closed, opened)]
    assert seen == [[1, 1], [0, 1], [1, 1], [0, 1]]


def test_wall_of_another_material_takes_something_else() -> None:
    occupied = np.zeros((12, 12), dtype=np.bool_)
    occupied[2:10, 2:10] = True
    brick = Terrain.from_occupied("block", occupied, 0.5, material="brick")
    material = brick.material.copy()
    material[4:6, 4:6] = material_index("metal")
    clad = replace(brick, material=material)
    points = np.array([[0.5, 2.4]]), np.array([[5.5, 2.4]])
    losses = [Obstacles.of(terrain).crossed(*points).loss_db.item() for terrain in (brick, clad, brick)]
    assert losses == pytest.approx([4 * 5.5, 3 * 5.5 + 100.0, 4 * 5.5])


def test_another_terrain_of_the_same_shape_is_not_mistaken_for_the_last() -> None:
    wall = terrain_with_wall()
    assert Obstacles.of(wall).crossed(START, END).walls.tolist() == [1]
    free = Terrain.from_occupied("free", np.zeros((8, 20), dtype=np.bool_), 0.5, (-1.0, 2.0))
    assert Obstacles.of(free).crossed(START, END).walls.tolist() == [0]
    shifted = replace(wall, origin=(20.0, 20.0))
    assert Obstacles.of(shifted).crossed(START, END).walls.tolist() == [0]
    assert Obstacles.of(wall).crossed(START, END).walls.tolist() == [1]


def test_unknown_ground_of_a_map_counts_as_free() -> None:
    frame = Frame((0.0, 0.0), 0.5, 32, 32)
    state = np.full(frame.shape, UNKNOWN, dtype=np.uint8)
    state[:10] = FREE
    state[:, 6:8] = OCCUPIED
    obstacles = Obstacles.believed(state, frame, attenuation_db_per_m=7.0)
    crossed = obstacles.crossed(np.array([[1.0, 1.0], [1.0, 9.0]]), np.array([[2.5, 1.0], [9.0, 9.0]]))
    assert crossed.walls.tolist() == [0, 1]
    assert crossed.loss_db.tolist() == pytest.approx([0.0, 7.0])


def test_edges_hold_although_metres_are_not_round_in_cells() -> None:
    # (1.3 - 1.1) / 0.1 is a little less than 2.
    occupied = np.zeros((6, 6), dtype=np.bool_)
    occupied[2, 2:4] = True
    terrain = Terrain.from_occupied("edge", occupied, 0.1, (1.1, 1.1))
    along = Obstacles.of(terrain).crossed(np.array([[1.1, 1.3]]), np.array([[1.7, 1.3]]))
    assert along.walls.tolist() == [1]
    assert along.metres.tolist() == pytest.approx([0.2])


def test_unknown_inside_of_a_wall_is_the_wall() -> None:
    frame = Frame((0.0, 0.0), 0.2, 32, 32)
    state = np.full(frame.shape, FREE, dtype=np.uint8)
    state[:, 10] = state[:, 13] = OCCUPIED
    state[:, 11:13] = UNKNOWN
    state[:, 20] = OCCUPIED
    state[:, 21:] = UNKNOWN
    line = np.array([[0.5, 3.1]]), np.array([[6.0, 3.1]])
    assert Obstacles.believed(state, frame).crossed(*line).walls.tolist() == [2]
    state[:, 11:13] = FREE
    assert Obstacles.believed(state, frame).crossed(*line).walls.tolist() == [3]


def test_no_wall_of_a_map_stands_where_the_base_does() -> None:
    frame = Frame((0.0, 0.0), 0.2, 20, 40)
    state = np.full(frame.shape, FREE, dtype=np.uint8)
    state[9:12, 9:12] = OCCUPIED
    line = np.array([[2.1, 2.1]]), np.array([[7.0, 2.1]])
    assert Obstacles.believed(state, frame).crossed(*line).walls.tolist() == [1]
    assert Obstacles.believed(state, frame, base=(2.1, 2.1)).crossed(*line).walls.tolist() == [0]
