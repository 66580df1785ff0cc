"""The hierarchy of a fleet: chains of posts from the base station down, such as base - relay - explorer.

Robots agree on it by their numbers alone: posts are numbered as robots are, and each robot begins at the post of its
own number. With a depth of 2, posts 0 and 1 are the relay and the explorer of the first chain, 2 and 3 of the second.
Robots left over are a shorter chain; one robot alone is an explorer that reports to the base itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["explorer", "relay"]


@dataclass(frozen=True)
class Hierarchy:
    """The posts of a fleet, each held by one robot."""

    posts: int
    """As many as there are robots."""
    depth: int
    """Posts of a chain: 1 is explorers only, 2 puts a relay before each, 3 two relays."""

    def level(self, post: int) -> int:
        """How far below the base a post is, from 1."""
        return post % self.depth + 1

    def parent(self, post: int) -> int | None:
        """The post that this one reports to; None for the base station."""
        return None if self.level(post) == 1 else post - 1

    def child(self, post: int) -> int | None:
        """The post that reports to this one; an explorer has none."""
        below = post + 1
        return below if below < self.posts and self.level(below) > 1 else None

    def role(self, post: int) -> Role:
        """The last of a chain is its explorer, the others are relays."""
        return "explorer" if self.child(post) is None else "relay"
