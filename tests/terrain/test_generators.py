"""What every generated terrain promises, for any seed and any parameters that are accepted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from expedition.errors import ExpeditionError
from expedition.streams import generator
from expedition.terrain import Terrain, building, cave, forest, indoor, office, perfect_maze, terrain
from expedition.terrain.area import standing_room
from expedition.terrain.rooms import Groups, Room, shared_walls

NAMES = ("building", "cave", "forest", "indoor", "office", "perfect-maze")
MODULES = (building, cave, forest, indoor, office, perfect_maze)
assert {module.__name__.rpartition(".")[2].replace("_", "-") for module in MODULES} == set(NAMES)
ROBOT = 0.3

quick = settings(max_examples=25)
seeds = st.integers(0, 2**40)
side = st.integers(14, 40)
sizes = side | st.tuples(side, side)


def regions_of(free: np.ndarray) -> int:
    return int(ndimage.label(free)[1])


def made_or_reason(name: str, **parameters: Any) -> Terrain | str:
    try:
        return terrain.make(name, **parameters)
    except ExpeditionError as error:
        return str(error)


def promises(made: Terrain) -> None:
    """Closed borders, one region of free cells, and one region for a robot of radius 0.3 m."""
    occupied = made.occupied
    assert occupied[0].all()
    assert occupied[-1].all()
    assert occupied[:, 0].all()
    assert occupied[:, -1].all()
    assert regions_of(~occupied) == 1
    assert regions_of(standing_room(occupied, ROBOT / made.resolution)) == 1


@pytest.mark.parametrize("name", NAMES)
def test_default_terrain_is_one_closed_region_for_a_robot(name: str) -> None:
    for seed in range(3):
        promises(terrain.make(name, seed=seed))


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_gives_the_same_terrain_whatever_was_made_before(name: str) -> None:
    first = terrain.make(name, seed=5).digest
    others = {terrain.make(name, seed=seed).digest for seed in (4, 6, 7)}
    assert terrain.make(name, seed=5).digest == first
    assert len(others | {first}) == 4


@quick
@given(
    seed=seeds,
    size=sizes,
    fill=st.floats(0.2, 0.55),
    runs=st.integers(0, 6),
    corridor=st.integers(1, 3),
    extra=st.integers(0, 3),
    border=st.integers(1, 3),
    smallest=st.integers(0, 30),
    smooth=st.booleans(),
    cells_per_tile=st.sampled_from([1, 2, 4, 5, 10]),
)
def test_cave_is_one_region_or_refused(
    seed: int,
    size: Any,
    fill: float,
    runs: int,
    corridor: int,
    extra: int,
    border: int,
    smallest: int,
    smooth: bool,
    cells_per_tile: int,
) -> None:
    made = made_or_reason(
        "cave",
        seed=seed,
        size=size,
        resolution=1 / cells_per_tile,
        fill=fill,
        smoothing_runs=runs,
        min_corridor=corridor,
        passage_width=corridor + extra,
        border=border,
        min_region=smallest,
        smooth_edges=smooth,
    )
    if isinstance(made, str):
        assert "is left; lower fill" in made
        return
    assert made.occupied[: border * cells_per_tile].all()
    assert regions_of(~made.occupied) == 1
    if corridor > 1 and cells_per_tile > 1:
        promises(made)


@quick
@given(
    seed=seeds,
    size=sizes,
    hall=st.integers(1, 5),
    share=st.floats(0, 0.6),
    room=st.integers(2, 8),
    chance=st.floats(0, 1),
    door=st.integers(1, 2),
    padding=st.integers(0, 3),
    extra=st.floats(0, 1),
    wall=st.integers(1, 2),
)
def test_building_is_one_region(
    seed: int,
    size: Any,
    hall: int,
    share: float,
    room: int,
    chance: float,
    door: int,
    padding: int,
    extra: float,
    wall: int,
) -> None:
    promises(
        terrain.make(
            "building",
            seed=seed,
            size=size,
            resolution=0.25,
            hall_width=hall,
            max_hall_share=share,
            min_room_side=room,
            split_chance=chance,
            door_width=door,
            door_padding=padding,
            extra_doors=extra,
            wall_thickness=wall,
        )
    )


@quick
@given(seed=seeds, width=st.integers(10, 200), height=st.integers(10, 200), share=st.floats(0, 0.5))
def test_halls_keep_to_their_share_and_meet_each_other(seed: int, width: int, height: int, share: float) -> None:
    floor = Room(1, 1, 1 + width, 1 + height)
    halls, regions = building._lay_halls(floor, 4, 6, 1, share, generator(seed, "test"))
    assert sum(hall.area for hall in halls) <= share * floor.area
    assert all(min(region.width, region.height) >= 6 for region in regions if region != floor)
    numbers = np.zeros((height + 2, width + 2), dtype=np.int32)
    for number, hall in enumerate(halls, start=1):
        assert not numbers[hall.tiles].any()
        numbers[hall.tiles] = number
    groups = Groups(len(halls) + 1)
    joins = sum(groups.join(wall.first, wall.second) for wall in shared_walls(numbers, 1))
    assert joins == max(0, len(halls) - 1)


@quick
@given(seed=seeds, columns=st.integers(2, 12), rows=st.integers(2, 12))
def test_perfect_maze_has_one_way_between_any_two_cells(seed: int, columns: int, rows: int) -> None:
    made = terrain.make("perfect-maze", seed=seed, size=(4 * columns, 4 * rows), resolution=0.2)
    promises(made)
    assert maze_passages(made, columns, rows) == columns * rows - 1


@quick
@given(seed=seeds, columns=st.integers(2, 12), rows=st.integers(2, 12), loops=st.floats(0, 1))
def test_loops_open_their_share_of_the_inner_walls(seed: int, columns: int, rows: int, loops: float) -> None:
    made = terrain.make("perfect-maze", seed=seed, size=(4 * columns, 4 * rows), resolution=0.2, loops=loops)
    promises(made)
    walls = (columns - 1) * rows + columns * (rows - 1) - (columns * rows - 1)
    assert maze_passages(made, columns, rows) == columns * rows - 1 + round(loops * walls)


def maze_passages(made: Terrain, columns: int, rows: int) -> int:
    upright = sum(made.is_free(4 * x, 4 * y + 2) for x in range(1, columns) for y in range(rows))
    return upright + sum(made.is_free(4 * x + 2, 4 * y) for x in range(columns) for y in range(1, rows))


@quick
@given(
    seed=seeds,
    size=st.tuples(st.integers(15, 60), st.integers(15, 50)),
    corridor=st.floats(1.2, 3),
    depth=st.floats(3, 5),
    narrowest=st.floats(2, 4),
    more=st.floats(0, 4),
    open_plan=st.floats(0, 0.5),
    meeting=st.floats(0, 0.5),
    desks=st.booleans(),
)
def test_office_is_one_region_with_brick_outside(
    seed: int,
    size: tuple[int, int],
    corridor: float,
    depth: float,
    narrowest: float,
    more: float,
    open_plan: float,
    meeting: float,
    desks: bool,
) -> None:
    made = terrain.make(
        "office",
        seed=seed,
        size=size,
        corridor_width=corridor,
        office_depth=depth,
        min_office_width=narrowest,
        max_office_width=narrowest + more,
        open_plan=open_plan,
        meeting_rooms=meeting,
        desks=desks,
    )
    promises(made)
    assert (made.material[0] == 1).all()
    assert desks or (made.wall_height_cm[made.occupied] == 260).all()


@quick
@given(
    seed=seeds,
    size=sizes,
    density=st.floats(0, 0.3),
    shape=st.sampled_from(["disc", "square", "polygon", "mixed"]),
    smallest=st.floats(0.4, 1.5),
    more=st.floats(0, 1.5),
    gap=st.floats(0.9, 2),
)
def test_forest_meets_its_density_or_is_refused(
    seed: int, size: Any, density: float, shape: str, smallest: float, more: float, gap: float
) -> None:
    made = made_or_reason(
        "forest",
        seed=seed,
        size=size,
        density=density,
        shape=shape,
        min_size=smallest,
        max_size=smallest + more,
        min_gap=gap,
    )
    if isinstance(made, str):
        assert "cannot be met" in made
        return
    promises(made)
    inner = made.occupied[5:-5, 5:-5]
    assert np.count_nonzero(inner) / inner.size == pytest.approx(density, abs=0.01)
    obstacles, count = ndimage.label(inner, structure=np.ones((3, 3)))
    if count > 1:
        middle = obstacles == 1
        distance = ndimage.distance_transform_edt(~middle)[(obstacles > 1)].min()
        assert (distance - 1) * 0.1 > gap - 0.15


def test_ordinary_densities_are_met() -> None:
    for density in (0.02, 0.05, 0.1, 0.13):
        made = terrain.make("forest", density=density)
        inner = made.occupied[5:-5, 5:-5]
        assert np.count_nonzero(inner) / inner.size == pytest.approx(density, abs=0.003)


def test_smooth_cave_edges_leave_most_of_the_cave_as_it_is() -> None:
    smooth, blocky = (terrain.make("cave", seed=3, size=40, smooth_edges=smooth) for smooth in (True, False))
    differing = np.count_nonzero(smooth.occupied != blocky.occupied)
    assert 0 < differing < 0.03 * smooth.occupied.size
    assert (smooth.occupied[5::10, 5::10] == blocky.occupied[5::10, 5::10]).all()


def test_layout_does_not_depend_on_the_resolution() -> None:
    for spec in ("building:size=40", "cave:size=40,smooth_edges=false", "perfect-maze"):
        fine, coarse = terrain.make(spec, resolution=0.1), terrain.make(spec, resolution=0.2)
        assert (fine.occupied[::2, ::2] == coarse.occupied).all()


def test_indoor_scene_is_38_by_26_m_at_every_resolution() -> None:
    for resolution in (0.2, 0.1, 0.05):
        made = terrain.make("indoor", resolution=resolution)
        promises(made)
        assert made.extent == pytest.approx((0, 38, 0, 26))
        assert made.free_area == pytest.approx(terrain.make("indoor").free_area)


@settings(max_examples=10)
@given(seed=seeds, spacing=st.floats(0.5, 20))
def test_indoor_landmarks_hang_free_before_a_wall_with_descriptors_of_their_own(seed: int, spacing: float) -> None:
    made = terrain.make("indoor", seed=seed, landmarks=spacing)
    assert len({landmark.descriptor for landmark in made.landmarks}) == len(made.landmarks)
    assert len({(landmark.x, landmark.y) for landmark in made.landmarks}) == len(made.landmarks)
    for landmark in made.landmarks:
        assert made.is_free(landmark.x, landmark.y)
        around = [(landmark.x + dx, landmark.y + dy) for dx, dy in ((0.05, 0), (-0.05, 0), (0, 0.05), (0, -0.05))]
        assert not all(made.is_free(*point) for point in around)


def test_closer_landmarks_are_more() -> None:
    few, many = (len(terrain.make("indoor", landmarks=spacing).landmarks) for spacing in (4.0, 1.0))
    assert many > 3 * few > 0


def test_landmark_places_do_not_depend_on_the_seed_but_descriptors_do() -> None:
    one, other = (terrain.make("indoor", seed=seed).landmarks for seed in (1, 2))
    assert [(mark.x, mark.y) for mark in one] == [(mark.x, mark.y) for mark in other]
    assert not {mark.descriptor for mark in one} & {mark.descriptor for mark in other}


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("building:size=7", "too small for a room"),
        ("building:size=10,hall_width=9,min_room_side=3", "hall_width 9 m does not fit"),
        ("building:door_width=7", "wider than a room"),
        ("building:size=50.5", "whole number of tiles"),
        ("building:resolution=0.3", "whole number of cells"),
        ("cave:size=5", "no room for a corridor"),
        ("cave:fill=1", "no room of 10 tiles"),
        ("cave:passage_width=1", "narrower than min_corridor"),
        ("cave:size=9000", "at most 64,000,000"),
        ("cave:size=[75,0]", "one number of metres or WIDTHxHEIGHT"),
        ("cave:size=[1,2,3]", "one number of metres or WIDTHxHEIGHT"),
        ("cave:size=.inf", "one number of metres or WIDTHxHEIGHT"),
        ("cave:seed=-1", "greater than or equal to 0"),
        ("cave:fil=0.4", "did you mean 'fill'"),
        ("perfect-maze:size=41", "whole number of maze cells"),
        ("perfect-maze:size=4", "less than two maze cells"),
        ("perfect-maze:cell=4,wall_thickness=4", "leave no corridor"),
        ("office:size=8", "too small for rooms"),
        ("office:door_width=2.5", "does not fit into the front"),
        ("office:min_office_width=5,max_office_width=4", "above max_office_width"),
        ("office:open_plan=0.8,meeting_rooms=0.5", "more than all rooms"),
        ("forest:density=0.6", "cannot be met"),
        ("forest:size=3", "no place for an obstacle"),
        ("forest:min_size=0.1", "less than two cells"),
        ("forest:min_size=2,max_size=1", "above max_size"),
        ("forest:max_size=50,size=200,resolution=0.02,min_gap=1", "at most 64,000,000"),
        ("forest:max_size=50,size=150,resolution=0.02,min_gap=1", "more than 1000 cells"),
        ("indoor:resolution=0.03", "whole number of cells"),
    ],
)
def test_impossible_parameters_are_refused_with_the_reason(spec: str, reason: str) -> None:
    with pytest.raises(ExpeditionError) as caught:
        terrain.make(spec)
    assert reason in str(caught.value)
    assert str(caught.value).startswith(spec.partition(":")[0])


def free_tiles(spec: str, **parameters: Any) -> np.ndarray:
    """Where a terrain of whole tiles is free."""
    return ~terrain.make(spec, resolution=1, **parameters).occupied


CAVE = "cave:smooth_edges=false,size=60"


def test_caves_drop_small_rocks() -> None:
    """In an airy cave the only rocks are pillars; the least size decides which of them stay."""
    for seed in range(3):
        options = {"seed": seed, "fill": 0.15, "smoothing_runs": 0, "min_corridor": 1, "passage_width": 1}
        all_rocks = ~free_tiles(CAVE, min_region=0, **options)
        large_rocks = ~free_tiles(CAVE, min_region=40, **options)
        regions, count = ndimage.label(all_rocks, structure=np.ones((3, 3)))
        small = np.bincount(regions.ravel())[regions] < 40
        assert count > 10
        assert not (large_rocks & small).any()


def test_caves_drop_small_rooms() -> None:
    """In a dense cave most rooms are small; those below the least size are left as rock."""
    for seed in range(3):
        options = {"seed": seed, "fill": 0.56, "smoothing_runs": 4, "min_corridor": 1, "passage_width": 1}
        every_room = free_tiles(CAVE, min_region=0, **options)
        large_rooms = free_tiles(CAVE, min_region=60, **options)
        assert np.count_nonzero(large_rooms) < 0.9 * np.count_nonzero(every_room)


def test_smoothing_runs_shorten_the_walls_of_a_cave() -> None:
    def wall_length(runs: int) -> int:
        free = free_tiles(CAVE, smoothing_runs=runs, min_region=0, min_corridor=1, passage_width=1)
        return np.count_nonzero(np.diff(free, axis=0)) + np.count_nonzero(np.diff(free, axis=1))

    lengths = [wall_length(runs) for runs in (0, 1, 4)]
    assert lengths[0] > 1.5 * lengths[1] > 1.5 * lengths[2]


def test_wider_passages_contain_narrower_ones() -> None:
    for seed in range(3):
        narrow, wide = (free_tiles(CAVE, seed=seed, passage_width=width) for width in (2, 6))
        assert (wide | ~narrow).all()
        assert np.count_nonzero(wide) > np.count_nonzero(narrow)


def test_extra_doors_only_add_openings() -> None:
    for seed in range(3):
        needed, all_doors = (free_tiles("building", seed=seed, extra_doors=chance) for chance in (0, 1))
        assert np.count_nonzero(all_doors) > np.count_nonzero(needed)


def test_a_split_chance_of_nothing_leaves_the_regions_between_halls_whole() -> None:
    region = Room(1, 1, 41, 31)
    assert building._split(region, 6, 1, 0.0, generator(1, "test")) == [region]
    fully = building._split(region, 6, 1, 1.0, generator(1, "test"))
    assert len(fully) > 6
    assert all(min(room.width, room.height) >= 6 and max(room.width, room.height) < 13 for room in fully)
    free = [np.count_nonzero(free_tiles("building", split_chance=chance, extra_doors=0)) for chance in (0, 0.5, 1)]
    assert free[0] > free[1] > free[2]


@pytest.mark.parametrize(("length", "clear"), [(20, 3), (8, 3), (5, 1), (2, 0)])
def test_doors_keep_their_padding_from_corners_where_the_wall_allows(length: int, clear: int) -> None:
    numbers = np.zeros((length, 3), dtype=np.int32)
    numbers[:, 0], numbers[:, 2] = 1, 2
    walls = shared_walls(numbers, 1)
    starts = {building._openings(walls, 0, 2, 2, 3, 0.0, generator(seed, "test"))[0][0].start for seed in range(200)}
    assert starts == set(range(clear, length - 2 - clear + 1))


def test_door_padding_moves_the_doors_of_a_building() -> None:
    near, far = (free_tiles("building", extra_doors=0, door_padding=padding) for padding in (0, 3))
    assert (near != far).any()
    assert np.count_nonzero(near) == np.count_nonzero(far)


def test_shared_walls_are_found_as_by_looking_at_every_tile() -> None:
    rng = np.random.default_rng(1)
    for thickness in (1, 2):
        numbers = rng.integers(0, 3, (12, 12)).astype(np.int32)
        expected = set()
        for row in range(12):
            for column in range(12 - thickness - 1):
                between = numbers[row, column + 1 : column + 1 + thickness]
                first, second = int(numbers[row, column]), int(numbers[row, column + thickness + 1])
                if first and second and not between.any():
                    expected.add((row, column + 1, first, second))
        found = [wall for wall in shared_walls(numbers, thickness) if wall.vertical]
        tiles = [(row, wall.near, wall.first, wall.second) for wall in found for row in range(wall.start, wall.end)]
        assert len(tiles) == len(set(tiles))
        assert set(tiles) == expected


@settings(max_examples=60)
@given(
    name=st.sampled_from(NAMES),
    parameters=st.dictionaries(
        st.sampled_from(
            sorted({field for name in NAMES for field in terrain.find(name).parameters.model_fields} - {"seed"})
        ),
        st.integers(-2, 30) | st.floats(0.1, 30) | st.floats(0, 1) | st.booleans() | st.none() | st.text(max_size=3),
        max_size=3,
    ),
)
def test_any_parameters_make_a_sound_terrain_or_one_sentence(name: str, parameters: dict[str, Any]) -> None:
    known = terrain.find(name).parameters.model_fields
    chosen = {key: value for key, value in parameters.items() if key in known}
    made = made_or_reason(name, **chosen)
    if isinstance(made, str):
        assert "\n" not in made
        return
    assert regions_of(~made.occupied) == 1
