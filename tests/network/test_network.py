"""Which messages arrive over ideal channels, what is counted, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.fleet.model import Radio
from expedition.network import LinkSettings, Message, Network, NetworkSettings, PayloadTooLarge
from expedition.network.fragments import HEADER_BYTES
from expedition.network.obstacles import Obstacles
from expedition.terrain import find_terrain


@pytest.fixture(scope="module")
def ground() -> Obstacles:
    return Obstacles.of(find_terrain("maze"))


def nodes(*ranges: float | None) -> list[tuple[Radio, ...]]:
    return [(Radio(range=reach),) for reach in ranges]


def line(*places: float) -> np.ndarray:
    return np.array([(x, 5.0) for x in places])


def test_message_arrives_at_the_next_tick_at_those_linked_then(ground: Obstacles) -> None:
    air = Network(nodes(10.0, 10.0, 10.0))
    air.tick(0.0, line(0.0, 5.0, 50.0), ground)
    air.send(0, b"hello", topic="news")
    inboxes = air.tick(0.1, line(0.0, 50.0, 5.0), ground)
    assert inboxes == ((), (), (Message(0, "news", b"hello", 0.0, "wifi"),))
    assert air.tick(0.2, line(0.0, 5.0, 5.0), ground) == ((), (), ())


def test_message_to_one_reaches_that_one_only(ground: Obstacles) -> None:
    air = Network(nodes(10.0, 10.0, 10.0))
    air.send(0, b"a", to=2)
    air.send(0, b"b", to=1)
    air.send(2, b"c", to=1)
    inboxes = air.tick(0.1, line(0.0, 1.0, 2.0), ground)
    assert [[message.data for message in inbox] for inbox in inboxes] == [[], [b"b", b"c"], [b"a"]]


def test_bytes_and_messages_are_counted_where_they_are_sent_and_where_they_arrive(ground: Obstacles) -> None:
    air = Network(nodes(10.0, 10.0, 10.0, 10.0))
    air.send(0, b"12345", topic="ab")
    air.send(1, b"1", to=3)
    air.tick(0.1, line(0.0, 1.0, 2.0, 90.0), ground)
    long, short = HEADER_BYTES + 7, HEADER_BYTES + 1
    assert air.bytes_sent.tolist() == [[long, short, 0, 0]]
    assert air.bytes_received.tolist() == [[0, long, long, 0]]
    assert air.messages_sent.tolist() == [[1, 1, 0, 0]]
    assert air.messages_received.tolist() == [[0, 1, 1, 0]]
    air.count(10, np.array([1, 2, 3, 4]))
    assert air.bytes_sent.tolist() == [[long + 10, short + 10, 10, 10]]
    assert air.bytes_received.tolist() == [[1, long + 2, long + 3, 4]]


def test_each_channel_has_its_own_radios_reach_and_counts(ground: Obstacles) -> None:
    wifi, far = Radio(name="wifi", range=10.0), Radio(name="far", range=1000.0)
    air = Network([(wifi, far), (wifi,), (far, wifi)])
    assert air.names == ["wifi", "far"]
    air.send(0, b"near", channel="wifi")
    air.send(0, b"far", channel="far")
    air.send(2, b"first")
    inboxes = air.tick(0.1, line(0.0, 5.0, 500.0), ground)
    heard = [[(message.data, message.channel) for message in inbox] for inbox in inboxes]
    assert heard == [[(b"first", "far")], [(b"near", "wifi")], [(b"far", "far")]]
    assert air.messages_sent.tolist() == [[1, 0, 0], [1, 0, 1]]
    assert air.messages_received.tolist() == [[0, 1, 0], [1, 0, 1]]


def test_nodes_without_a_radio_of_a_name_do_not_hear_that_channel(ground: Obstacles) -> None:
    air = Network([(Radio(name="a"),), (Radio(name="b"),), (Radio(name="a"),)])
    air.send(0, b"x")
    assert [len(inbox) for inbox in air.tick(0.1, line(0.0, 1.0, 2.0), ground)] == [0, 0, 1]


def test_radios_that_are_off_neither_send_nor_hear(ground: Obstacles) -> None:
    air = Network(nodes(None, None, None))
    air.tick(0.0, line(0.0, 1.0, 2.0), ground)
    air.silent[1] = True
    air.send(0, b"x")
    air.send(1, b"y")
    assert [len(inbox) for inbox in air.tick(0.1, line(0.0, 1.0, 2.0), ground)] == [0, 0, 1]
    assert np.argwhere(air.links).tolist() == [[0, 2], [2, 0]]
    assert air.dropped.tolist() == [[0, 1, 0]]
    assert air.bytes_sent[0, 1] == 0
    air.silent[1] = False
    air.tick(0.2, line(0.0, 1.0, 2.0), ground)
    assert air.links.sum() == 6


def test_contact_is_a_link_both_ways(ground: Obstacles) -> None:
    air = Network(nodes(10.0, 20.0))
    air.tick(0.0, line(0.0, 15.0), ground)
    assert np.argwhere(air.links).tolist() == [[0, 1]]
    assert not air.contact.any()


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_message_to_one_is_handed_on_over_as_many_links_as_allowed(ground: Obstacles, hops: int) -> None:
    air = Network(nodes(10.0, 10.0, 10.0, 10.0), NetworkSettings(hops=hops))
    places = line(0.0, 8.0, 16.0, 24.0)
    air.tick(0.0, places, ground)
    air.send(0, b"x", to=3)
    arrived = [len(air.tick(0.1 * tick, places, ground)[3]) for tick in range(1, 6)]
    assert arrived == ([0, 0, 1, 0, 0] if hops == 3 else [0] * 5)


def test_message_to_all_floods_as_far_as_hops_reach_and_arrives_once(ground: Obstacles) -> None:
    air = Network(nodes(*[10.0] * 5), NetworkSettings(hops=3))
    places = line(0.0, 8.0, 9.0, 17.0, 26.0)
    air.tick(0.0, places, ground)
    air.send(0, b"x")
    counts = np.array([[len(inbox) for inbox in air.tick(0.1 * tick, places, ground)] for tick in range(1, 8)])
    assert counts.sum(axis=0).tolist() == [0, 1, 1, 1, 1]
    assert counts.argmax(axis=0)[1:].tolist() == [0, 0, 1, 2]


def test_confirmation_comes_back_as_a_message_of_its_own(ground: Obstacles) -> None:
    air = Network(nodes(10.0, 10.0, 10.0), NetworkSettings(hops=2))
    places = line(0.0, 8.0, 16.0)
    air.tick(0.0, places, ground)
    receipt = air.send(0, b"x", to=2, confirm=True)
    to_all, not_asked = air.send(1, b"y", confirm=True), air.send(1, b"z")
    confirmed = []
    for tick in range(1, 6):
        inboxes = air.tick(0.1 * tick, places, ground)
        confirmed.append((receipt.confirmed, sorted(to_all.confirmed_by)))
        assert tick > 2 or any(inboxes)
    assert confirmed == [(False, []), (False, [0, 2]), (False, [0, 2]), (True, [0, 2]), (True, [0, 2])]
    assert not not_asked.confirmed


def test_confirmation_that_cannot_come_back_is_never_known(ground: Obstacles) -> None:
    air = Network(nodes(100.0, 1.0))
    places = line(0.0, 50.0)
    air.tick(0.0, places, ground)
    receipt = air.send(0, b"x", to=1, confirm=True)
    assert len(air.tick(0.1, places, ground)[1]) == 1
    air.tick(0.2, places, ground)
    assert not receipt.confirmed


def test_message_over_the_limit_is_refused_with_the_limit(ground: Obstacles) -> None:
    air = Network(nodes(10.0, 10.0), message_limit=100)
    air.send(0, b"x" * (100 - HEADER_BYTES))
    with pytest.raises(PayloadTooLarge, match=r"robot 0 sends a message of 101 bytes; the limit is 100"):
        air.send(0, b"x" * (101 - HEADER_BYTES))
    assert len(air.tick(0.1, line(0.0, 1.0), ground)[1]) == 1


def test_robot_without_bandwidth_sends_no_more_in_a_second_than_the_guard_allows(ground: Obstacles) -> None:
    air = Network(nodes(10.0, 10.0), rate_limit=100.0)
    air.send(0, b"x" * (60 - HEADER_BYTES))
    with pytest.raises(PayloadTooLarge, match="100 bytes a second"):
        air.send(0, b"x" * (41 - HEADER_BYTES))
    air.send(1, b"x" * (41 - HEADER_BYTES))
    air.tick(0.1, line(0.0, 1.0), ground)
    air.send(0, b"x" * (50 - HEADER_BYTES))
    with pytest.raises(PayloadTooLarge):
        air.send(0, b"x" * (17 - HEADER_BYTES))
    air.tick(100.0, line(0.0, 1.0), ground)
    air.send(0, b"x" * (100 - HEADER_BYTES))
    with pytest.raises(PayloadTooLarge):
        air.send(0, b"")


@pytest.mark.parametrize("to", [-1, 2, 1.0, "1", True])
def test_message_to_nobody_there_is_refused(to: object) -> None:
    air = Network(nodes(10.0, 10.0))
    with pytest.raises(ExpeditionError, match="a robot from 0 to 1, or None"):
        air.send(0, b"", to=to)  # type: ignore[arg-type]


def test_base_is_named_among_those_to_send_to() -> None:
    air = Network(nodes(10.0, 10.0, 10.0), robots=2)
    air.send(0, b"", to=2)
    with pytest.raises(ExpeditionError, match="a robot from 0 to 1, the base, 2, or None"):
        air.send(0, b"", to=3)


def test_topic_must_be_a_short_name() -> None:
    air = Network(nodes(10.0, 10.0))
    for topic in ("x" * 65, 7):
        with pytest.raises(ExpeditionError, match="topic"):
            air.send(0, b"", topic=topic)  # type: ignore[arg-type]


def test_unknown_channel_is_named_with_the_nearest() -> None:
    air = Network(nodes(10.0, 10.0))
    with pytest.raises(ExpeditionError, match="did you mean 'wifi'"):
        air.send(0, b"", channel="wfi")


def test_settings_for_a_channel_that_no_radio_has_are_refused() -> None:
    settings = NetworkSettings(channels={"wify": LinkSettings(loss=0.5)})
    with pytest.raises(ExpeditionError, match=r"network.channels: unknown channel 'wify'; did you mean 'wifi'"):
        Network(nodes(10.0), settings)


def test_settings_of_a_channel_come_before_those_of_all() -> None:
    settings = NetworkSettings(
        link=LinkSettings(loss=0.5, latency=1.0), channels={"far": LinkSettings(loss=0.0, radio="everywhere")}
    )
    again = NetworkSettings.model_validate(settings.model_dump(mode="json"))
    for one in (settings, again):
        assert one.link_of("wifi", "circle")[:5] == ("circle", None, 1.0, 0.0, 0.5)
        assert one.link_of("far", "circle")[:5] == ("everywhere", None, 1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"loss": 1.5},
        {"loss": float("nan")},
        {"latency": -1.0},
        {"jitter": -0.1},
        {"bandwidth_bits_per_s": 0.0},
        {"fragment_bytes": 0},
        {"retries": -1},
        {"queue_bytes": 0},
        {"queue_policy": "drop-all"},
        {"speed": 1.0},
    ],
)
def test_impossible_links_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        LinkSettings.model_validate(wrong)
