"""Metrics of base stations, time, roles, channels and energy: by hand, and in small missions."""

from __future__ import annotations

import io
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from expedition import explore
from expedition.bench.files import as_parquet
from expedition.cli.live import QuietLines
from expedition.cli.summary import ending_in_words
from expedition.exploring import plan_mission
from expedition.fleet import robot_model
from expedition.fleet.battery import Battery
from expedition.fleet.model import Radio
from expedition.measure.measurements import Measurements
from expedition.measure.metrics import METRICS, compute, metric_of, that_apply
from expedition.mission import Result, run
from expedition.robot import Robot
from tests.measure.test_metrics import BY_HAND

WITH_BASE = replace(
    BY_HAND,
    at_base=np.array([0.0, 0.15, 0.92]),
    hops=np.array([[1.0, np.nan], [2.0, 3.0], [np.nan, 1.0]]),
    facts={
        **BY_HAND.facts, "base": [0.0, 0.0], "base_direct_s": [2.0, 0.0], "base_contact_s": [6.0, 1.0],
        "base_longest_away_s": [4.0, 9.0], "news_latency_mean_s": 3.5, "news_latency_max_s": 8.0,
        "sensing_s": [5.0, 3.0], "resensing_s": [1.0, 2.0], "role_swaps": 3, "breakdowns": 1, "messages_dropped": 7,
        "activity_s": {
            "exploring": [5.0, 4.0], "returning": [1.0, 0.0], "returning to parent": [0.0, 2.0],
            "going home": [1.0, 0.0], "waiting for child": [2.0, 1.0], "returned": [0.0, 1.0],
        },
        "energy_j": {"motion": [3600.0, 1800.0], "computing": [900.0, 900.0], "radio": [36.0, 0.0]},
        "sent_bytes": {"wifi": [9_000, 39_000], "lora": [1_000, 1_000]},
        "received_bytes": {"wifi": [40_000, 8_000], "lora": [0, 2_000]},
        "reachable_share": 0.75, "opening_m": 0.7, "map_known_cells": 1250,
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("base_completeness", 0.92),
        ("reachable_share", 0.75),
        ("map_error_share", 50 / 1250),
        ("map_distorted", 0.0),
        ("base_t90_s", 10.0),
        ("base_t99_s", None),
        ("base_time_to_s:share=0.1", 5.0),
        ("base_auc", (0.5 * 0.15 * 5 + 0.5 * (0.15 + 0.92) * 5 + 0.92 * 10) / 20),
        ("base_ratio", (0.0 / 0.25 + 0.15 / 0.6 + 0.92 / 1.0) / 3),
        ("base_longest_silence_s", 5.0),
        ("base_largest_jump", 0.77),
        ("news_latency_mean_s", 3.5),
        ("news_latency_max_s", 8.0),
        ("base_contact_share", 7.0 / 20),
        ("base_direct_share", 2.0 / 20),
        ("base_longest_away_s", 9.0),
        ("base_hops_mean", (1 + 2 + 3 + 1) / 4),
        ("sensing_share", 8.0 / 20),
        ("resensing_share", 3.0 / 20),
        ("activity_share", 9.0 / 20),
        ("activity_share:activity=returning", 3.0 / 20),
        ("activity_share:activity=sleeping", 0.0),
        ("returning_share", 4.0 / 20),
        ("waiting_share", 3.0 / 20),
        ("role_swaps", 3.0),
        ("breakdowns", 1.0),
        ("messages_dropped", 7.0),
        ("energy_wh", (5400 + 1800 + 36) / 3600),
        ("energy_wh:kind=motion", 1.5),
        ("energy_wh:kind=radio", 0.01),
        ("sent_mb", 0.05),
        ("sent_mb:channel=lora", 0.002),
        ("received_mb:channel=wifi", 0.048),
        ("sent_mb:channel=satellite", None),
    ],
)
def test_metric_is_what_one_works_out_by_hand(name: str, value: float | None) -> None:
    assert compute(WITH_BASE, [name])[name] == (None if value is None else pytest.approx(value))


def test_silence_is_the_longest_time_in_which_robots_had_news_that_did_not_arrive() -> None:
    def silence(at_base: list[float], union: list[float]) -> float | None:
        times = np.arange(len(union), dtype=np.float64)
        told = replace(WITH_BASE, times=times, at_base=np.array(at_base), union=np.array(union))
        return compute(told, ["base_longest_silence_s"])["base_longest_silence_s"]

    assert silence([0.1, 0.1, 0.1, 0.1, 0.5, 0.5], [0.1, 0.2, 0.3, 0.4, 0.5, 0.5]) == 4.0
    assert silence([0.1, 0.1, 0.1, 0.1, 0.1, 0.1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.5]) == 5.0
    assert silence([0.5, 0.5, 0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]) == 1.0


def test_metrics_that_do_not_apply_are_none_and_left_out_of_tables() -> None:
    metrics = compute(BY_HAND)
    void = [name for name, metric in METRICS.items() if metric.needs]
    assert len(void) > 15
    assert all(metrics[name] is None for name in void)
    assert not that_apply(metrics, BY_HAND).keys() & set(void)
    assert that_apply(compute(WITH_BASE), WITH_BASE).keys() == compute(WITH_BASE).keys()


def test_base_that_was_never_reached_has_no_hops_and_no_latency() -> None:
    never = replace(
        WITH_BASE, hops=np.full((3, 2), np.nan), at_base=np.zeros(3), union=np.zeros(3),
        facts={**WITH_BASE.facts, "news_latency_mean_s": None, "news_latency_max_s": None},
    )  # fmt: skip
    metrics = compute(never)
    assert math.isnan(metrics["base_hops_mean"] or 0.0)
    assert math.isnan(metrics["base_ratio"] or 0.0)
    assert metrics["news_latency_mean_s"] is None
    assert metrics["base_largest_jump"] == 0.0


async def tour(robot: Robot) -> None:
    """Drive out of the radio's reach, look, and come home; the second robot stands and swaps its role twice."""
    robot.role = "explorer" if robot.id == 0 else "relay"
    robot.activity = "exploring" if robot.id == 0 else "waiting"
    if robot.id == 0:
        await robot.go_to((robot.base[0] + 25.0, robot.base[1]), through_unknown=True)
        robot.activity = "returning"
        await robot.go_to(robot.base)
        await robot.wait(3.0)
        return
    await robot.wait(5.0)
    robot.role = "explorer"
    await robot.wait(5.0)
    robot.role = "relay"
    await robot.wait(1000.0)


@pytest.fixture(scope="module")
def result() -> Result:
    lora = Radio(name="lora", range=1000.0)
    model = robot_model("pioneer-3dx").model_copy(update={"battery": Battery(), "radios": (Radio(), lora)})
    return explore(
        "cross", 2, tour, robot=model, base="start", localiser="perfect", radio="circle:range=10", time_limit=100.0,
    )  # fmt: skip


def read_again(result: Result) -> Measurements:
    before = result.measurements
    series = pl.read_parquet(as_parquet(before.series_frame()))
    contacts = pl.read_parquet(as_parquet(before.contacts_frame()))
    return Measurements.read(series, before.facts, before.events, before.resources_frame(), before.maps, contacts)


def test_files_give_back_the_same_measurements_and_metrics(result: Result) -> None:
    before, after = result.measurements, read_again(result)
    names = [*METRICS, "sent_mb:channel=lora", "energy_wh:kind=motion", "base_time_to_s:share=0.1"]
    assert compute(after, names) == compute(before, names)
    for name in ("at_base", "hops", "energy", "contacts"):
        assert np.array_equal(getattr(after, name), getattr(before, name), equal_nan=True)
    assert after.sent_by_channel.keys() == after.received_by_channel.keys() == {"wifi", "lora"}
    assert all(np.array_equal(after.sent_by_channel[name], before.sent_by_channel[name]) for name in ("wifi", "lora"))
    assert not after.own
    assert after.series_frame().equals(before.series_frame())


def test_series_have_hops_energy_and_channels(result: Result) -> None:
    series = result.measurements.series_frame()
    assert series.columns[17:] == [
        "at_base", "hops", "energy_j", "sent_bytes_wifi", "sent_bytes_lora", "received_bytes_wifi",
        "received_bytes_lora",
    ]  # fmt: skip
    robots = series.filter(pl.col("robot").is_not_null())
    assert (robots["sent_bytes_wifi"] + robots["sent_bytes_lora"]).equals(robots["sent_bytes"])
    away = robots.filter((pl.col("robot") == 0) & pl.col("time_s").is_between(15, 30))
    assert away["hops"].null_count() == len(away)
    assert series.filter(pl.col("robot").is_null())["hops"].null_count() == len(result.measurements.times)
    assert (np.diff(result.measurements.energy, axis=0) > 0.0).all()
    assert result.metrics["energy_wh"] == pytest.approx(result.measurements.energy[-1].sum() / 3600)


def test_contact_is_what_the_hops_of_each_second_say(result: Result) -> None:
    m = result.measurements
    reached = np.isfinite(m.hops)
    seconds = (np.diff(m.times)[:, None] * reached[:-1]).sum(axis=0)
    assert m.facts["base_contact_s"] == seconds.tolist()
    events = [(event["event"], event["robot"]) for event in m.events if "contact" in event["event"]]
    assert events == [("contact", 0), ("contact", 1), ("lost contact", 0), ("contact", 0)]
    lost, back = (event["time_s"] for event in m.events if "contact" in event["event"] and event["time_s"] > 0)
    assert result.metrics["base_longest_away_s"] == pytest.approx(back - lost)
    assert m.maps["contact_s"].shape == (3, 3)
    assert m.maps["contact_s"][0, 2] == m.facts["base_direct_s"][0]
    with_base = m.contacts[(m.contacts[:, 0] == 0) & (m.contacts[:, 1] == 2)]
    assert with_base[:, 2:].tolist() == [[0.0, lost], [back, m.times[-1]]]


def test_latency_is_that_of_the_maps(result: Result) -> None:
    maps = result.measurements.maps
    late = (maps["known_at_base"] - maps["seen_at"])[~np.isnan(maps["known_at_base"])]
    assert result.metrics["news_latency_mean_s"] == pytest.approx(float(late.mean()))
    assert result.metrics["news_latency_max_s"] == pytest.approx(float(late.max()))
    assert late.max() > 15.0


def test_roles_and_activities_are_told(result: Result) -> None:
    m = result.measurements
    swaps = [event for event in m.events if event["event"] == "role swap"]
    assert [(event["time_s"], event["from"], event["text"]) for event in swaps] == [
        (5.0, "relay", "explorer"), (10.0, "explorer", "relay"),
    ]  # fmt: skip
    assert result.metrics["role_swaps"] == 2.0
    spent = m.facts["activity_s"]
    assert spent["waiting"] == [0.0, m.times[-1]]
    ended = next(event["time_s"] for event in m.events if event["event"] == "activity" and not event["text"])
    assert ended < m.times[-1] - 10.0
    assert spent["exploring"][0] + spent["returning"][0] == pytest.approx(ended)
    assert result.metrics["breakdowns"] == 0.0


def test_robot_that_stands_senses_at_the_start_alone(result: Result) -> None:
    m = result.measurements
    sensing, again = np.array(m.facts["sensing_s"]), np.array(m.facts["resensing_s"])
    assert (sensing + again <= m.times[-1]).all()
    assert sensing[0] > 5.0
    assert sensing[1] < 0.5 * sensing[0]


async def follow_the_first(robot: Robot) -> None:
    """The first looks into an arm of the cross; the second stands behind it and looks there later."""
    await robot.wait(10.0 * robot.id + 0.1)
    await robot.go_to((robot.base[0] + 20.0, robot.base[1]), through_unknown=True)


def test_robot_that_goes_where_a_teammate_was_senses_again() -> None:
    m = explore("cross", 2, follow_the_first, localiser="perfect", radio="none", time_limit=60.0).measurements
    assert m.facts["resensing_s"][1] > 3.0
    assert m.facts["resensing_s"][1] > m.facts["resensing_s"][0]
    saw = np.diff(m.saw, axis=0) > 0.0
    assert m.facts["sensing_s"][1] + m.facts["resensing_s"][1] == np.count_nonzero(saw[:, 1])


def test_mission_without_base_battery_roles_and_channels_has_nothing_of_them() -> None:
    m = explore("cross", 2, localiser="perfect", time_limit=5.0).measurements
    assert m.series_frame().columns[-1] == "connected"
    assert {event["event"] for event in m.events} == {"end"}
    assert not m.facts.keys() & {"base", "energy_j", "activity_s", "role_swaps", "breakdowns", "messages_dropped"}
    assert m.hops.size == m.energy.size == 0
    assert not m.sent_by_channel


async def call(robot: Robot) -> None:
    while True:
        robot.send("here", topic="calls")
        robot.note("called")
        await robot.wait(1.0)


def test_what_a_mute_robot_sends_is_dropped() -> None:
    result = explore("cross", 2, call, localiser="perfect", time_limit=6.5, failures="radio:at=2.5,robots=1")
    late = [event for event in result.measurements.events if event["event"] == "note" and event["time_s"] > 2.5]
    assert result.metrics["messages_dropped"] == sum(event["robot"] == 1 for event in late) >= 3
    assert result.metrics["breakdowns"] == 1.0


def test_channel_that_loses_tells_what_it_dropped() -> None:
    result = explore("cross", 2, localiser="perfect", time_limit=3.0, network={"link": {"loss": 0.2}})
    assert result.metrics["messages_dropped"] == 0.0
    assert result.metrics["breakdowns"] is None


def test_summary_says_what_the_base_knows(result: Result) -> None:
    assert f", the base {result.metrics['base_completeness']:.1%};" in ending_in_words(result)
    assert "base" not in ending_in_words(explore("cross", 1, localiser="perfect", time_limit=2.0))


@pytest.mark.parametrize(
    ("base", "said"), [("start", r"100 s: \d+\.\d% explored, \d+\.\d% at base\n"), (None, "explored\n")]
)
def test_lines_of_a_running_mission_say_what_the_base_knows(base: str | None, said: str) -> None:
    async def stand(robot: Robot) -> None:
        await robot.wait(1000.0)

    lines = io.StringIO()
    mission = plan_mission("cross", 1, stand, base=base, stop={"time": 101.0}, settings={"localiser": "perfect"})
    run(mission, QuietLines(Console(file=lines)).tell)
    assert re.search(said, lines.getvalue())
    assert ("base" in lines.getvalue()) == (base is not None)


def test_picture_marks_the_base_station(result: Result, tmp_path: Path) -> None:
    path = tmp_path / "base.svg"
    result.picture(path)
    assert "base station" in path.read_text()


def test_metric_with_parameters_says_which() -> None:
    assert metric_of("sent_mb:channel=lora").label == "traffic sent, channel lora"
    assert metric_of("energy_wh:kind=radio").needs == "energy_j"


@pytest.mark.parametrize("strategy", ["frontier-return", "time-preference", "sector", "role-based"])
def test_nobody_returns_or_waits_once_its_strategy_has_ended(strategy: str) -> None:
    """The first robot's battery is soon low, so that it comes home and ends; the other goes on."""
    low = robot_model("pioneer-3dx").model_copy(update={"battery": Battery(capacity_wh=0.5)})
    robots = (low, robot_model("pioneer-3dx"))
    result = explore("maze", 2, strategy, robot=robots, base="start", localiser="perfect", time_limit=120.0)
    m = result.measurements
    said = [(e["time_s"], e["text"]) for e in m.events if e["event"] == "activity" and e["robot"] == 0]
    ended, last = said[-1]
    assert last == ""
    assert ended < 60.0
    assert sum(seconds[0] for seconds in m.facts["activity_s"].values()) == pytest.approx(ended)
