"""Every way in which two maps may lie on each other, coarsely: all rotations, and by correlation all translations.

Exhaustive on coarse cells, as in Olson's correlative scan matching (ICRA 2009), with the Fourier transform giving all
translations of one rotation at once. Nothing is assumed of the walls' directions, so caves do as well as offices, and
the rivals of the best hypothesis are found as surely as itself.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import fft
from scipy.ndimage import gaussian_filter

from expedition.belief.overlay import Floats, Sheet
from expedition.kernels import kernel

COARSE = 3
"""Cells along a coarse cell's side."""
TURN = math.radians(3.0)
"""Step of rotation: half of it moves a wall 30 m from the middle by little more than a coarse cell."""
OPEN_WEIGHT = 0.2
"""What a coarse cell of open ground weighs against one with a wall."""
BLOCK = 5
"""Coarse cells within which one rotation has one hypothesis."""


def hypotheses(mine: Sheet, theirs: Sheet, pivot: Floats, most: int) -> Floats:
    """The `most` best poses (turn, x, y) of their pivot in my cells, best first, none near a better one.

    Cost: a Fourier transform forth and back for each of 120 rotations.
    """
    rows, columns = (-(-side // COARSE) for side in mine.clear.shape)
    radius = math.hypot(*theirs.clear.shape) / 2.0
    reach = math.ceil(radius / COARSE) + 1
    size = 2 * reach + 1
    shape = fft.next_fast_len(rows + size - 1, True), fft.next_fast_len(columns + size - 1, True)
    flat = np.array([0.0, 0.0, 0.0])
    ground = gaussian_filter(_coarse(mine.clear, flat, np.zeros(2), (rows, columns)), 0.7)
    spectrum = fft.rfft2(ground, shape)
    found = []
    for turn in np.arange(-math.pi, math.pi - 1e-9, TURN):
        middle = np.array([turn, (reach + 0.5) * COARSE, (reach + 0.5) * COARSE])
        turned = _coarse(theirs.clear, middle, pivot, (size, size))
        # Correlation: entry (r, c) is for their coarse cell (0, 0) on my coarse cell (r, c), modulo the shape.
        score = fft.irfft2(spectrum * fft.rfft2(turned, shape).conj(), shape)
        found.append(_peaks(score, turn, reach))
    poses = np.concatenate(found)
    poses = poses[np.lexsort((poses[:, 2], poses[:, 1], poses[:, 0], -poses[:, 3]))]
    for axis, wrap in ((1, columns), (2, rows)):
        side = shape[1] if axis == 1 else shape[0]
        poses[:, axis] = np.where(poses[:, axis] >= wrap, poses[:, axis] - side, poses[:, axis]) + reach + 0.5
    poses[:, 1:3] *= COARSE
    return _apart(poses, most)


def _peaks(score: NDArray[np.float32], turn: float, reach: int, most: int = 8) -> Floats:
    """The best translations of one rotation, (turn, column, row, score), at most one a block."""
    rows, columns = (side // BLOCK * BLOCK for side in score.shape)
    blocks = score[:rows, :columns].reshape(rows // BLOCK, BLOCK, columns // BLOCK, BLOCK).max(axis=(1, 3))
    chosen = np.argsort(-blocks, axis=None, kind="stable")[:most]
    poses = np.empty((len(chosen), 4))
    for k, (row, column) in enumerate(zip(*np.unravel_index(chosen, blocks.shape), strict=True)):
        part = score[row * BLOCK : (row + 1) * BLOCK, column * BLOCK : (column + 1) * BLOCK]
        inner_row, inner_column = divmod(int(part.argmax()), BLOCK)
        poses[k] = turn, column * BLOCK + inner_column, row * BLOCK + inner_row, part.max()
    return poses


def _apart(poses: Floats, most: int) -> Floats:
    """Walk down the sorted poses and drop those within a step or two of one kept."""
    kept: list[Floats] = []
    for pose in poses:
        near = False
        for other in kept:
            turned = abs((pose[0] - other[0] + math.pi) % (2.0 * math.pi) - math.pi)
            if turned < 2.5 * TURN and math.hypot(pose[1] - other[1], pose[2] - other[2]) < 2.5 * COARSE:
                near = True
                break
        if not near:
            kept.append(pose)
            if len(kept) == most:
                break
    return np.array([pose[:3] for pose in kept]).reshape(-1, 3)


def _coarse(known: NDArray[np.uint8], pose: Floats, pivot: Floats, shape: tuple[int, int]) -> NDArray[np.float32]:
    field = np.zeros(shape, dtype=np.float32)
    _splat(known, pose, pivot, field)
    return field


@kernel
def _splat(known: NDArray[np.uint8], pose: Floats, pivot: Floats, field: NDArray[np.float32]) -> None:
    """Add up walls (up to 1 for a wall across a coarse cell) and open ground (down to -`OPEN_WEIGHT`).

    Cost: one visit a cell.
    """
    c, s = math.cos(pose[0]) / COARSE, math.sin(pose[0]) / COARSE
    at_x, at_y = pose[1] / COARSE, pose[2] / COARSE
    for row in range(known.shape[0]):
        for column in range(known.shape[1]):
            if known[row, column] != 0:
                x, y = column + 0.5 - pivot[0], row + 0.5 - pivot[1]
                to_row, to_column = math.floor(s * x + c * y + at_y), math.floor(c * x - s * y + at_x)
                if known[row, column] == 2:
                    field[to_row, to_column] += 1.0 / COARSE
                else:
                    field[to_row, to_column] -= OPEN_WEIGHT / COARSE**2
