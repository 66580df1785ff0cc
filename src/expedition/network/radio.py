"""Radio models: with which chance a node receives what another sends.

A model is made for the radios of all nodes on one channel. It knows where they really are and what stands between.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError
from expedition.network.obstacles import Obstacles
from expedition.network.own_function import OF_A_LINE, OwnFunction, is_of_lines
from expedition.network.walls import Floats
from expedition.registry import Registry

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

    def make(self, spec: str, *given: Any, **parameters: Any) -> RadioModel:
        """The model that `spec` names, with the parameters in it and those given here."""
        component, written = self.parse(spec)
        checked = component.check({**written, **parameters})
        if is_of_lines(component.build):
            return OwnFunction(component.name, component.build, checked, *given)
        model: RadioModel = component.build(*given, **checked)
        for verb in ("reception", "between"):
            if not callable(getattr(model, verb, None)):
                raise ExpeditionError(
                    f"radio {component.name}: it made a {type(model).__name__} without `{verb}`; a function "
                    f"makes a radio model, or is one of {', '.join(OF_A_LINE)}, or some of these"
                )
        return model


radios = Radios("radio")
"""All radio models by name."""
