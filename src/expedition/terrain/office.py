"""Office floors: corridors with single offices, meeting rooms and open-plan areas along them.

Rows of rooms lie on both sides of parallel corridors, which cross corridors join. Every room has a door to its
corridor. Outer walls are brick, inner ones plaster, meeting rooms have a glass front, and open-plan areas are open to
the corridor and filled with desks that a flying robot passes over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.errors import ExpeditionError
from expedition.streams import generator
from expedition.terrain.lengths import Resolution, Seed, Size, WallHeight, cells, check_size
from expedition.terrain.library import terrain
from expedition.terrain.material import material_index
from expedition.terrain.rooms import Room
from expedition.terrain.terrain import RESOLUTION, Terrain

# Metres. Widths of rooms along the corridor; offices have theirs as parameters.
MEETING_ROOM = (5.0, 8.0)
OPEN_PLAN = (10.0, 18.0)
CORNER = 0.4  # from a room's corner to its door
DESKS = (3.2, 1.6, 0.75)  # length, depth and height of a block of desks
AISLE = 1.4  # around each block
TABLE = (2.4, 1.2)  # in a meeting room; as high as desks


@terrain("office")
def office(
    *,
    seed: Seed = 1,
    size: Size = (60.0, 40.0),
    resolution: Resolution = RESOLUTION,
    corridor_width: Annotated[float, Field(ge=0.5, le=20, description="width of the corridors, m")] = 2.0,
    cross_corridor_every: Annotated[
        float, Field(ge=5, le=1000, description="between cross corridors, about, m")
    ] = 25.0,
    office_depth: Annotated[float, Field(ge=1, le=50, description="least depth of the rooms, m")] = 5.0,
    min_office_width: Annotated[float, Field(ge=1, le=50, description="narrowest office, m")] = 3.0,
    max_office_width: Annotated[float, Field(ge=1, le=50, description="widest office, m")] = 6.0,
    open_plan: Annotated[float, Field(ge=0, le=1, description="share of rooms that are open-plan areas")] = 0.2,
    meeting_rooms: Annotated[float, Field(ge=0, le=1, description="share of rooms that are meeting rooms")] = 0.15,
    door_width: Annotated[float, Field(ge=0.3, le=5, description="width of the doors, m")] = 1.0,
    wall_thickness: Annotated[float, Field(gt=0, le=2, description="thickness of the inner walls, m")] = 0.2,
    outer_wall_thickness: Annotated[float, Field(gt=0, le=2, description="thickness of the outer walls, m")] = 0.4,
    desks: Annotated[bool, Field(description="whether there are desks and meeting tables")] = True,
    wall_height: WallHeight = 2.6,
) -> Terrain:
    """An office floor: corridors, offices, meeting rooms and open-plan areas."""
    width, height = check_size("office", size, resolution)
    if min_office_width > max_office_width:
        raise ExpeditionError(
            f"office: min_office_width {min_office_width:g} m is above max_office_width {max_office_width:g} m"
        )
    if open_plan + meeting_rooms > 1:
        raise ExpeditionError(
            f"office: open_plan {open_plan:g} and meeting_rooms {meeting_rooms:g} are more than all rooms together"
        )
    if door_width + 2 * CORNER > min_office_width:
        raise ExpeditionError(
            f"office: door_width {door_width:g} m does not fit into the front of an office of {min_office_width:g} m; "
            f"at most {min_office_width - 2 * CORNER:g}"
        )
    floor = _Floor(
        np.ones((cells(height, resolution), cells(width, resolution)), dtype=bool),
        resolution,
        cells(wall_thickness, resolution),
        cells(outer_wall_thickness, resolution),
    )
    rng = generator(seed, "terrain/office")
    corridor = cells(corridor_width, resolution)
    rows = floor.rows_of_rooms(corridor, cells(office_depth, resolution))
    blocks = floor.blocks(corridor, cells(min_office_width, resolution), cross_corridor_every, len(rows) > 2, rng)
    if not rows or not blocks:
        raise ExpeditionError(
            f"office: size {width:g} x {height:g} m is too small for rooms of {office_depth:g} m depth and "
            f"{min_office_width:g} m width on both sides of a corridor of {corridor_width:g} m"
        )
    for bottom, top, front_above in rows:
        for left, right in blocks:
            for kind, room in _rooms(
                Room(left, bottom, right, top),
                floor,
                (min_office_width, max_office_width),
                open_plan,
                meeting_rooms,
                rng,
            ):
                floor.furnish(kind, room, front_above, cells(door_width, resolution), desks, rng)
    return floor.terrain(wall_height)


@dataclass
class _Floor:
    """The floor under construction, in cells: where there is no room yet, there is wall."""

    occupied: NDArray[np.bool_]
    resolution: float
    wall: int
    outer: int

    def __post_init__(self) -> None:
        self.material = np.full(self.occupied.shape, material_index("brick"), dtype=np.uint8)
        self.material[self.outer : -self.outer, self.outer : -self.outer] = material_index("plaster")
        self.low = np.zeros_like(self.occupied)

    def rows_of_rooms(self, corridor: int, depth: int) -> list[tuple[int, int, bool]]:
        """Bottom, top and whether the corridor is above, for each row of rooms; lays the corridors between them."""
        inner = len(self.occupied) - 2 * self.outer
        corridors = (inner + self.wall) // (2 * depth + corridor + 3 * self.wall)
        rows = []
        for index in range(corridors):
            # Two rows, a corridor and the walls between them; what cannot be shared out evenly goes to the first.
            bottom = self.outer + index * (inner + self.wall) // corridors
            top = self.outer + (index + 1) * (inner + self.wall) // corridors - self.wall
            middle = (bottom + top - corridor) // 2
            self.occupied[middle : middle + corridor, self.outer : -self.outer] = False
            rows += [(bottom, middle - self.wall, True), (middle + corridor + self.wall, top, False)]
        return rows

    def blocks(
        self, corridor: int, narrowest: int, every: float, needed: bool, rng: np.random.Generator
    ) -> list[tuple[int, int]]:
        """Left and right of each stretch of rooms between cross corridors; lays the cross corridors."""
        inner = self.occupied.shape[1] - 2 * self.outer
        most = (inner - narrowest) // (narrowest + corridor + 2 * self.wall)
        count = min(max(round(inner * self.resolution / every), int(needed)), most)
        if inner < narrowest or count < int(needed):
            return []
        spare = inner - (count + 1) * narrowest - count * (corridor + 2 * self.wall)
        # Stretches of about one length, off by up to a third.
        shares = 1 + rng.uniform(-1 / 3, 1 / 3, count + 1)
        ends = np.floor(spare * np.cumsum(shares) / shares.sum()).astype(int)
        blocks, left = [], self.outer
        for index, end in enumerate(ends.tolist()):
            right = self.outer + end + (index + 1) * narrowest + index * (corridor + 2 * self.wall)
            blocks.append((left, right if index < count else self.outer + inner))
            if index < count:
                start = right + self.wall
                self.occupied[self.outer : -self.outer, start : start + corridor] = False
                left = start + corridor + self.wall
        return blocks

    def furnish(
        self, kind: str, room: Room, front_above: bool, door: int, desks: bool, rng: np.random.Generator
    ) -> None:
        """Hollow out a room and open it to the corridor at its front."""
        self.occupied[room.tiles] = False
        front = slice(room.top, room.top + self.wall) if front_above else slice(room.bottom - self.wall, room.bottom)
        corner = min(cells(CORNER, self.resolution), (room.width - door) // 2)
        if kind == "open plan":
            self.occupied[front, room.left + corner : room.right - corner] = False
            if desks:
                self._place_desks(room)
            return
        if kind == "meeting room":
            self.material[front, room.left : room.right] = material_index("glass")
            if desks:
                self._place_table(room)
        start = room.left + corner + int(rng.integers(room.width - door - 2 * corner + 1))
        self.occupied[front, start : start + door] = False

    def _place_desks(self, room: Room) -> None:
        length, depth, aisle = (cells(metres, self.resolution) for metres in (*DESKS[:2], AISLE))
        across, deep = (room.width - aisle) // (length + aisle), (room.height - aisle) // (depth + aisle)
        for i in range(across):
            left = room.left + aisle + i * (room.width - aisle) // across
            for j in range(deep):
                bottom = room.bottom + aisle + j * (room.height - aisle) // deep
                self._furniture(Room(left, bottom, left + length, bottom + depth))

    def _place_table(self, room: Room) -> None:
        length, depth, aisle = (cells(metres, self.resolution) for metres in (*TABLE, AISLE))
        left, bottom = (room.left + room.right - length) // 2, (room.bottom + room.top - depth) // 2
        if min(left - room.left, bottom - room.bottom) >= aisle - 1:
            self._furniture(Room(left, bottom, left + length, bottom + depth))

    def _furniture(self, place: Room) -> None:
        self.occupied[place.tiles] = self.low[place.tiles] = True
        self.material[place.tiles] = material_index("wood")

    def terrain(self, wall_height: float) -> Terrain:
        height_cm = np.where(self.low, round(100 * DESKS[2]), round(100 * wall_height)) * self.occupied
        return Terrain("office", height_cm.astype(np.uint16), self.resolution, material=self.material)


def _rooms(
    stretch: Room,
    floor: _Floor,
    office_width: tuple[float, float],
    open_plan: float,
    meeting_rooms: float,
    rng: np.random.Generator,
) -> list[tuple[str, Room]]:
    """Divide a stretch along a corridor into rooms of random kinds; the last one takes what is left."""
    rooms, left = [], stretch.left
    narrowest = cells(office_width[0], floor.resolution)
    while left < stretch.right:
        draw = float(rng.random())
        kind = "open plan" if draw < open_plan else "meeting room" if draw < open_plan + meeting_rooms else "office"
        width = cells(
            float(rng.uniform(*{"open plan": OPEN_PLAN, "meeting room": MEETING_ROOM, "office": office_width}[kind])),
            floor.resolution,
        )
        right = left + max(width, narrowest)
        if stretch.right - right < floor.wall + narrowest:
            right = stretch.right
        rooms.append((kind, Room(left, stretch.bottom, right, stretch.top)))
        left = right + floor.wall
    return rooms
