"""Fading: seeded, the same both ways, and as wide as asked for."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from expedition.fleet.model import Radio
from expedition.network import Obstacles, PathLoss, radios
from expedition.network.power import mean_chance
from expedition.terrain import Terrain

OPEN = Obstacles.of(Terrain.from_occupied("open", np.zeros((10, 10), dtype=np.bool_), 10.0))
CIRCLE = 30.0 * np.column_stack([np.cos(np.arange(40)), np.sin(np.arange(40))])


def faded(nodes: int, seed: int = 1, time: float = 0.0, sigma: float = 6.0, name: str = "wifi") -> np.ndarray:
    """What fading adds between nodes on a circle, in dB."""
    places = CIRCLE[:nodes]
    models = [
        radios.make(f"path-loss:fading_db={value},coherence_s=2", [Radio(name=name)] * nodes, seed)
        for value in (sigma, 0.0)
    ]
    with_fading, without = (model.power(places, OPEN, time) for model in models if isinstance(model, PathLoss))
    np.fill_diagonal(with_fading, 0.0)
    np.fill_diagonal(without, 0.0)
    return np.asarray(with_fading - without)


def test_fading_is_the_same_both_ways_and_each_time() -> None:
    assert np.allclose(faded(40), faded(40).T)
    assert (faded(40) == faded(40)).all()


def test_fading_is_normal_in_decibels_with_the_given_deviation() -> None:
    drawn = np.concatenate([faded(40, seed)[np.triu_indices(40, 1)] for seed in range(5)])
    assert abs(drawn.mean()) < 0.3
    assert drawn.std() == pytest.approx(6.0, abs=0.3)


def test_fading_stays_for_the_coherence_time_and_is_drawn_anew_after() -> None:
    times = (0.0, 1.9, 2.0, 3.9, 4.0, sum([0.1] * 100), 10.0)
    spans = [faded(5, time=time)[0, 1:].tolist() for time in times]
    assert spans[0] == spans[1]
    assert spans[2] == spans[3]
    assert times[5] < times[6]
    assert spans[5] == spans[6]
    assert all(one != other for one, other in itertools.combinations((spans[0], spans[2], spans[4]), 2))


def test_pairs_seeds_and_channels_fade_on_their_own() -> None:
    drawn = faded(40)[np.triu_indices(40, 1)]
    assert len(set(np.round(drawn, 9))) == len(drawn)
    for other in (faded(40, seed=2), faded(40, name="lora")):
        assert abs(np.corrcoef(drawn, other[np.triu_indices(40, 1)])[0, 1]) < 0.15


def test_further_node_leaves_the_fading_of_others_as_it_was() -> None:
    assert np.allclose(faded(12)[:11, :11], faded(11))


def test_fading_lets_links_come_and_go_as_often_as_predicted() -> None:
    spec, nodes = "path-loss:fading_db=5,coherence_s=0.5,spread_db=4", [Radio(range=30.0)] * 2
    model = radios.make(spec, nodes, 7)
    for apart in (20.0, 30.0, 40.0):
        places = np.array([[0.0, 0.0], [apart, 0.0]])
        share = np.mean([model.reception(places, OPEN, 0.5 * span)[0, 1] for span in range(4000)])
        predicted = model.between(1, 0, places[[1]], places[[0]], OPEN)
        assert share == pytest.approx(predicted[0], abs=0.03)
    assert 0.1 < model.between(1, 0, np.array([[40.0, 0.0]]), np.array([[0.0, 0.0]]), OPEN)[0] < 0.4


def test_mean_chance_is_the_mean_over_a_normal_margin() -> None:
    margins = np.linspace(-20.0, 20.0, 9)
    drawn = np.random.default_rng(0).normal(size=200_000)
    for spread, sigma in ((0.0, 4.0), (7.0, 4.0), (7.0, 0.2)):
        mean = [mean_chance(margin + sigma * drawn, spread, 0.0).mean() for margin in margins]
        assert mean_chance(margins, spread, sigma) == pytest.approx(mean, abs=0.01)
