"""What waits at a node to be sent, and how it goes out: fragment by fragment, each perhaps lost and sent again."""

from __future__ import annotations

import math
from collections import deque

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.streams import mix, uniform

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Keys = NDArray[np.uint64]

HEADER_BYTES = 16
"""Of each message, and of each of its fragments: sender, receiver, time and length."""


class Frame:
    """One transmission over a channel, by one node to those who hear it or to some of them."""

    def __init__(
        self,
        sender: int,
        content: object,
        load: int,
        to: Integers | None = None,
        destination: int | None = None,
        hops: int = 1,
        missing: Booleans | None = None,
    ) -> None:
        self.sender = sender
        self.content = content
        self.load = load
        """Bytes without headers."""
        self.to = to
        """Those it is meant for; all who hear it if not given."""
        self.destination = destination
        """Where it shall go in the end; the next node on the way is chosen when it is sent."""
        self.hops = hops
        """How many links it may still take, this one included."""
        self.missing = missing
        """(fragments, receivers): what those it is meant for do not have."""
        self.keeps_parts = missing is not None
        """Whether a receiver makes use of a part, so that it arrives too."""
        self.is_begun = False
        self.is_over = False
        """Whether nothing of it will arrive any more."""
        self.queue: Queue | None = None
        """Where it waits."""
        self.serial = 0
        """Which of its sender's transmissions it is, from 1."""
        self.to_come = 0
        """At how many it has yet to arrive."""
        self.progress: Floats = np.zeros(3)
        """The fragment, the try, and the bytes of it that are still to be sent."""
        self.worst: Floats = np.zeros(0)
        """The worst chance of each receiver while the fragment was sent."""
        self.keys: Keys = np.zeros(0, dtype=np.uint64)
        """The streams by which each receiver gets fragments."""

    @property
    def size(self) -> int:
        """Bytes on the air if it goes out in one piece."""
        return self.load + HEADER_BYTES

    def begin(self, keys: Keys, fragment_bytes: int, serial: int) -> None:
        """It goes on the air, to as many receivers as there are keys."""
        self.is_begun = True
        self.serial = serial
        self.keys = keys
        self.worst = np.ones(len(keys))
        if self.missing is None:
            self.missing = np.ones((fragments_of(self.load, fragment_bytes), len(keys)), dtype=np.bool_)

    def renew(self, content: object, load: int, to: Integers, fragments: int) -> None:
        """Put another content into a frame that is not on the air yet, for these nodes."""
        assert not self.is_begun
        if self.queue is not None:
            self.queue.bytes += load - self.load
        self.content, self.load, self.to = content, load, to
        self.missing = np.ones((fragments, len(to)), dtype=np.bool_)


def fragments_of(load: int, fragment_bytes: int) -> int:
    """Into how many fragments a load is cut."""
    return max(1, math.ceil(load / fragment_bytes))


class Queue:
    """The frames of one node that wait to be sent, first come first served."""

    def __init__(self, limit: int, drops_oldest: bool) -> None:
        self.frames: deque[Frame] = deque()
        self.bytes = 0
        self._limit = limit
        self._drops_oldest = drops_oldest

    def __bool__(self) -> bool:
        return bool(self.frames)

    def put(self, frame: Frame) -> list[Frame]:
        """Append a frame; returns those that are dropped for want of room."""
        dropped: list[Frame] = []
        while self.frames and self.bytes + frame.size > self._limit:
            first = 1 if self.frames[0].is_begun else 0
            if not self._drops_oldest or len(self.frames) <= first:
                return [*dropped, frame]
            old = self.frames[first]
            del self.frames[first]
            self.bytes -= old.size
            dropped.append(old)
        self.frames.append(frame)
        self.bytes += frame.size
        frame.queue = self
        return dropped

    def take(self) -> Frame:
        """Remove the first frame."""
        frame = self.frames.popleft()
        self.bytes -= frame.size
        return frame


@kernel
def send_fragments(
    progress: Floats,
    missing: Booleans,
    to: Integers,
    worst: Floats,
    chances: Floats,
    load: int,
    fragment_bytes: int,
    tries: int,
    budget: float,
    keys: Keys,
    serial: int,
    received: Integers,
) -> tuple[float, int]:
    """Send on a frame with `budget` bytes of air; how many of them it took, and the bytes of all tries that were ended.

    `keys[k]` is the stream of the pair of the sender and `to[k]`, whose chance to receive now is `chances[to[k]]`. Who
    is out of reach during any part of a fragment misses it. Cost: the tries times the receivers.
    """
    fragments = missing.shape[0]
    fragment, turn, left = int(progress[0]), int(progress[1]), progress[2]
    spent, sent = 0.0, 0
    while fragment < fragments:
        size = min(fragment_bytes, load - fragment * fragment_bytes) + HEADER_BYTES
        if left <= 0.0:
            if not missing[fragment].any():
                fragment += 1
                continue
            left = float(size)
            worst[:] = 1.0
        part = min(left, budget - spent)
        if part <= 0.0:
            break
        for k in range(len(to)):
            worst[k] = min(worst[k], chances[to[k]])
        spent += part
        left -= part
        if left > 1e-6:
            break
        left = 0.0
        sent += size
        for k in range(len(to)):
            if missing[fragment, k] and worst[k] > 0.0:
                counter = np.uint64(fragment) * np.uint64(tries) + np.uint64(turn)
                if uniform(mix(keys[k], np.uint64(serial)), counter) < worst[k]:
                    missing[fragment, k] = False
                    received[to[k]] += size
        turn += 1
        if turn == tries or not missing[fragment].any():
            fragment += 1
            turn = 0
    progress[0], progress[1], progress[2] = fragment, turn, left
    return spent, sent
