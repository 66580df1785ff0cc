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
    starts: Integers
    """(steps + 1,): where the fragments of each step start, and those of the last end."""
    following: Integers
    """(steps,): the version that each leads to, ..."""
    told: Integers
    """... and the tick up to which who has it knows the origin's evidence."""


class Parts:
    """What each node keeps of the last answer about each origin that did not reach it whole."""

    def __init__(self, nodes: int) -> None:
        self.bytes: Integers = np.zeros((nodes, nodes), dtype=np.int64)
        """(nodes, origins): of a request, to say which fragments are there already."""
        self._number: Integers = np.full((nodes, nodes), NONE)
        self._column: Integers = np.zeros((nodes, nodes), dtype=np.int64)
        """(nodes, origins): which arrival a node keeps a part of, and which column of what was missing is its own."""
        self._arrivals: list[dict[int, tuple[Answer, Booleans]]] = [{} for _ in range(nodes)]
        """By origin and number."""
        self._numbers = 0

    def keep(self, answer: Answer, nodes: Integers, missing: Booleans, columns: Integers) -> None:
        """Nodes keep an answer of which they miss those fragments that their columns of `missing` say."""
        self._arrivals[answer.origin][self._numbers] = answer, missing
        self._number[nodes, answer.origin] = self._numbers
        self._column[nodes, answer.origin] = columns
        self.bytes[nodes, answer.origin] = -(-len(missing) // 8)
        self._numbers += 1

    def drop(self, nodes: Integers, origin: int) -> None:
        """Nodes need what they have kept no more."""
        self._number[nodes, origin] = NONE
        self.bytes[nodes, origin] = 0

    def missing(self, answer: Answer, receivers: Integers, have: Integers) -> Booleans:
        """(fragments, receivers): what each lacks of an answer, by the version that it has and the part it keeps."""
        origin = answer.origin
        missing = _after(answer.starts, answer.following, have)
        if self._arrivals[origin]:
            numbers = self._number[receivers, origin]
            for number, (before, was_missing) in self._arrivals[origin].items():
                here = np.flatnonzero(numbers == number)
                if len(here):
                    first, first_before, fragments = _in_both(answer, before)
                    columns = self._column[receivers[here], origin]
                    _keep(missing, first, here, was_missing, first_before, columns, fragments)
        return missing

    def versions(self, origin: int) -> set[int]:
        """Those that nodes may come to have by what they keep; forgets arrivals of which nobody keeps a part."""
        kept = self._arrivals[origin]
        if not kept:
            return set()
        alive = set(self._number[:, origin].tolist())
        self._arrivals[origin] = {number: arrival for number, arrival in kept.items() if number in alive}
        return {version for answer, _ in self._arrivals[origin].values() for version in answer.following.tolist()}


def _in_both(one: Answer, other: Answer) -> tuple[int, int, int]:
    """Where the fragments of the steps that two answers have in common start in each, and how many these are."""
    steps, others = one.update.steps, other.update.steps
    at = there = 0
    while at < len(steps) and steps[at].version < other.version:
        at += 1
    while there < len(others) and others[there].version < one.version:
        there += 1
    count = 0
    while at + count < len(steps) and there + count < len(others) and steps[at + count] is others[there + count]:
        count += 1
    first = int(one.starts[at])
    return first, int(other.starts[there]), int(one.starts[at + count]) - first


@kernel
def _after(starts: Integers, following: Integers, have: Integers) -> Booleans:
    """(fragments, receivers): the fragments of steps that lead beyond what each has."""
    missing = np.empty((starts[-1], len(have)), np.bool_)
    for step in range(len(following)):
        for fragment in range(starts[step], starts[step + 1]):
            for k in range(len(have)):
                missing[fragment, k] = following[step] > have[k]
    return missing


@kernel
def _keep(
    missing: Booleans, first: int, columns: Integers, before: Booleans, first_before: int, columns_before: Integers,
    fragments: int,
) -> None:  # fmt: skip
    """Leave out of what is missing, from a fragment on and in some columns, what was not missing before."""
    for fragment in range(fragments):
        for k in range(len(columns)):
            if not before[first_before + fragment, columns_before[k]]:
                missing[first + fragment, columns[k]] = False
