"""Through walls: what counts is how much wall lies on the way, and of what.

MAES lets users decide by the distance and the distance through walls whether a signal is received; its own rule takes
from the transmit power what a metre of each material takes times the metres crossed, and compares what is left with
the receiver's sensitivity (15 and -82 dBm, so that 6.5 m of concrete are too much). Open ground takes nothing. Here it
may, and both distances may have a limit:

    power = transmit power - distance_db_per_m distance - sum of (material's dB a metre x metres through it)
    chance = 1/2 + (power - sensitivity) / spread_db, within 0 and 1; 0 beyond `range` or `max_wall_metres`

Without a spread the chance is 1 if the power is not below the sensitivity, else 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from expedition.fleet.model import Decibels, Radio
from expedition.fleet.quantity import Distance
from expedition.network.fading import Coherence, Fading, FadingDecibels
from expedition.network.pairs import Lines, Reach, reaches
from expedition.network.power import Cutoff, PowerModel, Spread, weakest_signals
from expedition.network.radio import RadioModel, radios
from expedition.network.walls import ANY_NUMBER, Bearable, Crossed, Floats


@radios("through-walls")
def through_walls(
    nodes: Sequence[Radio | None],
    seed: int,
    *,
    range: Reach = None,
    max_wall_metres: Annotated[Distance | None, Field(description="more wall than that stops any signal, m")] = None,
    distance_db_per_m: Annotated[float, Field(ge=0, le=1000, description="what a metre takes, walls or not, dB")] = 0.0,
    transmit_power: Annotated[
        Decibels | None, Field(description="what all send with, in dBm, in place of the data sheets'")
    ] = None,
    cutoff: Cutoff = None,
    spread_db: Spread = 0.0,
    fading_db: FadingDecibels = 0.0,
    coherence_s: Coherence = 1.0,
) -> RadioModel:
    """Walls weaken the signal by material and thickness, open ground does not (MAES, Andreasen et al. 2022)."""
    sent = [
        -math.inf if radio is None else radio.transmit_power_dbm if transmit_power is None else transmit_power
        for radio in nodes
    ]
    return ThroughWalls(
        nodes, weakest_signals(nodes, cutoff), spread_db, Fading(nodes, seed, fading_db, coherence_s),
        np.array(sent), reaches(nodes, range), distance_db_per_m,
        math.inf if max_wall_metres is None else max_wall_metres,
    )  # fmt: skip


class ThroughWalls(PowerModel):
    """Transmit power less what the way and the walls take."""

    def __init__(
        self,
        nodes: Sequence[Radio | None],
        weakest: Floats,
        spread_db: float,
        fading: Fading,
        sent_dbm: Floats,
        reach: Floats,
        db_per_m: float,
        max_wall_metres: float,
    ) -> None:
        super().__init__(nodes, weakest, spread_db, fading)
        self._sent = sent_dbm
        self._reach = reach
        self._db_per_m = db_per_m
        self._max_wall_metres = max_wall_metres

    def open_power(self, lines: Lines) -> Floats:
        """Transmit power less what the distance takes; nothing beyond the range."""
        power: Floats = self._sent[lines.sender] - self._db_per_m * lines.distance
        return np.where(lines.distance <= self._reach[lines.sender], power, -math.inf)

    def wall_loss(self, crossed: Crossed) -> Floats:
        """The materials' loss; everything where there is too much wall."""
        return np.where(crossed.metres <= self._max_wall_metres, crossed.loss_db, math.inf)

    def affordable(self, loss_db: Floats) -> Bearable:
        """So many dB of material."""
        return Bearable(np.where(loss_db < 0.0, -1, ANY_NUMBER), loss_db)
