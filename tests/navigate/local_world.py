"""Robots that drive by local navigation through the flat simulator, with the truth as pose and map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from expedition.belief.grid import FREE, OCCUPIED, Frame
from expedition.fleet import Fleet, RobotModel, robot_model
from expedition.navigate.follower import Follower
from expedition.navigate.local_parameters import LocalNavigation
from expedition.navigate.local_records import ARRIVED, BLOCKED
from expedition.sim import FlatSimulator
from expedition.sim.protocol import Contact
from expedition.terrain import Change, Terrain

PIONEER = robot_model("pioneer-3dx")


def drawn(
    width: float,
    height: float,
    walls: Sequence[tuple[float, float, float, float]] = (),
    changes: tuple[Change, ...] = (),
) -> Terrain:
    """A hall from (0, 0) to (width, height) with solid blocks (left, bottom, right, top)."""
    cells = np.ones((round(height * 10) + 4, round(width * 10) + 4), dtype=bool)
    cells[2:-2, 2:-2] = False
    for left, bottom, right, top in walls:
        cells[2 + round(bottom * 10) : 2 + round(top * 10), 2 + round(left * 10) : 2 + round(right * 10)] = True
    return Terrain("drawn", cells * np.uint16(200), 0.1, (-0.2, -0.2), changes=changes)


def map_of(terrain: Terrain, resolution: float = 0.2) -> tuple[Frame, np.ndarray]:
    """What a robot that has seen everything has on its map: a cell is occupied if any wall is in it."""
    frame = Frame.around(terrain.extent, resolution)
    state = np.full((1, frame.rows, frame.columns), FREE, dtype=np.uint8)
    rows, columns = np.nonzero(np.kron(terrain.occupied, np.ones((2, 2))))
    y = terrain.origin[1] + (rows + 0.5) * terrain.resolution / 2
    x = terrain.origin[0] + (columns + 0.5) * terrain.resolution / 2
    row = np.floor((y - frame.origin[1]) / frame.resolution).astype(int)
    column = np.floor((x - frame.origin[0]) / frame.resolution).astype(int)
    state[0, row, column] = OCCUPIED
    return frame, state


@dataclass
class World:
    """A simulator and a follower, stepped together at 10 Hz."""

    terrain: Terrain
    starts: Sequence[tuple[float, float, float]]
    model: RobotModel = PIONEER
    parameters: LocalNavigation = field(default_factory=LocalNavigation)
    hears: bool = True
    delay: int = 0
    resolution: float = 0.2

    def __post_init__(self) -> None:
        fleet = Fleet((self.model,) * len(self.starts), np.array(self.starts, dtype=np.float64))
        self.simulator = FlatSimulator()
        self.observations = self.simulator.reset(self.terrain, fleet, seed=1)
        frame, self.state = map_of(self.terrain, self.resolution)
        self.follower = Follower(fleet.models, frame, self.parameters, seed=1)
        self.time = 0.0
        self.contacts: list[Contact] = []
        self.poses = [self.simulator.truth().poses]
        self.tick = 0

    def step(self) -> None:
        truth = self.simulator.truth()
        scans = self.observations.scans(latest=True)
        commands = self.follower.step(self.time, truth.poses, truth.velocities, scans, self.state)
        if self.hears:
            self.follower.heard[:] = self.follower.beacons
            self.follower.heard_at[:] = self.time
            np.fill_diagonal(self.follower.heard_at, -np.inf)
        self.observations = self.simulator.advance(commands, 0.1)
        self.tick += 1
        self.time = 0.1 * self.tick
        truth = self.simulator.truth()
        self.contacts += truth.contacts
        self.poses.append(truth.poses)

    def run(self, seconds: float) -> float:
        """Until all robots have arrived or are blocked, at most for some time. Returns the seconds it took."""
        begin = self.time
        while self.time - begin < seconds - 1e-9:
            self.step()
            if np.isin(self.follower.status, (ARRIVED, BLOCKED)).all():
                break
        return self.time - begin
