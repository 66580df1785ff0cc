"""The estimate of how long a design takes grows with what there is to do, and learns from what is done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from expedition.design import load_design
from expedition.design.estimate import LEAST, ROBOT_SECONDS, estimate
from tests.design.writing import design_of


def seconds(folder: Path, parameters: dict[str, Any], **fields: Any) -> float:
    return estimate(design_of(folder, parameters, **fields).missions()).core_seconds


def test_the_papers_design_takes_a_known_order_of_time() -> None:
    told = estimate(load_design("yan2017").missions())
    assert told.missions == 600
    assert 1000 < told.core_seconds < 7200
    assert told.seconds(2) == pytest.approx(told.core_seconds / 2)
    assert told.seconds(10_000) == told.longest


def test_more_of_anything_takes_longer(tmp_path: Path) -> None:
    once = seconds(tmp_path, {"robots": 8})
    assert seconds(tmp_path, {"robots": 8}, iterations=3) == pytest.approx(3 * once)
    assert seconds(tmp_path, {"robots": 16}) > once
    assert seconds(tmp_path, {"robots": 8, "robot.drive.max_speed": 0.6}) > once
    assert seconds(tmp_path, {"robots": 8, "terrain": "loop"}) < once
    assert seconds(tmp_path, {"robots": 8, "localiser": "perfect"}) < once
    limited = seconds(tmp_path, {"robots": 8}, stop={"time": 100})
    assert limited == pytest.approx(max(LEAST, 8 * 100 / ROBOT_SECONDS["scan-matching"]))


def test_a_tiny_mission_takes_a_second(tmp_path: Path) -> None:
    assert seconds(tmp_path, {"robots": 1}, stop={"time": 1}) == LEAST


def test_missions_that_are_done_put_the_estimate_right(tmp_path: Path) -> None:
    missions = design_of(tmp_path, {"robots": 8}, iterations=10).missions()
    before = estimate(missions)
    known = {one.key: 3 * before.longest for one in missions[:4]}
    after = estimate(missions, known)
    assert after.missions == 6
    assert after.core_seconds == pytest.approx(6 * 3 * before.longest)
    assert estimate(missions, {one.key: 1.0 for one in missions}).core_seconds == 0.0
    assert estimate([]).seconds(2) == 0.0


def test_of_very_many_terrains_only_some_are_made(tmp_path: Path) -> None:
    parameters = {"terrain": "building", "terrain.size": 30, "terrain.seed": {"from": 1, "to": 500}}
    assert estimate(design_of(tmp_path, parameters).missions()).missions == 500
