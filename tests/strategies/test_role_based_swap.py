"""Two robots agree to swap posts, whatever becomes of their messages."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.strategies.roles.hierarchy import Hierarchy
from expedition.strategies.roles.leases import Lease, Posts
from expedition.strategies.roles.swap import Proposal, Swaps

ANSWER, PAUSE = 4.0, 4.0
News = list[tuple[int, int, int, int]]


class Robots:
    """The protocol's machines of a few robots, and every message that was ever sent: any may arrive at any time."""

    def __init__(self, count: int, pause: float = PAUSE) -> None:
        self.time = 0.0
        self.posts = [Posts(robot, count) for robot in range(count)]
        self.swaps = [Swaps(posts, ANSWER, pause) for posts in self.posts]
        self.sent: list[tuple[int, Proposal | News]] = []
        """To whom, and what; -1 is to all."""
        self.works = [True] * count

    def propose(self, sender: int, receiver: int) -> None:
        if sender != receiver and self.works[sender]:
            proposal = self.swaps[sender].propose(receiver, self.time)
            if proposal is not None:
                self.sent.append((receiver, proposal))

    def tell(self, sender: int) -> None:
        if self.works[sender]:
            self.sent.append((-1, self.posts[sender].news()))

    def swap(self, sender: int, receiver: int, is_answered: bool) -> None:
        """A proposal that arrives in time, and an answer that may be lost."""
        self.time += 2.0 * ANSWER + PAUSE
        if sender == receiver or not self.works[sender] or not self.works[receiver]:
            return
        self.propose(sender, receiver)
        self.deliver(-1, receiver)
        if is_answered:
            self.deliver(-1, sender)

    def deliver(self, number: int, receiver: int) -> None:
        """A message arrives, perhaps once more: nothing is ever taken from those that were sent."""
        if not self.sent or not self.works[receiver]:
            return
        to, content = self.sent[number % len(self.sent)]
        if isinstance(content, Proposal):
            if to == receiver and self.swaps[receiver].consider(content, self.time, lambda: True):
                self.tell(receiver)
        else:
            self.hear(receiver, content)

    def hear(self, receiver: int, news: News) -> None:
        before = self.posts[receiver].own
        self.posts[receiver].hear(news)
        if self.posts[receiver].own != before:
            self.swaps[receiver].has_swapped(self.time)

    def check(self) -> None:
        """Each robot holds one post, and no two hold a post by the same lease."""
        leases = [posts.leases[posts.own] for posts in self.posts]
        held = {(posts.own, lease.version, lease.writer) for posts, lease in zip(self.posts, leases, strict=True)}
        assert len(held) == len(self.posts)
        assert [lease.holder for lease in leases] == list(range(len(self.posts)))


def steps(robots: int) -> st.SearchStrategy[list[tuple[Any, ...]]]:
    robot = st.integers(0, robots - 1)
    step = st.one_of(
        st.tuples(st.just("swap"), robot, robot, st.booleans()),
        st.tuples(st.just("propose"), robot, robot),
        st.tuples(st.just("tell"), robot),
        st.tuples(st.just("deliver"), st.integers(0, 50), robot),
        st.tuples(st.just("deliver"), st.integers(-3, -1), robot),
        st.tuples(st.just("pass"), st.floats(0.0, 6.0)),
        st.tuples(st.just("fail"), robot),
    )
    return st.lists(step, max_size=60)


def play(robots: Robots, script: list[tuple[Any, ...]]) -> None:
    for kind, *what in script:
        if kind == "pass":
            robots.time += what[0]
        elif kind == "fail":
            robots.works[what[0]] = False
        else:
            getattr(robots, kind)(*what)
        robots.check()


Script = tuple[int, list[tuple[Any, ...]]]
SCRIPTS: st.SearchStrategy[Script] = st.integers(2, 5).flatmap(lambda count: st.tuples(st.just(count), steps(count)))


@given(SCRIPTS)
@settings(max_examples=300)
def test_no_two_robots_ever_hold_a_post_by_the_same_lease_whatever_arrives(script: Script) -> None:
    play(Robots(script[0]), script[1])


@given(SCRIPTS)
@settings(max_examples=300)
def test_robots_that_hear_each_other_in_the_end_agree_and_hold_one_post_each(script: Script) -> None:
    count, script_steps = script
    robots = Robots(count)
    play(robots, script_steps)
    for _ in range(3):
        news = [posts.news() for posts in robots.posts]
        for told, heard in itertools.product(range(count), repeat=2):
            robots.hear(heard, news[told])
            robots.check()
    assert sorted(posts.own for posts in robots.posts) == list(range(count))
    assert all(posts.leases == robots.posts[0].leases for posts in robots.posts)


def test_a_proposal_and_the_answer_to_it_swap_two_posts() -> None:
    robots = Robots(2)
    robots.propose(0, 1)
    robots.deliver(0, 1)
    assert [posts.own for posts in robots.posts] == [0, 0]  # The answer is on its way.
    robots.deliver(1, 0)
    assert [posts.own for posts in robots.posts] == [1, 0]


def test_when_the_answer_is_lost_both_are_at_one_post_until_they_hear_of_each_other() -> None:
    robots = Robots(2)
    robots.propose(0, 1)
    robots.deliver(0, 1)
    robots.time = 1000.0
    assert robots.posts[0].leases[0] == Lease(0, 0, 0)
    assert robots.posts[1].leases[0] == Lease(1, 1, 1)
    assert robots.swaps[0].is_free(robots.time)
    robots.hear(0, robots.posts[1].news())
    assert [posts.own for posts in robots.posts] == [1, 0]


def test_a_proposal_that_comes_too_late_or_twice_changes_nothing() -> None:
    robots = Robots(2)
    robots.propose(0, 1)
    robots.time = ANSWER + 0.1
    robots.deliver(0, 1)
    assert [posts.own for posts in robots.posts] == [0, 1]
    robots.time = 2.0 * ANSWER
    robots.propose(0, 1)
    robots.deliver(1, 1)
    robots.deliver(2, 0)
    robots.time += PAUSE
    robots.deliver(1, 1)
    assert [posts.own for posts in robots.posts] == [1, 0]


def test_a_proposal_is_void_once_posts_have_changed_hands_and_back() -> None:
    robots = Robots(2, pause=0.0)
    for number in (0, 2):
        robots.propose(0, 1)
        robots.deliver(number, 1)
        robots.deliver(number + 1, 0)
    assert [posts.own for posts in robots.posts] == [0, 1]
    robots.deliver(0, 1)
    assert [posts.own for posts in robots.posts] == [0, 1]


def test_a_robot_learns_by_a_proposal_that_the_sender_has_come_to_another_post() -> None:
    robots = Robots(3)
    robots.swap(0, 2, is_answered=True)
    robots.swap(0, 1, is_answered=True)
    assert [posts.own for posts in robots.posts] == [1, 2, 0]


def test_a_robot_that_has_proposed_is_bound_for_twice_the_time_to_answer() -> None:
    robots = Robots(3)
    robots.propose(0, 1)
    robots.propose(0, 2)
    robots.propose(2, 0)
    assert len(robots.sent) == 2
    robots.deliver(1, 0)
    assert robots.posts[0].own == 0
    robots.time = 2.0 * ANSWER
    assert robots.swaps[0].is_free(robots.time)


def test_a_robot_swaps_again_only_after_a_pause() -> None:
    robots = Robots(2)
    robots.propose(0, 1)
    robots.deliver(0, 1)
    robots.deliver(1, 0)
    robots.propose(0, 1)
    assert len(robots.sent) == 2
    robots.time = PAUSE
    robots.propose(0, 1)
    assert len(robots.sent) == 3


def test_two_that_come_to_a_post_by_swaps_unknown_to_each_other_hold_different_leases() -> None:
    robots = Robots(3)
    robots.swap(0, 1, is_answered=False)
    robots.swap(2, 0, is_answered=True)
    assert [posts.own for posts in robots.posts] == [2, 0, 0]
    assert [robots.posts[robot].leases[0] for robot in (1, 2)] == [Lease(1, 1, 1), Lease(1, 0, 2)]
    robots.check()
    for told, heard in itertools.product(range(3), repeat=2):
        robots.hear(heard, robots.posts[told].news())
        robots.check()
    assert sorted(posts.own for posts in robots.posts) == [0, 1, 2]


def test_a_robot_left_without_a_post_takes_the_one_that_is_left() -> None:
    """Two swaps that knew nothing of each other gave robot 1 two posts, and took the last from robot 0."""
    posts = Posts(0, 3)
    posts.hear([(0, 1, 2, 1), (1, 1, 2, 2), (2, 1, 1, 1)])
    assert posts.own == 2  # Robot 1 is at post 0, by the newer lease.
    assert posts.leases[2] == Lease(2, 0, 0)
    assert [posts.holder(post) for post in range(3)] == [1, 2, 0]


def test_chains_are_as_deep_as_asked_and_the_last_of_each_explores() -> None:
    chains = Hierarchy(posts=5, depth=3)
    assert [chains.role(post) for post in range(5)] == ["relay", "relay", "explorer", "relay", "explorer"]
    assert [chains.parent(post) for post in range(5)] == [None, 0, 1, None, 3]
    assert [chains.child(post) for post in range(5)] == [1, 2, None, 4, None]


def test_a_robot_alone_is_an_explorer_that_reports_to_the_base() -> None:
    alone = Hierarchy(posts=1, depth=2)
    assert (alone.role(0), alone.parent(0), alone.child(0)) == ("explorer", None, None)
    assert Hierarchy(posts=3, depth=2).role(2) == "explorer"
    assert Hierarchy(posts=2, depth=1).parent(1) is None
