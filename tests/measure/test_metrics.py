"""The papers' equations and the other metrics, against cases worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.measure.measurements import Measurements
from expedition.measure.metrics import METRICS, compute, metric_of
from expedition.measure.metrics.robot import robot_mean

TIMES = np.array([0.0, 5.0, 10.0])
STILL = np.zeros((3, 2, 3), dtype=np.float32)
NONE = np.zeros((3, 2), dtype=np.int64)

BY_HAND = Measurements(
    times=TIMES,
    explored=np.array([[0.1, 0.2], [0.5, 0.4], [0.9, 0.8]]),
    union=np.array([0.25, 0.6, 1.0]),
    saw=np.array([[0.1, 0.15], [0.4, 0.3], [0.7, 0.6]]),
    poses=STILL + np.float32(3.0),
    believed=STILL + np.array([3.0, 3.0, 0.0], dtype=np.float32),
    travelled=np.array([[0.0, 0.0], [4.0, 1.0], [9.0, 3.0]]),
    idle=np.array([[0.0, 0.0], [0.0, 2.0], [1.0, 4.0]]),
    sent=np.array([[0, 0], [5_000, 10_000], [10_000, 40_000]]),
    received=np.array([[0, 0], [10_000, 5_000], [40_000, 10_000]]),
    collisions_with_walls=np.array([[0, 0], [1, 0], [2, 0]]),
    collisions_with_others=np.array([[0, 0], [0, 0], [1, 1]]),
    connected=np.array([1.0, 0.5, 1.0]),
    cpu=np.array([[0.0, 9.0, 8.0, 8.0, 8.0], [5.0, 9.0, 1.0, 2.0, 8.0], [10.0, 9.0, 3.0, 4.0, 8.0]]),
    ram=np.array([[1e6, 2e6, 9e6], [3e6, 4e6, 9e6]]),
    facts={
        "time_limit": 20.0, "explorable_cells": 1000, "cell_m2": 0.04, "ground_m2": 40.0, "map_error_cells": 50,
        "saw_first": [0.6, 0.4], "cpus": [2, 2], "ram_gb": [2.0, 2.0],
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("time_s", 10.0),
        ("t90_s", 10.0),
        ("t99_s", None),
        ("time_to_s:share=0.5", 5.0),
        ("auc", (0.5 * (0.2 + 0.5) * 5 + 0.5 * (0.5 + 0.9) * 5 + 0.9 * 10) / 20),
        ("completeness", 0.9),
        ("explored_m2", 900 * 0.04),
        ("cost_m", 12.0),  # equation 1: 9 + 3
        ("efficiency_m2_per_m", 36.0 / 12.0),  # equation 2
        ("safety", 1.0 - 4 / 100),  # equation 3 with S = 100
        ("safety:cardinal=8", 0.5),
        ("map_error_cells", 50.0),  # equation 5
        ("map_quality", (36.0 - 50 * 0.04) / 40.0),  # equation 6
        ("overlap", 0.7 + 0.6 - 1.0),
        ("share_spread", 0.1),
        ("workload_balance", 12.0**2 / (2 * (81.0 + 9.0))),
        ("idle_share", 2.5 / 10.0),
        ("collisions_with_walls", 2.0),
        ("collisions_with_others", 2.0),
        ("trajectory_error_mean_m", 0.0),
        ("connected_mean", 2.5 / 3),
        ("connected_all", 2 / 3),
        ("sent_mb", 0.05),
        ("received_mb", 0.05),
        ("sent_kb_per_s", ((1.0 + 1.0) / 2 + (2.0 + 6.0) / 2) / 2),  # equation 8 of rates in kB/s
        ("received_kb_per_s", ((2.0 + 6.0) / 2 + (1.0 + 1.0) / 2) / 2),
        ("cpu_share", ((0.2 + 0.6) / 2 + (0.4 + 0.8) / 2) / 2 / 2),  # equation 8, over 2 processors
        ("ram_mb", ((1.0 + 3.0) / 2 + (2.0 + 4.0) / 2) / 2),
    ],
)
def test_metric_is_what_one_works_out_by_hand(name: str, value: float | None) -> None:
    assert compute(BY_HAND, [name])[name] == (None if value is None else pytest.approx(value))


def test_every_metric_of_the_table_is_worked_out_here_or_says_what_it_is() -> None:
    for metric in METRICS.values():
        assert metric.label
        assert metric.definition.endswith(".")
        assert metric.better in ("lower", "higher", "")


def test_mean_of_robots_is_equation_8_with_uneven_robots() -> None:
    assert robot_mean(np.array([[1.0, 10.0], [3.0, 30.0]])) == (2.0 + 20.0) / 2


def test_trajectory_error_is_a_distance() -> None:
    astray = BY_HAND.believed.copy()
    astray[1, 0, :2] += (3.0, 4.0)
    metrics = compute(replace(BY_HAND, believed=astray))
    assert metrics["trajectory_error_max_m"] == pytest.approx(5.0)
    assert metrics["trajectory_error_mean_m"] == pytest.approx(5.0 / 6)


def test_robots_that_never_moved_have_no_efficiency_and_no_balance() -> None:
    metrics = compute(replace(BY_HAND, travelled=np.zeros((3, 2))))
    assert math.isnan(metrics["efficiency_m2_per_m"] or 0.0)
    assert math.isnan(metrics["workload_balance"] or 0.0)


def test_users_metric_is_a_plain_function_and_may_say_how_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from expedition.measure.metrics import described\n\n"
        "def energy(m):\n    '''Joules.'''\n    return 40.0 * m.travelled[-1].sum()\n\n"
        "@described('price', '€', 'lower', '{:.2f}')\n"
        "def price(m, *, a_metre: float = 0.5):\n    return a_metre * m.travelled[-1].sum()\n\n"
        "def nonsense(m):\n    return 'much'\n"
    )
    assert compute(BY_HAND, [f"{path}:energy"]) == {f"{path}:energy": 480.0}
    price = metric_of(f"{path}:price:a_metre=2")
    assert price.function(BY_HAND) == 24.0
    assert price.written(24.0) == "24.00 €"
    assert price.better == "lower"
    with pytest.raises(ExpeditionError, match="expected a number or None, found 'much'"):
        compute(BY_HAND, [f"{path}:nonsense"])


def test_unknown_metric_is_told_with_the_nearest() -> None:
    with pytest.raises(ExpeditionError, match="unknown metric 'cots_m'; did you mean 'cost_m'"):
        metric_of("cots_m")
