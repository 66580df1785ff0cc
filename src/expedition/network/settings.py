"""What users may set of the network: how many hops messages take, and what each channel carries, delays and loses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from expedition.errors import unknown
from expedition.fleet.model import Radio
from expedition.spec import Spec

Seconds = Annotated[float, Field(ge=0, le=3600)]
Policy = Literal["drop-newest", "drop-oldest"]

FRAGMENT_BYTES = 1500
QUEUE_BYTES = 1_000_000


class LinkSettings(Spec):
    """What a channel does to what is sent over it. What is not given is as for all channels, and else as said here."""

    radio: Annotated[str, Field(min_length=1)] | None = None
    """Who hears whom on this channel; as the setting `radio` if not given."""
    bandwidth_bits_per_s: Annotated[float, Field(gt=0, le=1e15)] | None = None
    """How much a node can send, in bit/s; as its radio's data sheet says if not given, and without limit if that says
    nothing."""
    latency: Seconds | None = None
    """How long everything takes to arrive once it is sent, in seconds; 0 if not given."""
    jitter: Seconds | None = None
    """By how much it may take longer, in seconds, evenly drawn; 0 if not given."""
    loss: Annotated[float, Field(ge=0, le=1)] | None = None
    """The share of fragments that is lost, besides those that the radio loses; 0 if not given."""
    fragment_bytes: Annotated[int, Field(ge=16, le=10_000_000)] | None = None
    """Larger messages are cut into fragments of this size; 1500 if not given."""
    retries: Annotated[int, Field(ge=0, le=100)] | None = None
    """How often a fragment that was not received is sent again, if it was meant for certain nodes; 0 if not given."""
    shared: bool | None = None
    """Whether all in range share one medium, so that one sends at a time; no if not given."""
    queue_bytes: Annotated[int, Field(ge=1, le=10**12)] | None = None
    """What a node keeps that waits to be sent; 1,000,000 if not given. A message finds room in an empty queue."""
    queue_policy: Policy | None = None
    """What is lost when the queue is full: drop-newest (if not given) or drop-oldest."""


class Link(NamedTuple):
    """The settings of one channel with nothing left open but the data sheets' bandwidth."""

    radio: str
    bandwidth_bits_per_s: float | None
    latency: float
    jitter: float
    loss: float
    fragment_bytes: int
    retries: int
    shared: bool
    queue_bytes: int
    queue_policy: Policy


class NetworkSettings(Spec):
    """Links between robots, and with their base."""

    hops: Annotated[int, Field(ge=1, le=1000)] = 1
    """Over how many links messages are handed on: 1 reaches those who hear the sender."""
    link: LinkSettings = LinkSettings()
    """What holds for all channels."""
    channels: dict[str, LinkSettings] = Field({})
    """What differs for a channel, by the name of its radio."""

    def link_of(self, channel: str, radio: str) -> Link:
        """What holds for a channel; `radio` is the model for those that have none of their own."""
        given = {**_given(self.link), **_given(self.channels.get(channel, LinkSettings()))}
        defaults = Link(radio, None, 0.0, 0.0, 0.0, FRAGMENT_BYTES, 0, False, QUEUE_BYTES, "drop-newest")
        return defaults._replace(**given)


def channel_names(radios: Iterable[str]) -> list[str]:
    """The channels of nodes with radios of these names, the first of which carries maps and beacons, too.

    Without any radio there is one all the same, over which a model may still reach.
    """
    return list(dict.fromkeys(radios)) or [Radio().name]


def check_channels(given: Iterable[str], names: Iterable[str], place: Callable[[str], str]) -> None:
    """Refuse settings for a channel that no node has; `place` tells where those of a channel were given."""
    allowed = list(names)
    for name in given:
        if name not in allowed:
            raise unknown("channel", name, allowed, place(name))


def _given(link: LinkSettings) -> dict[str, Any]:
    return {name: value for name, value in link if value is not None}
