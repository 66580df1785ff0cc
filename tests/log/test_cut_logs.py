"""Logs that were cut off, are still being written, are damaged, or are none."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import numpy as np
import pytest
from mcap.writer import Writer

from expedition.errors import ExpeditionError
from expedition.log.chunks import ChunkedFile
from expedition.log.reader import LogReader
from tests.log.eventful import Witnessed

PLACES = 60


def beginning(path: Path) -> int:
    """How many bytes come before the first chunk."""
    return min(chunk.data_at for chunk in ChunkedFile(path).chunks)


def test_a_log_is_readable_up_to_wherever_it_was_cut_off(eventful: Witnessed, tmp_path: Path) -> None:
    data, whole, cut = eventful.path.read_bytes(), LogReader(eventful.path), tmp_path / "cut.mcap"
    places = np.random.default_rng(5).integers(beginning(eventful.path), len(data), PLACES)
    ends = []
    for place in sorted(places.tolist()):
        cut.write_bytes(data[:place])
        log = LogReader(cut)
        ends.append(log.end)
        if not log.series.times.size:
            continue
        for time in (log.end, log.end / 2):
            scene, same = log.scene(time), whole.scene(time)
            assert (scene.poses == same.poses).all()
            assert (scene.links == same.links).all()
            assert log.map("union", time).shape == whole.map("union", time).shape
            assert len(log.events) <= len(whole.events)
    assert ends == sorted(ends)
    assert ends[-1] == whole.end


def test_a_log_cut_between_chunks_has_all_maps_up_to_there(eventful: Witnessed, tmp_path: Path) -> None:
    """At a keyframe everything is written, whichever chunk it is in."""
    data, whole, cut = eventful.path.read_bytes(), LogReader(eventful.path), tmp_path / "cut.mcap"
    later = [chunk for chunk in ChunkedFile(eventful.path).chunks if chunk.start > 30_000_000_000]
    cut.write_bytes(data[: min(chunk.data_at for chunk in later) - 60])
    log = LogReader(cut)
    assert log.end == 30.0
    for which in ("union", "base", "truth", 0, 3):
        for time in (7.0, 30.0):
            assert (log.map(which, time) == whole.map(which, time)).all()


def test_a_log_without_messages_yet_says_so(eventful: Witnessed, tmp_path: Path) -> None:
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(eventful.path.read_bytes()[: beginning(eventful.path)])
    log = LogReader(cut)
    assert log.is_growing
    assert log.end == 0.0
    assert log.series.times.size == 0
    with pytest.raises(ExpeditionError, match="nothing is recorded yet"):
        log.scene(0.0)


def test_a_reader_follows_a_log_that_grows(eventful: Witnessed, tmp_path: Path) -> None:
    data, whole, path = eventful.path.read_bytes(), LogReader(eventful.path), tmp_path / "growing.mcap"
    first = beginning(eventful.path)
    path.write_bytes(data[:first])
    log = LogReader(path)
    assert not log.refresh()
    bounds = np.linspace(first, len(data), 40).astype(int).tolist()
    for begin, end in itertools.pairwise(bounds):
        with path.open("ab") as file:
            file.write(data[begin:end])
        log.refresh()
        if log.series.times.size:
            np.testing.assert_array_equal(log.scene(log.end).believed, whole.scene(log.end).believed)
    assert not log.is_growing
    assert log.events == whole.events
    for which in ("union", "base", "truth", 0, 3):
        for time in (3.0, 29.0, 45.0):
            assert (log.map(which, time) == whole.map(which, time)).all()
    np.testing.assert_array_equal(log.first_seen(40.0)[0], whole.first_seen(40.0)[0])
    np.testing.assert_array_equal(log.covered_at(40.0), whole.covered_at(40.0))


def test_a_log_can_be_read_while_its_mission_runs(tmp_path: Path) -> None:
    from expedition.log.recorder import Recorder
    from expedition.measure.progress import Progress
    from expedition.mission import run
    from tests.log.eventful import mission

    ends: list[float] = []
    logs: list[LogReader] = []

    def look(progress: Progress) -> None:
        if progress.time == 0.0:
            return
        if not logs:
            logs.append(LogReader(tmp_path / "log.mcap"))
        logs[0].refresh()
        ends.append(logs[0].end)

    run(mission(), look, record=Recorder(tmp_path / "log.mcap", flush_every=0.0))
    assert len(set(ends)) > 40
    assert ends[-1] > 43.0


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"hello, this is no log at all", "is no log, which begins as MCAP files do"),
        (b"\x89MCAP0\r\n", "is cut off before the mission begins"),
        (b"\x89MCAP0\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "is cut off before the mission begins"),
    ],
)
def test_what_is_no_log_is_refused_in_a_sentence(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "some.mcap"
    path.write_bytes(content)
    with pytest.raises(ExpeditionError, match=f"some.mcap: {sentence}"):
        LogReader(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "missing.mcap", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(ExpeditionError, match=f"no log can be read there: {reason}"):
            LogReader(path)


def test_an_mcap_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.mcap"
    with path.open("wb") as file:
        writer = Writer(file)
        writer.start("ros2", "somebody")
        schema = writer.register_schema("std_msgs/msg/String", "ros2msg", b"string data")
        channel = writer.register_channel("/chatter", "cdr", schema)
        writer.add_message(channel, 0, b"\0\1\0\0\3\0\0\0hi\0", 0)
        writer.finish()
    with pytest.raises(ExpeditionError, match=r"foreign.mcap: is no log of expedition: it has no mission.json"):
        LogReader(path)


def test_damaged_logs_are_read_or_refused_and_never_crash(eventful: Witnessed, tmp_path: Path) -> None:
    data, path, rng = eventful.path.read_bytes(), tmp_path / "damaged.mcap", np.random.default_rng(9)
    refused = 0
    for _ in range(60):
        broken = np.frombuffer(data, dtype=np.uint8).copy()
        begin = int(rng.integers(8, len(broken) - 40))
        broken[begin : begin + 40] = rng.integers(0, 256, 40)
        path.write_bytes(broken.tobytes())
        complaint = read_all_of(path, rng.uniform(0.0, 45.0, 2).tolist())
        if complaint is not None:
            refused += 1
            assert complaint.startswith(f"{path}: ")
            assert "\n" not in complaint
    assert 0 < refused < 60


def read_all_of(path: Path, times: list[float]) -> str | None:
    """Read some moments of a log; what is said against it."""
    try:
        log = LogReader(path)
        for time in times:
            log.scene(time)
            log.map("union", time)
            log.map(3, time)
            log.first_seen(time)
    except ExpeditionError as error:
        return str(error)
    return None


def test_a_log_stays_readable_when_its_name_is_gone(eventful: Witnessed, tmp_path: Path) -> None:
    path = tmp_path / "log.mcap"
    shutil.copy(eventful.path, path)
    log = LogReader(path)
    path.unlink()
    assert log.scene(20.0).time == 20.0
