"""A circle around each robot, the simplest radio there is: walls are ignored."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from expedition.fleet import RobotModel
from expedition.fleet.quantity import Range
from expedition.network.radio import Floats, Links, RadioModel, radios
from expedition.terrain import Terrain


@radios("circle")
def circle(models: Sequence[RobotModel], *, range: Range | None = None) -> RadioModel:
    """Robots within the range of the sender's first radio hear it, whatever stands between (Yan et al. 2017: 200 m).

    `range` in metres takes the place of that on the data sheets. Robots without a radio neither send nor hear.
    """
    return Circle(
        np.array([_reach(model, range) for model in models], dtype=np.float64),
        np.array([len(model.radios) > 0 for model in models]),
    )


@radios("everywhere")
def everywhere(models: Sequence[RobotModel]) -> RadioModel:
    """All hear all, with or without a radio on their data sheets: communication is not what is studied."""
    return Circle(np.full(len(models), math.inf), np.ones(len(models), dtype=np.bool_))


@radios("none")
def none(models: Sequence[RobotModel]) -> RadioModel:
    """Nobody hears anybody."""
    return Circle(np.zeros(len(models)), np.zeros(len(models), dtype=np.bool_))


def _reach(model: RobotModel, given: float | None) -> float:
    reach = given if given is not None or not model.radios else model.radios[0].range
    return math.inf if reach is None else reach


class Circle:
    """Each robot is heard within its own reach by those that have ears."""

    def __init__(self, reach: Floats, ears: Links) -> None:
        self._squared = reach**2
        self._able = ears[:, None] & ears[None, :] & ~np.eye(len(ears), dtype=np.bool_)
        self._everywhere = bool(np.isinf(reach).all())

    def links(self, positions: Floats, terrain: Terrain) -> Links:
        """Compares squared distances with squared ranges; quadratic in robots."""
        if self._everywhere or not self._able.any():
            return self._able.copy()
        apart = positions[:, None, :] - positions[None, :, :]
        near: Links = np.einsum("ijk,ijk->ij", apart, apart) <= self._squared
        return near & self._able
