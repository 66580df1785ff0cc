"""What doors of different heights stop, and what they hide, for robots on the ground and in the air."""

from __future__ import annotations

import pytest

from expedition.fleet import Fleet
from expedition.sim import FlatSimulator
from expedition.terrain import Door, Rectangle
from tests.sim.robots import drive, fleet, hall, robot

LOW = Rectangle(left=4, bottom=0, right=4.2, top=10)
HIGH = Rectangle(left=8, bottom=0, right=8.2, top=10)


@pytest.mark.parametrize(("closed", "switches"), [(True, ()), (False, (0.5,))], ids=["from the start", "in between"])
def test_a_door_of_1_m_stops_what_drives_and_not_what_flies_at_1_5_m(closed: bool, switches: tuple[float, ...]) -> None:
    doors = (
        Door(area=LOW, height=1.0, closed=closed, switches=switches),
        Door(area=HIGH, height=2.0, closed=closed, switches=switches),
    )
    beam = {"beams": 1}
    models = (robot(lidar=beam), robot(lidar=beam, body={"altitude": 1.5}))
    poses = fleet((2, 3, 0), (2, 7, 0)).poses
    simulator = FlatSimulator()
    simulator.reset(hall(changes=doors), Fleet(models, poses), seed=0)
    scans = simulator.advance(drive(robots=2), 1.0).scans(latest=True)
    assert [float(scan.ranges[0, 0]) for scan in scans] == pytest.approx([2.0, 6.0], abs=1e-5)
    for _ in range(10):
        simulator.advance(drive(1.0, robots=2), 1.0)
    assert simulator.truth().poses[:, 0] == pytest.approx([3.8, 7.8], abs=1e-3)


def test_when_doors_open_again_they_open_at_every_height() -> None:
    doors = (
        Door(area=LOW, height=1.0, closed=True, switches=(0.5,)),
        Door(area=HIGH, height=2.0, closed=True, switches=(0.5,)),
    )
    models = (robot(), robot(body={"altitude": 1.5}))
    simulator = FlatSimulator()
    simulator.reset(hall(changes=doors), Fleet(models, fleet((2, 3, 0), (2, 7, 0)).poses), seed=0)
    for _ in range(10):
        simulator.advance(drive(1.0, robots=2), 1.0)
    assert simulator.truth().poses[:, 0] == pytest.approx([9.8, 9.8], abs=1e-3)
