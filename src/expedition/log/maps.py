"""Records maps: what changed in each, and now and then all of it."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from expedition.log.cdr import NANOSECONDS, encode, heading_to_quaternion, stamp
from expedition.log.file import FRONT, MESSAGE
from expedition.log.moment import WORLD, Moment
from expedition.log.rectangles import MOST_PARTS, cover_all_changes, find_all_changes, forget, join, pack_updates

if TYPE_CHECKING:
    from expedition.belief.grid import Frame
    from expedition.log.file import Lane, LogFile

States = NDArray[np.uint8]
Floats = NDArray[np.float64]
OCCUPANCY = np.array([-1, 0, 100], dtype=np.int8)
"""By state: unknown, free, occupied."""
LOOKS_BETWEEN_JOINS = 5
"""Maps that lie askew are put together once in so many recordings."""
_EMPTY: States = np.zeros((0, 0), dtype=np.uint8)


class MapGroup:
    """Maps that are recorded together: whole, or what changed of them."""

    def __init__(self, channels: list[int], updates: list[int], frame: Frame, places: Floats) -> None:
        """`channels` and `updates` are one a map; `places` (maps, 3) is where each map's frame lies in the world."""
        self._channels = channels
        self._updates = np.array(updates, dtype=np.uint16)
        self._infos = [_info(frame, x, y, heading) for x, y, heading in places.tolist()]
        self.bounds = np.empty((len(channels), *frame.tiles, 4), dtype=np.int32)
        """(maps, tile rows, tile columns, 4): the first and last row and column that changed, of each tile."""
        for bounds in self.bounds:
            forget(bounds)
        self.changed = np.zeros(len(channels), dtype=np.bool_)
        """(maps,): in which anything has changed."""
        data = encode("map_msgs/OccupancyGridUpdate", {"header": {"frame_id": WORLD}})
        self._front = np.frombuffer(MESSAGE.pack(5, FRONT + len(data), 0, 0, 0, 0) + data, dtype=np.uint8).copy()
        self._rectangles = np.empty((len(channels) * (MOST_PARTS + 2), 5), dtype=np.int64)

    def whole(self, number: int, state: States, moment: Moment, lane: Lane) -> None:
        """Record all of one map."""
        now = stamp(moment.time)
        grid = {
            "header": {"stamp": now, "frame_id": WORLD}, "info": {**self._infos[number], "map_load_time": now},
            "data": OCCUPANCY[state],
        }  # fmt: skip
        lane.add(self._channels[number], moment.nanoseconds, encode("nav_msgs/OccupancyGrid", grid))
        forget(self.bounds[number])
        self.changed[number] = False

    def changes(self, states: States, moment: Moment, lane: Lane) -> None:
        """Record what has changed in the maps, (maps, rows, columns)."""
        count = cover_all_changes(self.bounds, self.changed, self._rectangles)
        if not count:
            return
        front, rectangles = self._front, self._rectangles[:count]
        front[15:31] = np.frombuffer(struct.pack("<QQ", moment.nanoseconds, moment.nanoseconds), dtype=np.uint8)
        now = struct.pack("<iI", *divmod(moment.nanoseconds, NANOSECONDS))
        front[MESSAGE.size + 4 : MESSAGE.size + 12] = np.frombuffer(now, dtype=np.uint8)
        starts = np.empty(count, dtype=np.uint64)
        data = pack_updates(states, rectangles, front, self._updates, starts)
        lane.extend(data.tobytes(), self._updates[rectangles[:, 0]], starts, moment.nanoseconds)


def _info(frame: Frame, x: float, y: float, heading: float) -> dict[str, Any]:
    """Where a map lies in the world, whose frame lies at a place."""
    c, s = math.cos(heading), math.sin(heading)
    left, bottom = frame.origin
    position = {"x": x + c * left - s * bottom, "y": y + s * left + c * bottom}
    return {
        "resolution": frame.resolution, "width": frame.columns, "height": frame.rows,
        "origin": {"position": position, "orientation": heading_to_quaternion(heading)},
    }  # fmt: skip


class MapsRecorder:
    """The maps of robots and base, that of all robots together, and the truth."""

    def __init__(self, channels: dict[str, int], names: tuple[str, ...], moment: Moment) -> None:
        """`channels` are those of topics."""
        controller, grids, world = moment.controller, moment.controller.grids, moment.monitor.frame
        self._robots = controller.robots
        self._last = np.zeros_like(grids.state)
        self._since = -1
        self._apart = moment.starts is not None

        def group(topics: list[str], frame: Frame, places: Floats | None = None) -> MapGroup:
            own, updates = ([channels[topic + end] for topic in topics] for end in ("", "_updates"))
            return MapGroup(own, updates, frame, np.zeros((len(topics), 3)) if places is None else places)

        self._of_robots = group([f"/{name}/map" for name in names], grids.frame, moment.starts)
        self._of_base = group(["/base/map"] if controller.nodes > self._robots else [], grids.frame)
        self._of_union, self._of_truth = group(["/union/map"], world), group(["/truth/map"], world)
        self.union: States = np.zeros(world.shape, dtype=np.uint8)
        """(rows, columns): what all robots know together."""
        self.stamps = np.full(world.tiles, -1, dtype=np.int64)
        """(tile rows, tile columns): the tick in which the union last changed."""
        self._truth: States = moment.monitor.truth.state.copy()
        self._terrain = controller.world.terrain
        self._truth_is_news = True
        self._in_world: States = np.zeros((self._robots if self._apart else 0, *world.shape), dtype=np.uint8)
        self._looks = 0

    def take(self, moment: Moment, of_robots: Lane, of_all: Lane) -> None:
        """Record what changed since the last time."""
        self._look(moment, of_all)
        self._of_robots.changes(self._last[: self._robots], moment, of_robots)
        self._of_base.changes(self._last[self._robots :], moment, of_all)
        self._of_union.changes(self.union[None], moment, of_all)

    def take_whole(self, moment: Moment, file: LogFile, of_robots: int, of_all: int) -> None:
        """Record what changed, and then all maps as they are; chunks are written on the way, since that may be much."""
        self.take(moment, file.lanes[of_robots], file.lanes[of_all])
        for robot in range(self._robots):
            self._of_robots.whole(robot, self._last[robot], moment, file.lanes[of_robots])
            file.flush()
        if len(self._last) > self._robots:
            self._of_base.whole(0, self._last[-1], moment, file.lanes[of_all])
        self._of_union.whole(0, self.union, moment, file.lanes[of_all])
        if self._truth_is_news:
            self._of_truth.whole(0, self._truth, moment, file.lanes[of_all])
            self._truth_is_news = False

    def _look(self, moment: Moment, lane: Lane) -> None:
        """Find out what changed; should that be the truth, record it."""
        grids, union = moment.controller.grids, self._of_union
        groups = ((self._of_robots, slice(0, self._robots)), (self._of_base, slice(self._robots, None)))
        for group, nodes in groups:
            find_all_changes(
                grids.state[nodes], self._last[nodes], grids.state_stamp[nodes], self._since, group.bounds,
                group.changed, _EMPTY if self._apart or group is self._of_base else self.union, union.bounds[0],
            )  # fmt: skip
        self._since = moment.tick
        if self._apart:
            self._join(moment)
        news = union.bounds[0, :, :, 1] >= 0
        self.stamps[news] = moment.tick
        union.changed[0] = bool(news.any())
        self._look_at_truth(moment, lane)

    def _join(self, moment: Moment) -> None:
        """Put together what maps say that lie askew in the world; only now and then, since it looks at every cell."""
        self._looks += 1
        if self._looks % LOOKS_BETWEEN_JOINS == 1:
            for robot in range(self._robots):
                known = moment.monitor.in_world(robot, self._last[robot])
                join(known, self._in_world[robot], self.union, self._of_union.bounds[0])

    def _look_at_truth(self, moment: Moment, lane: Lane) -> None:
        """Doors may have opened or closed, or a wall come down."""
        terrain = moment.controller.world.terrain
        if terrain is self._terrain:
            return
        self._terrain = terrain
        now = moment.monitor.truth.changed(terrain, moment.monitor.frame).state
        join(now, np.zeros_like(now), self._truth, self._of_truth.bounds[0])
        self._of_truth.changed[0] = True
        self._of_truth.changes(self._truth[None], moment, lane)
        self._truth_is_news = True
