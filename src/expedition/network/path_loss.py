"""Path loss with walls: the signal weakens with the logarithm of the distance and with each wall.

Bahl and Padmanabhan 2000, as in MRESim (Spirin et al. 2015) and USARSim. In decibels, with symbols named in words:

    power = power at d0 - 10 exponent log10(distance / d0) - min(walls, max_walls) wall_db

MRESim's paper prints a product where the loss by walls is subtracted. With `walls: material` the last term is what a
metre of each material takes times the metres crossed.

What d0 and the power there are, if not given, follows from the sender's data sheet:
- A radio with a range, there or as a parameter, is as weak at that range as one of its kind still understands: d0 is
  the range, and the power there its own sensitivity (MRESim: -93 dBm). In the open it reaches its range; walls shorten
  that. Its transmit power plays no part.
- A radio without one sends with its transmit power, of which the first metre takes what free space does at 2.4 GHz:
  d0 is 1 m, and the power there 40 dB less than that sent with.

Where only d0 is given, free space takes what it does up to there; where only the power is given, d0 is 1 m.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import Field

from expedition.errors import ExpeditionError
from expedition.fleet.model import Decibels, Radio
from expedition.fleet.quantity import Range
from expedition.kernels import kernel
from expedition.network.crossings import follow_moved
from expedition.network.fading import Coherence, Fading, FadingDecibels
from expedition.network.material_rectangles import Bytes, MaterialRectangles
from expedition.network.obstacles import Obstacles
from expedition.network.pairs import Lines, Reach, apart, reaches
from expedition.network.power import SLACK_DB, Cutoff, PowerModel, Spread, alike, weakest_signals
from expedition.network.radio import RadioModel, radios
from expedition.network.walls import ANY_NUMBER, Bearable, Crossed, Floats, Integers

FREQUENCY_HZ = 2.4e9
LIGHT_M_PER_S = 299_792_458.0
DB_A_FACTOR_E = 10.0 / math.log(10.0)
"""Decibels that a factor of e makes: the natural logarithm takes half the time of that to base 10."""
NEAREST = 0.01
"""In metres: closer than that the law does not hold, and the logarithm has no end."""

Walls = Literal["count", "material"]


class Law(NamedTuple):
    """How the signal weakens; the references are arrays over nodes, as senders, or have one value for all."""

    exponent: float
    reference_distance: Floats
    reference_power: Floats
    wall_db: float | None
    """None where material and thickness count."""
    max_walls: int


@radios("path-loss")
def path_loss(
    nodes: Sequence[Radio | None],
    seed: int,
    *,
    range: Reach = None,
    exponent: Annotated[
        float, Field(ge=0, le=20, description="how fast distance weakens a signal; 2 in a vacuum")
    ] = 2.5,
    walls: Annotated[Walls, Field(description="walls count by number, or by material and thickness")] = "count",
    wall_db: Annotated[
        float, Field(ge=0, le=1000, description="what a wall takes, if they count by number, dB")
    ] = 3.65,
    max_walls: Annotated[int, Field(ge=0, le=1_000_000, description="further walls take nothing more")] = 125,
    reference_distance: Annotated[Range | None, Field(description="d0, in m; else by the data sheet")] = None,
    reference_power: Annotated[
        Decibels | None, Field(description="power at d0, in dBm; else by the data sheet")
    ] = None,
    cutoff: Cutoff = None,
    spread_db: Spread = 0.0,
    fading_db: FadingDecibels = 0.0,
    coherence_s: Coherence = 1.0,
) -> RadioModel:
    """The signal weakens with the logarithm of the distance and with each wall (MRESim, Spirin et al. 2015)."""
    if range is not None and not reference_distance is reference_power is None:
        raise ExpeditionError("path-loss: give a range, or a reference distance and power, but not both")
    weakest = weakest_signals(nodes, cutoff)
    references = [
        _reference(radio, own, reach, reference_distance, reference_power)
        for radio, own, reach in zip(nodes, weakest.tolist(), reaches(nodes, range).tolist(), strict=True)
    ]
    distances, powers = np.array(references, dtype=np.float64).reshape(-1, 2).T
    law = Law(exponent, alike(distances), alike(powers), wall_db if walls == "count" else None, max_walls)
    return PathLoss(nodes, weakest, spread_db, Fading(nodes, seed, fading_db, coherence_s), law)


def _reference(
    radio: Radio | None, weakest: float, reach: float, distance: float | None, power: float | None
) -> tuple[float, float]:
    """The distance d0 from a sender, and what arrives there of its signal, in dBm."""
    if radio is None:
        return 1.0, -math.inf
    if distance is None and power is None and math.isfinite(reach):
        return reach, weakest
    distance = 1.0 if distance is None else distance
    return distance, radio.transmit_power_dbm - free_space_loss(distance) if power is None else power


def free_space_loss(distance: float) -> float:
    """What the first metres take of a signal in free space, in dB (Friis)."""
    return 20.0 * math.log10(4.0 * math.pi * distance * FREQUENCY_HZ / LIGHT_M_PER_S)


class PathLoss(PowerModel):
    """The logarithm of the distance, and walls by number or by material."""

    def __init__(
        self, nodes: Sequence[Radio | None], weakest: Floats, spread_db: float, fading: Fading, law: Law
    ) -> None:
        super().__init__(nodes, weakest, spread_db, fading)
        self._law = law

    def reception(self, positions: Floats, obstacles: Obstacles, time: float) -> Floats:
        """As for all power models; without fading in one kernel call."""
        if self._fading.sigma_db > 0.0:
            return super().reception(positions, obstacles, time)
        self.crossings.look_at(obstacles, len(positions))
        law, crossings = self._law, self.crossings
        chances = np.zeros((len(positions), len(positions)))
        _receive(
            positions, law.exponent, law.reference_distance, law.reference_power, law.wall_db or 0.0, law.max_walls,
            self._weakest, self._spread, self.is_mutual,
            obstacles.rectangles, None if law.wall_db is not None else obstacles.material, obstacles.db_per_m,
            obstacles.resolution, obstacles.corner,
            crossings.first, crossings.second, crossings.places, crossings.bore, crossings.crossed, chances,
        )  # fmt: skip
        return chances

    def open_power(self, lines: Lines) -> Floats:
        """Power at d0 - 10 exponent log10(distance / d0)."""
        law = self._law
        return _open_powers(lines.distance, law.exponent, law.reference_distance, law.reference_power, lines.sender)

    def wall_loss(self, crossed: Crossed) -> Floats:
        """The walls' number, up to the most that count, or their materials' loss."""
        if self._law.wall_db is None:
            return crossed.loss_db
        return np.minimum(crossed.walls, self._law.max_walls) * self._law.wall_db

    def affordable(self, loss_db: Floats) -> Bearable:
        """So many dB of material, or the walls that take that."""
        by_material = self._law.wall_db is None
        walls = _most_walls_of_each(loss_db, self._law.wall_db or 0.0, self._law.max_walls)
        return Bearable(walls, loss_db if by_material else np.full(len(loss_db), math.inf))


@kernel
def _receive(
    positions: Floats, exponent: float, distances: Floats, powers: Floats, wall_db: float, max_walls: int,
    weakest: Floats, spread: float, is_mutual: bool,
    rectangles: MaterialRectangles, material: Bytes | None, db_per_m: Floats, resolution: float, corner: Floats,
    first: Integers, second: Integers, places: Floats, bore: Bearable, crossed: Crossed, chances: Floats,
) -> None:  # fmt: skip
    """Fill in the chances (nodes, nodes) that [row] receives [column]. Cost: the lines, and what moved ones cross.

    With `material` that of walls counts, without it their number.
    """
    lines = len(first)
    there, back = np.empty(lines), np.empty(lines)
    bears = Bearable(np.empty(lines, np.int64), np.full(lines, math.inf))
    for line in range(lines):
        one, other = first[line], second[line]
        distance = apart(positions[one], positions[other])
        there[line] = back[line] = _open_power(distance, exponent, distances, powers, one) - _of(weakest, other)
        if not is_mutual:
            back[line] = _open_power(distance, exponent, distances, powers, other) - _of(weakest, one)
        most = max(there[line], back[line]) + 0.5 * spread + SLACK_DB
        bears.walls[line] = _most_walls(most, wall_db, max_walls)
        if material is not None:
            bears.loss_db[line] = most
    follow_moved(
        rectangles, material, db_per_m, resolution, corner, positions, places, first, second, bore, bears, crossed
    )
    for line in range(lines):
        loss = crossed.loss_db[line] if material is not None else min(crossed.walls[line], max_walls) * wall_db
        chances[second[line], first[line]] = _chance(there[line] - loss, spread)
        chances[first[line], second[line]] = _chance(back[line] - loss, spread)


@kernel
def _open_power(distance: float, exponent: float, distances: Floats, powers: Floats, sender: int) -> float:
    return _of(powers, sender) - exponent * DB_A_FACTOR_E * math.log(max(distance, NEAREST) / _of(distances, sender))


@kernel
def _open_powers(distance: Floats, exponent: float, distances: Floats, powers: Floats, senders: Integers) -> Floats:
    arriving = np.empty(len(distance))
    for line in range(len(distance)):
        arriving[line] = _open_power(distance[line], exponent, distances, powers, senders[line])
    return arriving


@kernel
def _of(values: Floats, node: int) -> float:
    """The value of a node, or the one that all have."""
    return float(values[node if len(values) > 1 else 0])


@kernel
def _chance(margin: float, spread: float) -> float:
    if spread == 0.0:
        return 1.0 if margin >= 0.0 else 0.0
    return min(max(0.5 + margin / spread, 0.0), 1.0)


@kernel
def _most_walls(loss_db: float, wall_db: float, max_walls: int) -> int:
    """How many walls may be crossed, each of which takes `wall_db` or nothing: -1 where that is none whatever."""
    if loss_db < 0.0:
        return -1
    return int(loss_db / wall_db) if wall_db > 0.0 and loss_db < max_walls * wall_db else ANY_NUMBER


@kernel
def _most_walls_of_each(loss_db: Floats, wall_db: float, max_walls: int) -> Integers:
    walls = np.empty(len(loss_db), np.int64)
    for line in range(len(loss_db)):
        walls[line] = _most_walls(loss_db[line], wall_db, max_walls)
    return walls
