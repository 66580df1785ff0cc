"""What a robot would know: the map that a lidar draws along a route through a terrain, in the robot's own frame."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from skimage.graph import route_through_array

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN
from expedition.kernels import kernel
from expedition.sim.rays import cast_ray
from expedition.streams import normal
from expedition.terrain import Terrain
from expedition.terrain.squares import FreeSquares, free_squares

RESOLUTION = 0.2
Pose = tuple[float, float, float]


def random_route(terrain: Terrain, random: np.random.Generator, length: float) -> NDArray[np.float64]:
    """Points a metre apart on a way of about `length` metres that keeps off the walls, over randomly drawn goals."""
    step = round(0.5 / terrain.resolution)
    rows, columns = (side // step * step for side in terrain.shape)
    blocks = terrain.occupied[:rows, :columns].reshape(rows // step, step, columns // step, step).any(axis=(1, 3))
    reachable = _largest_region(~blocks)
    cells = np.argwhere(reachable)
    cost = np.where(reachable, 1.0, -1.0)
    way = [tuple(cells[random.integers(len(cells))])]
    while len(way) * 0.5 < length:
        goal = tuple(cells[random.integers(len(cells))])
        way += route_through_array(cost, way[-1], goal, fully_connected=False)[0][1:]
    corner = np.array(terrain.origin)
    points = np.array(way[: round(length / 0.5)][::2], dtype=np.float64)[:, ::-1]
    return np.asarray(corner + (points + 0.5) * step * terrain.resolution)


def _largest_region(free: NDArray[np.bool_]) -> NDArray[np.bool_]:
    from scipy.ndimage import label

    labels, _ = label(free)
    return np.asarray(labels == np.argmax(np.bincount(labels[free])))


def known_map(
    terrain: Terrain,
    route: NDArray[np.float64],
    frame: Pose,
    side: int = 640,
    lidar_range: float = 20.0,
    key: int = 0,
    noise: float = 0.03,
    resolution: float = RESOLUTION,
) -> NDArray[np.uint8]:
    """The state grid in `frame` (x, y, heading in the terrain), whose origin is the middle of `side` x `side` cells."""
    squares = free_squares(terrain.occupied)
    evidence = np.zeros((side, side), dtype=np.int32)
    grid = np.array([*terrain.origin, terrain.resolution])
    _draw(squares, grid, route, np.array(frame), lidar_range, np.uint64(key), noise, resolution, evidence)
    state = np.full(evidence.shape, UNKNOWN, dtype=np.uint8)
    state[evidence < 0] = FREE
    state[evidence > 0] = OCCUPIED
    return state


def relative(mine: Pose, theirs: Pose) -> Pose:
    """The pose of the frame `theirs` in the frame `mine`."""
    c, s = math.cos(mine[2]), math.sin(mine[2])
    dx, dy = theirs[0] - mine[0], theirs[1] - mine[1]
    return c * dx + s * dy, c * dy - s * dx, theirs[2] - mine[2]


@kernel
def _draw(
    squares: FreeSquares,
    grid: NDArray[np.float64],
    route: NDArray[np.float64],
    frame: NDArray[np.float64],
    lidar_range: float,
    key: np.uint64,
    noise: float,
    resolution: float,
    evidence: NDArray[np.int32],
) -> None:
    """Log-odds along 720 beams from each point of the route: +17 where a beam ends at a wall, -8 where it passes."""
    rows, columns = evidence.shape
    for k in range(len(route)):
        x, y = route[k, 0] - frame[0], route[k, 1] - frame[1]
        c, s = math.cos(frame[2]), math.sin(frame[2])
        x, y = c * x + s * y, c * y - s * x
        for beam in range(720):
            angle = 2.0 * math.pi * beam / 720.0
            dx, dy = math.cos(angle), math.sin(angle)
            reach = grid[2] * cast_ray(
                squares,
                (route[k, 0] - grid[0]) / grid[2],
                (route[k, 1] - grid[1]) / grid[2],
                dx,
                dy,
                lidar_range / grid[2],
            )
            hit = reach <= lidar_range
            reach = reach + noise * normal(key, np.uint64(720 * k + beam)) if hit else lidar_range
            dx, dy = c * dx + s * dy, c * dy - s * dx
            last_row, last_column = -1, -1
            end_row = math.floor((y + dy * reach) / resolution) + rows // 2
            end_column = math.floor((x + dx * reach) / resolution) + columns // 2
            for i in range(int(reach / resolution * 2.0)):
                far = 0.5 * resolution * i
                row = math.floor((y + dy * far) / resolution) + rows // 2
                column = math.floor((x + dx * far) / resolution) + columns // 2
                if row == end_row and column == end_column:
                    break
                if (row != last_row or column != last_column) and 0 <= row < rows and 0 <= column < columns:
                    evidence[row, column] = max(evidence[row, column] - 8, -70)
                last_row, last_column = row, column
            if hit and 0 <= end_row < rows and 0 <= end_column < columns:
                evidence[end_row, end_column] = min(evidence[end_row, end_column] + 17, 70)
