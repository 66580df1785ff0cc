"""The kernels of a channel against plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from expedition.fleet.model import Radio
from expedition.network import Network
from expedition.network.obstacles import Obstacles
from expedition.network.radio import radios
from expedition.terrain import find_terrain


class Chances:
    """A radio model that says what it was given."""

    def __init__(self, chances: np.ndarray) -> None:
        self.chances = chances

    def reception(self, positions: np.ndarray, obstacles: Obstacles, time: float) -> np.ndarray:
        return self.chances

    between = reception


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_links_and_counts_of_what_is_heard_are_those_of_numpy(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    chances = (rng.random((7, 7)) < 0.4).astype(np.float64)
    chances[rng.random((7, 7)) < share] = rng.random()
    np.fill_diagonal(chances, 0.0)
    monkeypatch.setattr(radios, "make", lambda *_: Chances(chances))
    network = Network([[Radio()]] * 7, robots=5)
    channel = network.maps
    network.tick(0.1, np.zeros((7, 2)), Obstacles.of(find_terrain("maze")))
    links = chances >= 0.5
    assert (channel.links == links).all()
    assert channel.is_ideal == (share == 0.0)
    channel.count_heard(5, 30)
    sent, received = links[:, :5].any(axis=0), links[:, :5].sum(axis=1)
    assert network.messages_sent[0].tolist() == [*sent.tolist(), 0, 0]
    assert network.bytes_sent[0].tolist() == [*(30 * sent).tolist(), 0, 0]
    assert network.messages_received[0].tolist() == received.tolist()
    assert network.bytes_received[0].tolist() == (30 * received).tolist()
