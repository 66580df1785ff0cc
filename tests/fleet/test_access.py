"""Where a fleet starts when nobody says so, and what is said of what it can reach from there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.fleet import Fleet, place, robot_model
from expedition.fleet.access import Access, largest_sentence
from expedition.fleet.clearance import narrowest_opening
from expedition.fleet.reach import cell_size_for, largest_region
from expedition.terrain import Terrain, terrain

PIONEER = robot_model("pioneer-3dx")
MAES = robot_model("maes")
QUADROTOR = robot_model("quadrotor")
CLOSET, HALL = 5.0, 14.0
"""The closet ends and the hall begins, at x in metres; between them are 9 m of wall."""


def building(door: float = 0.0, resolution: float = 0.05, low: bool = False) -> Terrain:
    """A closet of 4 x 10 m, a wall of 9 m, and a hall of 15 x 10 m; a door of some width joins them."""
    occupied = np.ones((round(12 / resolution), round(30 / resolution)), dtype=np.bool_)

    def free(left: float, right: float, bottom: float, top: float) -> None:
        rows, columns = (
            slice(round(low / resolution), round(high / resolution)) for low, high in ((bottom, top), (left, right))
        )
        occupied[rows, columns] = False

    free(1.0, CLOSET, 1.0, 11.0)
    free(HALL, 29.0, 1.0, 11.0)
    if door:
        free(CLOSET, HALL, 6.0, 6.0 + door)
    return Terrain.from_occupied("building", occupied, resolution, wall_height=0.5 if low else 2.0)


@pytest.mark.parametrize("name", ["loop", "cross", "zigzag", "maze"])
def test_by_default_robots_start_as_in_the_papers_where_there_is_room(name: str) -> None:
    made = terrain.make(name)
    fleet = Fleet.of("pioneer-3dx", 30, made)
    np.testing.assert_array_equal(fleet.poses, place(made, [PIONEER] * 30, "line", 0))
    assert fleet.notes == ()


@pytest.mark.parametrize("name", ["office", "cave", "building", "forest", "floorplan", "indoor", "perfect-maze"])
def test_by_default_robots_find_room_on_any_terrain_and_it_is_said_where(name: str) -> None:
    made = terrain.make(name)
    fleet = Fleet.of("pioneer-3dx", 4, made, seed=3)
    assert np.ptp(fleet.poses[:, :2], axis=0).max() <= 4.0
    (note,) = fleet.notes
    x, y = fleet.poses[:, :2].mean(axis=0)
    assert note == (
        f"line has no room for 4 robots in terrain {made.name!r}: placed together in its largest reachable area, "
        f"around ({x:.1f}, {y:.1f})"
    )
    assert Access.of(made, fleet).warnings() == []


def test_more_robots_than_fit_into_the_usual_circle_get_a_larger_one() -> None:
    fleet = Fleet.of("maes", 60, building())
    assert (fleet.poses[:, 0] > HALL).all()
    assert np.ptp(fleet.poses[:, :2], axis=0).max() > 4.0
    with pytest.raises(ExpeditionError, match="grouped: 2000 robots are too many"):
        Fleet.of("maes", 2000, building())


def test_by_default_a_line_that_fits_into_a_closet_is_left_for_the_largest_area() -> None:
    shut = replace(building(), origin=(-41.0, 38.0 - 9.0))
    line = Fleet.of("pioneer-3dx", 3, shut, placement="line")
    assert (line.poses[:, 0] == -38.0).all()
    fleet = Fleet.of("pioneer-3dx", 3, shut)
    assert (fleet.poses[:, 0] > -41.0 + HALL).all()
    assert fleet.notes[0].startswith(
        "line would start 3 robots in a closed area of 40 m² in terrain 'building': placed"
    )


def test_a_line_that_is_asked_for_stays_a_mistake_where_it_does_not_fit() -> None:
    for spec in ("line", "auto:start=[3,3]"):
        with pytest.raises(ExpeditionError, match=r"line: robot . at .* choose another placement \(at, auto, "):
            Fleet.of("pioneer-3dx", 9, building(), placement=spec)


@pytest.mark.parametrize("placement", ["grouped", "spread", "biggest-room:door=1", "hallway-ends"])
def test_robots_do_not_start_in_a_closet(placement: str) -> None:
    for seed in range(5):
        poses = Fleet.of("pioneer-3dx", 2, building(), placement=placement, seed=seed).poses
        assert (poses[:, 0] > HALL).all()


def test_what_a_robot_passes_with_its_maps_decides_what_is_a_closet() -> None:
    narrow, burger = building(door=0.5), robot_model("turtlebot3-burger")
    assert narrowest_opening(burger.body, 0.2) > 0.5 >= narrowest_opening(burger.body, 0.1)

    def sides(resolution: float | None) -> set[bool]:
        found = [
            Fleet.of(burger, 1, narrow, placement="grouped", seed=seed, resolution=resolution).poses[0, 0] > HALL
            for seed in range(40)
        ]
        return {bool(one) for one in found}

    assert sides(0.2) == {True}
    assert sides(0.1) == sides(None) == {True, False}


def test_a_candidate_within_reach_is_taken_whether_or_not_others_were_rejected() -> None:
    joined, shut = building(door=2.0), building()
    for seed in range(20):
        pose = place(joined, [PIONEER], "grouped:radius=0.1,heading=0", seed)[0]
        if pose[0] > HALL:
            assert (place(shut, [PIONEER], "grouped:radius=0.1,heading=0", seed)[0, 0] > HALL).all()


def test_a_given_centre_is_not_questioned() -> None:
    poses = place(building(), [PIONEER] * 2, "grouped:centre=[3,6]", 0)
    assert (poses[:, 0] < CLOSET).all()


def test_robots_that_fly_over_walls_may_start_behind_them() -> None:
    apart = {bool(place(building(low=True), [QUADROTOR], "spread", seed)[0, 0] < HALL) for seed in range(20)}
    assert apart == {True, False}


def test_the_largest_region_is_the_one_with_most_ground_for_the_robot_that_passes_least() -> None:
    narrow = building(door=0.6)
    alone = largest_region(narrow, [robot_model("turtlebot3-burger")], 0.05)
    mixed = largest_region(narrow, [robot_model("turtlebot3-burger"), MAES], 0.05)
    assert alone is not None
    assert mixed is not None
    assert np.count_nonzero(alone.ground) * 0.05**2 == pytest.approx(40 + 150 + 0.6 * 9, rel=0.01)
    assert np.count_nonzero(mixed.ground) * 0.05**2 == pytest.approx(150, rel=0.01)
    assert largest_region(narrow, [robot_model("maes:body.radius=6")], 0.2) is None


def test_a_fleet_in_a_closet_is_warned_of_the_larger_area() -> None:
    access = Access.of(building(), Fleet.of("pioneer-3dx", 2, building(), placement="grouped:centre=[3,6]"))
    assert access.sentence().startswith("2 robots can reach 21.0% of 190 m² of free ground, through openings of 0.70 m")
    assert access.warnings() == [
        "the fleet starts in a closed area of 40 m² of 190 m², and cannot get to the largest one, of 150 m²: use "
        "placement auto or grouped, or start elsewhere"
    ]


def test_finer_cells_are_said_and_what_the_usual_ones_would_have_reached() -> None:
    narrow = building(door=0.6)
    access = Access.of(narrow, Fleet.of("pioneer-3dx", 1, narrow, placement="grouped:centre=[20,6]"))
    assert access.resolution == cell_size_for(narrow, access.fleet) == 0.1
    share = 150 / (150 + 40 + 9 * 0.6)
    assert access.sentence().endswith(
        f"through openings of 0.55 m and more; maps with cells of 0.1 m (0.2 m would reach {share:.1%})"
    )
    assert access.warnings() == []


def test_cells_that_are_given_and_shut_robots_in_are_warned_of_with_those_that_would_not() -> None:
    halves = np.ones((240, 420), dtype=np.bool_)
    for column in (20, 150, 280):
        halves[20:220, column : column + 120] = False
    halves[110:122, 140:280] = False  # Doors of 0.6 m between three rooms of 6 x 10 m.
    rooms = Terrain.from_occupied("rooms", halves, 0.05)
    fleet = Fleet.of("pioneer-3dx", 1, rooms, placement="grouped:centre=[10,6]")
    (warning,) = Access.of(rooms, fleet, 0.2).warnings()
    assert warning.startswith("the fleet can reach only 33.")
    assert (
        "narrower than 0.70 m is closed to it; with maps of cells of 0.1 m (resolution=0.1) it would reach " in warning
    )
    assert Access.of(rooms, fleet).warnings() == []


def test_what_a_robot_reaches_in_its_largest_area_is_told_for_a_terrain_alone() -> None:
    assert largest_sentence(building(), PIONEER).startswith(
        "150 m², 78.9% of the free area, through openings of 0.70 m"
    )
    assert largest_sentence(building(), robot_model("maes:body.radius=6")) == "finds no room"
