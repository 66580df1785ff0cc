"""Who hears whom, which messages arrive, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.fleet import robot_model
from expedition.fleet.model import Radio, RobotModel
from expedition.network import Message, Network, PayloadTooLarge, radios
from expedition.network.network import HEADER_BYTES
from expedition.terrain import Terrain, find_terrain

PIONEER = robot_model("pioneer-3dx")


@pytest.fixture(scope="module")
def terrain() -> Terrain:
    return find_terrain("maze")


def robots(*ranges: float | None, **radio: float) -> tuple[RobotModel, ...]:
    return tuple(PIONEER.model_copy(update={"radios": (Radio(range=reach, **radio),)}) for reach in ranges)


def line(*places: float) -> np.ndarray:
    return np.array([(x, 5.0) for x in places])


def test_robots_hear_those_within_the_senders_range(terrain: Terrain) -> None:
    links = radios.make("circle", robots(10.0, 20.0, None)).links(line(0.0, 15.0, 60.0), terrain)
    assert links.astype(int).tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]


def test_link_holds_up_to_the_very_range(terrain: Terrain) -> None:
    circle = radios.make("circle", robots(10.0, 10.0))
    assert circle.links(line(0.0, 10.0), terrain).sum() == 2
    assert circle.links(line(0.0, math.nextafter(10.0, 11.0)), terrain).sum() == 0


def test_range_given_takes_the_place_of_the_data_sheets(terrain: Terrain) -> None:
    circle = radios.make("circle:range=5", robots(100.0, None))
    assert circle.links(line(0.0, 6.0), terrain).sum() == 0
    assert circle.links(line(0.0, 4.0), terrain).sum() == 2


def test_robot_without_radio_neither_sends_nor_hears(terrain: Terrain) -> None:
    models = (*robots(50.0, 50.0), PIONEER.model_copy(update={"radios": ()}))
    for spec in ("circle", "circle:range=9"):
        links = radios.make(spec, models).links(line(0.0, 1.0, 2.0), terrain)
        assert np.argwhere(links).tolist() == [[0, 1], [1, 0]]


def test_everywhere_links_all_and_none_links_nobody(terrain: Terrain) -> None:
    models, places = robots(1.0, 1.0, 1.0), line(0.0, 500.0, 1000.0)
    assert (radios.make("everywhere", models).links(places, terrain) == ~np.eye(3, dtype=bool)).all()
    assert not radios.make("none", models).links(places, terrain).any()


def test_unknown_radio_is_named_with_the_nearest(terrain: Terrain) -> None:
    with pytest.raises(ExpeditionError, match="did you mean 'circle'"):
        radios.make("cirle", robots(1.0))


def network(*models: RobotModel, **limits: float) -> Network:
    return Network(radios.make("circle", models), models, **limits)  # type: ignore[arg-type]


def test_message_arrives_at_the_next_tick_at_those_linked_then(terrain: Terrain) -> None:
    air = network(*robots(10.0, 10.0, 10.0))
    air.tick(0.0, line(0.0, 5.0, 50.0), terrain)
    air.send(0, b"hello", channel="news")
    inboxes = air.tick(0.1, line(0.0, 50.0, 5.0), terrain)
    assert inboxes == ((), (), (Message(0, "news", b"hello", 0.0),))
    assert air.tick(0.2, line(0.0, 5.0, 5.0), terrain) == ((), (), ())


def test_message_to_one_reaches_that_one_only(terrain: Terrain) -> None:
    air = network(*robots(10.0, 10.0, 10.0))
    air.send(0, b"a", to=2)
    air.send(0, b"b", to=1)
    air.send(2, b"c", to=1)
    inboxes = air.tick(0.1, line(0.0, 1.0, 2.0), terrain)
    assert [[message.data for message in inbox] for inbox in inboxes] == [[], [b"b", b"c"], [b"a"]]


def test_bytes_and_messages_are_counted_where_they_are_sent_and_where_they_arrive(terrain: Terrain) -> None:
    air = network(*robots(10.0, 10.0, 10.0, 10.0))
    air.send(0, b"12345", channel="ab")
    air.send(1, b"1", to=3)
    air.tick(0.1, line(0.0, 1.0, 2.0, 90.0), terrain)
    long, short = HEADER_BYTES + 7, HEADER_BYTES + 1
    assert air.bytes_sent.tolist() == [long, short, 0, 0]
    assert air.bytes_received.tolist() == [0, long, long, 0]
    assert air.messages_sent.tolist() == [1, 1, 0, 0]
    assert air.messages_received.tolist() == [0, 1, 1, 0]
    air.count(10, np.array([1, 2, 3, 4]))
    assert air.bytes_sent.tolist() == [long + 10, short + 10, 10, 10]
    assert air.bytes_received.tolist() == [1, long + 2, long + 3, 4]


def test_message_over_the_limit_is_refused_with_the_limit(terrain: Terrain) -> None:
    air = network(*robots(10.0, 10.0), message_limit=100)
    air.send(0, b"x" * (100 - HEADER_BYTES))
    with pytest.raises(PayloadTooLarge, match=r"robot 0 sends a message of 101 bytes; the limit is 100"):
        air.send(0, b"x" * (101 - HEADER_BYTES))
    assert len(air.tick(0.1, line(0.0, 1.0), terrain)[1]) == 1


def test_robot_sends_no_more_in_a_second_than_its_radio_carries(terrain: Terrain) -> None:
    air = network(*robots(10.0, 10.0, bandwidth_bits_per_s=800.0))
    air.send(0, b"x" * (60 - HEADER_BYTES))
    with pytest.raises(PayloadTooLarge, match="100 bytes a second"):
        air.send(0, b"x" * (41 - HEADER_BYTES))
    air.send(1, b"x" * (41 - HEADER_BYTES))
    air.tick(0.1, line(0.0, 1.0), terrain)
    air.send(0, b"x" * (50 - HEADER_BYTES))
    with pytest.raises(PayloadTooLarge):
        air.send(0, b"x" * (17 - HEADER_BYTES))
    air.tick(100.0, line(0.0, 1.0), terrain)
    air.send(0, b"x" * (100 - HEADER_BYTES))
    with pytest.raises(PayloadTooLarge):
        air.send(0, b"")


def test_rate_without_bandwidth_is_the_one_given() -> None:
    air = network(*robots(10.0), rate_limit=20.0)
    air.send(0, b"")
    with pytest.raises(PayloadTooLarge, match="20 bytes a second"):
        air.send(0, b"")


@pytest.mark.parametrize("to", [-1, 2, 1.0, "1", True])
def test_message_to_nobody_there_is_refused(to: object) -> None:
    air = network(*robots(10.0, 10.0))
    with pytest.raises(ExpeditionError, match="a robot from 0 to 1, or None"):
        air.send(0, b"", to=to)  # type: ignore[arg-type]


def test_channel_must_be_a_short_name() -> None:
    air = network(*robots(10.0, 10.0))
    for channel in ("x" * 65, 7):
        with pytest.raises(ExpeditionError, match="channel"):
            air.send(0, b"", channel=channel)  # type: ignore[arg-type]
