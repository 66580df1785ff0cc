"""What robots know of rough ground: the share of its speed that a robot reaches, cell by cell, as cameras saw it.

A layer beside the occupancy grids, there only in fleets that carry a ground camera. What a robot sees is drawn into its
map from where it believes to be, and averaged over looks. Teammates in contact tell each other the tiles that changed;
a cell that nobody told and the robot never saw holds 0.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import MAX_CELLS, TILE, Frame
from expedition.errors import ExpeditionError
from expedition.fleet import Fleet
from expedition.fleet.sensors import GroundCamera
from expedition.kernels import kernel
from expedition.sim.protocol import GroundViews

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CLASSES = 9
"""Planners tell nine classes of rough ground, by tens of percent: 90 % and so on down to 10 % and less."""
HEADER_BYTES = 8
"""Of a message: who sends it and the number of its tiles, before the compressed tiles."""


class Told(NamedTuple):
    """A message on its way over a channel that loses and delays."""

    sender: int
    until: int
    """The round up to which its receivers know the sender's layer."""
    data: bytes


class Carrier(Protocol):
    """What carries a message."""

    content: object


class Air(Protocol):
    """The channel that maps go over."""

    def announce(self, sizes: Integers) -> NDArray[np.bool_]:
        """Nodes tell all what they have; (nodes, nodes): who hears whom."""

    def answer(self, sender: int, to: Integers, content: object, load: int) -> object:
        """A node sends a load to some."""


Arrival = TypeVar("Arrival", bound=tuple[Carrier, Integers, NDArray[np.bool_]])


class RoughGround(NamedTuple):
    """One robot's layer."""

    percent: Bytes
    """(rows, columns): percents of speed, 0 where nothing is known."""
    stamp: Integers
    """For each tile, the tick in which the class of one of its cells last changed."""


class Roughness:
    """The layers of all nodes, and what they tell each other."""

    def __init__(self, nodes: int, frame: Frame, period: float) -> None:
        """`period` is the time from one `see` to the next, in seconds."""
        if nodes * frame.rows * frame.columns > MAX_CELLS:
            raise ExpeditionError(
                f"{nodes} maps of {frame.columns} x {frame.rows} cells of rough ground are too many for memory: at "
                f"most {MAX_CELLS:,} cells in all; take a coarser resolution than {frame.resolution:g} m"
            )
        self.frame = frame
        self.percent: Bytes = np.zeros((nodes, *frame.shape), dtype=np.uint8)
        self.stamp: Integers = np.full((nodes, *frame.tiles), -1, dtype=np.int64)
        self._news: Integers = np.full((nodes, *frame.tiles), -1, dtype=np.int64)
        self._told: Integers = np.full((nodes, nodes), -1, dtype=np.int64)
        self._confirmed: Integers = np.full((nodes, nodes), -1, dtype=np.int64)
        self._ask_again: Integers = np.zeros((nodes, nodes), dtype=np.int64)
        self._round = 0
        self._period = period
        self._last: Floats | None = None
        self._rays: dict[GroundCamera, tuple[Floats, Floats]] = {}

    @classmethod
    def of(cls, fleet: Fleet, frame: Frame, period: float) -> Roughness | None:
        """The layers of a fleet, its base station included; None if nobody has a camera to fill them."""
        has_camera = any(model.ground_camera is not None for model in fleet.models)
        return cls(fleet.nodes, frame, period) if has_camera else None

    def layer(self, node: int) -> RoughGround:
        """What one of them knows."""
        return RoughGround(self.percent[node], self.stamp[node])

    def see(self, views: list[GroundViews], poses: Floats, lost: NDArray[np.bool_], time: float, tick: int) -> None:
        """Draw what cameras saw into the maps of their robots, which now, at `time`, believe to be at `poses`."""
        before = poses if self._last is None else self._last
        for view in views:
            if len(view.robots) == 0:
                continue
            if view.camera not in self._rays:
                angles = view.camera.angles
                self._rays[view.camera] = np.column_stack([np.cos(angles), np.sin(angles)]), view.camera.distances
            draw_ground(
                self.percent, self.stamp, self._news, *self._rays[view.camera], view.robots,
                (time - view.times) / self._period, view.speed_percent, before, poses, lost,
                (*self.frame.origin, self.frame.resolution), tick, self._round,
            )  # fmt: skip
        self._last = poses.copy()

    def tell(self, contact: NDArray[np.bool_], tick: int) -> NDArray[np.int64]:
        """Let all in contact bring each other up to date; bytes sent and received and messages sent and received.

        (4, nodes). What arrives goes on to others in the next round. Cells that a node knows stay as they are.
        """
        traffic = np.zeros((4, len(contact)), dtype=np.int64)
        messages: dict[tuple[int, int], bytes] = {}
        arriving = []
        for receiver, sender in np.argwhere(contact).tolist():
            since = int(self._told[receiver, sender])
            if (sender, since) not in messages:
                messages[sender, since] = self._message(sender, since)
            self._told[receiver, sender] = self._round
            if data := messages[sender, since]:
                arriving.append((receiver, data))
                traffic[:, sender] += (len(data), 0, 1, 0)
                traffic[:, receiver] += (0, len(data), 0, 1)
        self._round += 1
        for receiver, data in arriving:
            tiles, percent = decode_tiles(data)
            fill_in(
                self.percent[receiver], self.stamp[receiver], self._news[receiver], tiles, percent, tick, self._round
            )
        return traffic

    def tell_over(self, air: Air, tick: int, patience: int) -> None:
        """The same over a channel that loses and delays: who has not confirmed after `patience` ticks is told again.

        All confirm what they have, as robots do of maps, and a sender knows of what it heard of that. Messages go
        through the queues of their senders.
        """
        nodes = len(self._told)
        heard = air.announce(np.full(nodes, HEADER_BYTES + 4 * nodes)).T
        self._ask_again[heard & (self._told > self._confirmed)] = tick
        self._confirmed[heard] = self._told[heard]
        receivers: dict[tuple[int, int], list[int]] = {}
        for receiver, sender in np.argwhere(heard & (self._ask_again <= tick)).tolist():
            receivers.setdefault((sender, int(self._confirmed[receiver, sender])), []).append(receiver)
        for (sender, since), those in receivers.items():
            if data := self._message(sender, since):
                air.answer(sender, np.array(those), Told(sender, self._round, data), len(data))
                self._ask_again[those, sender] = tick + patience
        self._round += 1

    def arrive(self, arrivals: Iterable[Arrival], tick: int) -> list[Arrival]:
        """Take what has arrived whole of `tell_over`; gives back what was none of it."""
        others = []
        for arrival in arrivals:
            frame, receivers, missing = arrival
            if not isinstance(told := frame.content, Told):
                others.append(arrival)
                continue
            tiles, percent = decode_tiles(told.data)
            for node in receivers[~missing.any(axis=0)].tolist():
                fill_in(self.percent[node], self.stamp[node], self._news[node], tiles, percent, tick, self._round)
                self._told[node, told.sender] = max(int(self._told[node, told.sender]), told.until)
        return others

    def _message(self, sender: int, since: int) -> bytes:
        """The tiles that changed since a round, as they travel; empty if none did."""
        tiles = np.flatnonzero(self._news[sender].ravel() > since)
        if len(tiles) == 0:
            return b""
        rows, columns = self.frame.tiles
        blocks = self.percent[sender].reshape(rows, TILE, columns, TILE)
        return encode_tiles(sender, tiles, blocks[tiles // columns, :, tiles % columns])


def encode_tiles(sender: int, tiles: Integers, percent: Bytes) -> bytes:
    """Tiles (n, TILE, TILE) with their numbers as they travel."""
    header = np.array([sender, len(tiles)], dtype="<u4").tobytes()
    return header + zlib.compress(tiles.astype("<u4").tobytes() + percent.tobytes(), 1)


def decode_tiles(data: bytes) -> tuple[Integers, Bytes]:
    """The tiles that `encode_tiles` wrote."""
    count = int(np.frombuffer(data, dtype="<u4", count=2)[1])
    content = zlib.decompress(data[HEADER_BYTES:])
    tiles = np.frombuffer(content, dtype="<u4", count=count).astype(np.int64)
    return tiles, np.frombuffer(content, dtype=np.uint8, offset=4 * count).reshape(count, TILE, TILE).copy()


@kernel
def rough_class(percent: int) -> int:
    """0 for smooth ground and where nothing is known, 1 for 90 % of the speed, up to 9 for 10 % and less."""
    if percent == 0:
        return 0
    return CLASSES + 1 - max((percent + 5) // 10, 1)


@kernel
def draw_ground(
    percent: Bytes,
    stamp: Integers,
    news: Integers,
    directions: Floats,
    distances: Floats,
    robots: Integers,
    ages: Floats,
    seen: Bytes,
    before: Floats,
    poses: Floats,
    lost: NDArray[np.bool_],
    frame: tuple[float, float, float],
    tick: int,
    news_round: int,
) -> None:
    """Draw readings into the maps of their robots; a cell seen before moves a quarter of the way to what is seen now.

    `ages` are in periods: a reading of age a was taken that share of the way back from `poses` to `before`. Tiles are
    stamped where a class changed: noise that planners do not see is no news. Cost: the points seen.
    """
    rows, columns = percent.shape[1], percent.shape[2]
    for k in range(len(robots)):
        robot = robots[k]
        if lost[robot]:
            continue
        back = min(max(ages[k], 0.0), 1.0)
        turn = before[robot, 2] - poses[robot, 2]
        turn -= 2.0 * math.pi * math.floor(turn / (2.0 * math.pi) + 0.5)
        x = poses[robot, 0] + back * (before[robot, 0] - poses[robot, 0])
        y = poses[robot, 1] + back * (before[robot, 1] - poses[robot, 1])
        heading = poses[robot, 2] + back * turn
        c, s = math.cos(heading), math.sin(heading)
        for ray in range(len(directions)):
            right = c * directions[ray, 0] - s * directions[ray, 1]
            up = s * directions[ray, 0] + c * directions[ray, 1]
            for step in range(len(distances)):
                now = int(seen[k, ray, step])
                if now == 0:
                    break
                i = math.floor((y + up * distances[step] - frame[1]) / frame[2])
                j = math.floor((x + right * distances[step] - frame[0]) / frame[2])
                if i < 0 or i >= rows or j < 0 or j >= columns:
                    break
                old = int(percent[robot, i, j])
                new = now if old == 0 else (3 * old + now + 2) // 4
                if new != old:
                    percent[robot, i, j] = new
                    if old == 0 or rough_class(new) != rough_class(old):
                        news[robot, i // TILE, j // TILE] = news_round
                        if rough_class(new) != rough_class(old):
                            stamp[robot, i // TILE, j // TILE] = tick


@kernel
def fill_in(
    percent: Bytes, stamp: Integers, news: Integers, tiles: Integers, told: Bytes, tick: int, news_round: int
) -> None:
    """Take cells that are not known from tiles that were told; their news goes on in `news_round`. Cost: the tiles."""
    columns = percent.shape[1] // TILE
    for k in range(len(tiles)):
        row, column = tiles[k] // columns, tiles[k] % columns
        for i in range(TILE):
            for j in range(TILE):
                if told[k, i, j] > 0 and percent[row * TILE + i, column * TILE + j] == 0:
                    percent[row * TILE + i, column * TILE + j] = told[k, i, j]
                    news[row, column] = news_round
                    if rough_class(int(told[k, i, j])) > 0:
                        stamp[row, column] = tick
