"""How wings are laid out: joined at their ends or sides, and turned against each other.

A wing is drafted without its place: how long it is against the others, where on which earlier wing it begins, and how
it is turned. All lengths share one scale, and the largest scale at which the wings keep apart and fit into the terrain
is taken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from expedition.terrain.floorplan.polygons import Box, Corners, Frame, hull
from expedition.terrain.floorplan.wings import STEP, Branch, Building, Joint, Wing

# Metres.
ROOM_DEPTH = (3.0, 5.5)
SHALLOW = (2.5, 2.5)  # depths of rooms where there is no space for others
INNER_WALL = (0.1, 0.2)
OUTER_WALL = (0.2, 0.3)
SHORTEST = 8.0  # length of a wing
CLEAR_OF_ENDS = 3.2  # from the end of a wing to another one at its side, so that there is a room between

LEAST_TURN = math.radians(10)
MOST_TURN_AT_SIDE = math.radians(35)
TURNED = 0.8  # chance that the building is not aligned to the grid, nor a wing at the side of another one to that
LOBBY_DEPTH = 1.8  # of a lobby, on average
LOBBY = 0.7  # chance that the corner between two wings is a lobby instead of a bend
ATTEMPTS = 16  # buildings of which the largest is taken
SHRINK = 0.88  # of the scale, from one try to the next

Place = Literal["near", "far", "side"]


@dataclass(frozen=True)
class Draft:
    """A wing before it has a place. `parent` is the number of an earlier wing, -1 for the first."""

    share: float
    corridor: float
    depths: tuple[float, float]
    wall: float
    outer: float
    parent: int
    place: Place
    side: int
    along: float
    turn: float
    lobby: bool


def lay_out(
    count: int,
    size: tuple[float, float],
    margin: float,
    corridors: tuple[float, float],
    max_turn: float,
    thinnest: float,
    way_out: bool,
    rng: np.random.Generator,
) -> Building | None:
    """The building that covers most of the terrain, out of some with at most `count` wings; None if none fits.

    `way_out` asks for a corridor that can reach the edge of the terrain.
    """
    # Drawn once: of many buildings, those along the axes would cover most.
    slant = rng.random() < TURNED
    room = (size[0] - 2 * margin, size[1] - 2 * margin)
    for wings in range(count, 0, -1):
        best, most = None, 0.0
        for _ in range(ATTEMPTS):
            drafts = _drafts(wings, corridors, max_turn, thinnest, rng)
            angle = float(rng.integers(4)) * math.pi / 2 + slant * _turn(max_turn, rng)
            within = rng.random(2)
            found = _largest(drafts, angle, room, way_out)
            if found is None:
                continue
            scale, low, spare = found
            x, y = (margin + spare * within - low).tolist()
            built = _build(drafts, scale, Frame(x, y, angle))
            covered = sum(wing.length * (wing.half(0) + wing.half(1)) for wing in built.wings) if built else 0.0
            if covered > most:
                best, most = built, covered
        if best is not None:
            return best
    walls = max(INNER_WALL[0], thinnest), max(OUTER_WALL[0], thinnest)
    smallest = Draft(1.0, corridors[0], SHALLOW, *walls, -1, "far", 0, 0.0, 0.0, False)
    for angle in (0.0, math.pi / 2):
        found = _largest([smallest], angle, room, way_out)
        if found is not None:
            scale, low, spare = found
            x, y = (margin + spare / 2 - low).tolist()
            return _build([smallest], scale, Frame(x, y, angle))
    return None


def _turn(most: float, rng: np.random.Generator) -> float:
    """A turn to either side, so large that one sees it if that is allowed."""
    return float(rng.choice([-1, 1]) * rng.uniform(min(LEAST_TURN, most), most))


def _drafts(
    count: int, corridors: tuple[float, float], max_turn: float, thinnest: float, rng: np.random.Generator
) -> list[Draft]:
    drafts: list[Draft] = []
    ends: list[tuple[int, Place]] = []
    for number in range(count):
        parent = -1
        place: Place = "side"
        # Wings that are turned by nothing would only continue each other at their ends.
        if number > 0 and max_turn > 0 and ends and rng.random() < 0.6:
            parent, place = ends.pop(int(rng.integers(len(ends))))
        elif number > 0:
            parent = int(rng.integers(number))
        most = min(max_turn, MOST_TURN_AT_SIDE) if place == "side" else max_turn
        turn = _turn(most, rng)
        drafts.append(
            Draft(
                share=float(rng.uniform(0.45, 1.0)),
                corridor=float(rng.uniform(*corridors)),
                depths=(float(rng.uniform(*ROOM_DEPTH)), float(rng.uniform(*ROOM_DEPTH))),
                wall=max(float(rng.uniform(*INNER_WALL)), thinnest),
                outer=max(float(rng.uniform(*OUTER_WALL)), thinnest),
                parent=parent,
                place=place,
                side=int(rng.integers(2)),
                along=float(rng.random()),
                turn=turn if place != "side" or rng.random() < TURNED else 0.0,
                lobby=bool(rng.random() < LOBBY),
            )
        )
        ends += [(number, "far")] if number else [(number, "near"), (number, "far")]
    return drafts


def _largest(
    drafts: list[Draft], angle: float, room: tuple[float, float], way_out: bool
) -> tuple[float, Corners, Corners] | None:
    """The largest scale at which the building fits into the room; its lower left corner and the space left over."""
    scale = math.hypot(*room)
    while True:
        built = _build(drafts, scale, Frame(0.0, 0.0, angle))
        if built is not None:
            corners = built.corners()
            low, high = corners.min(axis=0), corners.max(axis=0)
            spare = np.array(room) - (high - low)
            fits = bool((spare >= 0).all()) and built.keeps_apart()
            if fits and (not way_out or next(built.ways_out(2 * math.hypot(*room)), None)):
                return scale, low, spare
        if scale <= SHORTEST:
            return None
        scale *= SHRINK


def _build(drafts: list[Draft], scale: float, origin: Frame) -> Building | None:
    """Give the wings their places, one after the other; None if one has none."""
    built = Building([])
    for draft in drafts:
        length = max(SHORTEST, draft.share * scale)
        wing = Wing(origin, length, draft.corridor, draft.depths, draft.wall, draft.outer)
        if draft.parent >= 0:
            parent = built.wings[draft.parent]
            joined = _at_side(parent, wing, draft) if draft.place == "side" else _at_end(parent, wing, draft)
            if joined is None:
                return None
            built.joints.append(joined)
            wing.near = "joined"
        built.wings.append(wing)
    return built


def _at_end(parent: Wing, wing: Wing, draft: Draft) -> Joint:
    """Begin a wing at the end of its parent, around a bend; the corners of both just clear each other."""
    far = draft.place == "far"
    if far:
        parent.far = "joined"
    else:
        parent.near = "joined"
    end = parent.end(far)
    widest = max(parent.half(0), parent.half(1), wing.half(0), wing.half(1))
    arm = widest * math.tan(abs(draft.turn) / 2) + STEP
    bend = end.moved(arm, 0.0, draft.turn)
    wing.frame = bend.moved(arm, 0.0)
    corner = max(parent.corridor, wing.corridor) / 2 * math.tan(abs(draft.turn) / 2)
    passages = (
        end.corners(Box(-parent.outer, -parent.corridor / 2, arm + corner, parent.corridor / 2)),
        bend.corners(Box(-corner, -wing.corridor / 2, arm + wing.outer, wing.corridor / 2)),
    )
    return _joint(passages, np.concatenate([parent.face(far), wing.face(False)]), draft)


def _at_side(parent: Wing, wing: Wing, draft: Draft) -> Joint | None:
    """Begin a wing at a side of its parent: its corridor passes between the rooms there and bends outside of them."""
    clear = parent.outer + CLEAR_OF_ENDS + wing.corridor / 2
    if parent.length < 2 * clear:
        return None
    u = clear + draft.along * (parent.length - 2 * clear)
    if any(draft.side == other.side and abs(u - other.u) < 2 * clear for other in parent.branches):
        return None
    parent.branches.append(Branch(draft.side, u, wing.corridor))
    up = 1 if draft.side == 0 else -1
    bend = parent.frame.moved(u, up * parent.half(draft.side), up * math.pi / 2)
    turned = bend.moved(0.0, 0.0, draft.turn)
    widest = max(wing.half(0), wing.half(1))
    arm = widest * math.tan(abs(draft.turn)) + STEP / math.cos(draft.turn)
    wing.frame = turned.moved(arm, 0.0)
    corner = wing.corridor / 2 * math.tan(abs(draft.turn) / 2)
    half = wing.corridor / 2
    row = parent.half(draft.side) - parent.corridor / 2
    passages = (
        bend.corners(Box(-row - parent.wall, -half, corner, half)),
        turned.corners(Box(-corner, -half, arm + wing.outer, half)),
    )
    reach = min(widest, u - parent.outer, parent.length - u - parent.outer) - wing.outer
    at_parent = np.array([bend.point(0.0, -reach), bend.point(0.0, reach)])
    return _joint(passages, np.concatenate([at_parent, wing.face(False)]), draft)


def _joint(passages: tuple[Corners, Corners], faces: Corners, draft: Draft) -> Joint:
    """The corner between two faces is a lobby only where it is more than a slit."""
    corner = hull(faces)
    following = np.roll(corner, -1, axis=0)
    area = float(corner[:, 0] @ following[:, 1] - corner[:, 1] @ following[:, 0]) / 2
    longest = float(np.hypot(*(following - corner).T).max())
    return Joint(passages, corner, draft.lobby and area >= LOBBY_DEPTH * longest)
