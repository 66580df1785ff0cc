"""The members of a network, as radio models are made for them."""

from __future__ import annotations

from collections.abc import Iterable

from expedition.fleet.model import Radio


class Nodes(tuple["Radio | None", ...]):
    """The radios of all nodes on a channel, None for those who have none: the robots, and then the base station."""

    robots: int
    """How many of them are robots."""

    @classmethod
    def of(cls, radios: Iterable[Radio | None], robots: int) -> Nodes:
        """The nodes with these radios, of which the first are robots."""
        nodes = cls(radios)
        nodes.robots = robots
        return nodes
