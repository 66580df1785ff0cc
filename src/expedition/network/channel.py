"""One channel: all radios of one name, who hears whom on it now, and what is on its way.

A channel is ideal when it carries any amount at once and loses nothing: then what is sent arrives at the next tick at
all who hear the sender by then. Otherwise frames wait in their sender's queue and go out fragment by fragment, as the
bandwidth allows; each receiver gets each fragment by chance, and a message when it has got them all.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.network import draws
from expedition.network.medium import Medium
from expedition.network.obstacles import Obstacles
from expedition.network.queues import Frame, Queue, fragments_of, send_fragments
from expedition.network.radio import RadioModel
from expedition.network.routing import Routes
from expedition.network.settings import Link
from expedition.streams import stream_key, uniform

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

LIKELY = 0.5
"""Two nodes count as linked when at least this share of what one sends reaches the other."""
MOMENT = 1e-9
NOTHING: Booleans = np.zeros((0, 0), dtype=np.bool_)


class Counts(NamedTuple):
    """What each node has sent and received so far."""

    bytes_sent: Integers
    bytes_received: Integers
    messages_sent: Integers
    messages_received: Integers
    dropped: Integers
    """Messages for which there was no room in the queue, no way, or no radio that is on."""


class Arrival(NamedTuple):
    """A frame has reached some nodes."""

    frame: Frame
    receivers: Integers
    missing: Booleans
    """(fragments, receivers): what they have not got of it, if it is one of which parts are of use; else empty."""


class Beacons(NamedTuple):
    """Beacons that arrive now: what was said, when, and who hears whom."""

    time: float
    content: Any
    heard: Booleans


class Channel:
    """Links, queues and frames on the air; rows and columns are nodes."""

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
        self._silent: Booleans = np.zeros(number, dtype=np.bool_)
        keys = np.array([stream_key(seed, f"network/{name}/{node}") for node in nodes], dtype=np.uint64)
        self._pairs = draws.pair_keys(keys)
        self._ticks = 0
        self._at_once: list[Frame] = []
        self._queues = [Queue(link.queue_bytes, link.queue_policy == "drop-oldest") for _ in nodes]
        self._serials = [0] * number
        self._held: list[tuple[float, int, Frame]] = []
        self._flying: list[tuple[float, int, Arrival]] = []
        self._order = 0
        self._beacons: list[tuple[Beacons, Floats]] = []
        self._everyone: Integers = np.arange(number)

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
            self._drop(frame)
        elif self.is_ideal:
            self.counts.bytes_sent[frame.sender] += frame.size
            self.counts.messages_sent[frame.sender] += 1
            self._at_once.append(frame)
        elif after > 0.0:
            heapq.heappush(self._held, (self.time + after, self._next(), frame))
        else:
            for dropped in self._queues[frame.sender].put(frame):
                self._drop(dropped)

    def answer(self, sender: int, to: Integers, content: object, load: int, missing: Booleans | None = None) -> Frame:
        """Send a load to some nodes who asked for it, of whom each lacks `missing` (fragments, receivers) of it."""
        if missing is None:
            missing = np.ones((self.fragments(load), len(to)), dtype=np.bool_)
        frame = Frame(sender, content, load, to, missing=missing)
        # The announcement and the request took their time, and the answer will, too.
        self.send(frame, 2.0 * self.link.latency + self.link.jitter)
        return frame

    def fragments(self, load: int) -> int:
        """Into how many fragments a load is cut."""
        return fragments_of(load, self.link.fragment_bytes)

    def announce(self, sizes: Integers) -> Booleans:
        """Nodes tell all what they have of maps; (nodes, nodes): who hears whom."""
        return self.broadcast(draws.ANNOUNCEMENTS, sizes)

    def request(self, sizes: Integers) -> Booleans:
        """Nodes tell all what they ask for; (nodes, nodes): who hears whom."""
        return self.broadcast(draws.REQUESTS, sizes)

    def broadcast(self, purpose: int, sizes: Integers) -> Booleans:
        """Nodes send control frames of so many bytes to all, ahead of what waits; (nodes, nodes): who hears whom."""
        sizes = np.where(self._silent | ~self._has_radio, 0, sizes)
        self._medium.add_control(sizes)
        share = (1.0 - self.link.loss) * self._medium.share_heard(self.reach)
        heard = draws.who_hears(self._pairs, purpose, self._ticks, self.reception, share, sizes)
        self.count(sizes, heard @ sizes, sizes > 0, np.count_nonzero(heard, axis=1))
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

    def between(self, sender: int, receiver: int, starts: Floats, ends: Floats, obstacles: Obstacles) -> Floats:
        """(lines,): the chance that `receiver`, were it at `ends`, receives what `sender` sends from `starts`."""
        return self._model.between(sender, receiver, starts, ends, obstacles)

    def tick(self, time: float, positions: Floats, obstacles: Obstacles, silent: Booleans) -> list[Arrival]:
        """Nodes are at new places, and time has passed; returns what arrives, in order."""
        seconds, self.time = time - self.time, time
        self._ticks += 1
        self._silent = silent
        self.reception = self._model.reception(positions, obstacles, time)
        if silent.any():
            self.reception = np.where(silent | silent[:, None], 0.0, self.reception)
        self.links = self.reception >= LIKELY
        if not self._has_radio.all():
            self._has_radio = self._has_radio | self.links.any(axis=0)  # A model may reach those without a data sheet.
        if self.is_ideal:
            self.is_ideal = not np.any((self.reception > 0.0) & (self.reception < 1.0))
        arrivals = self._deliver_at_once() if self._at_once else []
        if not self.is_ideal:
            if seconds > 0.0:
                self._drain(seconds)
            self._land(arrivals)
        return arrivals

    def _deliver_at_once(self) -> list[Arrival]:
        """What was sent over an ideal channel reaches all who hear the sender now."""
        arrivals: list[Arrival] = []
        routes = Routes(self.links)
        frames, self._at_once = self._at_once, []
        for frame in frames:
            frame.is_over = True
            if not self._choose_way(frame, routes):
                continue
            heard = self.links[:, frame.sender]
            receivers = np.flatnonzero(heard) if frame.to is None else frame.to[heard[frame.to]]
            self.counts.bytes_received[receivers] += frame.size
            self.counts.messages_received[receivers] += 1
            arrivals.append(Arrival(frame, receivers, NOTHING))
        return arrivals

    def _drain(self, seconds: float) -> None:
        """Send what waits, as far as each node's share of the air goes in these seconds."""
        while self._held and self._held[0][0] <= self.time - seconds + MOMENT:
            frame = heapq.heappop(self._held)[2]
            for dropped in self._queues[frame.sender].put(frame):
                self._drop(dropped)
        waiting = np.array([len(queue.frames) for queue in self._queues]) > 0
        waiting &= ~self._silent
        budgets = self._medium.budgets(self.reach, waiting, seconds)
        if not waiting.any():
            return
        routes = Routes(self.links)
        for node in np.flatnonzero(waiting).tolist():
            self._transmit(node, float(budgets[node]), seconds, routes)

    def _transmit(self, node: int, budget: float, seconds: float, routes: Routes) -> None:
        queue, left = self._queues[node], budget
        chances = self.reception[:, node] * (1.0 - self.link.loss)
        while queue and left > 0.0:
            frame = queue.frames[0]
            if not frame.is_begun and not self._begin(frame, routes):
                self._drop(queue.take())
                continue
            to = self._everyone if frame.to is None else frame.to
            assert frame.missing is not None
            spent, sent = send_fragments(
                frame.progress, frame.missing, to, frame.worst, chances, frame.load, self.link.fragment_bytes,
                1 if frame.to is None else 1 + self.link.retries, left, frame.keys, frame.serial,
                self.counts.bytes_received,
            )  # fmt: skip
            left -= spent
            self.counts.bytes_sent[node] += sent
            if frame.progress[0] < len(frame.missing):
                return
            self.counts.messages_sent[node] += 1
            passed = seconds * (1.0 - left / budget) if budget < math.inf else 0.0
            self._take_off(queue.take(), to, self.time - seconds + passed)

    def _begin(self, frame: Frame, routes: Routes) -> bool:
        """Choose the way of a frame and put it on the air; whether there is a way."""
        if not self._choose_way(frame, routes):
            return False
        self._serials[frame.sender] += 1
        to = self._everyone if frame.to is None else frame.to
        keys = draws.streams(self._pairs[to, frame.sender], draws.FRAGMENTS)
        frame.begin(keys, self.link.fragment_bytes, self._serials[frame.sender])
        return True

    def _choose_way(self, frame: Frame, routes: Routes) -> bool:
        if frame.destination is None:
            return True
        following: int | None = frame.destination
        if frame.hops > 1:
            following = routes.next_hop(frame.sender, frame.destination, frame.hops)
        if following is None:
            return False
        frame.to = np.array([following])
        return True

    def _take_off(self, frame: Frame, to: Integers, moment: float) -> None:
        """All of a frame was sent: it arrives, after a while, at those who have all of it."""
        assert frame.missing is not None
        has_all = ~frame.missing.any(axis=0)
        arriving = np.arange(len(to)) if frame.keeps_parts else np.flatnonzero(has_all)
        due = moment + self.link.latency
        if self.link.jitter == 0.0:
            if len(arriving):
                self._fly(frame, to, arriving, due)
        else:
            keys = draws.streams(self._pairs[to[arriving], frame.sender], draws.DELAYS)
            for k, key in zip(arriving, keys, strict=True):
                late = self.link.jitter * uniform(key, np.uint64(frame.serial))
                self._fly(frame, to, np.array([k]), due + late)
        frame.is_over = frame.to_come == 0

    def _fly(self, frame: Frame, to: Integers, which: Integers, due: float) -> None:
        """A frame will arrive at `to[which]`."""
        missing = frame.missing[:, which] if frame.keeps_parts and frame.missing is not None else NOTHING
        heapq.heappush(self._flying, (due, self._next(), Arrival(frame, to[which], missing)))
        frame.to_come += 1

    def _land(self, arrivals: list[Arrival]) -> None:
        while self._flying and self._flying[0][0] <= self.time + MOMENT:
            arrival = heapq.heappop(self._flying)[2]
            arrival.frame.to_come -= 1
            arrival.frame.is_over = arrival.frame.to_come == 0
            whole = ~arrival.missing.any(axis=0) if arrival.frame.keeps_parts else slice(None)
            self.counts.messages_received[arrival.receivers[whole]] += 1
            arrivals.append(arrival)

    def _drop(self, frame: Frame) -> None:
        frame.is_over = True
        self.counts.dropped[frame.sender] += 1

    def _next(self) -> int:
        self._order += 1
        return self._order
