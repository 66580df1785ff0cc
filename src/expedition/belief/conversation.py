"""Map exchange over a channel that loses and delays: robots announce what they have, ask for news, and are answered.

In a round every node announces which versions it has of whose evidence, and whom it heard lately. Who hears that asks,
of those that hear it, for each origin the origin itself or the one who has most, and asks again when no answer comes
for a while. Answers are changes from one version to another, as encoded, and go at once to all who asked for about the
same; who misses fragments of one keeps the others and asks for the rest. What arrives is merged if it starts no later
than where the receiver is.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from expedition.belief.exchange import REQUEST_BYTES, Exchange, wanted
from expedition.belief.versions import Update
from expedition.kernels import kernel

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

ENTRY_BYTES = 12
"""Of a request, for each origin: whom it asks, the origin, and the two versions."""
PATIENCE = 1
"""Rounds without an answer after which a robot asks again."""
LAG = 5
"""Versions by which those may differ who get the same answer."""
LATELY = 3
"""Times that long after it was last heard a robot counts as out of reach."""


class Transmission(Protocol):
    """An answer on its way."""

    content: object
    to: Integers | None
    missing: Booleans | None
    is_begun: bool
    is_over: bool

    def renew(self, content: object, load: int, to: Integers, fragments: int) -> None:
        """Another content, while it is not on the air."""


Sent = TypeVar("Sent", bound=Transmission, covariant=True)


class Air(Protocol[Sent]):
    """The channel that maps go over."""

    @property
    def reach(self) -> Booleans:
        """(nodes, nodes): whether node [row] may hear node [column]."""

    def announce(self, sizes: Integers) -> Booleans:
        """Nodes tell all what they have; (nodes, nodes): who hears whom."""

    def request(self, sizes: Integers) -> Booleans:
        """Nodes tell all what they ask for; (nodes, nodes): who hears whom."""

    def answer(self, sender: int, to: Integers, content: object, load: int, missing: Booleans | None = None) -> Sent:
        """A node sends a load to some."""

    def fragments(self, load: int) -> int:
        """Into how many a load is cut."""

    def count(self, bytes_sent: Integers, bytes_received: Integers) -> None:
        """What else was sent and received."""


class Answer(NamedTuple):
    """What brings holders of a version of an origin's evidence, or of one that it passes over, to a later one."""

    origin: int
    version: int
    following: int
    update: Update
    told: int
    """The tick up to which its receivers know the origin's evidence."""


class Part(NamedTuple):
    """An answer of which a receiver misses fragments."""

    answer: Answer
    missing: Booleans


class Conversation:
    """The announcements, requests and answers by which an exchange goes on over the air."""

    def __init__(self, exchange: Exchange, air: Air[Transmission], patience: int) -> None:
        """`patience` is the ticks without an answer after which a robot asks again."""
        nodes = len(exchange.have)
        self._exchange = exchange
        self._air = air
        self._patience = patience
        self._ask_again: Integers = np.zeros((nodes, nodes), dtype=np.int64)
        self._parts: list[dict[int, Part]] = [{} for _ in range(nodes)]
        """By origin and receiver."""
        self._under_way: list[dict[int, list[Transmission]]] = [{} for _ in range(nodes)]
        self._touched: set[int] = set()
        self._heard_at: Integers = np.zeros((nodes, nodes), dtype=np.int64)
        self._both: Booleans = np.zeros((nodes, nodes), dtype=np.bool_)

    def hear(self, heard: Booleans, tick: int) -> None:
        """Node [row] has heard something of node [column], which it will say in its next announcement."""
        self._heard_at[heard] = tick

    def round(self, tick: int) -> None:
        """Announce, ask and answer. Cost: the pairs, and the different answers."""
        exchange, air = self._exchange, self._air
        nodes = len(exchange.have)
        if nodes == 1:
            return
        told = self._both & (exchange.have == exchange.have.diagonal())
        if self._both.any() and (more := exchange.acquaint(told, self._both, tick)) is not None:
            air.count(*more)
        reach = air.reach
        self._touched.update(exchange.publish(np.count_nonzero(reach & reach.T, axis=1) > 0, tick))
        near = tick - self._heard_at <= LATELY * self._patience
        heard = air.announce(np.full(nodes, REQUEST_BYTES + 4 * nodes + -(-nodes // 8)))
        self.hear(heard, tick)
        near &= near.T
        self._both = heard & near
        self._ask(self._both, near, tick)
        for origin in self._touched:
            exchange.versions[origin].forget(self._held(origin))
        self._touched.clear()

    def arrive(self, arrivals: Iterable[tuple[Transmission, Integers, Booleans]], tick: int) -> None:
        """Merge answers that have reached these receivers; where (fragments, receivers) are missing, keep the part."""
        exchange = self._exchange
        answers: list[Answer] = []
        receivers, versions = [], []
        for sent, reached, missing in arrivals:
            answer = sent.content
            assert isinstance(answer, Answer)
            origin, parts = answer.origin, self._parts[answer.origin]
            self._touched.add(origin)
            taken, had, partly = _accept(
                reached, missing, origin, answer.version, answer.following, answer.told, tick, exchange.have,
                exchange.told_until, self._ask_again,
            )  # fmt: skip
            for k in partly.tolist():
                parts[int(reached[k])] = Part(answer, missing[:, k].copy())
            if len(taken):
                receivers.append(taken)
                versions.append(had)
                answers.append(answer)
                if parts:
                    for node in parts.keys() & set(taken.tolist()):
                        del parts[node]
        if answers:
            which = np.repeat(np.arange(len(answers)), [len(taken) for taken in receivers])
            nodes, had = np.concatenate(receivers), np.concatenate(versions)
            # Map by map, which halves the time: each stays in the cache while all that came for it is merged.
            order = np.argsort(nodes, kind="stable")
            nodes, which, had = nodes[order], which[order], had[order]
            origins, following = (np.array([answer[field] for answer in answers])[which] for field in (0, 2))
            exchange.take(nodes, origins, had, following, [answer.update for answer in answers], which, tick)

    def _ask(self, contact: Booleans, near: Booleans, tick: int) -> None:
        """Let those who heard of news ask for them, and those who hear that answer.

        Who missed the announcement of an origin that is `near` waits for the next, and does not ask others meanwhile.
        """
        have = self._exchange.have
        nodes = len(contact)
        receivers, servers, origins, _ = wanted(have, contact)
        due = self._ask_again[receivers, origins] <= tick
        due &= (servers == origins) | ~near[receivers, origins]
        receivers, servers, origins = receivers[due], servers[due], origins[due]
        if len(receivers) == 0:
            return
        counts = np.bincount(receivers, minlength=nodes)
        sizes = np.where(counts > 0, REQUEST_BYTES + ENTRY_BYTES * counts, 0)
        if any(self._parts):
            self._review_parts(receivers, servers, origins, sizes)
        self._ask_again[receivers, origins] = tick + self._patience
        reached = self._air.request(sizes)[servers, receivers]
        receivers, servers, origins = receivers[reached], servers[reached], origins[reached]
        # By server and origin, and of these the ones who lag least first.
        order = np.lexsort((receivers, -have[receivers, origins], origins, servers))
        receivers, servers, origins = receivers[order], servers[order], origins[order]
        starts = np.flatnonzero(np.diff(servers * nodes + origins, prepend=-1)).tolist()
        for first, last in pairwise([*starts, len(receivers)]):
            self._answer(int(servers[first]), int(origins[first]), receivers[first:last])

    def _review_parts(self, receivers: Integers, servers: Integers, origins: Integers, sizes: Integers) -> None:
        """Who has a part of an answer asks for the rest, unless who it asks does not have that; adds to `sizes`."""
        have = self._exchange.have
        row_of = np.full(have.shape, -1)
        row_of[receivers, origins] = np.arange(len(receivers))
        for origin, parts in enumerate(self._parts):
            for node, (answer, missing) in list(parts.items()):
                if (row := row_of[node, origin]) < 0:
                    continue
                if answer.version <= have[node, origin] < answer.following <= have[servers[row], origin]:
                    sizes[node] += -(-len(missing) // 8)
                else:
                    del parts[node]

    def _answer(self, server: int, origin: int, receivers: Integers) -> None:
        """Send news of an origin, or the rest of them, to those to whom they are not under way.

        `receivers` stand in the order of what they have, who lags least first.
        """
        under_way = self._under_way[origin].setdefault(server, [])
        if under_way:
            under_way[:] = [sent for sent in under_way if not sent.is_over]
            receivers = self._not_among(receivers, [sent for sent in under_way if sent.is_begun])
        if self._parts[origin]:
            receivers = self._answer_parts(server, origin, receivers, under_way)
        if len(receivers) == 0:
            return
        versions = self._exchange.have[receivers, origin]
        told = int(self._exchange.knows_until(server, origin))
        first = 0
        while first < len(receivers):
            # Who lags by a little gets what who lags by a little more needs: it takes one transmission for all.
            last = int(np.count_nonzero(versions >= versions[first] - LAG))
            self._send(server, origin, receivers[first:last], int(versions[last - 1]), told, under_way)
            first = last

    def _not_among(self, nodes: Integers, transmissions: list[Transmission]) -> Integers:
        """Those of the nodes to whom none of these goes."""
        if not transmissions or len(nodes) == 0:
            return nodes
        free = np.ones(len(self._heard_at), dtype=np.bool_)
        for sent in transmissions:
            free[sent.to] = False
        return nodes[free[nodes]]

    def _answer_parts(self, server: int, origin: int, receivers: Integers, under_way: list[Transmission]) -> Integers:
        """Send the rest of answers to those who have parts of them; returns the others."""
        have_parts = self._parts[origin]
        rests: dict[int, dict[int, Part]] = {}
        for node in self._not_among(receivers, under_way).tolist():
            if node in have_parts:
                rests.setdefault(id(have_parts[node].answer), {})[node] = have_parts[node]
        for parts in rests.values():
            answer = next(iter(parts.values())).answer
            missing = np.stack([part.missing for part in parts.values()], axis=1)
            under_way.append(self._air.answer(server, np.array(list(parts)), answer, len(answer.update.data), missing))
        return np.array([node for node in receivers.tolist() if node not in have_parts], dtype=np.int64)

    def _send(
        self, server: int, origin: int, receivers: Integers, version: int, told: int, under_way: list[Transmission]
    ) -> None:
        """Send all of an origin that the server has since a version, the oldest that receivers are at.

        What waits to be sent grows to that, and goes to all at once.
        """
        have = self._exchange.have[:, origin]
        following = int(have[server])
        waiting: Transmission | None = None
        for sent in under_way:
            if sent.is_begun or not isinstance(sent.content, Answer) or not np.all(sent.missing):
                continue
            if abs(sent.content.version - version) <= LAG:
                waiting = sent
                assert sent.to is not None
                receivers = np.union1d(receivers, sent.to[have[sent.to] < following])
                version = int(have[receivers].min())
                break
        update = self._exchange.update(origin, version, following)
        answer, load = Answer(origin, version, following, update, told), len(update.data)
        if waiting is None:
            under_way.append(self._air.answer(server, receivers, answer, load))
        else:
            waiting.renew(answer, load, receivers, self._air.fragments(load))

    def _held(self, origin: int) -> set[int]:
        """The versions of an origin's evidence that someone has, or may come to have by what is under way."""
        held = set(self._exchange.have[:, origin].tolist())
        for server, frames in list(self._under_way[origin].items()):
            frames[:] = [sent for sent in frames if not sent.is_over]
            held.update(sent.content.following for sent in frames if isinstance(sent.content, Answer))
            if not frames:
                del self._under_way[origin][server]
        held.update(part.answer.following for part in self._parts[origin].values())
        return held


@kernel
def _accept(
    reached: Integers, missing: Booleans, origin: int, version: int, following: int, told: int, tick: int,
    have: Integers, told_until: Integers, ask_again: Integers,
) -> tuple[Integers, Integers, Integers]:  # fmt: skip
    """Who takes an answer, from which version, and which of those reached have a part of it only.

    Who takes it has it from now on, and both may ask for more at once. Cost: the fragments times the receivers.
    """
    taken, had, partly = np.empty_like(reached), np.empty_like(reached), np.empty_like(reached)
    wholes = parts = 0
    for k in range(len(reached)):
        node = reached[k]
        if not version <= have[node, origin] < following:
            continue
        lacks = np.count_nonzero(missing[:, k])
        if lacks == 0:
            taken[wholes], had[wholes] = node, have[node, origin]
            wholes += 1
            have[node, origin] = following
            told_until[node, origin] = max(told_until[node, origin], told)
        elif lacks < len(missing):
            partly[parts] = k
            parts += 1
        else:
            continue
        ask_again[node, origin] = tick
    return taken[:wholes], had[:wholes], partly[:parts]
