"""A short mission in which everything happens that a log can hold, with what it was really like second by second."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from expedition.exploring import plan_mission
from expedition.log.detail import Detail
from expedition.log.recorder import Recorder
from expedition.measure.progress import Progress
from expedition.mission import Mission, Result, run
from expedition.robot import Robot
from expedition.terrain import Door, Landmark, Person, Rectangle, Terrain

SECONDS = 45.0
ROBOT = (
    "pioneer-3dx:lidar.range=5,landmark_camera={range: 10, rate: 2, sigma_range: 0.05, sigma_bearing: 0.01},"
    "battery={capacity_wh: 1}"
)


async def talkative(robot: Robot) -> None:
    """Go to the nearest frontier and say everything there is to say."""
    robot.role = "scout"
    while True:
        frontiers = robot.frontiers()
        robot.activity = "exploring"
        if not frontiers:
            await robot.wait(1.0)
            continue
        costs = [robot.travel_cost(frontier) for frontier in frontiers]
        nearest = costs.index(min(costs))
        robot.consider(frontiers, costs, nearest, "travel cost, m")
        robot.mark("frontiers", frontiers)
        robot.note(f"goes to {frontiers[nearest].x:.1f}, {frontiers[nearest].y:.1f}")
        robot.send({"to": [frontiers[nearest].x, frontiers[nearest].y]}, topic="plans")
        robot.drop_tag(f"was here: {robot.id}")
        await robot.go_to(frontiers[nearest], timeout=5.0)
        robot.activity = "thinking"
        await robot.wait(0.5)
        robot.role = "veteran"


def terrain() -> Terrain:
    """Rooms with a door that opens and closes, somebody who walks about, landmarks, and rough ground."""
    occupied = np.zeros((160, 240), dtype=bool)
    occupied[[0, -1], :] = occupied[:, [0, -1]] = True
    occupied[:60, 120] = occupied[100:, 120] = True
    occupied[80, 130:220] = True
    place = Terrain.from_occupied(
        "rooms",
        occupied,
        landmarks=[Landmark(3.0, 3.0, (0.0, 1.0)), Landmark(8.0, 12.0, (1.0, 0.0)), Landmark(20.0, 4.0, (1.0, 1.0))],
        changes=[
            Door(area=Rectangle(left=12.0, bottom=6.0, right=12.1, top=10.0), switches=(10.0, 25.0)),
            Person(waypoints=((16.0, 3.0), (20.0, 6.0))),
        ],
    )
    rough = np.full(place.shape, 100, dtype=np.uint8)
    rough[20:40, 20:60] = 50
    return Terrain(
        place.name, place.wall_height_cm, place.resolution, (-2.0, 1.0), place.material, rough,
        tuple(Landmark(mark.x - 2.0, mark.y + 1.0, mark.descriptor) for mark in place.landmarks),
        tuple(_moved(change) for change in place.changes),
    )  # fmt: skip


def _moved(change: Any) -> Any:
    if change.kind == "person":
        return change.model_copy(update={"waypoints": tuple((x - 2.0, y + 1.0) for x, y in change.waypoints)})
    area = change.area
    moved = Rectangle(left=area.left - 2, right=area.right - 2, bottom=area.bottom + 1, top=area.top + 1)
    return change.model_copy(update={"area": moved})


def mission(**changes: Any) -> Mission:
    """The mission."""
    given: dict[str, Any] = {
        "strategy": talkative, "robots": 4, "seed": 3, "robot": ROBOT, "base": "start",
        "placement": "line:start=[0,14],step=[0,-2]",
        "stop": {"time": SECONDS, "explored": 1.0}, "failures": "radio:at=12,robots=1,lasts=6 + robot:at=20,robots=2",
    }  # fmt: skip
    return plan_mission(terrain(), **{**given, **changes})


@dataclass
class Witnessed:
    """What a mission was like, as it told at every full second."""

    result: Result
    recorder: Recorder
    path: Path
    maps: dict[float, Any] = field(default_factory=dict)
    moments: dict[float, dict[str, Any]] = field(default_factory=dict)


def witness(path: Path, what: Mission, detail: Detail | None = None) -> Witnessed:
    """Record a mission, and look on."""
    seen = Witnessed(None, Recorder(path, detail), path)  # type: ignore[arg-type]

    def look(progress: Progress) -> None:
        controller, monitor = progress.controller, progress.monitor
        time = round(progress.time, 6)
        seen.maps[time] = controller.grids.state.copy()
        paths, lengths = controller.follower.paths
        seen.moments[time] = {
            "poses": controller.world.true_poses().copy(),
            "believed": monitor.poses_in_world(controller.localiser.pose),
            "goals": controller.navigator.goal_points.copy(),
            "links": controller.network.links.copy(),
            "truth": monitor.truth.changed(controller.world.terrain, monitor.frame).state,
            "paths": [paths[robot, : lengths[robot]].copy() for robot in range(controller.robots)],
            "scans": [scan._replace(ranges=scan.ranges.copy()) for scan in controller.scans],
            "scan_pose": controller.localiser.scan_pose.copy(),
            "people": controller.world.truth.people.copy(),
            "sample": progress.sample,
            "tags": list(controller.world.tags),
            "battery": controller.energy.left / controller.energy.capacity,
            "first_seen": monitor.first_seen.copy(),
            "covered_at": monitor.covered_at.copy(),
            "roles": [handle.role for handle in controller.decisions._robots],
            "activities": [handle.activity for handle in controller.decisions._robots],
        }

    seen.result = run(what, look, record=seen.recorder)
    return seen
