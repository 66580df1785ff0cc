"""Where a teammate's map lies in mine, when nobody knows how the two started: found from what both maps show.

All rotations and translations are tried coarsely, the promising ones are moved uphill on the evidence, and the best is
accepted by the share of walls on which both maps agree, the acceptance index of Birk and Carpin (Merging Occupancy Grid
Maps From Multiple Mobile Robots, Proceedings of the IEEE 94(7), 2006) taken over the walls: open ground agrees with
open ground nearly everywhere. A wrong alignment ruins a mission and a refusal only delays it, so every distinct rival
must be clearly worse: corridors that could be slid along each other, or a symmetric place, are refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.belief.hypotheses import COARSE, TURN, hypotheses
from expedition.belief.overlay import Fit, Floats, Sheet, climb, lay_over, sheet
from expedition.belief.transform import Transform
from expedition.errors import ExpeditionError

TRIED, REFINED = 160, 40
"""Hypotheses that are moved uphill on a quarter of the walls, and of those the ones judged on all of them."""
APART_TURN, APART_CELLS = math.radians(4.0), 4.0
"""From here on two hypotheses are distinct."""
SMALLEST_PIECE = 12
"""Cells of the smallest piece of wall that counts: a robot's, seen from all sides, has fewer."""
REVIEW_STEPS = np.array([math.radians(0.5), 1.0, 1.0])
"""How an alignment found before is moved at first: turn, and cells."""


@dataclass(frozen=True)
class Certainty:
    """What an alignment must show to be believed."""

    min_overlap: float = 30.0
    """Square metres of open ground that both maps know."""
    min_walls: float = 25.0
    """Metres of wall that both maps show, times the margin: a few walls do where nothing else is like them."""
    min_agreement: float = 0.985
    """Share of the walls in the overlap on which both maps agree."""
    min_margin: float = 0.55
    """How far every distinct rival must stay behind, from 0 (as good) to 1 (nothing fits)."""


@dataclass(frozen=True)
class Alignment(Transform):
    """Where their frame lies in mine, and how certain that is."""

    overlap: float
    """Square metres of open ground that both maps know."""
    walls: float
    """Metres of wall on which both agree."""
    agreement: float
    """The share of the walls in the overlap on which they do."""
    margin: float
    """How far every distinct rival stays behind, from 0 to 1."""


def align(
    mine: NDArray[np.uint8], theirs: NDArray[np.uint8], frame: Frame, certainty: Certainty | None = None
) -> Alignment | None:
    """The alignment of two state grids, each robot's in a frame of its own of the same origin and size; or None.

    Cost: follows the known area, about 0.2 s for two maps of 80 x 80 m.
    """
    for name, state in (("mine", mine), ("theirs", theirs)):
        if state.shape != frame.shape:
            raise ExpeditionError(f"map {name}: must have the frame's shape {frame.shape}, found {state.shape}")
    asked = certainty or Certainty()
    if not (_may_do(mine, frame.resolution, asked) and _may_do(theirs, frame.resolution, asked)):
        return None
    (my_sheet, my_corner), (their_sheet, their_corner) = _known_part(mine), _known_part(theirs)
    pivot = 0.5 * np.array(their_sheet.state.shape[::-1], dtype=np.float64)
    poses = _uphill(my_sheet, their_sheet, pivot)
    best = poses[0]
    fit = lay_over(my_sheet, their_sheet, best, pivot)
    overlap, walls = fit.open * frame.resolution**2, fit.walls * frame.resolution
    agreement = _agreement(fit)
    if overlap < asked.min_overlap or agreement < asked.min_agreement:
        return None
    rivals = [pose for pose in poses[1:] if _distinct(pose, best)] + _aside(best)
    margin = 1.0 - max(_likeness(lay_over(my_sheet, their_sheet, pose, pivot), fit) for pose in rivals)
    if margin < asked.min_margin or walls * margin < asked.min_walls:
        return None
    return Alignment(*_transform(best, pivot + their_corner, my_corner, frame), overlap, walls, agreement, margin)


def review(mine: NDArray[np.uint8], theirs: NDArray[np.uint8], frame: Frame, before: Transform) -> Alignment | None:
    """An alignment found before, moved uphill on what both maps show by now; None if they have no walls in common.

    Rivals are not looked for, so that the margin is 0. Cost: some passes over the known area, about 20 ms.
    """
    if not (np.any(mine == OCCUPIED) and np.any(theirs == OCCUPIED)):
        return None
    (my_sheet, my_corner), (their_sheet, their_corner) = _known_part(mine), _known_part(theirs)
    pivot = 0.5 * np.array(their_sheet.state.shape[::-1], dtype=np.float64)
    middle = (pivot + their_corner) * frame.resolution + frame.origin
    at = (np.array(before.point(middle[0], middle[1])) - frame.origin) / frame.resolution - my_corner
    pose = np.array([before.rotation, at[0], at[1]])
    climb(my_sheet, their_sheet, pose, pivot, REVIEW_STEPS, 0.03, 1)
    fit = lay_over(my_sheet, their_sheet, pose, pivot)
    overlap, walls = fit.open * frame.resolution**2, fit.walls * frame.resolution
    found = _transform(pose, pivot + their_corner, my_corner, frame)
    return Alignment(*found, overlap, walls, _agreement(fit), 0.0) if fit.walls + fit.against > 0.0 else None


def _may_do(state: NDArray[np.uint8], resolution: float, asked: Certainty) -> bool:
    """Whether a map knows enough for any alignment at all: most calls early in a mission end here."""
    walls, free = np.count_nonzero(state == OCCUPIED), np.count_nonzero(state == FREE)
    enough = walls * resolution >= asked.min_walls and free * resolution**2 >= asked.min_overlap
    return bool(enough and walls > 0 and free > 0)


def _known_part(state: NDArray[np.uint8]) -> tuple[Sheet, Floats]:
    """The sheet of the part of a map that is known, and the column and row where it begins.

    Walls of a few cells that stand alone are left out, for many are teammates that passed by.
    """
    rows = np.flatnonzero((state != UNKNOWN).any(axis=1))
    columns = np.flatnonzero((state != UNKNOWN).any(axis=0))
    part = state[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    pieces, _ = label(part == OCCUPIED, structure=np.ones((3, 3)))
    small = np.bincount(pieces.ravel()) < SMALLEST_PIECE
    small[0] = False
    return sheet(np.where(small[pieces], np.uint8(UNKNOWN), part)), np.array([columns[0], rows[0]], dtype=np.float64)


def _uphill(mine: Sheet, theirs: Sheet, pivot: Floats) -> list[Floats]:
    """Poses at local heights of the evidence, the best first."""
    steps = np.array([0.5 * TURN, 0.5 * COARSE, 0.5 * COARSE])
    poses = list(hypotheses(mine, theirs, pivot, TRIED))
    heights = [climb(mine, theirs, pose, pivot, steps, 0.2, 4) for pose in poses]
    order = np.argsort(-np.array(heights), kind="stable")
    kept: list[Floats] = []
    for k in order:
        if len(kept) < REFINED and all(_distinct(poses[k], other) for other in kept):
            kept.append(poses[k])
    heights = [climb(mine, theirs, pose, pivot, 0.25 * steps, 0.06, 2) for pose in kept]
    ranked = [kept[k] for k in np.argsort(-np.array(heights), kind="stable")]
    climb(mine, theirs, ranked[0], pivot, 0.1 * steps, 0.1, 1)
    return ranked


def _agreement(fit: Fit) -> float:
    known = fit.walls + fit.against
    return fit.walls / known if known > 0.0 else 0.0


def _likeness(rival: Fit, best: Fit) -> float:
    """How near a rival comes to the best: agreement cubed times the square root of its share of the best's walls.

    The root lets rivals with a smaller overlap count: where a place repeats itself, the hypothesis with the largest
    overlap wins by its size, not by being right, and what tells is that a smaller one agrees as well.
    """
    return _agreement(rival) ** 3 * math.sqrt(min(rival.walls / best.walls, 1.0))


def _distinct(pose: Floats, other: Floats) -> bool:
    turned = abs(math.remainder(pose[0] - other[0], 2.0 * math.pi))
    return turned > APART_TURN or math.hypot(pose[1] - other[1], pose[2] - other[2]) > APART_CELLS


def _aside(best: Floats) -> list[Floats]:
    """The best pose moved just so far as to be distinct, in every direction: corridors fit wherever they are slid."""
    around = np.arange(16) * math.pi / 8.0
    return [best + np.array([0.0, APART_CELLS * math.cos(angle), APART_CELLS * math.sin(angle)]) for angle in around]


def _transform(best: Floats, pivot: Floats, corner: Floats, frame: Frame) -> tuple[float, float, float]:
    """Rotation, and where their origin lies in my frame: from where their pivot (in cells of their map) lies in my
    part's cells."""
    c, s = math.cos(best[0]), math.sin(best[0])
    from_x, from_y = (frame.origin[axis] + frame.resolution * pivot[axis] for axis in (0, 1))
    to_x, to_y = (frame.origin[axis] + frame.resolution * (best[1 + axis] + corner[axis]) for axis in (0, 1))
    rotation = float(math.remainder(best[0], 2.0 * math.pi))
    return rotation, float(to_x - (c * from_x - s * from_y)), float(to_y - (s * from_x + c * from_y))
