"""A circle around each node, the simplest radio there is: walls are ignored."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from expedition.fleet.model import Radio
from expedition.network.obstacles import Obstacles
from expedition.network.pairs import Reach, reaches
from expedition.network.radio import Links, RadioModel, radios
from expedition.network.walls import Floats


@radios("circle")
def circle(nodes: Sequence[Radio | None], seed: int, *, range: Reach = None) -> RadioModel:
    """Nodes within the sender's range hear it, whatever stands between (Yan et al. 2017: 200 m).

    Nodes without a radio neither send nor hear.
    """
    return Circle(reaches(nodes, range), np.array([radio is not None for radio in nodes], dtype=np.bool_))


@radios("everywhere")
def everywhere(nodes: Sequence[Radio | None], seed: int) -> RadioModel:
    """All hear all, with or without a radio on their data sheets: communication is not what is studied."""
    return Circle(np.full(len(nodes), math.inf), np.ones(len(nodes), dtype=np.bool_))


@radios("none")
def none(nodes: Sequence[Radio | None], seed: int) -> RadioModel:
    """Nobody hears anybody."""
    return Circle(np.zeros(len(nodes)), np.zeros(len(nodes), dtype=np.bool_))


class Circle:
    """Each node is heard within its own reach by those that have ears."""

    def __init__(self, reach: Floats, ears: Links) -> None:
        self._squared = reach**2
        self._able = ears[:, None] & ears[None, :] & ~np.eye(len(ears), dtype=np.bool_)
        self._everywhere = bool(np.isinf(reach).all())

    def reception(self, positions: Floats, obstacles: Obstacles, time: float) -> Floats:
        """Compares squared distances with squared ranges; quadratic in nodes."""
        if self._everywhere or not self._able.any():
            return self._able.astype(np.float64)
        apart = positions[:, None, :] - positions[None, :, :]
        near: Links = np.einsum("ijk,ijk->ij", apart, apart) <= self._squared
        return (near & self._able).astype(np.float64)

    def between(self, sender: int, receiver: int, starts: Floats, ends: Floats, obstacles: Obstacles) -> Floats:
        """1 within the sender's reach, else 0."""
        apart = ends - starts
        near = np.einsum("ij,ij->i", apart, apart) <= self._squared[sender]
        return np.asarray(near & self._able[receiver, sender], dtype=np.float64)
