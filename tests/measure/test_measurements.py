"""Measurements: what a mission takes of itself, when, and that files give it back unchanged."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import expedition
from expedition.cli.summary import ending_in_words
from expedition.errors import ExpeditionError
from expedition.measure.measurements import Measurements
from expedition.measure.metrics import METRICS, compute
from expedition.measure.schedule import check_measurements

OWN = """
import signal

def mates(progress):
    return [float(robot) for robot in range(len(progress.explored))]

def driven(progress):
    return progress.monitor.travelled.sum()

def broken(progress):
    return 1 / 0

def wrong(progress):
    return [1.0]

def late(progress):
    return progress.time > 3

def hops(progress):
    return 1.0

def sent_bytes_lora(progress):
    return 1.0

def fickle(progress):
    return 1.0 if progress.time < 3 else [1.0] * len(progress.explored)

def x(progress):
    return 1.0

def presses_ctrl_c(progress):
    if progress.time == 5:
        signal.raise_signal(signal.SIGINT)
    return 1.0
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


def explore(seconds: float = 12.0, robots: int = 3, **more: Any) -> expedition.Result:
    return expedition.explore("cross", robots, seed=4, localiser="perfect", time_limit=seconds, **more)


@pytest.fixture(scope="module")
def result() -> expedition.Result:
    return explore()


def test_files_give_back_the_same_measurements_and_metrics(result: expedition.Result, tmp_path: Path) -> None:
    before = result.measurements
    before.series_frame().write_parquet(tmp_path / "series.parquet")
    before.resources_frame().write_parquet(tmp_path / "resources.parquet")
    after = Measurements.read(
        pl.read_parquet(tmp_path / "series.parquet"), before.facts, before.events,
        pl.read_parquet(tmp_path / "resources.parquet"), before.maps,
    )  # fmt: skip
    assert compute(after, METRICS) == compute(before, METRICS)
    assert np.array_equal(after.poses, before.poses)
    assert np.array_equal(after.cpu, before.cpu)


def test_series_have_a_row_a_robot_and_one_for_the_fleet(result: expedition.Result) -> None:
    frame = result.measurements.series_frame()
    assert len(frame) == 13 * 4
    fleet = frame.filter(pl.col("robot").is_null())
    assert fleet["time_s"].to_list() == [float(second) for second in range(13)]
    assert fleet["explored"][-1] >= frame.filter(pl.col("time_s") == 12.0)["explored"].max()
    assert fleet["x"].null_count() == len(fleet)


def test_processor_time_of_robots_and_testbed_adds_up_to_what_the_process_used() -> None:
    explore(2.0)  # kernels are loaded
    began = time.process_time()
    result = explore(60.0)
    used = time.process_time() - began
    counted = result.measurements.resources_frame()["cpu_s"].sum()
    assert 0.8 * used < counted <= 1.02 * used
    assert (result.measurements.cpu >= 0.0).all()
    assert compute(result.measurements, ["cpu_share"])["cpu_share"] or 0.0 > 0.0


def test_robots_hold_memory_and_larger_maps_hold_more() -> None:
    fine, coarse = (explore(1.0, resolution=resolution).measurements.ram for resolution in (0.1, 0.4))
    assert fine.shape[1] == 4
    assert (fine[-1, :-1] > 4.0 * coarse[-1, :-1]).all()
    assert fine[-1, -1] > fine[-1, :-1].sum() / 2


def test_resources_are_sampled_every_five_seconds_and_at_the_end(result: expedition.Result) -> None:
    assert result.measurements.cpu[:, 0].tolist() == [0.0, 5.0, 10.0, 12.0]


def test_every_cell_seen_has_a_time_and_a_robot_and_ground_driven_over_is_covered(result: expedition.Result) -> None:
    maps = result.measurements.maps
    seen = maps["first_seen"] >= 0
    assert np.array_equal(seen, ~np.isnan(maps["seen_at"]))
    assert np.nanmax(maps["seen_at"]) <= 12.0
    assert result.measurements.union[-1] == pytest.approx(seen.sum() / maps["explorable"].sum())
    covered = ~np.isnan(maps["covered_at"])
    (left, bottom), side = result.measurements.facts["origin"], result.measurements.facts["resolution"]
    for x, y, _ in result.measurements.poses.reshape(-1, 3).tolist():
        assert covered[int((y - bottom) / side), int((x - left) / side)]
    assert covered.sum() < seen.sum()


def test_a_robot_that_stands_is_idle() -> None:
    async def stand(robot: expedition.Robot) -> None:
        await robot.wait(100.0)

    metrics = explore(5.0, strategy=stand).metrics
    assert metrics["idle_share"] == pytest.approx(1.0)
    assert metrics["cost_m"] == 0.0


def test_own_measurement_is_a_column_with_its_period(own: Path) -> None:
    result = explore(measurements={f"{own}:mates": {"every": 5}, f"{own}:driven": {"when": "end"}})
    frame = result.measurements.series_frame()
    mates = frame.filter(pl.col("mates").is_not_null())
    assert mates["time_s"].unique().sort().to_list() == [0.0, 5.0, 10.0]
    assert mates.filter(pl.col("time_s") == 5.0)["mates"].to_list() == [0.0, 1.0, 2.0]
    driven = frame.filter(pl.col("driven").is_not_null())
    assert driven["time_s"].to_list() == [12.0]
    assert driven["robot"].to_list() == [None]
    assert driven["driven"][0] == pytest.approx(result.metrics["cost_m"])
    again = Measurements.read(frame, result.measurements.facts)
    assert again.own.keys() == {"mates", "driven"}
    assert np.array_equal(again.own["mates"], result.measurements.own["mates"])


@pytest.mark.parametrize(
    ("trigger", "times"), [("start", [0.0]), ("end", [12.0]), ("own.py:late", [float(t) for t in range(4, 13)])]
)
def test_own_measurement_waits_for_its_trigger(own: Path, trigger: str, times: list[float]) -> None:
    trigger = trigger.replace("own.py", str(own))
    taken = explore(measurements={f"{own}:driven": {"when": trigger}}).measurements.own["driven"]
    assert taken[:, 0].tolist() == times


def test_further_tenths_of_the_ground_trigger_once_each(own: Path) -> None:
    result = explore(40.0, measurements={f"{own}:driven": {"when": "tenth"}})
    best = result.measurements.explored.max(axis=1)
    tenths = np.floor(10 * best + 1e-9)
    assert len(result.measurements.own["driven"]) == np.count_nonzero(np.diff(tenths, prepend=0.0))


def test_ctrl_c_in_the_middle_of_a_measurement_waits_for_it(own: Path) -> None:
    result = explore(measurements={f"{own}:presses_ctrl_c": {"every": 1}, f"{own}:driven": {"every": 1}})
    assert result.ending == "interrupted"
    assert result.measurements.times[-1] == 5.0
    for name in ("presses_ctrl_c", "driven"):
        assert result.measurements.own[name][:, 0].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


OWN_FAILURES = [
    ("broken", "ZeroDivisionError"),
    ("wrong", "or 3, one a robot, found 1"),
    ("fickle", "expected a number as before, found one a robot"),
]


@pytest.mark.parametrize(("name", "said"), OWN_FAILURES)
def test_own_measurement_that_fails_ends_its_mission_as_failed(own: Path, name: str, said: str) -> None:
    result = explore(measurements={f"{own}:{name}": {"every": 5}})
    assert result.ending == "failed"
    assert not result.succeeded
    assert f"measurement {name}" in str(result.failure)
    assert said in str(result.failure)


@pytest.mark.parametrize(
    ("measurements", "sentence"),
    [
        ({"serise": {"every": 1}}, "unknown measurement 'serise'; did you mean 'series'"),
        ({"series": {"evry": 1}}, "unknown field 'evry'; did you mean 'every'"),
        ({"series": {"every": 0}}, "every: input should be greater than or equal to 0.001"),
        ({"series": {"every": 1e-7}}, "series: every: input should be greater than or equal to 0.001"),
        ({"series": {"when": "end"}}, "taken every so many seconds"),
        ({"series": False}, "all metrics need them"),
        ({"maps": {"every": 2}}, "kept at the end"),
        ({"resources": {}}, "either `every`, in seconds, or `when`"),
        ({"nowhere.py:mine": {"every": 1}}, "no such file"),
    ],
)
def test_wrong_measurement_is_told_in_a_sentence(measurements: Mapping[str, Any], sentence: str) -> None:
    with pytest.raises(ExpeditionError) as error:
        check_measurements(measurements)
    assert sentence in str(error.value)


def test_column_that_is_there_already_is_refused(own: Path, tmp_path: Path) -> None:
    for name in ("x", "hops", "sent_bytes_lora"):
        said = rf"^measurements: .*own\.py:{name}: the series have a column '{name}' already"
        with pytest.raises(ExpeditionError, match=said):
            check_measurements({f"{own}:{name}": {"every": 1}})
    check_measurements({f"{own}:x": False})
    other = tmp_path / "other.py"
    other.write_text(OWN)
    twice = {f"{own}:mates": {"every": 1}, f"{other}:mates": {"every": 1}}
    with pytest.raises(ExpeditionError, match=r"other\.py:mates: .*own\.py:mates fills the column 'mates' already"):
        check_measurements(twice)


def test_unknown_trigger_or_function_is_told_with_its_place(own: Path) -> None:
    with pytest.raises(
        ExpeditionError, match=r"^here: .*own\.py:mates: when: unknown trigger 'colision'; did you mean"
    ):
        check_measurements({f"{own}:mates": {"when": "colision"}}, "here")
    with pytest.raises(ExpeditionError, match=r"^here: .*own\.py: unknown function 'mats'; did you mean 'mates'"):
        check_measurements({f"{own}:mats": {"every": 1}}, "here")


@pytest.mark.parametrize(("name", "robots"), [("mates", [0]), ("driven", [None])])
def test_own_measurement_of_a_fleet_of_one_is_the_robots_or_the_fleets(own: Path, name: str, robots: list[Any]) -> None:
    taken = explore(2.0, robots=1, measurements={f"{own}:{name}": {"every": 2}}).measurements
    frame = taken.series_frame()
    assert frame.filter(pl.col(name).is_not_null())["robot"].unique().to_list() == robots
    again = Measurements.read(frame, taken.facts)
    assert again.series_frame().equals(frame)


def test_own_measurement_is_due_at_each_multiple_of_its_period(own: Path) -> None:
    measurements = {"series": {"every": 0.5}, f"{own}:driven": {"every": 1.2}}
    taken = explore(6.0, measurements=measurements).measurements.own["driven"]
    assert taken[:, 0].tolist() == [0.0, 1.5, 2.5, 4.0, 5.0, 6.0]


def test_events_are_in_order_and_tell_the_end(result: expedition.Result) -> None:
    events = result.measurements.events
    assert [event["time_s"] for event in events] == sorted(event["time_s"] for event in events)
    says = ending_in_words(result)
    assert says.startswith("timed out: when 12 s were over, robot ")
    assert events[-1] == {"time_s": 12.0, "event": "end", "robot": None, "text": "timed out", "says": says}


def test_mission_that_failed_at_once_has_all_its_files_all_the_same() -> None:
    async def broken(robot: expedition.Robot) -> None:
        raise ValueError("no plan")

    result = explore(strategy=broken)
    assert result.ending == "failed"
    assert len(result.measurements.series_frame()) == 4
    assert len(result.measurements.resources_frame()) == 4
    again = Measurements.read(result.measurements.series_frame(), result.measurements.facts)
    assert again.cpu.shape == (0, 6)


def test_mission_without_resources_has_an_empty_table_of_them() -> None:
    measurements = explore(1.0, measurements={"resources": False}).measurements
    assert measurements.resources_frame().is_empty()
    assert compute(measurements, ["cpu_share", "ram_mb"]) == {"cpu_share": None, "ram_mb": None}


def test_how_often_samples_are_taken_changes_neither_the_end_nor_what_was_explored() -> None:
    often, seldom = (explore(30.0, measurements={"series": {"every": every}}) for every in (0.2, 7.0))
    assert len(often.measurements.times) == 151
    assert seldom.measurements.times.tolist() == [0.0, 7.0, 14.0, 21.0, 28.0, 30.0]
    for name in ("time_s", "completeness", "overlap", "cost_m", "idle_share"):
        assert often.metrics[name] == seldom.metrics[name]


def test_robots_alike_hold_about_the_same_memory_at_the_start() -> None:
    held = explore(1.0, robots=4).measurements.ram[0, :-1]
    assert held.max() < 1.05 * held.min()
    assert held.min() > 1e6
