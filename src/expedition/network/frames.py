"""What goes over a channel: frames, the queues where they wait, their arrivals, and counts of all that."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.network.fragments import HEADER_BYTES, fragment_sizes

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

NOTHING: Booleans = np.zeros((0, 0), dtype=np.bool_)


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
        sizes: Integers | None = None,
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
        self.sizes = sizes
        """(fragments,): their bytes without headers."""
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

    @property
    def size(self) -> int:
        """Bytes on the air if it goes out in one piece."""
        return self.load + HEADER_BYTES

    def begin(self, everyone: Integers, fragment_bytes: int, serial: int) -> None:
        """It goes on the air."""
        receivers = len(everyone if self.to is None else self.to)
        self.is_begun = True
        self.serial = serial
        self.worst = np.ones(receivers)
        if self.sizes is None:
            self.sizes, _ = fragment_sizes([self.load], fragment_bytes)
        if self.missing is None:
            self.missing = np.ones((len(self.sizes), receivers), dtype=np.bool_)

    def renew(self, content: object, load: int, to: Integers, missing: Booleans, sizes: Integers) -> None:
        """Put another content into a frame that is not on the air yet, for these nodes."""
        assert not self.is_begun
        if self.queue is not None:
            self.queue.bytes += load - self.load
        self.content, self.load, self.to, self.missing, self.sizes = content, load, to, missing, sizes


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


class Counts(NamedTuple):
    """What each node has sent and received so far."""

    bytes_sent: Integers
    bytes_received: Integers
    messages_sent: Integers
    messages_received: Integers
    dropped: Integers
    """Messages for which there was no room in the queue, no way, or no radio that is on."""

    def drop(self, frame: Frame) -> None:
        """A frame does not go out."""
        frame.is_over = True
        self.dropped[frame.sender] += 1


class Arrival(NamedTuple):
    """A frame has reached some nodes."""

    frame: Frame
    receivers: Integers
    missing: Booleans
    """(fragments, receivers): what they have not got of it, if it is one of which parts are of use; else empty."""
