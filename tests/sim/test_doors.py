"""Doors and collapses in detail: for whom a door waits, what it leaves of the walls, and when exactly it moves."""

from __future__ import annotations

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.sim import FlatSimulator
from expedition.terrain import Change, Collapse, Door, Person, Rectangle, Terrain
from expedition.terrain.material import material_index
from tests.sim.robots import drive, fleet, hall, robot

ACROSS = Rectangle(left=6, bottom=0, right=6.2, top=10)
BLOCK = Rectangle(left=6, bottom=4, right=8, top=6)


def after(seconds: float, *changes: Change, pose: tuple[float, float, float] = (2, 5, 0), **model: object) -> Terrain:
    """The terrain as it stands after some seconds in which one robot rests at a pose."""
    simulator = FlatSimulator()
    simulator.reset(hall(changes=changes), fleet(pose, model=robot(**model)), seed=0)
    simulator.advance(drive(), seconds)
    return simulator.truth().terrain


def test_a_door_waits_for_a_person_in_its_way() -> None:
    person = Person(waypoints=((6.1, 5.0), (6.1, 5.001)))
    assert after(1.0, Door(area=ACROSS, switches=(0.5,)), person).is_free(6.1, 2)


@pytest.mark.parametrize(("x", "waits"), [(5.81, True), (5.79, False), (6.39, True), (6.41, False)])
def test_a_door_waits_for_all_of_a_body_and_for_no_more(x: float, waits: bool) -> None:
    assert after(1.0, Door(area=ACROSS, switches=(0.5,)), pose=(x, 5, 0)).is_free(6.1, 2) == waits


@pytest.mark.parametrize(("x", "waits"), [(5.82, True), (5.79, False), (6.48, True), (6.51, False)])
def test_a_door_between_cell_edges_waits_for_the_cells_that_it_fills(x: float, waits: bool) -> None:
    """Of cells of 0.1 m, this one fills those from 6.0 to 6.3 m."""
    door = Door(area=Rectangle(left=6.04, bottom=0, right=6.26, top=10), switches=(0.5,))
    terrain = after(1.0, door, pose=(x, 5, 0))
    assert [terrain.is_free(at, 2) for at in (5.95, 6.05, 6.25, 6.35)] == [True, waits, waits, True]


@pytest.mark.parametrize(("altitude", "waits"), [(1.9, True), (2.0, False)])
def test_a_door_does_not_wait_for_what_flies_over_it(altitude: float, waits: bool) -> None:
    door = Door(area=ACROSS, switches=(0.5,), height=2.0)
    assert after(1.0, door, pose=(6.1, 5, 0), body={"altitude": altitude}).is_free(6.1, 2) == waits


def test_where_doors_overlap_the_one_that_stays_closed_stays_a_wall() -> None:
    opens = Door(area=ACROSS, closed=True, switches=(0.5,), material="glass")
    stays = Door(area=BLOCK, closed=True, material="metal")
    for changes in ((opens, stays), (stays, opens)):
        terrain = after(1.0, *changes)
        assert terrain.is_free(6.1, 2)
        assert not terrain.is_free(6.1, 5)
        assert terrain.material[terrain.cell(6.1, 5)] == material_index("metal")


@pytest.mark.parametrize(
    "change",
    [
        Door(area=Rectangle(left=6, bottom=-0.1, right=6.2, top=10), switches=(0.5,), height=1.0, material="glass"),
        Collapse(area=Rectangle(left=6, bottom=-0.1, right=6.2, top=10), time=0.5, height=1.0, material="glass"),
    ],
)
def test_doors_and_rubble_never_lower_a_wall(change: Change) -> None:
    terrain = after(1.0, change)
    wall, new = terrain.cell(6.1, -0.05), terrain.cell(6.1, 5)
    assert (terrain.wall_height_cm[wall], terrain.material[wall]) == (200, material_index("concrete"))
    assert (terrain.wall_height_cm[new], terrain.material[new]) == (100, material_index("glass"))


def test_a_door_that_opens_leaves_the_wall_that_was_there_before() -> None:
    door = Door(area=Rectangle(left=6, bottom=-0.1, right=6.2, top=10), switches=(0.5,), closed=True, height=3.0)
    terrain = after(1.0, door)
    assert terrain.wall_height_cm[terrain.cell(6.1, -0.05)] == 200
    assert terrain.is_free(6.1, 5)


def test_rubble_is_of_its_own_material_and_height() -> None:
    terrain = after(1.0, Collapse(area=BLOCK, time=0.5))
    cells = terrain.cells_in(BLOCK)
    assert (terrain.material[cells] == material_index("rubble")).all()
    assert (terrain.wall_height_cm[cells] == 100).all()
    assert terrain.free_cells == 100 * 100 - 20 * 20


def test_a_random_door_may_start_closed_and_then_stays_so_for_the_time_of_a_closed_one() -> None:
    simulator = FlatSimulator()
    terrain = hall(changes=(Door(area=ACROSS, closed=True, mean_open=0.001, mean_closed=1e9),))
    simulator.reset(terrain, fleet((2, 5, 0)), seed=0)
    assert not simulator.truth().terrain.is_free(6.1, 5)
    simulator.advance(drive(), 1.0)
    assert not simulator.truth().terrain.is_free(6.1, 5)


def test_a_door_closes_at_the_tick_of_its_switch_and_scans_of_that_period_see_it_from_then_on() -> None:
    """A scan that is due at the very moment of the switch still sees the door as it was."""
    simulator = FlatSimulator()
    model = robot(lidar={"beams": 1, "rate": 60})
    simulator.reset(hall(changes=(Door(area=ACROSS, switches=(1.0, 1.5)),)), fleet((2, 5, 0), model=model), seed=0)
    (scans,) = simulator.advance(drive(), 2.0).scans()
    ticks = np.arange(1, 121)
    assert scans.times == pytest.approx(ticks / 60)
    expected = np.where((ticks > 60) & (ticks <= 90), 4.0, 8.0)
    assert scans.ranges[:, 0] == pytest.approx(expected, abs=1e-5)


def test_two_doors_each_follow_their_own_schedule() -> None:
    early = Door(area=ACROSS, switches=(0.5, 1.5))
    late = Door(area=Rectangle(left=8, bottom=0, right=8.2, top=10), switches=(1.0, 1.5))
    for changes in ((early, late), (late, early)):
        simulator = FlatSimulator()
        simulator.reset(hall(changes=changes), fleet((2, 5, 0)), seed=0)
        states = []
        for _ in range(4):
            simulator.advance(drive(), 0.45)
            terrain = simulator.truth().terrain
            states.append((terrain.is_free(6.1, 5), terrain.is_free(8.1, 5)))
        assert states == [(True, True), (False, True), (False, False), (True, True)]


@pytest.mark.parametrize("switches", [1000, 1001])
def test_a_door_that_switches_many_times_in_a_tick_ends_as_the_last_switch_leaves_it(switches: int) -> None:
    door = Door(area=ACROSS, switches=tuple(0.001 * (k + 1) for k in range(switches)))
    simulator = FlatSimulator()
    simulator.reset(hall(changes=(door,)), fleet((2, 5, 0)), seed=0)
    observations = simulator.advance(drive(), 1.1)
    assert simulator.truth().terrain.is_free(6.1, 5) == (switches % 2 == 0)
    # The walls are worked out anew once a tick at most, however often the door moves.
    assert len(observations.grounds) <= 66


@pytest.mark.parametrize("change", [Door(area=ACROSS, switches=(0.0,)), Collapse(area=ACROSS, time=0.0)])
def test_what_happens_at_time_zero_is_in_the_first_scan_and_truth(change: Change) -> None:
    simulator = FlatSimulator()
    model = robot(lidar={"beams": 1})
    (scans,) = simulator.reset(hall(changes=(change,)), fleet((2, 5, 0), model=model), seed=0).scans()
    assert scans.ranges[0, 0] == pytest.approx(4.0, abs=1e-5)
    assert not simulator.truth().terrain.is_free(6.1, 5)


@pytest.mark.parametrize("door", [Door(area=ACROSS, switches=(0.0,)), Door(area=ACROSS, closed=True)])
def test_a_robot_may_not_start_inside_a_door_that_is_closed_at_time_zero(door: Door) -> None:
    with pytest.raises(ExpeditionError, match=r"robot 0 at \(6.1, 5\) is in a wall"):
        FlatSimulator().reset(hall(changes=(door,)), fleet((6.1, 5, 0)), seed=0)
