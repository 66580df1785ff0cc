"""Map exchange over channels that lose and delay, with real channels between the nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.conversation import Conversation
from expedition.belief.evidence import KINDS
from expedition.fleet.model import Radio
from expedition.network import LinkSettings, Network, NetworkSettings
from expedition.network.fragments import HEADER_BYTES
from expedition.network.obstacles import Obstacles
from expedition.terrain import find_terrain
from tests.belief.test_exchange import Fleet, check_states, wide

GROUND = Obstacles.of(find_terrain("maze"))
ROUND = 10
"""Ticks between rounds."""


class OnAir(Fleet):
    """A fleet whose maps travel over a network, at places on a line."""

    def __init__(
        self, robots: int, merge: str = "probabilistic", kind: str = "log-odds", seed: int = 0, **link: Any
    ) -> None:
        super().__init__(robots, merge, kind)
        own = [(Radio(range=10.0),)] * robots
        self.air = Network(own, NetworkSettings(link=LinkSettings.model_validate(link)), seed=seed)
        self.conversation = Conversation(self.exchange, self.air.maps, ROUND)

    def live(self, ticks: int, *places: float) -> None:
        """Let time pass with the robots at these places."""
        for _ in range(ticks):
            self.air.tick(0.1 * self.tick, np.array([(x, 5.0) for x in places]), GROUND)
            self.conversation.arrive(self.air.answers, self.tick)
            if self.tick % ROUND == 0:
                self.conversation.round(self.tick)
            self.tick += 1

    def check(self) -> None:
        """Every map is the own evidence and what was heard of each origin, once."""
        robots, kind = len(self.grids.evidence), self.grids.kind
        for robot in range(robots):
            heard = [self.exchange.known(robot, origin) for origin in range(robots) if origin != robot]
            expected = wide(self.grids.evidence[robot], kind) + sum(wide(evidence, kind) for evidence in heard)
            np.testing.assert_array_equal(self.grids.fused[robot], expected)
        check_states(self)


def test_update_arrives_when_its_bytes_are_sent_and_not_before() -> None:
    fleet = OnAir(2, bandwidth_bits_per_s=8 * 200.0, fragment_bytes=50)
    fleet.see_anywhere(0, np.random.default_rng(1), 60)
    fleet.live(3, 0.0, 1.0)
    assert not fleet.grids.fused[1].any()
    assert fleet.exchange.told_until[1, 0] == -1
    fleet.see(0, (0, 0), 17)
    fleet.live(57, 0.0, 1.0)
    assert fleet.exchange.told_until[1, 0] >= 0
    assert fleet.exchange.told_until[1, 0] < fleet.tick - 1
    fleet.check()


def test_everyone_who_asks_for_the_same_gets_it_in_one_transmission() -> None:
    fleet = OnAir(6, latency=0.01)
    fleet.see_anywhere(0, np.random.default_rng(1), 60)
    fleet.live(1, *range(6))
    sent, received = fleet.air.bytes_sent.copy(), fleet.air.bytes_received.copy()
    fleet.live(9, *range(6))
    assert (fleet.exchange.have[:, 0] == 1).all()
    size = HEADER_BYTES + len(fleet.exchange.versions[0].update(0, 1).data)
    assert (fleet.air.bytes_sent - sent).tolist() == [[size, 0, 0, 0, 0, 0]]
    assert (fleet.air.bytes_received - received).tolist() == [[0, size, size, size, size, size]]


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.lists(st.integers(0, 3), max_size=3), st.lists(st.integers(0, 3), min_size=4, max_size=4)),
             max_size=8),
    st.integers(0, 2**31),
    st.sampled_from(sorted(KINDS)),
    st.sampled_from([0.0, 0.2, 0.6]),
    st.sampled_from([None, 8e3, 8e5]),
    st.sampled_from([0.0, 0.25]),
    st.integers(0, 2),
)  # fmt: skip
def test_maps_hold_what_was_heard_once_and_become_equal_when_contact_is_kept(
    history: list[tuple[list[int], list[int]]],
    seed: int,
    kind: str,
    loss: float,
    bandwidth: float | None,
    latency: float,
    retries: int,
) -> None:
    link: dict[str, Any] = {
        "loss": loss,
        "bandwidth_bits_per_s": bandwidth,
        "latency": latency,
        "jitter": 0.15,
        "shared": True,
    }
    fleet = OnAir(4, kind=kind, seed=seed, fragment_bytes=60, retries=retries, **link)
    rng = np.random.default_rng(seed)
    for seeing, rooms in history:
        for robot in seeing:
            fleet.see_anywhere(robot, rng, 15)
        fleet.live(7, *[20.0 * room for room in rooms])
        fleet.check()
    for _ in range(150):
        fleet.live(2 * ROUND, 0.0, 6.0, 12.0, 18.0)
        if all((fused == fleet.sum_of_evidence()).all() for fused in fleet.grids.fused):
            break
    fleet.check()
    for fused in fleet.grids.fused:
        np.testing.assert_array_equal(fused, fleet.sum_of_evidence())


def test_fragments_once_received_are_not_sent_again() -> None:
    fleet = OnAir(2, loss=0.5, fragment_bytes=16)
    fleet.see_anywhere(0, np.random.default_rng(1), 400)
    fleet.live(10, 0.0, 1.0)
    assert fleet.exchange.have[1, 0] == 0
    load = len(fleet.exchange.versions[0].update(0, 1).data)
    fragments = -(-load // 16)
    fleet.live(600, 0.0, 1.0)
    assert fleet.exchange.have[1, 0] == 1
    control = 8 + 4 * 2 + 1
    answers = int(fleet.air.bytes_sent[0, 0]) - control * (fleet.tick // ROUND)
    # Of a half lost each time, two rounds of all fragments go out in the end; all over again would take far more.
    assert fragments > 20
    assert answers < 3.5 * (load + 16 * fragments)
    fleet.check()


def test_news_travels_on_over_those_who_were_told() -> None:
    fleet = OnAir(3, loss=0.3)
    fleet.see(0, (3, 4), -20)
    fleet.live(150, 0.0, 8.0, 16.0)
    assert fleet.grids.fused[:, 3, 4].tolist() == [-20, -20, -20]
    assert fleet.exchange.told_until[2, 0] >= 0


def test_who_is_heard_but_hears_nobody_is_not_asked() -> None:
    fleet = OnAir(3, latency=0.05)
    fleet.air = Network(
        [(Radio(range=100.0),), (Radio(range=10.0),), (Radio(range=10.0),)],
        NetworkSettings(link=LinkSettings(latency=0.05)),
    )
    fleet.conversation = Conversation(fleet.exchange, fleet.air.maps, ROUND)
    fleet.see(0, (3, 4), -20)
    # The last hears the first, which does not hear it; the one between hears both and is heard by both.
    fleet.live(150, 0.0, 8.0, 16.0)
    assert fleet.grids.fused[2, 3, 4] == -20


def test_nothing_arrives_where_all_is_lost_and_versions_stay_few() -> None:
    fleet, rng = OnAir(3, loss=1.0), np.random.default_rng(1)
    for _ in range(60):
        fleet.see_anywhere(0, rng, 5)
        fleet.live(ROUND, 0.0, 1.0, 2.0)
    assert not fleet.grids.fused[1:].any()
    assert (fleet.exchange.told_until == -1).all()
    assert len(fleet.exchange.versions[0].links) <= 12


def test_same_seed_gives_the_same_maps_and_bytes() -> None:
    ends = []
    for _ in range(2):
        fleet, rng = OnAir(4, loss=0.4, bandwidth_bits_per_s=8e3, jitter=0.2), np.random.default_rng(1)
        for _ in range(5):
            fleet.see_anywhere(int(rng.integers(4)), rng, 15)
            fleet.live(12, 0.0, 4.0, 8.0, 12.0)
        ends.append((fleet.grids.fused.tobytes(), fleet.air.bytes_sent.tolist(), fleet.air.bytes_received.tolist()))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("merge", ["greedy", "probabilistic"])
def test_robot_out_of_reach_is_told_when_it_comes_back(merge: str) -> None:
    fleet, rng = OnAir(2, merge, loss=0.2), np.random.default_rng(1)
    for _ in range(5):
        fleet.see_anywhere(0, rng, 15)
        fleet.live(12, 0.0, 50.0)
    assert not fleet.grids.fused[1].any()
    fleet.live(100, 0.0, 5.0)
    np.testing.assert_array_equal(fleet.exchange.known(1, 0) != 0, fleet.grids.evidence[0] != 0)
