"""The network of a mission: who is linked now, which messages arrive, and how many bytes that takes.

A message sent during a control tick arrives at the next, at those who hear the sender by then; there is no second try.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError, shorten
from expedition.fleet import RobotModel
from expedition.network.radio import Floats, Links, RadioModel
from expedition.terrain import Terrain

Integers = NDArray[np.int64]

MESSAGE_LIMIT = 65_536
RATE_LIMIT = 1_000_000.0
HEADER_BYTES = 16
"""Of each message: sender, receiver, time and length."""
CHANNEL_LIMIT = 64


class PayloadTooLarge(ExpeditionError):
    """A strategy sends more than a message or its radio carries."""


@dataclass(frozen=True)
class Message:
    """What arrives in an inbox."""

    sender: int
    channel: str
    data: bytes
    time: float
    """When it was sent, in seconds since the start."""


Delivery = tuple[Message, ...]


class Network:
    """Links, messages on their way, and what every robot sent and received so far."""

    def __init__(
        self,
        radio: RadioModel,
        models: Sequence[RobotModel],
        message_limit: int = MESSAGE_LIMIT,
        rate_limit: float = RATE_LIMIT,
    ) -> None:
        """`rate_limit`, in bytes a second, holds for robots whose radio has no bandwidth on its data sheet."""
        robots = len(models)
        self.links: Links = np.zeros((robots, robots), dtype=np.bool_)
        self.time = 0.0
        self.bytes_sent: Integers = np.zeros(robots, dtype=np.int64)
        self.bytes_received: Integers = np.zeros(robots, dtype=np.int64)
        self.messages_sent: Integers = np.zeros(robots, dtype=np.int64)
        self.messages_received: Integers = np.zeros(robots, dtype=np.int64)
        self._radio = radio
        self._message_limit = message_limit
        self._rates = [_rate(model, rate_limit) for model in models]
        self._allowances = list(self._rates)
        self._allowed_at = [0.0] * robots
        self._on_the_way: list[tuple[int | None, Message]] = []
        self._silence: tuple[Delivery, ...] = ((),) * robots

    def tick(self, time: float, positions: Floats, terrain: Terrain) -> tuple[Delivery, ...]:
        """Where the robots really are from now on; returns what reaches each, in the order it was sent."""
        self.time = time
        if len(self.links) > 1:
            self.links = self._radio.links(positions, terrain)
        if not self._on_the_way:
            return self._silence
        inboxes: list[list[Message]] = [[] for _ in self._silence]
        for to, message in self._on_the_way:
            heard = self.links[:, message.sender]
            receivers = np.flatnonzero(heard).tolist() if to is None else [to] if heard[to] else []
            for receiver in receivers:
                inboxes[receiver].append(message)
            self.bytes_received[receivers] += _size(message)
            self.messages_received[receivers] += 1
        self._on_the_way.clear()
        return tuple(map(tuple, inboxes))

    def send(self, sender: int, data: bytes, to: int | None = None, channel: str = "") -> None:
        """Send to robot `to`, or to all who hear it at the next tick."""
        robots = len(self.links)
        if to is not None and (isinstance(to, bool) or not isinstance(to, (int, np.integer)) or not 0 <= to < robots):
            raise ExpeditionError(
                f"robot {sender} sends to {shorten(to)}; allowed: a robot from 0 to {robots - 1}, or None for all"
            )
        if not isinstance(channel, str) or len(channel) > CHANNEL_LIMIT:
            raise ExpeditionError(
                f"robot {sender} sends on channel {shorten(channel)}; allowed: names of up to {CHANNEL_LIMIT} letters"
            )
        message = Message(sender, channel, data, self.time)
        self._spend(sender, _size(message))
        self._on_the_way.append((None if to is None else int(to), message))
        self.bytes_sent[sender] += _size(message)
        self.messages_sent[sender] += 1

    def count(
        self,
        bytes_sent: Integers | int,
        bytes_received: Integers | int,
        messages_sent: Integers | int = 0,
        messages_received: Integers | int = 0,
    ) -> None:
        """Add what map exchange and the like carried to what each robot sent and received; beacons count their own."""
        self.bytes_sent += bytes_sent
        self.bytes_received += bytes_received
        self.messages_sent += messages_sent
        self.messages_received += messages_received

    def _spend(self, sender: int, size: int) -> None:
        """A second's worth of bytes at most at once, which fill up again as time goes by."""
        if size > self._message_limit:
            raise PayloadTooLarge(
                f"robot {sender} sends a message of {size:,} bytes; the limit is {self._message_limit:,}: send less, "
                "or in parts over time"
            )
        rate = self._rates[sender]
        gained = (self.time - self._allowed_at[sender]) * rate
        allowance = min(rate, self._allowances[sender] + gained)
        if size > allowance:
            raise PayloadTooLarge(
                f"robot {sender} sends {size:,} bytes more than its radio carries: {rate:,.0f} bytes a second, of "
                f"which {allowance:,.0f} are left now: send less, or less often"
            )
        self._allowances[sender] = allowance - size
        self._allowed_at[sender] = self.time


def _size(message: Message) -> int:
    return HEADER_BYTES + len(message.channel.encode("utf-8", "surrogatepass")) + len(message.data)


def _rate(model: RobotModel, otherwise: float) -> float:
    bits = model.radios[0].bandwidth_bits_per_s if model.radios else None
    return otherwise if bits is None else bits / 8.0
