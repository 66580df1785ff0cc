"""Channels that carry little, delay, and lose: when what arrives, at whom, and what is dropped."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.fleet.model import Radio
from expedition.network import LinkSettings, Network, NetworkSettings
from expedition.network.draws import BEACONS, evenly, pair_keys, streams, who_hears
from expedition.network.fragments import HEADER_BYTES, fragment_sizes, send_fragments
from expedition.network.obstacles import Obstacles
from expedition.network.routing import NO_WAY, Routes, links_to
from expedition.streams import mix, uniform
from expedition.terrain import find_terrain

GROUND = Obstacles.of(find_terrain("maze"))
TICK = 0.1


def network(number: int, hops: int = 1, seed: int = 0, reach: float | None = 10.0, **link: Any) -> Network:
    own = [(Radio(range=reach),)] * number
    return Network(own, NetworkSettings(hops=hops, link=LinkSettings.model_validate(link)), seed=seed)


def line(*places: float) -> np.ndarray:
    return np.array([(x, 5.0) for x in places])


def arrivals(air: Network, places: np.ndarray, ticks: int, first: int = 1) -> list[tuple[int, int, bytes]]:
    """(tick, receiver, data) of all that arrives."""
    return [
        (tick, node, message.data)
        for tick in range(first, first + ticks)
        for node, inbox in enumerate(air.tick(tick * TICK, places, GROUND))
        for message in inbox
    ]


def test_message_takes_as_long_as_its_bytes_need() -> None:
    air = network(2, bandwidth_bits_per_s=8 * 1000.0)
    air.send(0, b"a" * (250 - HEADER_BYTES))
    air.send(0, b"b" * (100 - HEADER_BYTES))
    air.send(1, b"c" * (100 - HEADER_BYTES))
    assert [(tick, data[:1]) for tick, _, data in arrivals(air, line(0.0, 1.0), 6)] == [(1, b"c"), (3, b"a"), (4, b"b")]
    assert air.bytes_sent.tolist() == [[350, 100]]
    assert air.bytes_received.tolist() == [[100, 350]]


def test_bandwidth_is_that_of_the_data_sheet_unless_it_is_set() -> None:
    slow = [(Radio(bandwidth_bits_per_s=8 * 100.0),)] * 2
    for given_rate, tick in ((None, 10), (8 * 1000.0, 1)):
        air = Network(slow, NetworkSettings(link=LinkSettings(bandwidth_bits_per_s=given_rate)))
        air.send(0, b"x" * (100 - HEADER_BYTES))
        assert [when for when, _, _ in arrivals(air, line(0.0, 1.0), 12)] == [tick]


def test_those_in_range_share_a_medium_and_others_do_not() -> None:
    air = network(4, bandwidth_bits_per_s=8 * 1000.0, shared=True)
    for node in (0, 1, 2):
        air.send(node, b"x" * (100 - HEADER_BYTES))
    arrived = arrivals(air, line(0.0, 5.0, 100.0, 105.0), 4)
    assert [(tick, node) for tick, node, _ in arrived] == [(1, 3), (2, 0), (2, 1)]


def test_fragments_have_a_header_each() -> None:
    air = network(2, bandwidth_bits_per_s=1e9, fragment_bytes=100)
    air.send(0, b"x" * 250)
    assert len(arrivals(air, line(0.0, 1.0), 1)) == 1
    assert air.bytes_sent[0, 0] == air.bytes_received[0, 1] == 250 + 3 * HEADER_BYTES
    assert air.messages_sent[0, 0] == air.messages_received[0, 1] == 1


@pytest.mark.parametrize(("policy", "kept"), [("drop-newest", b"abc"), ("drop-oldest", b"ade")])
def test_full_queue_drops_by_its_policy_and_the_sender_is_not_told(policy: str, kept: bytes) -> None:
    air = network(2, bandwidth_bits_per_s=8 * 500.0, queue_bytes=300, queue_policy=policy)
    air.send(0, b"a" * (100 - HEADER_BYTES))
    air.tick(TICK, line(0.0, 1.0), GROUND)  # The first is half on the air by now, and stays.
    for name in (b"b", b"c", b"d", b"e"):
        air.send(0, name * (100 - HEADER_BYTES))
    assert b"".join(data[:1] for _, _, data in arrivals(air, line(0.0, 1.0), 12, first=2)) == kept
    assert air.dropped.tolist() == [[2, 0]]


def test_empty_queue_takes_a_message_of_any_size() -> None:
    air = network(2, bandwidth_bits_per_s=1e6, queue_bytes=10)
    air.send(0, b"x" * 5000)
    assert len(arrivals(air, line(0.0, 1.0), 2)) == 1


def test_latency_delays_and_jitter_delays_further() -> None:
    air = network(2, latency=0.25)
    air.send(0, b"x")
    assert [tick for tick, _, _ in arrivals(air, line(0.0, 1.0), 5)] == [3]
    air = network(2, latency=0.2, jitter=0.5)
    ticks = []
    for sent in range(0, 2000, 10):
        air.tick(sent * TICK, line(0.0, 1.0), GROUND)
        air.send(0, b"x")
        ticks += [tick - sent for tick, _, _ in arrivals(air, line(0.0, 1.0), 9, first=sent + 1)]
    assert len(ticks) == 200
    assert set(ticks) == {3, 4, 5, 6, 7}


def test_loss_is_the_share_of_messages_lost_and_more_for_those_in_fragments() -> None:
    air = network(2, loss=0.2, fragment_bytes=100)
    arrived = {b"s": 0, b"l": 0}
    for tick in range(1, 1001):
        air.send(0, b"s" * 50)
        air.send(0, b"l" * 300)
        for message in air.tick(tick * TICK, line(0.0, 1.0), GROUND)[1]:
            arrived[message.data[:1]] += 1
    assert arrived[b"s"] / 1000 == pytest.approx(0.8, abs=0.04)
    assert arrived[b"l"] / 1000 == pytest.approx(0.8**3, abs=0.05)


def test_retries_save_what_is_meant_for_one_and_cost_air() -> None:
    bytes_sent = []
    for retries, chance in ((0, 0.5), (3, 1 - 0.5**4)):
        air = network(3, loss=0.5, retries=retries)
        arrived = {b"1": 0, b"*": 0}
        for tick in range(1, 801):
            air.send(0, b"1", to=1)
            air.send(0, b"*")
            for message in air.tick(tick * TICK, line(0.0, 1.0, 2.0), GROUND)[1]:
                arrived[message.data] += 1
        assert arrived[b"1"] / 800 == pytest.approx(chance, abs=0.06)
        assert arrived[b"*"] / 800 == pytest.approx(0.5, abs=0.06)
        bytes_sent.append(int(air.bytes_sent[0, 0]))
    tries = (1 - 0.5**4) / 0.5
    assert bytes_sent[1] / bytes_sent[0] == pytest.approx((tries + 1) / 2, rel=0.05)


def test_who_is_away_while_a_part_is_sent_misses_the_message() -> None:
    near, away = line(0.0, 1.0, 2.0), line(0.0, 1.0, 50.0)
    air = network(3, bandwidth_bits_per_s=8 * 1000.0, fragment_bytes=10_000)
    air.send(0, b"x" * (400 - HEADER_BYTES))
    arrived = [
        node
        for tick, places in enumerate((near, near, away, near, near), 1)
        for node, inbox in enumerate(air.tick(tick * TICK, places, GROUND))
        if inbox
    ]
    assert arrived == [1]


def test_reception_by_chance_makes_a_channel_lossy(tmp_path: Path) -> None:
    page = tmp_path / "mine.py"
    page.write_text("def sometimes(distance):\n    return 0.7 if distance < 10 else 0.0\n")
    air = Network([(Radio(),)] * 3, radio=f"{page}:sometimes")
    air.tick(0.0, line(0.0, 1.0, 50.0), GROUND)
    assert not air.maps.is_ideal
    got = 0
    for tick in range(1, 1001):
        air.send(0, b"x")
        inboxes = air.tick(tick * TICK, line(0.0, 1.0, 50.0), GROUND)
        got += len(inboxes[1])
        assert not inboxes[2]
    assert got / 1000 == pytest.approx(0.7, abs=0.05)


def test_beacons_are_lost_and_late_as_the_channel_is() -> None:
    air = network(3, loss=0.3, latency=0.2, jitter=0.1)
    places, sizes = line(0.0, 1.0, 50.0), np.array([100, 100, 100])
    ages, heard = [], 0
    for tick in range(1000):
        air.tick(tick * TICK, places, GROUND)
        for told in air.maps.beacons(sizes, tick):
            ages += [tick - told.content] * int(told.heard.sum())
            assert told.time == pytest.approx(told.content * TICK)
            heard += int(told.heard[1, 0])
            assert not told.heard[2].any()
            assert not told.heard[:, 2].any()
    assert set(ages) == {3}
    assert heard / 1000 == pytest.approx(0.7, abs=0.05)
    assert air.messages_sent.tolist() == [[1000, 1000, 1000]]


def test_control_frames_take_air_ahead_of_messages() -> None:
    arrived = []
    for size in (0, 40):
        air = network(2, bandwidth_bits_per_s=8 * 1000.0, shared=True)
        for _ in range(20):
            air.send(0, b"x" * (100 - HEADER_BYTES))
        count, heard = 0, 0
        for tick in range(1, 11):
            count += len(air.tick(tick * TICK, line(0.0, 1.0), GROUND)[1])
            heard += int(air.maps.broadcast(BEACONS, np.array([size, 0]))[1, 0])
        arrived.append((count, heard))
    assert arrived == [(10, 0), (6, 10)]


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("size", [40, 400, 4000])
def test_control_frames_take_half_of_the_air_at_the_most_and_others_are_dropped(shared: bool, size: int) -> None:
    bytes_per_s, seconds = 125.0, 1000
    air = network(2, bandwidth_bits_per_s=8 * bytes_per_s, shared=shared)
    heard = 0
    for tick in range(1, 10 * seconds + 1):
        air.tick(tick * TICK, line(0.0, 1.0), GROUND)
        heard += int(air.maps.broadcast(BEACONS, np.array([size, size]))[1, 0])
    sent, dropped = air.messages_sent[0], air.dropped[0]
    half = 0.5 * bytes_per_s * seconds
    in_the_air = sent.sum() * size if shared else sent[0] * size
    assert 0.8 * half <= in_the_air <= half + 2 * size + 0.5 * bytes_per_s
    assert (sent + dropped).tolist() == [10 * seconds] * 2
    assert heard == sent[0]
    assert air.bytes_sent[0, 0] == size * sent[0]


class Traffic:
    """Nodes on a line that move and send by chance, and what came of it."""

    def __init__(self, air: Network, number: int, seed: int, ticks: int = 25, talkers: int | None = None) -> None:
        rng = np.random.default_rng(seed)
        x = rng.uniform(0.0, 20.0, number)
        self.sent: dict[bytes, tuple[int, int | None, int]] = {}
        self.got: list[tuple[int, int, bytes]] = []
        self.reached: list[np.ndarray] = []
        for tick in range(1, ticks + 1):
            for node in range(talkers or number):
                to = int(rng.integers(-1, talkers or number))
                if rng.random() < 0.3 and to != node:
                    data = f"{len(self.sent)}/".encode() * int(rng.integers(1, 200))
                    self.sent[data] = node, None if to < 0 else to, tick
                    air.send(node, data, to=None if to < 0 else to)
            x += rng.normal(0.0, 1.0, number)
            inboxes = air.tick(tick * TICK, line(*x), GROUND)
            self.reached.append(air.maps.reach.copy())
            self.got += [(tick, node, message.data) for node, inbox in enumerate(inboxes) for message in inbox]


LINKS = st.fixed_dictionaries(
    {},
    optional={
        "bandwidth_bits_per_s": st.sampled_from([2e3, 2e4, 1e6]),
        "latency": st.sampled_from([0.05, 0.3]),
        "jitter": st.sampled_from([0.1, 0.5]),
        "loss": st.sampled_from([0.1, 0.6, 1.0]),
        "fragment_bytes": st.sampled_from([16, 200, 1500]),
        "retries": st.integers(0, 3),
        "shared": st.booleans(),
        "queue_bytes": st.sampled_from([500, 5000]),
        "queue_policy": st.sampled_from(["drop-newest", "drop-oldest"]),
    },
)


@settings(max_examples=40)
@given(LINKS, st.integers(2, 6), st.integers(1, 3), st.integers(0, 2**31))
def test_what_arrives_was_sent_to_the_receiver_within_reach_once_and_in_no_more_bytes(
    link: dict[str, Any], number: int, hops: int, seed: int
) -> None:
    air = network(number, hops=hops, seed=seed, **link)
    traffic = Traffic(air, number, seed)
    assert len({(node, data) for _, node, data in traffic.got}) == len(traffic.got)
    for tick, node, data in traffic.got:
        sender, to, sent_at = traffic.sent[data]
        assert node != sender
        assert to in (None, node)
        assert tick >= sent_at
        if hops == 1:
            assert any(reach[node, sender] for reach in traffic.reached[sent_at - 1 : tick])
    assert air.bytes_received.sum() <= air.bytes_sent.sum() * (number - 1)
    assert len(traffic.got) <= air.messages_received.sum()
    if link.get("loss") == 1.0:
        assert not traffic.got


@settings(max_examples=20)
@given(LINKS, st.integers(2, 5), st.integers(1, 3), st.integers(0, 2**31))
def test_same_seed_gives_the_same_deliveries(link: dict[str, Any], number: int, hops: int, seed: int) -> None:
    first, second = (Traffic(network(number, hops=hops, seed=seed, **link), number, seed) for _ in range(2))
    assert first.got == second.got


@settings(max_examples=20)
@given(LINKS, st.integers(2, 5), st.integers(0, 2**31))
def test_further_node_out_of_reach_moves_no_draws_of_others(link: dict[str, Any], number: int, seed: int) -> None:
    fewer = network(number, seed=seed, **link)
    more = network(number + 1, seed=seed, **link)
    rng = np.random.default_rng(seed)
    x = rng.uniform(0.0, 15.0, number)
    for tick in range(1, 20):
        for node in range(number):
            fewer.send(node, b"x" * (1 + tick * node * 10))
            more.send(node, b"x" * (1 + tick * node * 10))
        told = [air.tick(tick * TICK, line(*x, *far), GROUND) for air, far in ((fewer, ()), (more, (500.0,)))]
        assert told[0] == told[1][:number]
        sizes = np.full(number, 10)
        heard = [fewer.maps.broadcast(BEACONS, sizes), more.maps.broadcast(BEACONS, np.append(sizes, 10))]
        np.testing.assert_array_equal(heard[0], heard[1][:number, :number])


@pytest.mark.parametrize(("loss", "radio"), [(0.5, "circle"), (0.0, "path-loss:fading_db=30,coherence_s=0.1")])
def test_base_keeps_its_draws_when_a_robot_is_added(loss: float, radio: str) -> None:
    heard = []
    for robots in (1, 2):
        settings = NetworkSettings(link=LinkSettings(loss=loss))
        air = Network([(Radio(range=10.0),)] * (robots + 1), settings, radio, robots=robots)
        places = line(0.0, *[500.0] * (robots - 1), 1.0)
        got = []
        for tick in range(1, 60):
            air.send(robots, b"x")
            got.append(len(air.tick(tick * TICK, places, GROUND)[0]))
        heard.append(got)
    assert heard[0] == heard[1]
    assert 0 < sum(heard[0]) < 59


@pytest.mark.parametrize("link", [{}, {"latency": 0.2}])
def test_message_without_a_way_over_hops_is_dropped(link: dict[str, Any]) -> None:
    air = network(3, hops=3, **link)
    air.tick(0.0, line(0.0, 5.0, 50.0), GROUND)
    air.send(0, b"x", to=2)
    for tick in range(1, 4):
        air.tick(tick * TICK, line(0.0, 5.0, 50.0), GROUND)
    assert air.dropped.tolist() == [[1, 0, 0]]


@settings(max_examples=60)
@given(st.integers(2, 9), st.integers(1, 5), st.integers(0, 2**31), st.booleans())
def test_unicast_over_hops_arrives_exactly_if_there_is_a_path_that_short(
    number: int, hops: int, seed: int, with_bandwidth: bool
) -> None:
    link: dict[str, Any] = {"bandwidth_bits_per_s": 1e6} if with_bandwidth else {}
    air = network(number, hops=hops, **link)
    rng = np.random.default_rng(seed)
    places = rng.uniform(0.0, 25.0, (number, 2))
    air.tick(0.0, places, GROUND)
    air.send(0, b"x", to=number - 1)
    arrived = arrivals(air, places, 8)
    length = slow_distance(air.links, 0, number - 1)
    assert bool(arrived) == (length <= hops)
    if arrived:
        assert [(tick, node) for tick, node, _ in arrived] == [(length, number - 1)]


def slow_distance(links: np.ndarray, start: int, end: int) -> int:
    """Links from start to end, from powers of the matrix of links."""
    reached = np.zeros(len(links), dtype=bool)
    reached[start] = True
    for length in range(len(links)):
        if reached[end]:
            return length
        reached = reached | links[:, reached].any(axis=1)
    return NO_WAY


@settings(max_examples=60)
@given(st.integers(2, 10), st.integers(0, 2**31))
def test_routes_are_the_shortest_there_are(number: int, seed: int) -> None:
    links = np.random.default_rng(seed).random((number, number)) < 0.3
    np.fill_diagonal(links, False)
    routes = Routes(links)
    distances = links_to(links, number - 1)
    assert distances.tolist() == [slow_distance(links, node, number - 1) for node in range(number)]
    node, way = 0, [0]
    while node != number - 1 and (following := routes.next_hop(node, number - 1, number)) is not None:
        way.append(node := following)
    assert distances[0] == (len(way) - 1 if node == number - 1 else NO_WAY)
    assert all(links[after, before] for before, after in pairwise(way))


@settings(max_examples=100)
@given(st.integers(1, 4), st.integers(1, 400), st.integers(16, 120), st.integers(1, 3), st.integers(0, 2**31))
def test_fragments_go_out_as_a_slow_version_says(
    receivers: int, load: int, fragment_bytes: int, tries: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    fragments = -(-load // fragment_bytes)
    to = rng.permutation(6)[:receivers]
    keys = rng.integers(0, 2**63, 6).astype(np.uint64)
    missing = rng.random((fragments, receivers)) < 0.8
    expected, expected_bytes = missing.copy(), np.zeros(6, dtype=np.int64)
    chances = rng.choice([0.0, 0.3, 0.9, 1.0], (40, 6))
    budgets = rng.uniform(1.0, 300.0, 40)

    sent_in_all, left, tick = 0, float(budgets[0]), 0
    ticks_of_try = {0}
    for fragment in range(fragments):
        size = min(fragment_bytes, load - fragment * fragment_bytes) + HEADER_BYTES
        for turn in range(tries):
            if not expected[fragment].any():
                break
            ticks_of_try, open_bytes = set(), float(size)
            while tick < 40 and open_bytes > 1e-6:
                part = min(left, open_bytes)
                if part > 0:
                    ticks_of_try.add(tick)
                open_bytes -= part
                left -= part
                if open_bytes > 1e-6:
                    tick += 1
                    left = float(budgets[tick]) if tick < 40 else 0.0
            if open_bytes > 1e-6:
                break
            sent_in_all += size
            for k in range(receivers):
                worst = min(chances[when, to[k]] for when in ticks_of_try)
                counter = np.uint64(fragment * tries + turn)
                if expected[fragment, k] and uniform(np.uint64(mix(keys[to[k]], np.uint64(7))), counter) < worst:
                    expected[fragment, k] = False
                    expected_bytes[to[k]] += size

    progress, worst, received, sent = np.zeros(3), np.ones(receivers), np.zeros(6, dtype=np.int64), 0
    sizes, spans = fragment_sizes([load], fragment_bytes)
    assert spans == [(0, fragments)]
    for when in range(40):
        spent, ended = send_fragments(
            progress, missing, to, worst, chances[when], sizes, tries, budgets[when], keys, 7, received
        )
        assert spent <= budgets[when] + 1e-9
        sent += ended
    assert sent == sent_in_all
    np.testing.assert_array_equal(missing, expected)
    np.testing.assert_array_equal(received, expected_bytes)


def test_small_loads_share_a_fragment_and_larger_ones_have_their_own() -> None:
    sizes, spans = fragment_sizes([3, 4, 5, 25, 2, 10, 1], 10)
    assert sizes.tolist() == [7, 5, 10, 10, 5, 2, 10, 1]
    assert spans == [(0, 1), (0, 1), (1, 2), (2, 5), (5, 6), (6, 7), (7, 8)]


@settings(max_examples=50)
@given(st.integers(1, 6), st.integers(0, 2**31), st.integers(0, 10**6))
def test_who_hears_is_drawn_for_each_pair_on_its_own(number: int, seed: int, counter: int) -> None:
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, 2**63, number).astype(np.uint64)
    reception = rng.choice([0.0, 0.4, 1.0], (number, number))
    share, sizes = float(rng.choice([0.5, 1.0])), rng.choice([0, 20], number)
    pairs = pair_keys(keys)
    heard = who_hears(pairs, 3, counter, reception, share, sizes)
    even = evenly(pairs, 3, counter)
    for row in range(number):
        for column in range(number):
            pair = np.uint64(mix(keys[column], keys[row]))
            stream = np.uint64(mix(pair, np.uint64(3)))
            assert streams(pairs[row : row + 1, column], 3).tolist() == [stream]
            drawn = uniform(stream, np.uint64(counter))
            assert even[row, column] == drawn
            assert heard[row, column] == (sizes[column] > 0 and drawn < reception[row, column] * share)
