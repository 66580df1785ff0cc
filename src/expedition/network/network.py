"""The network of a mission: who is linked now, which messages arrive, and how many bytes that takes.

Its members are nodes: the robots, and the base station as the last. They send over channels, the names of their radios;
maps and beacons go over the first. Over an ideal channel a message sent during a control tick arrives at the next, at
those who hear the sender by then. No sender is told whether a message arrived, unless it asks for confirmation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError, shorten, unknown
from expedition.fleet.model import Radio
from expedition.network.channel import Channel
from expedition.network.frames import Arrival, Counts, Frame
from expedition.network.messages import Confirmation, Message, Packet, Receipt
from expedition.network.nodes import Nodes
from expedition.network.obstacles import Obstacles
from expedition.network.radio import Links, radios
from expedition.network.settings import NetworkSettings, channel_names, check_channels
from expedition.streams import stream_key

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

MESSAGE_LIMIT = 65_536
RATE_LIMIT = 1_000_000.0
CONFIRMATION_BYTES = 8
TOPIC_LIMIT = 64
ALL = NetworkSettings()


class PayloadTooLarge(ExpeditionError):
    """A strategy sends more than a message or its radio carries."""


Delivery = tuple[Message, ...]


class Network:
    """Channels, messages on their way, and what every node sent and received so far."""

    def __init__(
        self,
        radios_of_nodes: Sequence[Sequence[Radio]],
        settings: NetworkSettings = ALL,
        radio: str = "circle",
        seed: int = 0,
        robots: int | None = None,
        message_limit: int = MESSAGE_LIMIT,
        rate_limit: float = RATE_LIMIT,
    ) -> None:
        """`radio` is the model of channels that are given none; of the nodes the first `robots` are robots.

        `rate_limit`, in bytes a second, holds for nodes whose radio has no bandwidth.
        """
        nodes = len(radios_of_nodes)
        self.names = channel_names(one.name for own in radios_of_nodes for one in own)
        """Those of the channels."""
        check_channels(settings.channels, self.names, lambda _: "network.channels")
        self.settings = settings
        self.time = 0.0
        self.silent: Booleans = np.zeros(nodes, dtype=np.bool_)
        """Nodes whose radios are off: they neither send nor hear from the next tick on."""
        self.bytes_sent: Integers = np.zeros((len(self.names), nodes), dtype=np.int64)
        """(channels, nodes), as all counts."""
        self.bytes_received = np.zeros_like(self.bytes_sent)
        self.messages_sent = np.zeros_like(self.bytes_sent)
        self.messages_received = np.zeros_like(self.bytes_sent)
        self.dropped = np.zeros_like(self.bytes_sent)
        """Messages for which there was no room in a queue, no way, or no radio that was on."""
        self.answers: list[Arrival] = []
        """Parts of maps that arrived at the last tick."""
        self._first = [self.names.index(own[0].name) if own else 0 for own in radios_of_nodes]
        self._robots = nodes if robots is None else robots
        self._message_limit = message_limit
        self._rate = rate_limit
        self._allowances: Floats = np.full((len(self.names), nodes), rate_limit)
        self._allowed_at = np.zeros_like(self._allowances)
        self._silence: tuple[Delivery, ...] = ((),) * nodes
        self.channels = [self._channel(number, radios_of_nodes, radio, seed) for number in range(len(self.names))]
        """The first carries maps and beacons, too."""

    @property
    def maps(self) -> Channel:
        """The channel of maps and beacons."""
        return self.channels[0]

    @property
    def links(self) -> Links:
        """(nodes, nodes): whether node [row] hears node [column] over the channel of maps and beacons."""
        return self.channels[0].links

    @property
    def contact(self) -> Links:
        """(nodes, nodes): whether two nodes hear each other over that channel."""
        return self.channels[0].contact

    def tick(self, time: float, positions: Floats, obstacles: Obstacles) -> tuple[Delivery, ...]:
        """Where the nodes really are from now on; returns the messages that reach each, in the order they came."""
        self.time = time
        if self.answers:
            self.answers = []
        if len(self.silent) == 1:
            return self._silence
        inboxes: list[list[Message]] | None = None
        for channel in self.channels:
            for arrival in channel.tick(time, positions, obstacles, self.silent):
                content = arrival.frame.content
                if isinstance(content, Packet | Confirmation):
                    if inboxes is None:
                        inboxes = [[] for _ in self._silence]
                    for node in arrival.receivers.tolist():
                        self._take(channel, node, content, arrival.frame.hops, inboxes)
                else:
                    self.answers.append(arrival)
        return self._silence if inboxes is None else tuple(map(tuple, inboxes))

    def send(
        self,
        sender: int,
        data: bytes,
        to: int | None = None,
        channel: str | None = None,
        topic: str = "",
        confirm: bool = False,
    ) -> Receipt:
        """Send to node `to`, or to all who hear it, over the sender's first radio or the one named."""
        self._check(sender, to, topic)
        number = self._first[sender] if channel is None else self._number(sender, channel)
        message = Message(sender, topic, data, self.time, self.names[number])
        receipt = Receipt()
        packet = Packet(message, None if to is None else int(to), receipt if confirm else None, {sender})
        frame = self._frame(sender, packet, self.settings.hops)
        self._spend(sender, number, frame.size)
        if len(self.silent) > 1:
            self.channels[number].send(frame)
        else:
            self.channels[number].count(frame.size, 0, 1)
        return receipt

    def count(
        self,
        bytes_sent: Integers | int,
        bytes_received: Integers | int,
        messages_sent: Integers | Booleans | int = 0,
        messages_received: Integers | int = 0,
    ) -> None:
        """Add what map exchange and beacons over an ideal channel carried to what each node sent and received."""
        self.channels[0].count(bytes_sent, bytes_received, messages_sent, messages_received)

    def _channel(self, number: int, radios_of_nodes: Sequence[Sequence[Radio]], radio: str, seed: int) -> Channel:
        name = self.names[number]
        link = self.settings.link_of(name, radio)
        own = Nodes.of(
            (next((one for one in node if one.name == name), None) for node in radios_of_nodes), self._robots
        )
        model = radios.make(link.radio, own, int(stream_key(seed, f"network/{name}/radio")))
        bits = [link.bandwidth_bits_per_s or (one.bandwidth_bits_per_s if one else None) for one in own]
        rates = np.array([np.inf if one is None else one / 8.0 for one in bits])
        rows = (self.bytes_sent, self.bytes_received, self.messages_sent, self.messages_received, self.dropped)
        names = [f"robot/{node}" if node < self._robots else "base" for node in range(len(own))]
        has_radio = np.array([one is not None for one in own])
        return Channel(name, link, model, rates, has_radio, Counts(*(row[number] for row in rows)), names, seed)

    def _frame(self, node: int, content: Packet | Confirmation, hops: int) -> Frame:
        """What a node sends, or hands on, over up to so many links."""
        load = CONFIRMATION_BYTES
        if isinstance(content, Packet):
            load = len(content.message.topic.encode("utf-8", "surrogatepass")) + len(content.message.data)
        return Frame(node, content, load, destination=content.to, hops=hops)

    def _take(
        self, channel: Channel, node: int, content: Packet | Confirmation, hops: int, inboxes: list[list[Message]]
    ) -> None:
        """Something has reached a node: it keeps it if it is meant for it, and hands on what is not, or not only."""
        if isinstance(content, Confirmation):
            if node == content.to:
                content.receipt.confirmed_by += (content.sender,)
        elif content.to is None and node in content.passed:
            return
        elif content.to is None or node == content.to:
            content.passed.add(node)
            inboxes[node].append(content.message)
            if content.receipt is not None:
                back = Confirmation(content.receipt, node, content.message.sender)
                channel.send(self._frame(node, back, self.settings.hops))
        if node != content.to and hops > 1:
            channel.send(self._frame(node, content, hops - 1))

    def _check(self, sender: int, to: int | None, topic: str) -> None:
        nodes = len(self.silent)
        if to is not None and (isinstance(to, bool) or not isinstance(to, (int, np.integer)) or not 0 <= to < nodes):
            raise ExpeditionError(
                f"robot {sender} sends to {shorten(to)}; allowed: a robot from 0 to {self._robots - 1}, "
                f"{f'the base, {nodes - 1}, ' if nodes > self._robots else ''}or None for all"
            )
        if not isinstance(topic, str) or len(topic) > TOPIC_LIMIT:
            raise ExpeditionError(
                f"robot {sender} sends on topic {shorten(topic)}; allowed: names of up to {TOPIC_LIMIT} letters"
            )

    def _number(self, sender: int, channel: str) -> int:
        if channel not in self.names:
            raise unknown("channel", channel, self.names, f"robot {sender}")
        return self.names.index(channel)

    def _spend(self, sender: int, number: int, size: int) -> None:
        """A second's worth of bytes at most at once, which fill up again as time goes by; a bandwidth has a queue."""
        if size > self._message_limit:
            raise PayloadTooLarge(
                f"robot {sender} sends a message of {size:,} bytes; the limit is {self._message_limit:,}: send less, "
                "or in parts over time"
            )
        if np.isfinite(self.channels[number].rates[sender]):
            return
        at = number, sender
        gained = (self.time - self._allowed_at[at]) * self._rate
        allowance = min(self._rate, self._allowances[at] + gained)
        if size > allowance:
            raise PayloadTooLarge(
                f"robot {sender} sends {size:,} bytes more than its radio carries: {self._rate:,.0f} bytes a second, "
                f"of which {allowance:,.0f} are left now: send less, or less often"
            )
        self._allowances[at] = allowance - size
        self._allowed_at[at] = self.time
