"""What strategies tell each other: a message, its way through the network, and what its sender learns of it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Message:
    """What arrives in an inbox."""

    sender: int
    topic: str
    data: bytes
    time: float
    """When it was sent, in seconds since the start."""
    channel: str = ""
    """The name of the radio it came over."""


class Receipt:
    """What a sender knows of its message: nothing, unless it asked for confirmation and that has come back."""

    def __init__(self) -> None:
        self.confirmed_by: tuple[int, ...] = ()
        """The nodes whose confirmation has arrived, in that order."""

    def __repr__(self) -> str:
        return f"<receipt confirmed by {list(self.confirmed_by)}>" if self.confirmed_by else "<receipt>"

    @property
    def confirmed(self) -> bool:
        """Whether any confirmation has arrived; that none has says nothing, for it may be lost as well."""
        return bool(self.confirmed_by)


@dataclass(eq=False)
class Packet:
    """A message on its way."""

    message: Message
    to: int | None
    """The node it is meant for; all in reach if None."""
    receipt: Receipt | None
    """Of a message that shall be confirmed."""
    passed: set[int] = field(default_factory=set)
    """Of a message to all, the nodes that have had it, which neither read nor hand it on again."""


@dataclass(frozen=True, eq=False)
class Confirmation:
    """On its way back to who sent a message."""

    receipt: Receipt
    sender: int
    """Who has got the message."""
    to: int
