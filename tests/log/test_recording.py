"""Recording looks on and changes nothing, keeps to its detail, and gives up rather than stop a mission."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from expedition import explore
from expedition.errors import ExpeditionError
from expedition.exploring import plan_mission
from expedition.log.chunks import ChunkedFile
from expedition.log.detail import Detail
from expedition.log.file import Lane
from expedition.log.reader import LogReader
from expedition.log.recorder import Recorder
from expedition.mission import run
from expedition.strategies.library import strategy as strategies
from tests.log.eventful import Witnessed, mission

SILENT = {"random-walk"}
"""Strategies that weigh nothing."""


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file may grow beyond a size, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_recording_changes_no_result(eventful: Witnessed) -> None:
    again, recorded = run(mission()), eventful.result
    assert recorded.measurements.series_frame().equals(again.measurements.series_frame())
    assert recorded.measurements.events == again.measurements.events
    assert recorded.measurements.facts == again.measurements.facts
    assert recorded.to_dict(series=True) == again.to_dict(series=True)


def test_the_same_mission_has_the_same_log(eventful: Witnessed, tmp_path: Path) -> None:
    run(mission(), record=Recorder(tmp_path / "again.mcap"))
    assert (tmp_path / "again.mcap").read_bytes() == eventful.path.read_bytes()


@pytest.mark.parametrize("name", sorted(strategies.names()))
def test_shipped_strategies_tell_what_they_weigh_and_do_not_change_by_it(name: str, tmp_path: Path) -> None:
    what = plan_mission("cross", 3, name, 1, base="start", stop={"time": 40, "explored": 1.0})
    recorded, again = run(what, record=Recorder(tmp_path / "log.mcap")), run(what)
    assert recorded.measurements.series_frame().equals(again.measurements.series_frame())
    scene = LogReader(tmp_path / "log.mcap").scene(40.0)
    decisions = [decision for decision in scene.decisions if decision is not None]
    assert bool(decisions) != (name in SILENT)
    assert all(len(one.places) == len(one.values) and one.about for one in decisions)


def test_role_based_shows_where_robots_meet(tmp_path: Path) -> None:
    what = plan_mission("cross", 2, "role-based", 1, base="start", stop={"time": 40, "explored": 1.0})
    run(what, record=Recorder(tmp_path / "log.mcap"))
    marks = LogReader(tmp_path / "log.mcap").scene(40.0).marks
    assert {robot for robot, _ in marks["rendezvous"]} == {0, 1}
    assert any(len(points) > 2 for _, points in marks["skeleton"])


def test_a_decision_needs_a_value_for_each_alternative(tmp_path: Path) -> None:
    async def careless(robot):
        robot.consider([(0.0, 0.0), (1.0, 1.0)], [3.0])

    what = plan_mission("loop", 1, careless, stop={"time": 2})
    assert run(what).failure is None
    failure = run(what, record=Recorder(tmp_path / "log.mcap")).failure
    assert "a value for each of 2 alternatives" in str(failure)


def test_values_given_as_a_function_are_worked_out_only_if_somebody_records(tmp_path: Path) -> None:
    asked = []

    async def lazy(robot):
        robot.consider([(0.0, 0.0)], lambda: asked.append(robot.time) or [1.0], 0)

    what = plan_mission("loop", 1, lazy, stop={"time": 2})
    run(what)
    assert asked == []
    run(what, record=Recorder(tmp_path / "log.mcap"))
    assert asked == [0.0]


def test_a_failed_mission_has_a_log_up_to_its_end(tmp_path: Path) -> None:
    async def tired(robot):
        await robot.wait(3.0)
        raise RuntimeError("too tired")

    run(plan_mission("loop", 2, tired, stop={"time": 20}), record=Recorder(tmp_path / "log.mcap"))
    log = LogReader(tmp_path / "log.mcap")
    assert not log.is_growing
    assert [event["event"] for event in log.events] == ["failure", "end"]
    assert 2.5 < log.end <= 3.0


def test_detail_says_what_is_recorded(tmp_path: Path) -> None:
    nothing = dict.fromkeys(("transforms", "odometry", "scans", "maps", "paths", "markers", "landmarks"))
    run(
        plan_mission("loop", 2, "nearest-frontier", stop={"time": 10}),
        record=Recorder(tmp_path / "log.mcap", Detail(fleet=2.0, messages=False, **nothing)),
    )
    file = ChunkedFile(tmp_path / "log.mcap")
    recorded = {topic for topic, channel in file.topics.items() if channel in file.by_channel}
    decisions = {"/robot_0/decision", "/robot_1/decision"}
    assert recorded == {"/fleet", "/seen", "/events", "/rosout", "/tf_static", *decisions}
    log = LogReader(tmp_path / "log.mcap")
    assert log.series.times.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    assert not log.map("union", 5.0).any()


class PressesCtrlC(list[bytes]):
    """Records of a lane, in the middle of one of which somebody presses Ctrl-C."""

    records = 0

    def append(self, record: bytes) -> None:
        super().append(record)
        PressesCtrlC.records += 1
        if PressesCtrlC.records == 200:
            signal.raise_signal(signal.SIGINT)


def test_ctrl_c_in_the_middle_of_a_record_leaves_a_whole_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = Lane.__init__

    def begin_with_trouble(lane: Lane) -> None:
        begin(lane)
        lane.parts = PressesCtrlC()

    monkeypatch.setattr(Lane, "__init__", begin_with_trouble)
    result = run(mission(), record=Recorder(tmp_path / "log.mcap"))
    assert PressesCtrlC.records > 200
    assert result.ending == "interrupted"
    log = LogReader(tmp_path / "log.mcap")
    assert not log.is_growing
    assert log.events[-1]["text"] == "interrupted"
    assert log.scene(log.end).time == log.end


def test_a_full_disk_ends_the_log_and_not_the_mission(tmp_path: Path, eventful: Witnessed) -> None:
    recorder = Recorder(tmp_path / "log.mcap")
    with largest_file(eventful.path.stat().st_size // 3):
        result = run(mission(), record=recorder)
    assert result.measurements.series_frame().equals(eventful.result.measurements.series_frame())
    assert recorder.failure is not None
    assert recorder.failure.startswith(f"{tmp_path}/log.mcap: the log ends at ")
    assert recorder.failure.endswith("File too large")
    log, whole = LogReader(tmp_path / "log.mcap"), LogReader(eventful.path)
    assert log.is_growing
    assert 0.0 < log.end < whole.end
    assert (log.scene(log.end).poses == whole.scene(log.end).poses).all()


def test_explore_warns_of_a_log_that_ends_early(tmp_path: Path) -> None:
    with largest_file(30_000), pytest.warns(RuntimeWarning, match="the log ends at"):
        result = explore("loop", 2, time_limit=40.0, record=tmp_path / "log.mcap")
    assert result.ending == "timed out"


@pytest.mark.parametrize("path", ["missing/log.mcap", ".", "/dev/full"])
def test_a_place_where_no_log_can_be_written_is_refused_at_once(path: str, tmp_path: Path) -> None:
    with pytest.raises(ExpeditionError, match="no log can be written there"):
        Recorder(tmp_path / path)


def test_nothing_of_logs_is_loaded_where_nobody_records() -> None:
    program = (
        "import sys, expedition; expedition.explore('loop', 1, time_limit=1.0);"
        "print([name for name in sys.modules if name.startswith(('mcap', 'zstandard', 'expedition.log.rec'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
