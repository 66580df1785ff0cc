"""Answers that travel in fragments, and what nodes keep of those of which they miss some."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.belief.versions import Update
from expedition.kernels import kernel

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

NONE = -1


class Answer(NamedTuple):
    """What brings holders of a version of an origin's evidence, or of one that it passes over, to a later one."""

    origin: int
    version: int
    update: Update
    spans: Integers
    """(steps, 2): the first of the fragments that a step lies in, and the one after the last; small steps share one."""
    following: Integers
    """(steps,): the version that each leads to, ..."""
    told: Integers
    """... and the tick up to which who has it knows the origin's evidence."""


class Part(NamedTuple):
    """An answer of which some nodes have not got everything."""

    answer: Answer
    missing: Booleans
    """(fragments, receivers): what they have not got."""
    is_of_use: bool
    """Whether any step has more than one fragment: of shorter ones a node has all, or nothing."""


class Parts:
    """What each node keeps of the last answer about each origin that did not reach it whole."""

    def __init__(self, nodes: int) -> None:
        self.bytes: Integers = np.zeros((nodes, nodes), dtype=np.int64)
        """(nodes, origins): of a request, to say which fragments are there already."""
        self.number: Integers = np.full((nodes, nodes), NONE)
        """(nodes, origins): which arrival a node keeps a part of, `NONE` if it needs none."""
        self._column: Integers = np.zeros((nodes, nodes), dtype=np.int64)
        """(nodes, origins): which column of what was missing is its own."""
        self._arrivals: list[dict[int, Part]] = [{} for _ in range(nodes)]
        """By origin and number."""
        self._numbers = 0

    def keep(self, answer: Answer, nodes: Integers, missing: Booleans, columns: Integers) -> None:
        """Nodes keep an answer of which they miss those fragments that their columns of `missing` say."""
        is_of_use = bool((answer.spans[:, 1] - answer.spans[:, 0] > 1).any())
        self._arrivals[answer.origin][self._numbers] = Part(answer, missing, is_of_use)
        self.number[nodes, answer.origin] = self._numbers
        self._column[nodes, answer.origin] = columns
        self.bytes[nodes, answer.origin] = -(-len(missing) // 8)
        self._numbers += 1

    def missing(self, answer: Answer, receivers: Integers, have: Integers) -> Booleans:
        """(fragments, receivers): what each lacks of an answer, at `have[receiver]` and by the part it keeps."""
        origin = answer.origin
        missing, has_part = _after(answer.spans, answer.following, receivers, have, self.number[:, origin])
        if has_part:
            numbers = self.number[receivers, origin]
            for number in set(numbers.tolist()) - {NONE}:
                part = self._arrivals[origin][number]
                if part.is_of_use:
                    here = np.flatnonzero(numbers == number)
                    columns = self._column[receivers[here], origin]
                    fragments = np.array(_in_both(answer, part.answer), dtype=np.int64).reshape(-1, 2)
                    _keep(missing, here, part.missing, columns, fragments)
        return missing

    def versions(self, origin: int) -> set[int]:
        """Those that nodes may come to have by what they keep; forgets arrivals of which nobody keeps a part."""
        kept = self._arrivals[origin]
        if not kept:
            return set()
        alive = set(self.number[:, origin].tolist())
        self._arrivals[origin] = {number: arrival for number, arrival in kept.items() if number in alive}
        return {version for part in self._arrivals[origin].values() for version in part.answer.following.tolist()}


def _in_both(one: Answer, other: Answer) -> list[tuple[int, int]]:
    """The fragments of the large steps that two answers have in common: which it is in each."""
    places = {id(step): span for step, span in zip(other.update.steps, other.spans.tolist(), strict=True)}
    return [
        pair
        for step, span in zip(one.update.steps, one.spans.tolist(), strict=True)
        if span[1] - span[0] > 1 and (there := places.get(id(step))) is not None
        for pair in zip(range(*span), range(*there), strict=True)
    ]


@kernel
def drop(number: Integers, part_bytes: Integers, node: int, origin: int) -> None:
    """A node needs what it has kept of an origin no more."""
    number[node, origin] = NONE
    part_bytes[node, origin] = 0


@kernel
def _after(
    spans: Integers, following: Integers, receivers: Integers, have: Integers, part: Integers
) -> tuple[Booleans, bool]:
    """(fragments, receivers): the fragments of steps that lead beyond what each has; whether any keeps a part."""
    missing = np.zeros((spans[-1, 1], len(receivers)), np.bool_)
    has_part = False
    for k in range(len(receivers)):
        node = receivers[k]
        has_part |= part[node] != NONE
        for step in range(len(following)):
            for fragment in range(spans[step, 0], spans[step, 1]):
                missing[fragment, k] |= following[step] > have[node]
    return missing, has_part


@kernel
def _keep(
    missing: Booleans, columns: Integers, before: Booleans, columns_before: Integers, fragments: Integers
) -> None:
    """Leave out of what is missing, in some columns, what was not missing before; `fragments` are pairs of rows."""
    for row in range(len(fragments)):
        for k in range(len(columns)):
            if not before[fragments[row, 1], columns_before[k]]:
                missing[fragments[row, 0], columns[k]] = False
