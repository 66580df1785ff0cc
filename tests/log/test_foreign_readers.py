"""Other programs read our logs: rosbags and MCAP's own reader see every message, and find nothing amiss."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from mcap.reader import NonSeekingReader, SeekingReader
from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore

from expedition.log.topics import topics_of
from tests.log.eventful import SECONDS, Witnessed

EVERYTHING = topics_of(["robot_0", "robot_1", "robot_2", "robot_3"], has_base=True)


@pytest.fixture(scope="module")
def messages(eventful: Witnessed) -> dict[str, list[tuple[int, object]]]:
    """All messages by topic, as rosbags deserialises them; each has the bytes that rosbags itself would write."""
    found: dict[str, list[tuple[int, object]]] = {}
    with AnyReader([eventful.path], default_typestore=get_typestore(Stores.ROS2_JAZZY)) as reader:
        for connection, time, raw in reader.messages():
            message = reader.deserialize(raw, connection.msgtype)
            assert bytes(reader.typestore.serialize_cdr(message, connection.msgtype)) == raw, connection.topic
            found.setdefault(connection.topic, []).append((time, message))
    return found


def test_rosbags_reads_messages_of_every_topic(messages) -> None:
    assert set(EVERYTHING) - set(messages) == {"/base/decision"}
    assert set(messages) <= set(EVERYTHING)


def test_times_are_simulated_ones(messages) -> None:
    for topic, entries in messages.items():
        times = [time for time, _ in entries]
        assert times == sorted(times), topic
        assert 0 <= times[0] <= times[-1] <= SECONDS * 1e9


def test_robots_are_where_transforms_say(messages, eventful: Witnessed) -> None:
    (transforms,) = [message for time, message in messages["/tf"] if time == 12_000_000_000]
    by_frame = {one.child_frame_id: one for one in transforms.transforms}
    for robot in range(4):
        for frame, poses in (("base_link", "believed"), ("truth", "poses")):
            one = by_frame[f"robot_{robot}/{frame}"]
            assert one.header.frame_id == "world"
            assert (one.header.stamp.sec, one.header.stamp.nanosec) == (12, 0)
            x, y, heading = eventful.moments[12.0][poses][robot]
            assert (one.transform.translation.x, one.transform.translation.y) == (x, y)
            turned = 2 * np.arctan2(one.transform.rotation.z, one.transform.rotation.w)
            assert np.cos(turned - heading) == pytest.approx(1.0)


def test_odometry_has_the_covariance_that_robots_believe_in(messages) -> None:
    _, last = messages["/robot_3/odometry"][-1]
    covariance = last.pose.covariance.reshape(6, 6)
    assert (covariance == covariance.T).all()
    assert covariance[0, 0] > 0.0
    assert (covariance[2:5] == 0.0).all()
    assert last.child_frame_id == "robot_3/base_link"


def test_scans_and_lidars_are_in_one_frame(messages) -> None:
    static = {one.child_frame_id for one in messages["/tf_static"][0][1].transforms}
    for robot in range(4):
        _, scan = messages[f"/robot_{robot}/scan"][0]
        assert scan.header.frame_id == f"robot_{robot}/laser"
        assert scan.header.frame_id in static
        beams = round((scan.angle_max - scan.angle_min) / scan.angle_increment) + 1
        assert len(scan.ranges) == beams == 180


def test_occupancy_grids_lie_where_the_maps_do(messages, eventful: Witnessed) -> None:
    frame = eventful.result.monitor.frame
    _, grid = messages["/union/map"][-1]
    assert (grid.info.height, grid.info.width) == frame.shape
    assert (grid.info.origin.position.x, grid.info.origin.position.y) == pytest.approx(frame.origin)
    assert set(np.unique(grid.data)) <= {-1, 0, 100}


def test_tags_and_links_and_landmarks_are_markers(messages, eventful: Witnessed) -> None:
    tags = [marker for _, array in messages["/tags"] for marker in array.markers]
    assert [marker.text for marker in tags] == [tag.text for tag in eventful.moments[SECONDS]["tags"]]
    assert len({(marker.ns, marker.id) for marker in tags}) == len(tags)
    (links,) = messages["/links"][-1][1].markers
    contacts = eventful.moments[SECONDS]["links"]
    assert len(links.points) == 2 * np.count_nonzero(np.triu(contacts & contacts.T))
    (landmarks,) = messages["/landmarks"][0][1].markers
    assert [(point.x, point.y) for point in landmarks.points] == [
        (mark.x, mark.y) for mark in eventful.result.mission.terrain.landmarks
    ]


def test_events_are_lines_of_a_log_as_well(messages) -> None:
    lines = [message for _, message in messages["/rosout"]]
    assert len(lines) == len(messages["/events"])
    assert any(line.name == "robot_2" and line.msg == "breakdown: robot" and line.level == 30 for line in lines)


def test_the_reader_of_mcap_finds_as_many_messages_with_and_without_the_index(eventful: Witnessed, messages) -> None:
    counts = {topic: len(entries) for topic, entries in messages.items()}
    with eventful.path.open("rb") as file:
        reader = SeekingReader(file, validate_crcs=True)
        found = Counter(channel.topic for _, channel, _ in reader.iter_messages())
        assert found == counts
        summary = reader.get_summary()
        assert summary is not None
        assert summary.statistics is not None
        assert summary.statistics.message_count == sum(counts.values())
        assert {one.name for one in reader.iter_attachments()} == {"mission.json", "ground.npz"}
        assert reader.get_header().profile == "ros2"
    with eventful.path.open("rb") as file:
        found = Counter(channel.topic for _, channel, _ in NonSeekingReader(file, validate_crcs=True).iter_messages())
        assert found == counts
