"""Records what programs that know ROS draw as markers: links, frontiers, tags, landmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from expedition.belief.finder import gather
from expedition.belief.frontiers import refresh_frontier_cells
from expedition.kernels import kernel
from expedition.log.cdr import encode, stamp
from expedition.log.moment import WORLD, Moment

if TYPE_CHECKING:
    from expedition.belief.grid import Frame
    from expedition.log.file import Lane
    from expedition.terrain import Landmark
    from expedition.world import TagInWorld

Floats = NDArray[np.float64]

LINE_LIST, SPHERE_LIST, TEXT = 5, 7, 9
LINKS = {"ns": "links", "type": LINE_LIST, "scale": {"x": 0.05}, "color": {"r": 0.0, "g": 0.62, "b": 0.45, "a": 0.6}}
FRONTIERS = {
    "ns": "frontiers", "type": SPHERE_LIST, "scale": {"x": 0.4, "y": 0.4, "z": 0.1},
    "color": {"r": 0.9, "g": 0.62, "b": 0.0, "a": 0.9},
}  # fmt: skip
LANDMARKS = {
    "ns": "landmarks", "type": SPHERE_LIST, "scale": {"x": 0.3, "y": 0.3, "z": 0.3},
    "color": {"r": 0.8, "g": 0.47, "b": 0.65, "a": 1.0},
}  # fmt: skip
TAGS = {"type": TEXT, "scale": {"z": 0.5}, "color": {"r": 0.17, "g": 0.18, "b": 0.21, "a": 1.0}}
SMALLEST = 3
"""Cells of the smallest frontier."""


class PointsMarker:
    """An array of one marker that differs in time and points only; all before and after these is packed once."""

    def __init__(self, marker: dict[str, Any]) -> None:
        header = {"header": {"frame_id": WORLD}, "pose": {"orientation": {"w": 1.0}}}
        self._marker = {**header, **marker}
        offsets: dict[str, int] = {}
        data = encode("visualization_msgs/MarkerArray", {"markers": [self._with(np.zeros((1, 3)))]}, offsets)
        self._stamp = offsets["markers.0.header.stamp.sec"]
        points = offsets["markers.0.points"]
        self._front, self._back = data[:points], data[points + 24 :]
        self._count = data.rindex(b"\x01\0\0\0", 0, points)

    def message(self, time: float, points: Floats) -> bytes:
        """The marker with these points (n, 2)."""
        if not len(points):
            header = {"stamp": stamp(time), "frame_id": WORLD}
            return encode("visualization_msgs/MarkerArray", {"markers": [{**self._marker, "header": header}]})
        front = bytearray(self._front)
        now = stamp(time)
        front[self._stamp : self._stamp + 8] = np.array([now["sec"], now["nanosec"]], dtype="<u4").tobytes()
        front[self._count : self._count + 4] = len(points).to_bytes(4, "little")
        flat = np.zeros((len(points), 3))
        flat[:, :2] = points
        return bytes(front) + flat.tobytes() + self._back

    def _with(self, points: Floats) -> dict[str, Any]:
        return {**self._marker, "points": points}


class FrontierRecorder:
    """The frontiers of the union map, found anew where it has changed."""

    def __init__(self, frame: Frame, channel: int, marker_channel: int) -> None:
        self._frame = frame
        self._channels = channel, marker_channel
        self._marker = PointsMarker(FRONTIERS)
        self._frontiers = MapFrontiers(frame)

    def take(
        self, union: NDArray[np.uint8], stamps: NDArray[np.int64], moment: Moment, lane: Lane, views: Lane
    ) -> None:
        """Record those of a map whose tiles changed at some ticks."""
        found = self._frontiers.find(union, stamps, moment.tick)
        header = {"stamp": stamp(moment.time), "frame_id": WORLD}
        data = encode("expedition_msgs/Frontiers", {"header": header, "frontiers": found.astype(np.float32)})
        lane.add(self._channels[0], moment.nanoseconds, data)
        views.add(self._channels[1], moment.nanoseconds, self._marker.message(moment.time, found[:, :2]))


class MapFrontiers:
    """The frontiers of one map, whoever's it is."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._mask = np.zeros(frame.shape, dtype=np.uint8)
        self._count = np.zeros(frame.tiles, dtype=np.int32)
        self._cells = np.empty((frame.rows * frame.columns, 2), dtype=np.int32)
        self._starts = np.empty(frame.rows * frame.columns + 1, dtype=np.int32)
        self._anywhere = np.zeros(frame.shape, dtype=np.uint8)
        self._since = -1

    def forget(self) -> None:
        """The next map may be any."""
        self._since = -1

    def find(self, state: NDArray[np.uint8], stamps: NDArray[np.int64], tick: int) -> Floats:
        """(n, 3): x, y and length in metres; tiles of the map were stamped when they changed."""
        refresh_frontier_cells(state, stamps, self._since, self._mask, self._count)
        self._since = tick
        found = gather(self._mask, self._count, self._cells, self._starts, self._anywhere, 1)
        large = found.room >= SMALLEST
        places = self._frame.centres(found.targets[large])
        return np.column_stack([places, found.room[large] * self._frame.resolution])


class LinkRecorder:
    """Lines between nodes that hear each other, where they are."""

    def __init__(self, channel: int) -> None:
        self._channel = channel
        self._marker = PointsMarker(LINKS)

    def take(self, moment: Moment, lane: Lane) -> None:
        """Record who hears whom."""
        controller = moment.controller
        links = controller.network.links
        places = controller.world.true_poses()[:, :2]
        if controller.fleet.base is not None:
            places = np.vstack([places, (controller.fleet.base.x, controller.fleet.base.y)])
        lane.add(self._channel, moment.nanoseconds, self._marker.message(moment.time, link_ends(links, places)))


@kernel
def link_ends(links: NDArray[np.bool_], places: Floats) -> Floats:
    """(2 * links, 2): both ends of the links that work both ways. Cost: the pairs."""
    ends = np.empty((len(links) * (len(links) - 1), 2))
    found = 0
    for one in range(len(links)):
        for other in range(one + 1, len(links)):
            if links[one, other] and links[other, one]:
                ends[found], ends[found + 1] = places[one], places[other]
                found += 2
    return ends[:found]


def tag_message(tags: list[TagInWorld], first: int) -> bytes:
    """Texts where robots left tags; `first` is the number of the first of them."""
    markers = [
        {
            "header": {"stamp": stamp(tag.time), "frame_id": WORLD},
            "ns": f"robot_{tag.robot}",
            "id": first + number,
            "pose": {"position": {"x": tag.x, "y": tag.y}, "orientation": {"w": 1.0}},
            "text": tag.text,
            **TAGS,
        }
        for number, tag in enumerate(tags)
    ]
    return encode("visualization_msgs/MarkerArray", {"markers": markers})


def landmark_message(landmarks: tuple[Landmark, ...]) -> bytes:
    """Where a terrain's landmarks are."""
    return PointsMarker(LANDMARKS).message(0.0, np.array([(mark.x, mark.y) for mark in landmarks]).reshape(-1, 2))
