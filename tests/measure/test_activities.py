"""What robots said that they were and did, against cases worked out by hand."""

from __future__ import annotations

from expedition.measure.activities import activity_seconds, declared_events


def test_an_activity_lasts_until_the_next_or_the_end() -> None:
    declared = [
        (0.0, 0, "activity", "exploring"), (2.0, 1, "activity", "waiting"), (4.0, 0, "role", "relay"),
        (6.0, 0, "activity", "returning"), (7.0, 0, "activity", "exploring"), (8.0, 1, "activity", ""),
    ]  # fmt: skip
    assert activity_seconds(declared, [], 2, 10.0) == {
        "exploring": [9.0, 0.0], "waiting": [0.0, 6.0], "returning": [1.0, 0.0],
    }  # fmt: skip


def test_robot_that_is_out_of_order_does_nothing() -> None:
    declared = [(0.0, 0, "activity", "exploring"), (1.0, 1, "activity", "waiting")]
    faults = [
        {"time_s": 2.0, "event": "breakdown", "robot": 0, "text": "robot"},
        {"time_s": 3.0, "event": "breakdown", "robot": 1, "text": "radio"},
        {"time_s": 4.0, "event": "breakdown", "robot": 0, "text": "robot"},
        {"time_s": 5.0, "event": "recovery", "robot": 0, "text": "robot"},
        {"time_s": 7.0, "event": "recovery", "robot": 0, "text": "robot"},
        {"time_s": 9.0, "event": "breakdown", "robot": 1, "text": "battery"},
    ]
    assert activity_seconds(declared, faults, 2, 10.0) == {"exploring": [5.0, 0.0], "waiting": [0.0, 8.0]}


def test_what_the_base_declares_is_no_robots_time() -> None:
    assert activity_seconds([(0.0, 2, "activity", "leading")], [], 2, 10.0) == {}


def test_role_that_takes_the_place_of_another_is_a_swap() -> None:
    declared = [
        (0.0, 0, "role", "explorer"), (0.0, 1, "role", "relay"), (5.0, 0, "activity", "waiting"),
        (6.0, 0, "role", "relay"), (7.0, 1, "role", ""), (8.0, 1, "role", "relay"), (9.0, 1, "role", "explorer"),
    ]  # fmt: skip
    events = declared_events(declared)
    assert [event["event"] for event in events] == [
        "role", "role", "activity", "role swap", "role", "role", "role swap",
    ]  # fmt: skip
    assert events[3] == {"time_s": 6.0, "event": "role swap", "robot": 0, "text": "relay", "from": "explorer"}
    assert events[6]["from"] == "relay"
