"""Map exchange over a channel that loses and delays: robots announce what they have, ask for news, and are answered.

In a round every node announces which versions it has of whose evidence, and whom it heard lately. Who hears that asks,
of those that hear it, for each origin the origin itself or the one who has most, and asks again when no answer comes
for a while. Answers are changes from version to version, as encoded, and go at once to all who asked for about the
same, fragment by fragment as far as anyone lacks it. Who misses fragments keeps the others and asks for the rest. What
arrives is merged version by version, from where the receiver is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import neg
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from expedition.belief.exchange import REQUEST_BYTES, Exchange, wanted
from expedition.belief.parts import Answer, Parts, drop
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
    is_begun: bool
    is_over: bool

    def renew(self, content: object, load: int, to: Integers, missing: Booleans, sizes: Integers) -> None:
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

    def answer(self, sender: int, to: Integers, content: object, load: int, missing: Booleans, sizes: Integers) -> Sent:
        """A node sends a load to some, who lack (fragments, receivers) of it."""

    def fragments(self, loads: Sequence[int]) -> tuple[Integers, list[tuple[int, int]]]:
        """The bytes of the fragments into which loads that follow each other are cut, and which each load lies in."""

    def count(self, bytes_sent: Integers, bytes_received: Integers) -> None:
        """What else was sent and received."""


class Conversation:
    """The announcements, requests and answers by which an exchange goes on over the air."""

    def __init__(self, exchange: Exchange, air: Air[Transmission], patience: int) -> None:
        """`patience` is the ticks without an answer after which a robot asks again."""
        nodes = len(exchange.have)
        self._exchange = exchange
        self._air = air
        self._patience = patience
        self._ask_again: Integers = np.zeros((nodes, nodes), dtype=np.int64)
        self._parts = Parts(nodes)
        self._under_way: list[dict[int, list[Transmission]]] = [{} for _ in range(nodes)]
        self._heard_at: Integers = np.zeros((nodes, nodes), dtype=np.int64)
        self._both: Booleans = np.zeros((nodes, nodes), dtype=np.bool_)

    def hear(self, heard: Booleans, tick: int) -> None:
        """Node [row] has heard something of node [column], which it will say in its next announcement."""
        np.copyto(self._heard_at, tick, where=heard)

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
        exchange.publish(np.count_nonzero(reach & reach.T, axis=1) > 0, tick)
        near = tick - self._heard_at <= LATELY * self._patience
        heard = air.announce(np.full(nodes, REQUEST_BYTES + 4 * nodes + -(-nodes // 8)))
        self.hear(heard, tick)
        near &= near.T
        self._both = heard & near
        self._ask(self._both, near, tick)
        exchange.forget_now_and_then(self._held)

    def arrive(self, arrivals: Iterable[tuple[Transmission, Integers, Booleans]], tick: int) -> None:
        """Merge answers that have reached these receivers; where (fragments, receivers) are missing, keep the part."""
        exchange = self._exchange
        answers: list[Answer] = []
        rows: list[Integers] = []
        for sent, reached, missing in arrivals:
            answer = sent.content
            assert isinstance(answer, Answer)
            origin = answer.origin
            taken, partly = _accept(
                reached, missing, origin, answer.version, answer.spans, answer.following, answer.told, tick,
                exchange.have, exchange.told_until, self._ask_again, self._parts.number, self._parts.bytes,
            )  # fmt: skip
            if taken.shape[1]:
                answers.append(answer)
                rows.append(taken)
            if len(partly):
                self._parts.keep(answer, reached[partly], missing, partly)
        if answers:
            which = np.repeat(np.arange(len(answers)), [taken.shape[1] for taken in rows])
            nodes, had, following = np.concatenate(rows, axis=1)
            # Map by map, which halves the time: each stays in the cache while all that came for it is merged.
            order = np.argsort(nodes.astype(np.uint16), kind="stable")
            which = which[order]
            origins = np.array([answer.origin for answer in answers])[which]
            updates = [answer.update for answer in answers]
            exchange.take(nodes[order], origins, had[order], following[order], updates, which, tick)

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
        sizes += np.bincount(receivers, self._parts.bytes[receivers, origins], minlength=nodes).astype(np.int64)
        self._ask_again[receivers, origins] = tick + self._patience
        reached = self._air.request(sizes)[servers, receivers]
        receivers, servers, origins = receivers[reached], servers[reached], origins[reached]
        # By server and origin, and of these the ones who lag least first.
        versions = have[receivers, origins]
        most = int(versions.max(initial=0)) + 1
        order = np.argsort(((servers * nodes + origins) * most + most - versions) * nodes + receivers)
        receivers, versions, pairs = receivers[order], versions[order], (servers * nodes + origins)[order]
        starts = np.flatnonzero(np.diff(pairs, prepend=-1))
        for pair, (first, last) in zip(pairs[starts].tolist(), pairwise([*starts.tolist(), len(pairs)]), strict=True):
            self._answer(pair // nodes, pair % nodes, receivers[first:last], versions[first:last])

    def _answer(self, server: int, origin: int, receivers: Integers, versions: Integers) -> None:
        """Send news of an origin to those to whom they are not on the air.

        `receivers` stand in the order of the `versions` that they have, who lags least first.
        """
        under_way = self._under_way[origin].setdefault(server, [])
        if under_way:
            under_way[:] = [sent for sent in under_way if not sent.is_over]
            if begun := [sent for sent in under_way if sent.is_begun]:
                is_free = self._is_free(receivers, begun)
                receivers, versions = receivers[is_free], versions[is_free]
        first, at = 0, versions.tolist()
        while first < len(at):
            # Who lags by a little is told together with who lags by a little more: it takes one transmission for all.
            last = bisect_right(at, LAG - at[first], first, key=neg)
            self._send(server, origin, receivers[first:last], at[last - 1], under_way)
            first = last

    def _is_free(self, nodes: Integers, transmissions: list[Transmission]) -> Booleans:
        """To which of the nodes none of these goes."""
        free = np.ones(len(self._heard_at), dtype=np.bool_)
        for sent in transmissions:
            free[sent.to] = False
        return free[nodes]

    def _send(self, server: int, origin: int, receivers: Integers, version: int, under_way: list[Transmission]) -> None:
        """Send all of an origin that the server has since a version, the oldest that receivers are at.

        What waits to be sent grows to that, and goes to all at once.
        """
        have = self._exchange.have[:, origin]
        following = int(have[server])
        waiting: Transmission | None = None
        for sent in under_way:
            if not sent.is_begun and isinstance(sent.content, Answer) and abs(sent.content.version - version) <= LAG:
                waiting = sent
                assert sent.to is not None
                receivers = np.union1d(receivers, sent.to[have[sent.to] < following])
                version = int(have[receivers].min())
                break
        update = self._exchange.versions[origin].update_in_steps(version, following)
        loads = [len(step.data) for step in update.steps]
        sizes, spans = self._air.fragments(loads)
        told = np.array([step.cut_at for step in update.steps])
        told[-1] = self._exchange.knows_now(server, origin)
        following_each = np.array([step.following for step in update.steps])
        answer, load = Answer(origin, version, update, np.array(spans), following_each, told), sum(loads)
        missing = self._parts.missing(answer, receivers, have)
        if waiting is None:
            under_way.append(self._air.answer(server, receivers, answer, load, missing, sizes))
        else:
            waiting.renew(answer, load, receivers, missing, sizes)

    def _held(self, origin: int) -> set[int]:
        """The versions of an origin's evidence that someone has, or may come to have by what is under way."""
        held = self._exchange.held(origin)
        for server, frames in list(self._under_way[origin].items()):
            frames[:] = [sent for sent in frames if not sent.is_over]
            for sent in frames:
                if isinstance(sent.content, Answer):
                    held.update(sent.content.following.tolist())
            if not frames:
                del self._under_way[origin][server]
        return held | self._parts.versions(origin)


@kernel
def _accept(
    reached: Integers, missing: Booleans, origin: int, version: int, spans: Integers, following: Integers,
    told: Integers, tick: int, have: Integers, told_until: Integers, ask_again: Integers, part: Integers,
    part_bytes: Integers,
) -> tuple[Integers, Integers]:  # fmt: skip
    """(3, nodes): who takes how much of an answer: the node, from and to which version.

    And which of those reached have a part of the rest. Who takes it has it from now on, and needs what it kept of
    another no more; both may ask for more at once. Cost: the fragments times the receivers.
    """
    taken, partly = np.empty((3, len(reached)), np.int64), np.empty_like(reached)
    takers = parts = 0
    for k in range(len(reached)):
        node = reached[k]
        had = have[node, origin]
        if not version <= had < following[-1]:
            continue
        count, is_whole, has_part = 0, True, False
        for step in range(len(following)):
            if following[step] > had:
                lacks = 0
                for fragment in range(spans[step, 0], spans[step, 1]):
                    lacks += missing[fragment, k]
                is_whole &= lacks == 0
                has_part |= not is_whole and lacks < spans[step, 1] - spans[step, 0]
            if is_whole:
                count = step + 1
        if count > 0 and following[count - 1] > had:
            taken[0, takers], taken[1, takers], taken[2, takers] = node, had, following[count - 1]
            takers += 1
            have[node, origin] = following[count - 1]
            told_until[node, origin] = max(told_until[node, origin], told[count - 1])
            ask_again[node, origin] = tick
            drop(part, part_bytes, node, origin)
        if has_part:
            partly[parts] = k
            parts += 1
            ask_again[node, origin] = tick
    return taken[:, :takers], partly[:parts]
