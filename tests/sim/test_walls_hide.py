"""A landmark on a wall shows on its own side only."""

from __future__ import annotations

import pytest

from expedition.sim import FlatSimulator
from expedition.terrain import Door, Landmark, Rectangle
from tests.sim.robots import fleet, hall, robot

CAMERA = robot(landmark_camera={"range": 10, "rate": 10})


@pytest.mark.parametrize("across", ["x", "y"])
@pytest.mark.parametrize(
    ("robot_at", "landmark_at", "seen"),
    [(3.0, 5.0, True), (3.0, 5.1, False), (7.0, 5.1, True), (7.0, 5.0, False), (3.0, 5.05, True), (7.0, 5.05, True)],
)
def test_a_landmark_is_seen_from_its_side_of_a_wall_of_one_cell(
    across: str, robot_at: float, landmark_at: float, seen: bool
) -> None:
    if across == "x":
        wall = Rectangle(left=5.0, bottom=0, right=5.1, top=10)
        landmark, pose = Landmark(landmark_at, 5.03), (robot_at, 5.03, 0.0)
    else:
        wall = Rectangle(left=0, bottom=5.0, right=10, top=5.1)
        landmark, pose = Landmark(5.03, landmark_at), (5.03, robot_at, 0.0)
    terrain = hall(changes=(Door(area=wall, closed=True),), landmarks=(landmark,))
    sightings = FlatSimulator().reset(terrain, fleet(pose, model=CAMERA), seed=0).sightings()
    assert sightings.ranges == pytest.approx([abs(robot_at - landmark_at)] if seen else [])


@pytest.mark.parametrize("across", ["x", "y"])
def test_a_landmark_on_a_face_does_not_show_through_the_wall_from_any_distance(across: str) -> None:
    """Where the sum of place and way is rounded up, and where it is rounded down."""
    sides = Rectangle(left=5.0, bottom=0, right=5.1, top=10), Rectangle(left=0, bottom=5.0, right=10, top=5.1)
    low, high = [0.37 + 0.437 * k for k in range(10)], [5.41 + 0.437 * k for k in range(10)]
    for wall_face, places, seen in ((5.0, low, 10), (5.1, high, 10), (5.1, low, 0), (5.0, high, 0)):
        landmark = Landmark(wall_face, 5.03) if across == "x" else Landmark(5.03, wall_face)
        poses = [(place, 5.03, 0.0) if across == "x" else (5.03, place, 0.0) for place in places]
        door = Door(area=sides["xy".index(across)], closed=True)
        terrain = hall(changes=(door,), landmarks=(landmark,))
        sightings = FlatSimulator().reset(terrain, fleet(*poses, model=CAMERA), seed=0).sightings()
        assert len(sightings.ranges) == seen
