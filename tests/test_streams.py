"""Random streams: apart from each other, and distributed as they claim."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from expedition.streams import generator, mix, normal, stream_key, uniform

COUNT = 20_000


def draws(function, key) -> np.ndarray:
    return np.array([function(key, np.uint64(counter)) for counter in range(COUNT)])


def test_a_stream_depends_on_seed_and_name_only() -> None:
    assert stream_key(1, "robot/3/lidar") == stream_key(1, "robot/3/lidar")
    keys = {
        int(stream_key(seed, f"robot/{robot}/{sensor}")) for seed in range(9) for robot in range(99) for sensor in "ab"
    }
    assert len(keys) == 9 * 99 * 2


def test_the_key_of_a_stream_never_changes() -> None:
    """Results of other labs and of years ago depend on this very value."""
    assert int(stream_key(1, "robot/3/lidar")) == 17439162972521217824
    assert int(mix(np.uint64(1), np.uint64(2))) == 17911839290282890590
    assert generator(1, "placement").integers(0, 10**9) == 263609951


def test_uniform_values_are_uniform_and_never_0_or_1() -> None:
    values = draws(uniform, stream_key(0, "test"))
    assert 0 < values.min() < values.max() < 1
    assert stats.kstest(values, "uniform").pvalue > 1e-3


def test_normal_values_are_the_inverse_of_the_normal_distribution() -> None:
    key = stream_key(0, "test")
    exact = special.ndtri(draws(uniform, key))
    values = draws(normal, key)
    assert values == pytest.approx(exact, rel=1.2e-9, abs=1e-12)
    assert stats.kstest(values, "norm").pvalue > 1e-3
    assert abs(values).max() > 3.5


def test_streams_and_neighbouring_draws_are_not_correlated() -> None:
    one, two = (draws(normal, stream_key(0, name)) for name in ("robot/0/lidar", "robot/1/lidar"))
    limit = 5 / np.sqrt(COUNT)
    assert abs(np.corrcoef(one, two)[0, 1]) < limit
    for lag in (1, 2, 3, 180):
        assert abs(np.corrcoef(one[:-lag], one[lag:])[0, 1]) < limit
    nested = np.array([normal(np.uint64(mix(stream_key(0, "a"), np.uint64(k))), np.uint64(0)) for k in range(COUNT)])
    assert abs(np.corrcoef(nested[:-1], nested[1:])[0, 1]) < limit
    assert stats.kstest(nested, "norm").pvalue > 1e-3
