"""The topics of a log: which there are, what messages each has, and which are kept together."""

from __future__ import annotations

from collections.abc import Iterable

LANES = 6
FLEET, WORDS, MAPS, ROBOT_MAPS, ROBOTS, VIEWS = range(LANES)
"""What is written into chunks of its own, so that each can be read without the others: the fleet; what is said; the
maps of base, union and truth; those of robots; their scans and paths; and what only other programs look at."""

GRID, UPDATE, MARKERS = "nav_msgs/OccupancyGrid", "map_msgs/OccupancyGridUpdate", "visualization_msgs/MarkerArray"
OF_MISSION = {
    "/fleet": "expedition_msgs/Fleet",
    "/seen": "expedition_msgs/Seen",
    "/events": "expedition_msgs/Event",
    "/marks": "expedition_msgs/Marks",
    "/messages": "expedition_msgs/Messages",
    "/union/frontiers": "expedition_msgs/Frontiers",
    "/landmarks/believed": "expedition_msgs/Landmarks",
    "/rosout": "rcl_interfaces/Log",
    "/tf": "tf2_msgs/TFMessage",
    "/tf_static": "tf2_msgs/TFMessage",
    "/links": MARKERS,
    "/frontiers": MARKERS,
    "/tags": MARKERS,
    "/landmarks": MARKERS,
    "/truth/map": GRID,
    "/truth/map_updates": UPDATE,
    "/union/map": GRID,
    "/union/map_updates": UPDATE,
}
OF_BASE = {"/base/map": GRID, "/base/map_updates": UPDATE, "/base/decision": "expedition_msgs/Decision"}
OF_ROBOT = {
    "odometry": "nav_msgs/Odometry",
    "scan": "sensor_msgs/LaserScan",
    "path": "nav_msgs/Path",
    "map": GRID,
    "map_updates": UPDATE,
    "decision": "expedition_msgs/Decision",
}


def topics_of(names: Iterable[str], has_base: bool) -> dict[str, str]:
    """All topics of a mission, each with the name of its messages."""
    of_robots = {f"/{name}/{topic}": message for name in names for topic, message in OF_ROBOT.items()}
    return {**OF_MISSION, **(OF_BASE if has_base else {}), **of_robots}
