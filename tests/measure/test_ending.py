"""How a mission ended is told with what there was to reach and how far the map is off."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from expedition.measure.ending import ending_sentence, with_ending
from expedition.measure.measurements import Measurements
from expedition.measure.metrics import compute
from tests.measure.test_metrics import BY_HAND

FACTS: dict[str, Any] = {
    **BY_HAND.facts, "ending": "explored", "reachable_share": 0.942, "opening_m": 0.7, "map_known_cells": 1000,
}  # fmt: skip


def astray(metres: float, **facts: Any) -> Measurements:
    """A mission in which both robots are off by so much all the time."""
    believed = BY_HAND.poses + np.array([0.6 * metres, 0.8 * metres, 0.0], dtype=np.float32)
    return replace(BY_HAND, believed=believed, facts={**FACTS, **facts})


def told(measurements: Measurements) -> str:
    return ending_sentence(measurements, compute(measurements))


def test_success_is_told_with_what_was_within_reach_and_how_far_the_map_is_off() -> None:
    assert told(astray(0.25)) == (
        "explored: after 10.0 s robot 0 knows 90.0% of the ground within reach (94.2% of the free ground); "
        "poses are off by 0.25 m on average (0.25 m at worst), 5.0% of its map's cells are wrong"
    )


def test_success_where_most_ground_was_out_of_reach_is_no_plain_success() -> None:
    assert told(astray(0.0, reachable_share=0.064)).startswith(
        "explored what it could reach, 6.4% of the free ground: after 10.0 s robot 0 knows 90.0% of that; "
    )
    assert "what it could reach" not in told(astray(0.0, reachable_share=0.5))


@pytest.mark.parametrize(("metres", "is_distorted"), [(0.69, False), (0.71, True)])
def test_a_map_is_distorted_once_poses_are_off_by_more_than_robots_need_to_pass(
    metres: float, is_distorted: bool
) -> None:
    mission = astray(metres)
    assert compute(mission)["map_distorted"] == float(is_distorted)
    assert ("; but its map is distorted: poses are off by 0.71 m on average" in told(mission)) == is_distorted
    assert compute(astray(metres, opening_m=1.0))["map_distorted"] == 0.0


@pytest.mark.parametrize(
    ("ending", "begins"),
    [
        ("timed out", "timed out: when 20 s were over, robot 0 knows 90.0% of the ground"),
        ("gave up", "gave up: all strategies had ended after 10.0 s; robot 0 knows"),
        ("no robot left", "no robot left: after 10.0 s robot 0 knows"),
    ],
)
def test_other_endings_tell_of_the_map_as_well(ending: str, begins: str) -> None:
    sentence = told(astray(2.0, ending=ending))
    assert sentence.startswith(begins)
    assert "but its map is distorted" in sentence


def test_missions_measured_before_these_facts_were_kept_are_told_without_them() -> None:
    old = replace(BY_HAND, facts={**BY_HAND.facts, "ending": "explored"})
    assert told(old) == (
        "explored: after 10.0 s robot 0 knows 90.0% of the ground; poses are off by 0.00 m on average (0.00 m at worst)"
    )


def test_the_last_event_says_what_the_terminal_does() -> None:
    end = {"time_s": 10.0, "event": "end", "robot": None, "text": "explored"}
    mission = replace(astray(0.1), events=({"time_s": 1.0, "event": "note", "robot": 0, "text": "x"}, end))
    events = with_ending(mission, compute(mission)).events
    assert events[0] == mission.events[0]
    assert events[1] == {**end, "says": told(mission)}
