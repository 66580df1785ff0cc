"""What floor plans promise: ways as wide as they say, rooms that can be reached unless they are sealed, and variety."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from expedition.errors import ExpeditionError
from expedition.terrain import Terrain, terrain
from expedition.terrain.area import standing_room
from expedition.terrain.floorplan.drawing import Drawing, Plan
from expedition.terrain.floorplan.generator import make_plan
from expedition.terrain.floorplan.polygons import Box, Canvas, Frame
from expedition.terrain.floorplan.rooms import Room

RADIUS = 0.275

seeds = st.integers(0, 2**40)


def made_or_reason(**parameters: Any) -> Terrain | str:
    try:
        return terrain.make("floorplan", **parameters)
    except ExpeditionError as error:
        return str(error)


def free_cells_of(room: Room, made: Terrain) -> np.ndarray:
    """The free cells of a room, those of a closet in its corner left out."""
    canvas = Canvas(made.shape, made.resolution)
    cells = np.zeros(made.shape, dtype=bool)
    window, inside = canvas.cells(room.frame.corners(room.box))
    cells[window] = inside
    if room.closet:
        window, inside = canvas.cells(room.frame.corners(room.closet), cells=0.5)
        cells[window] &= ~inside
    return cells & ~made.occupied


def check_rooms(plan: Plan, made: Terrain) -> None:
    """A disc of 0.55 m gets from the corridor into every room that is not sealed, and into no other."""
    # A speck may lie just where the plan starts: begin beside it, too.
    x, y = plan.start
    reached = made.reachable([(x + dx, y + dy) for dx in (-0.4, 0.0, 0.4) for dy in (-0.4, 0.0, 0.4)], RADIUS)
    for room in plan.floor.rooms:
        cells = free_cells_of(room, made)
        share = np.count_nonzero(cells & reached) / np.count_nonzero(cells)
        assert share < 0.1 if room.sealed else share > 0.7, (room.kind, room.middle, share)


@pytest.mark.parametrize("seed", range(20))
def test_all_rooms_but_sealed_ones_are_reached_and_most_of_the_free_area(seed: int) -> None:
    made, plan = terrain.make("floorplan", seed=seed), make_plan(seed)
    check_rooms(plan, made)
    assert made.reachable_area([plan.start], RADIUS) > 0.85 * made.free_area


@settings(max_examples=15)
@given(
    seed=seeds,
    size=st.tuples(st.integers(20, 45), st.integers(20, 45)),
    corridor=st.floats(0.9, 1.5),
    more_corridor=st.floats(0, 2),
    door=st.floats(0.6, 1.0),
    more_door=st.floats(0, 1.0),
    max_turn=st.floats(0, 60),
    closets=st.floats(0, 1),
    sealed=st.floats(0, 1),
    furniture=st.floats(0, 0.5),
    specks=st.floats(0, 0.3),
    surround=st.sampled_from(["solid", "free"]),
    open_edges=st.booleans(),
)
def test_rooms_are_reached_with_any_parameters(
    seed: int,
    size: tuple[int, int],
    corridor: float,
    more_corridor: float,
    door: float,
    more_door: float,
    max_turn: float,
    closets: float,
    sealed: float,
    furniture: float,
    specks: float,
    surround: str,
    open_edges: bool,
) -> None:
    made = terrain.make(
        "floorplan",
        seed=seed,
        size=size,
        min_corridor_width=corridor,
        max_corridor_width=corridor + more_corridor,
        min_door_width=door,
        max_door_width=door + more_door,
        max_turn=max_turn,
        closets=closets,
        sealed=sealed,
        furniture=furniture,
        speck_density=specks,
        surround=surround,
        open_edges=open_edges,
    )
    plan = make_plan(
        seed,
        size,
        corridors=(corridor, corridor + more_corridor),
        doors=(door, door + more_door),
        max_turn=max_turn,
        closets=closets,
        sealed=sealed,
        surround=surround,
        open_edges=open_edges,
    )
    check_rooms(plan, made)


@settings(max_examples=60)
@given(
    angle=st.floats(0, math.pi),
    x=st.floats(3.9, 4.1),
    y=st.floats(3.9, 4.1),
    width=st.floats(0.5, 1.5),
    wall=st.floats(0.15, 0.3),
    resolution=st.sampled_from([0.05, 0.1]),
)
def test_a_door_is_as_wide_as_it_says_at_any_angle(
    angle: float, x: float, y: float, width: float, wall: float, resolution: float
) -> None:
    frame = Frame(x, y, angle)
    drawing = Drawing(Canvas((round(8 / resolution), round(8 / resolution)), resolution))
    for room in (Box(-2, -2, 2, 0), Box(-2, wall, 2, 2)):
        drawing.carve(frame.corners(room))
    assert ndimage.label(~drawing.solid)[1] == 2
    drawing.open_door(frame.corners(Box(-width / 2, -0.2, width / 2, wall + 0.2)))
    window, inside = drawing.canvas.cells(frame.corners(Box(-width / 2, 0, width / 2, wall)), cells=0.5 - 1e-6)
    assert not drawing.solid[window][inside].any()
    regions, _ = ndimage.label(standing_room(drawing.solid, 0.5 * width / resolution - 0.25))
    below, above = (
        regions[int(v / resolution), int(u / resolution)] for u, v in (frame.point(0, -1), frame.point(0, wall + 0.9))
    )
    assert below == above > 0


def test_a_narrow_door_stops_a_robot() -> None:
    for degrees in range(0, 90, 5):
        frame = Frame(4.0, 4.0, math.radians(degrees))
        drawing = Drawing(Canvas((80, 80), 0.1))
        for box in (Box(-2, -2, 2, 0), Box(-2, 0.2, 2, 2)):
            drawing.carve(frame.corners(box))
        drawing.open_door(frame.corners(Box(-0.2, -0.2, 0.2, 0.4)), narrow=True)
        assert ndimage.label(~drawing.solid)[1] == 1
        assert ndimage.label(standing_room(drawing.solid, 2.75))[1] == 2


def test_doors_are_clear_of_furniture_and_specks() -> None:
    for seed in range(5):
        made, plan = terrain.make("floorplan", seed=seed, furniture=0.5, speck_density=0.3), make_plan(seed)
        for room in plan.floor.rooms:
            for door in room.doors:
                window, inside = Canvas(made.shape, 0.1).cells(room.frame.corners(door.box))
                assert not made.occupied[window][inside].any()


def test_plans_differ_in_number_length_and_angle_of_their_wings() -> None:
    plans = [make_plan(seed).building.wings for seed in range(30)]
    assert {len(wings) for wings in plans} == {1, 2, 3}
    angles = [wing.frame.angle % (math.pi / 2) for wings in plans for wing in wings]
    assert sum(0.1 < angle < math.pi / 2 - 0.1 for angle in angles) > len(angles) / 2
    lengths = [wing.length for wings in plans for wing in wings]
    assert max(lengths) > 2 * min(lengths)
    assert len({terrain.make("floorplan", seed=seed).digest for seed in range(8)}) == 8


def test_same_seed_gives_the_same_plan_whatever_was_made_before() -> None:
    first = terrain.make("floorplan", seed=5).digest
    terrain.make("floorplan", seed=6)
    assert terrain.make("floorplan", seed=5).digest == first


def test_without_turns_all_wings_are_at_right_angles() -> None:
    for seed in range(10):
        for wing in make_plan(seed, max_turn=0).building.wings:
            quarters = wing.frame.angle / (math.pi / 2)
            assert quarters == pytest.approx(round(quarters))


def test_without_sealed_rooms_all_free_ground_is_one_region() -> None:
    for seed in range(5):
        made = terrain.make("floorplan", seed=seed, sealed=0)
        assert ndimage.label(~made.occupied)[1] == 1


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6])
def test_sealed_rooms_keep_to_their_share_of_the_area(share: float) -> None:
    found = []
    for seed in range(6):
        rooms = make_plan(seed, sealed=share).floor.rooms
        found.append(sum(room.area for room in rooms if room.sealed) / sum(room.area for room in rooms))
    assert max(found) <= share
    assert np.mean(found) >= 0.6 * share


def edges(made: Terrain) -> np.ndarray:
    occupied = made.occupied
    return np.concatenate([occupied[0], occupied[-1], occupied[:, 0], occupied[:, -1]])


@pytest.mark.parametrize("surround", ["solid", "free"])
def test_the_map_is_closed_unless_its_edges_are_open(surround: str) -> None:
    for seed in range(6):
        closed, opened = (
            terrain.make("floorplan", seed=seed, surround=surround, open_edges=open_edges)
            for open_edges in (False, True)
        )
        assert edges(closed).all()
        free = np.count_nonzero(~edges(opened)) * 0.1
        assert 0.9 < free < 4 if surround == "solid" else free > 139


def test_open_ground_around_a_building_is_reached_from_its_corridor() -> None:
    for seed in range(6):
        made, plan = terrain.make("floorplan", seed=seed, surround="free"), make_plan(seed, surround="free")
        reached = made.reachable([plan.start], RADIUS)
        assert reached[10, 10]
        assert reached[-10, -10]


def test_more_furniture_and_specks_cover_more_ground() -> None:
    bare, furnished, strewn = (
        terrain.make("floorplan", seed=4, furniture=furniture, speck_density=specks).free_area
        for furniture, specks in ((0, 0), (0.2, 0), (0, 0.3))
    )
    assert bare > 1.02 * furnished
    assert bare > strewn


def test_furniture_is_lower_than_the_walls() -> None:
    made = terrain.make("floorplan", wall_height=2.2)
    assert set(np.unique(made.wall_height_cm)) == {0, 75, 120, 180, 220}
    assert terrain.make("floorplan", wall_height=0.5).wall_height_cm.max() == 50


@pytest.mark.parametrize("resolution", [0.05, 0.1, 0.2])
def test_no_gap_leads_into_a_room_without_a_door(resolution: float) -> None:
    for seed in range(3):
        options = {"resolution": resolution, "sealed": 1.0, "surround": "free"}
        made, plan = terrain.make("floorplan", seed=seed, **options), make_plan(seed, **options)
        regions, _ = ndimage.label(~made.occupied)
        outside = regions[made.cell(1.0, 1.0)]
        shut = [room for room in plan.floor.rooms if room.sealed and not room.doors]
        assert shut
        assert not any((regions[free_cells_of(room, made)] == outside).any() for room in shut)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("floorplan:size=6", "too small for a wing"),
        ("floorplan:size=12,surround=free", "too small for a wing"),
        ("floorplan:min_corridor_width=3", "above max_corridor_width"),
        ("floorplan:min_door_width=1.3", "above max_door_width"),
        ("floorplan:min_corridor_width=0.5", "greater than or equal to 0.9"),
        ("floorplan:surround=water", "'solid' or 'free'"),
    ],
)
def test_impossible_parameters_are_refused_with_the_reason(spec: str, reason: str) -> None:
    with pytest.raises(ExpeditionError) as caught:
        terrain.make(spec)
    assert reason in str(caught.value)
    assert str(caught.value).startswith("floorplan")


@settings(max_examples=30)
@given(
    parameters=st.dictionaries(
        st.sampled_from(sorted(terrain.find("floorplan").parameters.model_fields)),
        st.integers(-2, 30) | st.floats(0.1, 30) | st.floats(0, 1) | st.booleans() | st.none() | st.text(max_size=3),
        max_size=3,
    ),
)
def test_any_parameters_make_a_sound_terrain_or_one_sentence(parameters: dict[str, Any]) -> None:
    made = made_or_reason(**parameters)
    if isinstance(made, str):
        assert "\n" not in made
        return
    assert made.free_cells > 0
