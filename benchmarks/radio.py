"""Who receives whom among 120 nodes, all pairs, beside a version that walks cell by cell."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from itertools import cycle

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from benchmarks.world import open_places
from expedition.fleet.model import Radio
from expedition.kernels import kernel
from expedition.network import Obstacles, radios
from expedition.network.walls import GRAZE, LATTICE
from expedition.terrain import Terrain, find_terrain

NODES = 120
RATE_HZ = 10.0
ROUNDS = 30
TERRAINS = ("maze", "building:size=80", "cave:size=75")
MODELS = ("line-of-sight", "path-loss", "path-loss:walls=material", "through-walls", "path-loss:fading_db=6")
RANGE = 200.0
"""Of the pioneer's radio: no pair of these terrains is out of reach for being far apart."""
STEP = 0.001
"""Metres that all nodes go to and fro: lines between nodes at rest are not followed again."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def radio(
    console: Console,
    nodes: int = NODES,
    terrains: Sequence[str] = TERRAINS,
    models: Sequence[str] = MODELS,
    rounds: int = ROUNDS,
) -> None:
    """Print (g): milliseconds a tick for each terrain and model, and what that is of a second at 10 Hz."""
    lines = Table(
        "terrain", "lines", "walls a line", "ms, all lines", "ms, cell by cell", "ratio", "lines that differ",
        title=f"(g) walls on all lines between {nodes} nodes, one core",
    )  # fmt: skip
    ticks = Table(
        "terrain", *(f"{model}, ms" for model in models), "slowest, share of real time",
        title=f"(g) reception among {nodes} nodes, a tick",
        caption=f"share of real time: at {RATE_HZ:g} Hz. Medians of {rounds} rounds, processor time.",
    )  # fmt: skip
    for name in terrains:
        terrain = find_terrain(name)
        scene = Scene(terrain, open_places(terrain, nodes)[:, :2])
        ours, plain = median_ms(scene.follow, rounds), median_ms(scene.walk, rounds)
        found, expected = scene.follow(), scene.walk()
        lines.add_row(
            terrain.name, f"{len(found):,}", f"{found.mean():.1f}", f"{ours:.2f}", f"{plain:.2f}",
            f"{plain / ours:.1f}", str(np.count_nonzero(found != expected)),
        )  # fmt: skip
        costs = [median_ms(scene.reception_by(spec), rounds) for spec in models]
        ticks.add_row(terrain.name, *(f"{cost:.2f}" for cost in costs), f"{max(costs) * RATE_HZ / 1000:.1%}")
    console.print(lines)
    console.print(ticks)


class Scene:
    """Nodes in a terrain, and what is done with the lines between each two of them."""

    def __init__(self, terrain: Terrain, places: Floats) -> None:
        self._places = places
        self._cells = np.round((places - terrain.origin) / terrain.resolution * LATTICE) / LATTICE
        self._solid = np.array(terrain.occupied, order="C")
        self._obstacles = Obstacles.of(terrain)
        self._first, self._second = np.triu_indices(len(places), 1)

    def follow(self) -> Integers:
        """The walls on each line, as the radio models count them."""
        return self._obstacles.crossed(self._places, self._places, self._first, self._second).walls

    def walk(self) -> Integers:
        """The same, cell by cell."""
        walls = np.zeros(len(self._first), dtype=np.int64)
        walls_cell_by_cell(self._solid, self._cells, self._first, self._second, walls)
        return walls

    def reception_by(self, spec: str) -> Callable[[], Floats]:
        """What a tick does with a radio model, in which all nodes move a little."""
        model = radios.make(spec, [Radio(range=RANGE)] * len(self._places), 1)
        places = cycle([self._places, self._places + STEP])
        return lambda: model.reception(next(places), self._obstacles, 0.0)


def median_ms(work: Callable[[], object], rounds: int) -> float:
    """The median of what `work` takes, in milliseconds, after a first time that may compile."""
    work()
    spent = []
    for _ in range(rounds):
        start = time.thread_time()
        work()
        spent.append(1000.0 * (time.thread_time() - start))
    return float(np.median(spent))


@kernel
def walls_cell_by_cell(
    solid: NDArray[np.bool_],
    places: Floats,
    first: Integers,
    second: Integers,
    walls: Integers,
) -> None:
    """Amanatides and Woo's traversal of the line between each two places, in cells."""
    for line in range(len(first)):
        start, end = places[first[line]], places[second[line]]
        distance = math.hypot(end[0] - start[0], end[1] - start[1])
        column, row = int(start[0]), int(start[1])
        step_x, step_y = (1 if end[0] > start[0] else -1), (1 if end[1] > start[1] else -1)
        per_x = distance / abs(end[0] - start[0]) if end[0] != start[0] else math.inf
        per_y = distance / abs(end[1] - start[1]) if end[1] != start[1] else math.inf
        next_x = (column + 1 - start[0] if step_x > 0 else start[0] - column) * per_x
        next_y = (row + 1 - start[1] if step_y > 0 else start[1] - row) * per_y
        travelled, count, length = 0.0, 0, 0.0
        while travelled < distance:
            reached = min(min(next_x, next_y), distance)
            if solid[row, column]:
                count += length <= GRAZE < length + reached - travelled
                length += reached - travelled
            elif reached - travelled > GRAZE:
                length = 0.0
            travelled = reached
            if next_x < next_y:
                next_x += per_x
                column += step_x
            else:
                next_y += per_y
                row += step_y
        walls[line] = count
