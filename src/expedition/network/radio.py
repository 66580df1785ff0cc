"""Radio models: with which chance a node receives what another sends.

A model is made for the radios of all nodes on one channel. It knows where they really are and what stands between.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from expedition.network.obstacles import Obstacles
from expedition.network.own_function import OwnFunction, is_of_lines
from expedition.network.own_model import OwnModel, check_arguments
from expedition.network.walls import Floats
from expedition.registry import Component, Registry

Links = NDArray[np.bool_]
"""(nodes, nodes): whether node [row] hears node [column]. None hears itself."""


class RadioModel(Protocol):
    """Who receives whom: 0 is never, 1 always, and what lies between is the chance of each frame on its own."""

    def reception(self, positions: Floats, obstacles: Obstacles, time: float) -> Floats:
        """(nodes, nodes): the chance that node [row] receives what node [column] sends now; 0 on the diagonal.

        `positions` (nodes, 2) are in metres, `time` in seconds since the start.
        """

    def between(self, sender: int, receiver: int, starts: Floats, ends: Floats, obstacles: Obstacles) -> Floats:
        """(lines,): the chance that `receiver`, were it at `ends`, receives what `sender` sends from `starts`.

        For plans: what changes over time, such as fading, counts with how often it lets the signal through.
        """


class Radios(Registry[RadioModel]):
    """Functions from the radios of all nodes on a channel and the mission's seed to a radio model.

    A node that has none on the channel is None: `radios.make("circle:range=50", [Radio(), Radio(), None], seed)`.
    A function of `distance`, `walls` and `wall_metres`, or some of them, to a chance is a model as it stands.
    """

    def find(self, name: str) -> Component[RadioModel]:
        """The model of that name, whose function takes what it will be given."""
        component = super().find(name)
        if not _ships(component):
            check_arguments(name, component.build)
        return component

    def make(self, spec: str, *given: Any, **parameters: Any) -> RadioModel:
        """The model that `spec` names, with the parameters in it and those given here."""
        component, written = self.parse(spec)
        checked = component.check({**written, **parameters})
        if _ships(component):
            return component.build(*given, **checked)
        if is_of_lines(component.build):
            return OwnModel(component.name, partial(OwnFunction, component.build, checked, *given))
        return OwnModel(component.name, partial(component.build, *given, **checked))


def _ships(component: Component[RadioModel]) -> bool:
    """Whether a model is one of the testbed's own, which keep their word without being looked at."""
    return str(getattr(component.build, "__module__", "")).startswith("expedition.")


radios = Radios("radio")
"""All radio models by name."""
