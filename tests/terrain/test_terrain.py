"""The terrain type: what it refuses, where its cells are, and what tells two of them apart."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.fleet import RobotModel, check_placement
from expedition.terrain import Change, Collapse, Door, Landmark, Person, Rectangle, Start, Terrain

AREA = Rectangle(left=3.5, bottom=-6.5, right=4.5, top=-5.5)
SHIFTED = Terrain("shifted", np.zeros((20, 30), dtype=np.uint16), 0.1, (3.0, -7.0))


def test_walls_as_high_as_something_flies_do_not_stop_it() -> None:
    heights = np.array([[0, 50, 100, 101, 200]], dtype=np.uint16)
    terrain = Terrain("steps", heights)
    assert terrain.solid_at(1.0).tolist() == [[False, False, False, True, True]]
    assert terrain.solid_at(0.0).tolist() == [[False, True, True, True, True]]
    assert terrain.solid_at(-1.0).tolist() == [[False, True, True, True, True]]


@pytest.mark.parametrize(("altitude", "fits"), [(0.99, False), (1.0, True), (1.01, True)])
def test_a_robot_may_be_placed_above_a_wall_of_exactly_its_altitude(altitude: float, fits: bool) -> None:
    model = RobotModel.model_validate(
        {
            "name": "flyer",
            "body": {"shape": "disc", "radius": 0.2, "height": 0.3, "mass": 1, "altitude": altitude},
            "drive": {
                "kind": "holonomic",
                "max_speed": 1,
                "max_turn_rate": 1,
                "max_acceleration": 1,
                "max_turn_acceleration": 1,
            },
        }
    )
    terrain = Terrain("low", np.full((20, 20), 100, dtype=np.uint16))
    poses = np.array([[1.0, 1.0, 0.0]])
    if fits:
        check_placement(terrain, (model,), poses)
    else:
        with pytest.raises(ExpeditionError, match="is in a wall"):
            check_placement(terrain, (model,), poses)


def test_cells_lie_where_the_origin_says() -> None:
    assert SHIFTED.cell(3.05, -6.95) == (0, 0)
    assert SHIFTED.cell(5.95, -5.05) == (19, 29)
    assert SHIFTED.cell(2.95, -7.05) == (-1, -1)
    assert SHIFTED.centre(0, 0) == pytest.approx((3.05, -6.95))
    assert SHIFTED.centre(4, 20) == pytest.approx((5.05, -6.55))
    assert SHIFTED.extent == pytest.approx((3.0, 6.0, -7.0, -5.0))
    assert SHIFTED.cells_in(AREA) == (slice(5, 15), slice(5, 15))
    assert SHIFTED.is_free(5.9, -6.9)
    assert not SHIFTED.is_free(5.9, -4.9)
    assert not SHIFTED.is_free(2.9, -6.9)


def test_cell_and_centre_are_inverse() -> None:
    for cell in np.ndindex(SHIFTED.shape):
        assert SHIFTED.cell(*SHIFTED.centre(*cell)) == cell


@pytest.mark.parametrize(
    "difference",
    [
        {"wall_height_cm": np.eye(20, 30, dtype=np.uint16)},
        {"resolution": 0.2},
        {"origin": (3.0, -7.1)},
        {"origin": (-7.0, 3.0)},
        {"material": np.asarray(1, dtype=np.uint8)},
        {"speed_percent": np.asarray(99, dtype=np.uint8)},
        {"landmarks": (Landmark(4.0, -6.0),)},
        {"changes": (Door(area=AREA),)},
        {"changes": (Person(waypoints=((4.0, -6.0),)),)},
        {"changes": (Collapse(area=AREA, time=1.0),)},
        {"starts": (Start(4.0, -6.0),)},
    ],
    ids=lambda difference: "-".join(difference),
)
def test_terrains_that_differ_in_anything_but_the_name_have_different_digests(difference: dict[str, Any]) -> None:
    other = replace(SHIFTED, **difference)
    assert other.digest != SHIFTED.digest
    assert other != SHIFTED


def test_order_and_headings_of_starts_are_part_of_the_digest() -> None:
    one, other, turned = Start(4.0, -6.0), Start(5.0, -6.0), Start(4.0, -6.0, 1.0)
    digests = {replace(SHIFTED, starts=starts).digest for starts in ((one, other), (other, one), (turned, other))}
    assert len(digests) == 3


@pytest.mark.parametrize("wrong", [(float("nan"), 0.0, 0.0), (0.0, 1e8, 0.0), (0.0, 0.0, float("inf"))])
def test_start_needs_a_place_and_a_heading(wrong: tuple[float, float, float]) -> None:
    with pytest.raises(ExpeditionError, match="needs finite numbers and a place"):
        Start(*wrong)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Door(area=AREA), Door(area=AREA, closed=True)),
        (Door(area=AREA), Door(area=AREA, switches=(1.0,))),
        (Collapse(area=AREA, time=1.0), Collapse(area=AREA, time=2.0)),
    ],
)
def test_terrains_that_differ_in_a_detail_of_a_change_have_different_digests(one: Change, other: Change) -> None:
    assert replace(SHIFTED, changes=(one,)).digest != replace(SHIFTED, changes=(other,)).digest


def test_terrains_of_the_same_cells_in_another_shape_have_different_digests() -> None:
    wide, tall = (Terrain("flat", np.zeros(shape, dtype=np.uint16)) for shape in ((2, 6), (6, 2)))
    assert wide.digest != tall.digest


def test_equal_terrains_have_equal_digests_whatever_their_names() -> None:
    again = Terrain("again", np.zeros((20, 30), dtype=np.int64), 0.1, (3, -7))
    assert again.digest == SHIFTED.digest
    assert again == SHIFTED
    assert hash(again) == hash(SHIFTED)


ZEROS = np.zeros((2, 3), dtype=np.uint16)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"wall_height_cm": np.array([[-1, 70000]])}, "wall_height_cm: must hold whole numbers from 0 to 65535"),
        ({"wall_height_cm": np.array([[-1, 7]])}, "wall_height_cm: must hold whole numbers from 0 to 65535"),
        ({"wall_height_cm": np.array([[1, 70000]])}, "wall_height_cm: must hold whole numbers from 0 to 65535"),
        ({"wall_height_cm": np.array([[0.0, math.nan]])}, "wall_height_cm: must hold whole numbers"),
        ({"wall_height_cm": np.array([["a", "b"]])}, "wall_height_cm: must hold whole numbers"),
        ({"wall_height_cm": np.zeros(3, dtype=np.uint16)}, "needs rows and columns of cells"),
        ({"wall_height_cm": np.zeros((1, 2, 3), dtype=np.uint16)}, "needs rows and columns of cells"),
        ({"wall_height_cm": np.zeros((0, 3), dtype=np.uint16)}, "needs rows and columns of cells"),
        ({"material": np.zeros((3, 2), dtype=np.uint8)}, r"material: must have the shape \(2, 3\)"),
        ({"material": np.zeros((1, 2, 3), dtype=np.uint8)}, r"material: must have the shape \(2, 3\)"),
        ({"material": np.asarray(200)}, "material: must hold whole numbers from 0 to"),
        ({"speed_percent": np.full((2, 4), 100)}, r"speed_percent: must have the shape \(2, 3\)"),
        ({"speed_percent": np.asarray(0)}, "speed_percent: must hold whole numbers from 1 to 100"),
        ({"speed_percent": np.asarray(math.nan)}, "speed_percent: must hold whole numbers from 1 to 100"),
        ({"origin": (0.0, 0.0, 0.0)}, "origin must be two numbers"),
        ({"origin": (0.0, math.nan)}, "origin must be two numbers"),
        ({"resolution": math.nan}, "resolution must be within"),
        ({"resolution": 0.0}, "resolution must be within"),
    ],
)
def test_layers_and_numbers_that_make_no_terrain_are_refused(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(ExpeditionError, match=reason):
        Terrain(**{"name": "bad", "wall_height_cm": ZEROS, **fields})


def test_a_terrain_keeps_its_walls_when_the_callers_array_changes() -> None:
    heights, material = np.zeros((2, 3), dtype=np.uint16), np.zeros((2, 3), dtype=np.uint8)
    speed = np.full((2, 3), 100, dtype=np.uint8)
    terrain = Terrain("own", heights, material=material, speed_percent=speed)
    digest = terrain.digest
    heights[:], material[:], speed[:] = 200, 1, 50
    assert not terrain.occupied.any()
    assert not terrain.material.any()
    assert (terrain.speed_percent == 100).all()
    assert replace(terrain, name="copy").digest == digest
    for layer in (terrain.wall_height_cm, terrain.material, terrain.speed_percent, terrain.occupied):
        with pytest.raises(ValueError, match="read-only"):
            layer[0, 0] = 1


@pytest.mark.parametrize("centimetres", [29, 57, 58, 113, 115, 200])
def test_a_wall_does_not_rise_above_its_own_height_whatever_the_rounding(centimetres: int) -> None:
    wall = Terrain("wall", np.array([[centimetres]], dtype=np.uint16))
    assert not wall.solid_at(centimetres / 100).any()
    assert wall.solid_at((centimetres - 1) / 100).all()
