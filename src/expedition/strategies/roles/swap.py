"""How two robots agree to swap posts by messages that may be lost, late, doubled or out of order.

1. A proposes to B, naming the leases by which both hold their posts and a time to answer. For twice that time A is
   bound: it neither proposes to others nor accepts.
2. B, if these leases still hold, if it is not bound and if the swap pays by its own map, writes both leases anew and
   holds A's post from that moment. It tells so at once, and again every second to all in reach.
3. A holds B's post from the moment it hears of the new leases, from B or from anybody.

No robot ever waits: A goes on with its work, and is free again when its time is over. Of messages between two the last
may always be lost. Here that leaves both at A's post, B by the newer lease and A by the older, and nobody at B's, until
A hears of the new leases. They work side by side for that while, and meet where A's post has its rendezvous. If either
robot fails in between, the other's post is as its own newest lease says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from expedition.strategies.roles.leases import Posts


@dataclass(frozen=True)
class Proposal:
    """What A sends to B."""

    sender: int
    until: float
    """When the time to answer is over, in seconds since the start."""
    leases: tuple[tuple[int, int, int, int], ...]
    """(post, version, writer, holder) by which A and B hold their posts: A's, then B's."""


class Swaps:
    """One robot's side of the protocol."""

    def __init__(self, posts: Posts, answer: float, pause: float) -> None:
        """`answer` is the time to answer, `pause` what lies at least between two swaps, in seconds."""
        self._posts = posts
        self._answer = answer
        self._pause = pause
        self._bound_until = 0.0
        self._swapped_at = -pause

    def is_free(self, time: float) -> bool:
        """Whether the robot may propose or accept."""
        return time >= self._bound_until and time >= self._swapped_at + self._pause

    def propose(self, robot: int, time: float) -> Proposal | None:
        """A proposal to another robot; None if this one is bound, or the other has no post."""
        other = self._posts.post_of(robot)
        if other is None or not self.is_free(time):
            return None
        self._bound_until = time + 2.0 * self._answer
        posts = (self._posts.own, other)
        leases = tuple((post, *self._posts.leases[post]) for post in posts)
        return Proposal(self._posts.robot, time + self._answer, leases)

    def consider(self, proposal: Proposal, time: float, pays: Callable[[], bool]) -> bool:
        """Accept a proposal or not; if so, both posts have changed hands."""
        posts = self._posts
        posts.hear(proposal.leases)
        if not self.is_free(time) or time > proposal.until:
            return False
        still_hold = all(tuple(posts.leases[post]) == tuple(lease) for post, *lease in proposal.leases)
        theirs, mine = (post for post, *_ in proposal.leases)
        if not (still_hold and posts.own == mine and posts.post_of(proposal.sender) == theirs and pays()):
            return False
        posts.swap_with(proposal.sender)
        self.has_swapped(time)
        return True

    def has_swapped(self, time: float) -> None:
        """The robot has come to another post."""
        self._bound_until = time
        self._swapped_at = time
