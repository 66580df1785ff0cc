"""Who holds which post, as leases that every robot keeps and passes on.

A lease says who holds a post. The newest counts: that of the higher version, and of two equal ones that of the writer
with the higher number. Robots that meet keep the newest leases of both, so that all who hear of each other end up with
the same. A writer never writes a version of a post twice, so no two robots ever hold a post by the same lease.

Leases that were written far apart may leave a robot with two posts and another with none. The one with two holds the
post of the newer lease; the one with none writes itself a lease of the post that this leaves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Lease(NamedTuple):
    """A robot's right to a post; leases compare by age."""

    version: int
    writer: int
    holder: int


class Posts:
    """Who holds which post, as far as one robot knows. The robot itself holds exactly one, always."""

    def __init__(self, robot: int, count: int) -> None:
        self.robot = robot
        self.leases = [Lease(0, number, number) for number in range(count)]
        """By post. At the start each robot holds the post of its own number."""

    @property
    def own(self) -> int:
        """The post that the robot holds."""
        post = self.post_of(self.robot)
        assert post is not None, "a robot without a post takes one at once"
        return post

    def post_of(self, robot: int) -> int | None:
        """The post that a robot holds: of several leases the newest; None if it has none."""
        held = [(lease, post) for post, lease in enumerate(self.leases) if lease.holder == robot]
        return max(held)[1] if held else None

    def holder(self, post: int | None) -> int | None:
        """The robot at a post; None if its lease is of a robot that is at another, or there is no such post."""
        if post is None:
            return None
        robot = self.leases[post].holder
        return robot if self.post_of(robot) == post else None

    def news(self) -> list[tuple[int, int, int, int]]:
        """What to tell: (post, version, writer, holder) of all posts that are not as at the start."""
        return [(post, *lease) for post, lease in enumerate(self.leases) if lease.version > 0]

    def hear(self, news: Iterable[tuple[int, int, int, int]]) -> None:
        """Keep the newer lease of each post, and take a post that is left if the robot has none now."""
        for post, *lease in news:
            self.leases[post] = max(self.leases[post], Lease(*lease))
        if self.post_of(self.robot) is None:
            self._take_what_is_left()

    def swap_with(self, robot: int) -> None:
        """Write that this robot and another, which holds a post, have each other's from now on."""
        mine, other = self.own, self.post_of(robot)
        assert other is not None, "only robots with a post swap"
        self._write(mine, robot)
        self._write(other, self.robot)

    def _take_what_is_left(self) -> None:
        """Of the posts without a robot take one; robots without a post take them in order, so that none is taken twice.

        There are as many such posts as such robots.
        """
        without_post = [robot for robot in range(len(self.leases)) if self.post_of(robot) is None]
        left = [post for post in range(len(self.leases)) if self.holder(post) is None]
        self._write(left[without_post.index(self.robot)], self.robot)

    def _write(self, post: int, holder: int) -> None:
        self.leases[post] = Lease(self.leases[post].version + 1, self.robot, holder)
