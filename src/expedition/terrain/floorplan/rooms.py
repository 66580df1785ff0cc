"""Rooms along the corridors of a wing: plain ones, suites with a room behind, closets, halls, and blind corridors.

Each side of a corridor is a row with axes of its own: u along the corridor, v from the corridor's wall outwards, the
same above and below. A row is divided into slots; a slot holds a room or a few.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from expedition.terrain.floorplan.polygons import Box, Corners, Frame
from expedition.terrain.floorplan.wings import Wing

# Metres.
ROOM_WIDTH = (2.6, 6.5)
CLOSET = (1.0, 2.0)  # sides of a closet
BESIDE_CLOSET, BEHIND_CLOSET = 1.6, 1.1  # what a room keeps of its sides
FRONT_OF_SUITE = (2.4, 3.2)
BACK_OF_SUITE = 2.0
HALL = (3.5, 6.0)  # length of a room across the end of a wing
BLIND_CORRIDOR = (1.0, 1.5)
LONG_ROW = 12.0  # only such rows have a blind corridor
JAMB = 0.3  # from a door to the corner of a room
NARROW_DOOR = (0.2, 0.4)  # of sealed rooms
THROUGH = 0.2  # how far a door reaches into what it joins, so that cells of the wall never close it
DOOR_SPACE = 1.0  # kept free before and behind a door

SUITE, BLIND, END_HALL, SIDE_DOOR, NO_DOOR = 0.3, 0.3, 0.35, 0.15, 0.5
"""Chances: a deep room is a suite, a long row has a blind corridor, a blind end has a hall, neighbours share a door, a
sealed room has no door at all."""


@dataclass(frozen=True)
class Doorway:
    """An opening across a wall, along u or along v; a narrow one stops robots."""

    box: Box
    along_u: bool
    narrow: bool = False

    @property
    def space(self) -> Box:
        """What has to stay clear of furniture."""
        if self.along_u:
            return replace(self.box, bottom=self.box.bottom - DOOR_SPACE, top=self.box.top + DOOR_SPACE).grown(0.15)
        return replace(self.box, left=self.box.left - DOOR_SPACE, right=self.box.right + DOOR_SPACE).grown(0.15)


@dataclass
class Room:
    """A rectangle in the frame of its row; a closet in its corner takes the box `closet`, walls included."""

    frame: Frame
    box: Box
    kind: Literal["plain", "front", "back", "closet", "hall"]
    doors: list[Doorway] = field(default_factory=list)
    closet: Box | None = None
    sealed: bool = False
    front: Room | None = None
    """The room through which this one is entered."""

    @property
    def area(self) -> float:
        return self.box.area - (self.closet.area if self.closet else 0.0)

    @property
    def middle(self) -> tuple[float, float]:
        return self.frame.point((self.box.left + self.box.right) / 2, (self.box.bottom + self.box.top) / 2)


@dataclass
class Floor:
    """All rooms, and what is free besides: corridors and openings to the outside."""

    rooms: list[Room] = field(default_factory=list)
    corridors: list[Corners] = field(default_factory=list)
    exits: list[Corners] = field(default_factory=list)


@dataclass(frozen=True)
class Rooms:
    """Divides wings into rooms."""

    doors: tuple[float, float]
    closets: float
    exits: bool
    rng: np.random.Generator

    @property
    def closet(self) -> tuple[float, float]:
        """Least and largest width of a closet: its door has to fit."""
        least = max(CLOSET[0], self.doors[0] + 0.4)
        return least, max(CLOSET[1], least)

    def divide(self, wing: Wing, floor: Floor) -> None:
        """Lay the corridor of a wing, the rooms beside it, and perhaps a hall at its end."""
        hall = self._hall(wing)
        end = wing.length - wing.outer
        if hall:
            floor.rooms.append(hall)
            end = hall.box.left - wing.wall
        half = wing.corridor / 2
        near = wing.outer if wing.near == "blind" else 0.0
        far = end if wing.far == "blind" else wing.length
        floor.corridors.append(wing.frame.corners(Box(near, -half, far, half)))
        if self.exits and wing.near == "blind":
            floor.exits.append(self._exit(wing, far=False))
        if self.exits and wing.far == "blind" and not hall:
            floor.exits.append(self._exit(wing, far=True))
        for side, v in enumerate((half + wing.wall, -half - wing.wall)):
            row = replace(wing.frame.moved(0.0, v), mirrored=side == 1)
            left = wing.outer
            for branch in sorted(wing.branches, key=lambda branch: branch.u):
                if branch.side == side:
                    beside = branch.width / 2 + wing.wall
                    self._stretch(row, left, branch.u - beside, wing, wing.depths[side], floor)
                    left = branch.u + beside
            self._stretch(row, left, end, wing, wing.depths[side], floor)

    def _hall(self, wing: Wing) -> Room | None:
        """A room across the end of a wing, with its door at the end of the corridor."""
        end = wing.length - wing.outer
        left = end - float(self.rng.uniform(*HALL))
        wanted = self.rng.random() < END_HALL
        in_the_way = any(branch.u + branch.width / 2 > left - ROOM_WIDTH[0] - 3 * wing.wall for branch in wing.branches)
        if wing.far != "blind" or not wanted or in_the_way or wing.corridor - JAMB < self.doors[0]:
            return None
        half = float(self.rng.uniform(self.doors[0], min(self.doors[1], wing.corridor - JAMB))) / 2
        door = Doorway(Box(left - wing.wall - THROUGH, -half, left + THROUGH, half), along_u=False)
        box = Box(left, wing.outer - wing.half(1), end, wing.half(0) - wing.outer)
        return Room(wing.frame, box, "hall", [door])

    def _exit(self, wing: Wing, far: bool) -> Corners:
        """A door to the outside at a blind end of the corridor."""
        half = min(float(self.rng.uniform(*self.doors)), max(self.doors[0], wing.corridor - JAMB)) / 2
        return wing.end(far).corners(Box(-wing.outer - THROUGH, -half, THROUGH, half))

    def _stretch(self, row: Frame, left: float, right: float, wing: Wing, depth: float, floor: Floor) -> None:
        """Rooms side by side from left to right, with a blind corridor between two of them in a long stretch."""
        wall = wing.wall
        if right - left > LONG_ROW and self.rng.random() < BLIND:
            width = float(self.rng.uniform(*BLIND_CORRIDOR))
            u = float(self.rng.uniform(left + ROOM_WIDTH[0] + wall, right - ROOM_WIDTH[0] - wall - width))
            floor.corridors.append(row.corners(Box(u, -wall - THROUGH, u + width, depth)))
            self._stretch(row, left, u - wall, wing, depth, floor)
            self._stretch(row, u + width + wall, right, wing, depth, floor)
            return
        neighbour: Room | None = None
        while right - left >= self.closet[0]:
            width = float(self.rng.uniform(*ROOM_WIDTH))
            if right - left - width < ROOM_WIDTH[0] + wall:
                width = right - left
            room = self._slot(row, Box(left, 0.0, left + width, depth), wall, floor)
            if neighbour and self.rng.random() < SIDE_DOOR:
                self._side_door(neighbour, room)
            neighbour = room if room.kind == "plain" and room.closet is None else None
            left += width + wall

    def _slot(self, row: Frame, box: Box, wall: float, floor: Floor) -> Room:
        """One slot with its rooms; returns the one at the corridor."""
        if box.width < ROOM_WIDTH[0] - 0.6:
            closet = Room(row, replace(box, top=min(box.top, float(self.rng.uniform(*self.closet)))), "closet")
            closet.doors.append(self._door(closet.box.left, closet.box.right, 0.0, wall))
            floor.rooms.append(closet)
            return closet
        room, left, right = Room(row, box, "plain"), box.left, box.right
        floor.rooms.append(room)
        front = float(self.rng.uniform(*FRONT_OF_SUITE))
        if box.depth - front - wall >= BACK_OF_SUITE and self.rng.random() < SUITE:
            room.kind, room.box = "front", replace(box, top=front)
            back = Room(row, replace(box, bottom=front + wall), "back", front=room)
            back.doors.append(self._door(box.left, box.right, front + wall, wall))
            room.doors.append(back.doors[0])
            floor.rooms.append(back)
        elif (
            box.width >= self.closet[0] + wall + BESIDE_CLOSET
            and box.depth >= CLOSET[0] + wall + BEHIND_CLOSET
            and self.rng.random() < self.closets
        ):
            left, right = self._closet(row, room, wall, floor)
        room.doors.insert(0, self._door(left, right, 0.0, wall))
        return room

    def _closet(self, row: Frame, room: Room, wall: float, floor: Floor) -> tuple[float, float]:
        """Cut a closet from a corner of a room, with a door of its own to the corridor; returns what front is left."""
        box = room.box
        width = float(self.rng.uniform(self.closet[0], min(self.closet[1], box.width - wall - BESIDE_CLOSET)))
        depth = float(self.rng.uniform(CLOSET[0], min(CLOSET[1], box.depth - wall - BEHIND_CLOSET)))
        at_left = self.rng.random() < 0.5
        left = box.left if at_left else box.right - width
        closet = Room(row, Box(left, 0.0, left + width, depth), "closet")
        closet.doors.append(self._door(left, left + width, 0.0, wall))
        floor.rooms.append(closet)
        if at_left:
            room.closet = Box(left, 0.0, left + width + wall, depth + wall)
            return room.closet.right, box.right
        room.closet = Box(left - wall, 0.0, box.right, depth + wall)
        return box.left, room.closet.left

    def _door(self, left: float, right: float, v: float, wall: float) -> Doorway:
        """A door through the wall below `v`, somewhere between two corners."""
        width = float(self.rng.uniform(*self.doors))
        width = min(width, max(self.doors[0], right - left - 2 * JAMB))
        jamb = max(0.0, min(JAMB, (right - left - width) / 2))
        u = float(self.rng.uniform(left + jamb, max(left + jamb, right - jamb - width)))
        return Doorway(Box(u, v - wall - THROUGH, u + width, v + THROUGH), along_u=True)

    def _side_door(self, left: Room, right: Room) -> None:
        """A door between neighbours, away from the corridor."""
        if right.kind != "plain" or right.closet is not None:
            return
        depth = min(left.box.depth, right.box.depth)
        width = float(self.rng.uniform(*self.doors))
        if depth < width + 2 * JAMB + DOOR_SPACE:
            return
        v = float(self.rng.uniform(DOOR_SPACE, depth - width - JAMB))
        door = Doorway(Box(left.box.right - THROUGH, v, right.box.left + THROUGH, v + width), along_u=False)
        left.doors.append(door)
        right.doors.append(door)


def seal(rooms: list[Room], share: float, rng: np.random.Generator) -> None:
    """Close rooms to robots, at most `share` of the rooms' area; what lies behind a room is closed with it."""
    left = share * sum(room.area for room in rooms)
    users: dict[int, list[Room]] = {}
    for room in rooms:
        for door in room.doors:
            users.setdefault(id(door), []).append(room)
    for room in (rooms[index] for index in rng.permutation(len(rooms)).tolist()):
        beside = [other for door in room.doors for other in users[id(door)] if other is not room]
        group = [room, *(other for other in beside if other.front is room)]
        joined = len(beside) >= len(group)
        area = sum(one.area for one in group)
        if room.front or room.kind == "hall" or joined or area > left:
            continue
        left -= area
        door, width = room.doors[0], float(rng.uniform(*NARROW_DOOR))
        none = rng.random() < NO_DOOR
        middle = (door.box.left + door.box.right) / 2
        for one in group:
            one.sealed = True
        slit = replace(door.box, left=middle - width / 2, right=middle + width / 2)
        room.doors[0:1] = [] if none else [Doorway(slit, along_u=True, narrow=True)]
