"""What a mission comes to: pictures, plain data, and the live view's parts, in Python."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import expedition
from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.cli.live import robot_rows
from expedition.cli.map_sketch import map_sketch
from expedition.fleet import robot_model
from expedition.fleet.battery import Battery
from expedition.fleet.model import Radio
from expedition.measure.metrics import METRICS, in_words
from expedition.mission import Progress, Result
from expedition.record import as_json

ROBOTS = 12


async def nearest(robot: expedition.Robot) -> None:
    while frontiers := robot.frontiers():
        await robot.go_to(min(frontiers, key=robot.travel_cost))


@pytest.fixture(scope="module")
def told() -> list[Progress]:
    return []


@pytest.fixture(scope="module")
def result(told: list[Progress]) -> Result:
    return expedition.explore(
        terrain="maze", robots=ROBOTS, strategy=nearest, seed=1, time_limit=12, localiser="perfect", tell=told.append
    )


def test_the_package_offers_what_a_strategy_needs_and_loads_nothing_before_it_is_asked() -> None:
    code = (
        "import sys, expedition\n"
        "assert 'numpy' not in sys.modules\n"
        "assert callable(expedition.explore) and callable(expedition.strategy) and callable(expedition.centralised)\n"
        "assert expedition.Robot.__name__ == 'Robot' and 'explore' in dir(expedition)\n"
        "try: expedition.nothing\n"
        "except AttributeError as error: assert 'nothing' in str(error)\n"
        "else: raise SystemExit('no error')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_function_is_a_strategy(result: Result) -> None:
    assert result.ending == "timed out"
    assert result.mission.strategy_name == "nearest"
    assert result.metrics["cost_m"] > ROBOTS  # type: ignore[operator]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_pictures_are_real_and_the_same_each_time(result: Result, tmp_path: Path, suffix: str) -> None:
    first = result.picture(tmp_path / f"one.{suffix}").read_bytes()
    assert first == result.picture(tmp_path / f"two.{suffix}").read_bytes()
    assert first.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix])
    if suffix == "png":
        with Image.open(io.BytesIO(first)) as picture:
            assert min(picture.size) > 500
            assert len(picture.convert("RGB").getcolors(1 << 24)) > ROBOTS


def test_plain_data_holds_every_number_and_json_takes_it(result: Result) -> None:
    record = result.to_dict(series=True)
    assert json.loads(as_json(record)) == record
    assert record["mission"]["robots"] == len(record["robots"]) == ROBOTS
    assert record["metrics"]["cost_m"] == pytest.approx(sum(robot["travelled_m"] for robot in record["robots"]))
    assert record["mission"]["resolution"] == result.mission.resolution == 0.2
    assert record["metrics"]["reachable_share"] == pytest.approx(result.mission.reachable_share, abs=1e-9)
    assert "series" not in result.to_dict()
    assert not re.search("wall_s|cpu_s|ram_bytes", as_json(record))


async def out_and_home(robot: expedition.Robot) -> None:
    """One drives out of reach, swaps its role and comes home; the other stands and is at times broken down."""
    robot.role, robot.activity = "relay", "exploring"
    if robot.id == 1:
        await robot.wait(1000.0)
    robot.send("off", channel="lora")
    await robot.go_to((robot.base[0] + 20.0, robot.base[1]), through_unknown=True)
    robot.role, robot.activity = "explorer", "returning"
    await robot.go_to(robot.home)


def test_plain_data_holds_all_that_was_measured_of_networks_time_and_energy() -> None:
    lora = Radio(name="lora", range=1000.0)
    model = robot_model("pioneer-3dx").model_copy(update={"battery": Battery(), "radios": (Radio(), lora)})
    result = expedition.explore(
        "cross", 2, out_and_home, robot=model, base="start", localiser="perfect", radio="circle:range=10",
        failures="radio:at=5,robots=1,lasts=3", time_limit=60.0,
    )  # fmt: skip
    short, whole, m = result.to_dict(), result.to_dict(series=True), result.measurements
    assert whole.keys() - short.keys() == {"series", "events", "contacts"}
    assert json.loads(as_json(whole)) == whole
    mover = short["robots"][0]
    assert mover["idle_s"] == pytest.approx(m.idle[-1, 0])
    assert mover["activity_s"].keys() == {"exploring", "returning"}
    assert mover["activity_s"]["returning"] > 5.0
    assert mover["energy_j"].keys() == {"motion", "computing", "radio"}
    assert sum(mover["energy_j"].values()) == pytest.approx(m.energy[-1, 0])
    assert mover["channels"]["lora"]["sent_messages"] == 1
    assert short["robots"][1]["channels"]["lora"]["received_messages"] == 1
    for name in ("sent", "received"):
        assert sum(one[f"{name}_bytes"] for one in mover["channels"].values()) == mover[f"{name}_bytes"]
        sent = (
            result.controller.network.messages_sent if name == "sent" else result.controller.network.messages_received
        )
        assert mover["channels"]["wifi"][f"{name}_messages"] == sent[0, 0] > 10
    series = whole["series"]
    assert series["idle_s"][-1] == pytest.approx(m.idle[-1])
    assert series["sent_bytes_lora"][-1] == m.sent_by_channel["lora"][-1].tolist()
    assert all(len(column) == len(series["time_s"]) for column in series.values())
    kinds = {event["event"] for event in whole["events"]}
    assert kinds >= {"role swap", "breakdown", "recovery", "contact", "lost contact", "end"}
    assert whole["contacts"] == m.contacts.tolist()
    assert len(whole["contacts"]) > 3


def test_every_metric_has_a_plain_name_and_a_meaning(result: Result) -> None:
    assert set(result.metrics) == {name for name, metric in METRICS.items() if not metric.measured}
    for label, value, meaning in in_words(result.metrics, ROBOTS):
        assert all((label, value, meaning))
        assert "_" not in label


def test_a_metric_of_somebody_else_is_shown_too() -> None:
    assert in_words({"overlap_share": 0.25, "t99_s": None}, 1) == [
        ("T99", "not reached", METRICS["t99_s"].definition),
        ("overlap share", "0.25", ""),
    ]


def test_a_large_fleet_is_counted_where_rows_end(result: Result, told: list[Progress]) -> None:
    lines = [line.plain for line in robot_rows(told[-1], 5)]
    assert len(lines) == 6
    assert lines[4].startswith("● 3")
    assert lines[5].startswith("8 more: ")
    assert len(robot_rows(told[-1], ROBOTS)) == ROBOTS + 1


def sketched(state: Any, poses: Any, plain: bool) -> list[str]:
    frame = Frame((0.0, 0.0), 1.0, 32, 32)
    return [line.plain for line in map_sketch(state, frame, frame.extent, np.array(poses), 16, 8, plain)]


def test_a_map_is_sketched_with_walls_free_ground_and_robots_where_they_are() -> None:
    state = np.full((32, 32), UNKNOWN, dtype=np.uint8)
    state[16:, :] = FREE
    state[30:, :] = OCCUPIED
    lines = sketched(state, [(5.0, 17.0, 0.0)], plain=True)
    assert lines == ["#" * 16, *["." * 16] * 2, "..@" + "." * 13, *[" " * 16] * 4]
    coloured = sketched(state, [(5.0, 17.0, 0.0)], plain=False)
    assert coloured[0] == "▀" * 16
    assert coloured[3][2] == "●"
    assert coloured[7] == " " * 16


def test_a_robot_beyond_the_map_is_drawn_at_its_edge() -> None:
    state = np.full((32, 32), FREE, dtype=np.uint8)
    lines = sketched(state, [(-500.0, 900.0, 0.0), (900.0, -5.0, 0.0)], plain=True)
    assert lines[0][0] == lines[-1][-1] == "@"


def test_a_mission_with_a_base_and_a_failure_has_them_in_its_series_and_picture(tmp_path: Path) -> None:
    failing = expedition.explore(
        "cross", 2, seed=1, localiser="perfect", base="start", failures="robot:at=3,robots=[1]", time_limit=10.0
    )
    series = failing.to_dict(series=True)["series"]
    assert series["at_base"][-1] >= series["at_base"][0] > 0.0
    assert [len(row) for row in series["hops"]] == [2] * len(series["time_s"])
    assert len(series["union"]) == len(series["connected"]) == len(series["time_s"])
    assert failing.measurements.facts["broken_down"] == [1]
    failing.picture(tmp_path / "failed.svg")
    assert "broken down" in (tmp_path / "failed.svg").read_text()
    recovered = expedition.explore(
        "cross", 2, seed=1, localiser="perfect", failures="robot:at=3,lasts=2", time_limit=10.0
    )
    assert recovered.measurements.facts["broken_down"] == []
