"""A robot's inbox, as its strategy sees it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from expedition.network.messages import Message
from expedition.network.payload import decode

MAX_WAITING = 10_000
"""Messages kept for a strategy that does not read them; older ones are dropped."""


@dataclass(frozen=True)
class Received:
    """A message that has arrived."""

    sender: int
    """The robot that sent it, or the base."""
    topic: str
    """What the sender said it is about."""
    payload: Any
    time: float
    """When it was sent, in seconds since the start."""
    channel: str = ""
    """The name of the radio it came over."""


class Inbox:
    """Messages in the order in which they came, until they are taken out."""

    def __init__(self) -> None:
        self._waiting: list[Message] = []

    def put(self, messages: tuple[Message, ...]) -> None:
        """Messages have arrived."""
        self._waiting.extend(messages)
        if len(self._waiting) > MAX_WAITING:
            del self._waiting[:-MAX_WAITING]

    def take(self, topic: str | None = None) -> list[Received]:
        """All messages, or those on a topic; they leave the inbox."""
        taken = [message for message in self._waiting if topic is None or message.topic == topic]
        self._waiting = [message for message in self._waiting if topic is not None and message.topic != topic]
        return list(map(_received, taken))

    def __len__(self) -> int:
        return len(self._waiting)

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def __iter__(self) -> Iterator[Received]:
        return map(_received, list(self._waiting))


def _received(message: Message) -> Received:
    return Received(message.sender, message.topic, decode(message.data), message.time, message.channel)
