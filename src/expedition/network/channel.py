"""One channel: all radios of one name, who hears whom on it now, and what they tell each other in control frames.

A channel is ideal when it carries any amount at once and loses nothing: then what is sent arrives at the next tick at
all who hear the sender by then. Otherwise a carrier takes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.network import draws
from expedition.network.carrier import MOMENT, Carrier
from expedition.network.fragments import fragment_sizes
from expedition.network.frames import NOTHING, Arrival, Counts, Frame
from expedition.network.medium import Medium
from expedition.network.obstacles import Obstacles
from expedition.network.radio import RadioModel
from expedition.network.routing import Routes
from expedition.network.settings import Link
from expedition.streams import stream_key

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

LIKELY = 0.5
"""Two nodes count as linked when at least this share of what one sends reaches the other."""


class Beacons(NamedTuple):
    """Beacons that arrive now: what was said, when, and who hears whom."""

    time: float
    content: Any
    heard: Booleans


class Channel:
    """Links, control frames, and what is sent at once; rows and columns are nodes."""

    def __init__(
        self,
        name: str,
        link: Link,
        model: RadioModel,
        rates: Floats,
        has_radio: Booleans,
        counts: Counts,
        nodes: Sequence[str],
        seed: int,
    ) -> None:
        """`rates` are bytes a second, infinite without limit; `nodes` are the names that streams are known by."""
        number = len(nodes)
        self.name = name
        self.link = link
        self.counts = counts
        self.rates = rates
        self.reception: Floats = np.zeros((number, number))
        """The chance that node [row] receives what node [column] sends now."""
        self.links: Booleans = np.zeros((number, number), dtype=np.bool_)
        """Whether node [row] hears at least half of what node [column] sends."""
        self.time = 0.0
        is_instant = link.latency == link.jitter == link.loss == 0.0
        self.is_ideal = is_instant and not np.isfinite(rates).any()
        self._model = model
        self._medium = Medium(rates, link.shared)
        self._has_radio = has_radio
        self._all_have_radio = bool(has_radio.all())
        self._silent: Booleans = np.zeros(number, dtype=np.bool_)
        keys = np.array([stream_key(seed, f"network/{name}/{node}") for node in nodes], dtype=np.uint64)
        self._pairs = draws.pair_keys(keys)
        self._ticks = 0
        self._at_once: list[Frame] = []
        self._carrier = Carrier(link, self._medium, self._pairs, counts)
        self._beacons: list[tuple[Beacons, Floats]] = []

    @property
    def contact(self) -> Booleans:
        """Whether two nodes are linked both ways."""
        return self.links & self.links.T

    @property
    def reach(self) -> Booleans:
        """Whether node [row] hears anything at all of what node [column] sends."""
        return self.reception > 0.0

    def send(self, frame: Frame, after: float = 0.0) -> None:
        """A node sends a frame, or will when some seconds have gone by."""
        if self._silent[frame.sender]:
            self.counts.drop(frame)
        elif self.is_ideal:
            self.counts.bytes_sent[frame.sender] += frame.size
            self.counts.messages_sent[frame.sender] += 1
            self._at_once.append(frame)
        elif after > 0.0:
            self._carrier.hold(frame, self.time + after)
        else:
            self._carrier.put(frame)

    def answer(
        self, sender: int, to: Integers, content: object, load: int,
        missing: Booleans | None = None, sizes: Integers | None = None,
    ) -> Frame:  # fmt: skip
        """Send a load to some nodes who asked for it, of whom each lacks `missing` (fragments, receivers) of it."""
        if missing is None or sizes is None:
            sizes, _ = self.fragments([load])
            missing = np.ones((len(sizes), len(to)), dtype=np.bool_)
        frame = Frame(sender, content, load, to, missing=missing, sizes=sizes)
        # The announcement and the request took their time, and the answer will, too.
        self.send(frame, 2.0 * self.link.latency + self.link.jitter)
        return frame

    def fragments(self, loads: Sequence[int]) -> tuple[Integers, list[tuple[int, int]]]:
        """The bytes of the fragments into which loads that follow each other are cut, and which each load lies in."""
        return fragment_sizes(loads, self.link.fragment_bytes)

    def announce(self, sizes: Integers) -> Booleans:
        """Nodes tell all what they have of maps; (nodes, nodes): who hears whom."""
        return self.broadcast(draws.ANNOUNCEMENTS, sizes)

    def request(self, sizes: Integers) -> Booleans:
        """Nodes tell all what they ask for; (nodes, nodes): who hears whom."""
        return self.broadcast(draws.REQUESTS, sizes)

    def broadcast(self, purpose: int, sizes: Integers) -> Booleans:
        """Nodes send control frames of so many bytes to all, ahead of what waits; (nodes, nodes): who hears whom.

        A frame for which there is no air is dropped.
        """
        sizes = np.where(self._silent | ~self._has_radio, 0, sizes)
        share = self._medium.room_for(sizes)
        if share.min() < 1.0:
            is_sent = draws.who_sends(self._pairs, purpose, self._ticks, share)
            self.counts.dropped[(sizes > 0) & ~is_sent] += 1
            sizes = np.where(is_sent, sizes, 0)
        self._medium.add_control(sizes)
        heard = draws.who_hears(self._pairs, purpose, self._ticks, self.reception, 1.0 - self.link.loss, sizes)
        self.count(sizes, 0, sizes > 0)
        _count_received(heard, sizes, self.counts.bytes_received, self.counts.messages_received)
        return heard

    def beacons(self, sizes: Integers, content: object) -> list[Beacons]:
        """Nodes tell all of themselves; what arrives now of this and of what was told before, oldest first."""
        heard = self.broadcast(draws.BEACONS, sizes)
        now = Beacons(self.time, content, heard)
        if self.link.latency == self.link.jitter == 0.0:
            return [now]
        late = self.link.latency + self.link.jitter * draws.evenly(self._pairs, draws.BEACON_DELAYS, self._ticks)
        self._beacons.append((now, self.time + late))
        arrived = []
        for told, due in self._beacons:
            arrives = told.heard & (due <= self.time + MOMENT) & ~self._silent[:, None]
            if arrives.any():
                arrived.append(told._replace(heard=arrives))
                told.heard[due <= self.time + MOMENT] = False
        self._beacons = [(told, due) for told, due in self._beacons if told.heard.any()]
        return arrived

    def count(
        self,
        bytes_sent: Integers | int,
        bytes_received: Integers | int,
        messages_sent: Integers | Booleans | int = 0,
        messages_received: Integers | int = 0,
    ) -> None:
        """Add to what each node sent and received."""
        added = (bytes_sent, bytes_received, messages_sent, messages_received)
        for counted, more in zip(self.counts, added, strict=False):
            counted += more

    def count_heard(self, speakers: int, size: int) -> None:
        """Each of the first `speakers` nodes has told those who hear it, if there are any, so many bytes."""
        _count_heard(self.links, speakers, size, *self.counts[:4])

    def between(self, sender: int, receiver: int, starts: Floats, ends: Floats, obstacles: Obstacles) -> Floats:
        """(lines,): the chance that `receiver`, were it at `ends`, receives what `sender` sends from `starts`."""
        return self._model.between(sender, receiver, starts, ends, obstacles)

    def tick(self, time: float, positions: Floats, obstacles: Obstacles, silent: Booleans) -> list[Arrival]:
        """Nodes are at new places, and time has passed; returns what arrives, in order."""
        seconds, self.time = time - self.time, time
        self._ticks += 1
        self._silent = silent
        self.reception = np.ascontiguousarray(self._model.reception(positions, obstacles, time), dtype=np.float64)
        if np.count_nonzero(silent):
            self.reception = np.where(silent | silent[:, None], 0.0, self.reception)
        self._medium.notice(self.reception)
        self.links = np.empty(self.reception.shape, dtype=np.bool_)
        is_certain = _find_links(self.reception, self.links)
        if not self._all_have_radio:
            self._has_radio = self._has_radio | self.links.any(axis=0)  # A model may reach those without a data sheet.
            self._all_have_radio = bool(self._has_radio.all())
        self.is_ideal = self.is_ideal and is_certain
        arrivals = self._deliver_at_once() if self._at_once else []
        if not self.is_ideal:
            arrivals += self._carrier.tick(time, seconds, self.reception, self.links, silent)
        return arrivals

    def _deliver_at_once(self) -> list[Arrival]:
        """What was sent over an ideal channel reaches all who hear the sender now."""
        arrivals: list[Arrival] = []
        routes = Routes(self.links)
        frames, self._at_once = self._at_once, []
        for frame in frames:
            frame.is_over = True
            if not routes.choose_way(frame):
                self.counts.drop(frame)
                continue
            heard = self.links[:, frame.sender]
            receivers = np.flatnonzero(heard) if frame.to is None else frame.to[heard[frame.to]]
            self.counts.bytes_received[receivers] += frame.size
            self.counts.messages_received[receivers] += 1
            arrivals.append(Arrival(frame, receivers, NOTHING))
        return arrivals


@kernel
def _find_links(reception: Floats, links: Booleans) -> bool:
    """Fill in who hears at least half of what whom sends; whether everything is heard either always or never."""
    is_certain = True
    for receiver in range(len(reception)):
        for sender in range(len(reception)):
            chance = reception[receiver, sender]
            links[receiver, sender] = chance >= LIKELY
            is_certain &= not 0.0 < chance < 1.0
    return is_certain


@kernel
def _count_received(heard: Booleans, sizes: Integers, bytes_received: Integers, messages_received: Integers) -> None:
    for receiver in range(len(heard)):
        size = messages = 0
        for sender in range(len(heard)):
            size += sizes[sender] if heard[receiver, sender] else 0
            messages += heard[receiver, sender]
        bytes_received[receiver] += size
        messages_received[receiver] += messages


@kernel
def _count_heard(
    links: Booleans, speakers: int, size: int, bytes_sent: Integers, bytes_received: Integers,
    messages_sent: Integers, messages_received: Integers,
) -> None:  # fmt: skip
    for sender in range(speakers):
        is_heard = False
        for receiver in range(len(links)):
            if links[receiver, sender]:
                is_heard = True
                bytes_received[receiver] += size
                messages_received[receiver] += 1
        if is_heard:
            bytes_sent[sender] += size
            messages_sent[sender] += 1
