"""What carries frames over a channel that is not ideal: queues, fragments one by one, and some time in the air.

Frames wait in their sender's queue and go out fragment by fragment, as the bandwidth allows; each receiver gets each
fragment by chance, and a message when it has got them all.
"""

from __future__ import annotations

import heapq
import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.network import draws
from expedition.network.fragments import send_fragments
from expedition.network.frames import NOTHING, Arrival, Counts, Frame, Queue
from expedition.network.medium import Medium
from expedition.network.routing import Routes
from expedition.network.settings import Link
from expedition.streams import uniform

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

MOMENT = 1e-9


class Carrier:
    """Frames on their way between nodes, from the moment they are sent."""

    def __init__(self, link: Link, medium: Medium, pairs: draws.Keys, counts: Counts) -> None:
        """`pairs[r, s]` is the key of what is drawn for frames from node s to node r."""
        nodes = len(pairs)
        self._link = link
        self._medium = medium
        self._counts = counts
        # By sender: a row is what one transmission draws from.
        self._fragment_keys = draws.streams(pairs.T.ravel(), draws.FRAGMENTS).reshape(nodes, nodes)
        self._delay_keys = draws.streams(pairs.T.ravel(), draws.DELAYS).reshape(nodes, nodes)
        self._queues = [Queue(link.queue_bytes, link.queue_policy == "drop-oldest") for _ in range(nodes)]
        self._has_frames: Booleans = np.zeros(nodes, dtype=np.bool_)
        """Of which nodes frames wait, so that no tick has to look into every queue."""
        self._serials = [0] * nodes
        self._held: list[tuple[float, int, Frame]] = []
        self._flying: list[tuple[float, int, Arrival]] = []
        self._order = 0
        self._everyone: Integers = np.arange(nodes)

    def put(self, frame: Frame) -> None:
        """Let a frame wait in its sender's queue."""
        queue = self._queues[frame.sender]
        for dropped in queue.put(frame):
            self._counts.drop(dropped)
        self._has_frames[frame.sender] = bool(queue)

    def hold(self, frame: Frame, until: float) -> None:
        """Put a frame into the queue at some time."""
        heapq.heappush(self._held, (until, self._next(), frame))

    def tick(self, time: float, seconds: float, reception: Floats, links: Booleans, silent: Booleans) -> list[Arrival]:
        """The seconds up to `time` have passed: what waits was sent as far as the air goes; returns what has arrived.

        `reception` and `links` are who hears whom in these seconds, and of `silent` nodes nothing goes out.
        """
        if seconds > 0.0:
            self._drain(time - seconds, seconds, reception, links, silent)
        return self._land(time)

    def _drain(self, start: float, seconds: float, reception: Floats, links: Booleans, silent: Booleans) -> None:
        while self._held and self._held[0][0] <= start + MOMENT:
            self.put(heapq.heappop(self._held)[2])
        waiting = self._has_frames & ~silent
        budgets = self._medium.budgets(waiting, seconds)
        chances = np.multiply(reception.T, 1.0 - self._link.loss, order="C")
        routes = Routes(links)
        for node in np.flatnonzero(waiting).tolist():
            self._transmit(node, float(budgets[node]), start, seconds, chances[node], routes)

    def _transmit(
        self, node: int, budget: float, start: float, seconds: float, chances: Floats, routes: Routes
    ) -> None:
        """Send what waits at a node with `budget` bytes of air."""
        queue, left, link = self._queues[node], budget, self._link
        while queue and left > 0.0:
            frame = queue.frames[0]
            if not frame.is_begun:
                if not routes.choose_way(frame):
                    self._counts.drop(queue.take())
                    continue
                self._serials[node] += 1
                frame.begin(self._everyone, link.fragment_bytes, self._serials[node])
            assert frame.missing is not None and frame.sizes is not None  # noqa: PT018
            to = self._everyone if frame.to is None else frame.to
            spent, sent = send_fragments(
                frame.progress, frame.missing, to, frame.worst, chances, frame.sizes,
                1 if frame.to is None else 1 + link.retries, left, self._fragment_keys[node], frame.serial,
                self._counts.bytes_received,
            )  # fmt: skip
            left -= spent
            self._counts.bytes_sent[node] += sent
            if frame.progress[0] < len(frame.missing):
                return
            self._counts.messages_sent[node] += 1
            passed = seconds * (1.0 - left / budget) if budget < math.inf else 0.0
            self._take_off(queue.take(), to, frame.missing, start + passed)
        self._has_frames[node] = bool(queue)

    def _take_off(self, frame: Frame, to: Integers, missing: Booleans, moment: float) -> None:
        """All of a frame was sent: it arrives, after a while, at those who have all of it, or keep parts."""
        if not frame.keeps_parts:
            to, missing = to[~missing.any(axis=0)], NOTHING
        due = moment + self._link.latency
        if self._link.jitter == 0.0:
            if len(to):
                self._fly(Arrival(frame, to, missing), due)
        else:
            for k, key in enumerate(self._delay_keys[frame.sender, to]):
                late = self._link.jitter * uniform(key, np.uint64(frame.serial))
                one = slice(k, k + 1)
                self._fly(Arrival(frame, to[one], missing[:, one]), due + late)
        frame.is_over = frame.to_come == 0

    def _fly(self, arrival: Arrival, due: float) -> None:
        heapq.heappush(self._flying, (due, self._next(), arrival))
        arrival.frame.to_come += 1

    def _land(self, time: float) -> list[Arrival]:
        arrivals = []
        while self._flying and self._flying[0][0] <= time + MOMENT:
            arrival = heapq.heappop(self._flying)[2]
            arrival.frame.to_come -= 1
            arrival.frame.is_over = arrival.frame.to_come == 0
            _count_whole(arrival.receivers, arrival.missing, self._counts.messages_received)
            arrivals.append(arrival)
        return arrivals

    def _next(self) -> int:
        self._order += 1
        return self._order


@kernel
def _count_whole(receivers: Integers, missing: Booleans, messages_received: Integers) -> None:
    """Count a message for all of whom no fragment is missing."""
    for k in range(len(receivers)):
        is_whole = True
        for fragment in range(len(missing)):
            is_whole &= not missing[fragment, k]
        messages_received[receivers[k]] += is_whole
