"""Buildings of halls and rooms, after the generator of MAES (Andreasen et al. 2022).

Halls split the largest region along alternating axes until they take their share of the area. What lies between
them is split into rooms again and again. Each room at a hall gets a door to it; then doors are added until all is
reachable.
"""

from __future__ import annotations

import heapq
from typing import Annotated

import numpy as np
from pydantic import Field

from expedition.errors import ExpeditionError
from expedition.streams import generator
from expedition.terrain.lengths import Resolution, Seed, Size, Tile, WallHeight, check_size, whole
from expedition.terrain.library import terrain
from expedition.terrain.material import MaterialName
from expedition.terrain.rooms import Groups, Room, SharedWall, shared_walls
from expedition.terrain.terrain import RESOLUTION, WALL_HEIGHT, Terrain

MAX_TILES = 4_000_000


@terrain("building")
def building(
    *,
    seed: Seed = 1,
    size: Size = 50.0,
    resolution: Resolution = RESOLUTION,
    tile: Tile = 1.0,
    hall_width: Annotated[float, Field(gt=0, le=50, description="width of the halls, m")] = 4.0,
    max_hall_share: Annotated[float, Field(ge=0, le=1, description="share of the area that halls take at most")] = 0.2,
    min_room_side: Annotated[float, Field(gt=0, le=200, description="shortest side of a room, m")] = 6.0,
    split_chance: Annotated[float, Field(ge=0, le=1, description="chance that a room that can be split is")] = 0.85,
    door_width: Annotated[float, Field(gt=0, le=20, description="width of a door, m")] = 2.0,
    door_padding: Annotated[float, Field(ge=0, le=20, description="door to corner, where the wall allows, m")] = 2.0,
    extra_doors: Annotated[float, Field(ge=0, le=1, description="chance of a door in a wall that needs none")] = 0.1,
    wall_thickness: Annotated[float, Field(gt=0, le=10, description="thickness of the walls, m")] = 1.0,
    wall_height: WallHeight = WALL_HEIGHT,
    material: Annotated[MaterialName, Field(description="what the walls are made of")] = "concrete",
) -> Terrain:
    """A building of halls and rooms with doors (MAES)."""
    width, height = check_size("building", size, resolution)
    check_size("building", size, tile, MAX_TILES)
    cells_per_tile = whole("building", "tile", tile, resolution, "cells")
    columns, rows, hall, side, door, padding, wall = (
        whole("building", name, length, tile, "tiles")
        for name, length in (
            ("width", width),
            ("height", height),
            ("hall_width", hall_width),
            ("min_room_side", min_room_side),
            ("door_width", door_width),
            ("door_padding", door_padding),
            ("wall_thickness", wall_thickness),
        )
    )
    if min(rows, columns) - 2 * wall < side:
        raise ExpeditionError(
            f"building: size {width:g} x {height:g} m is too small for a room of min_room_side {min_room_side:g} m "
            f"between walls of {wall_thickness:g} m"
        )
    if max_hall_share > 0 and min(rows, columns) - 2 * wall < hall:
        raise ExpeditionError(
            f"building: a hall of hall_width {hall_width:g} m does not fit into {width:g} x {height:g} m"
        )
    if door > side:
        raise ExpeditionError(
            f"building: door_width {door_width:g} m is wider than a room of min_room_side {min_room_side:g} m"
        )
    rng = generator(seed, "terrain/building")
    whole_floor = Room(wall, wall, columns - wall, rows - wall)
    halls, regions = _lay_halls(whole_floor, hall, side, wall, max_hall_share, rng)
    rooms = [room for region in regions for room in _split(region, side, wall, split_chance, rng)]
    numbers = np.zeros((rows, columns), dtype=np.int32)
    for number, space in enumerate([*halls, *rooms], start=1):
        numbers[space.tiles] = number
    free = numbers > 0
    for opening in _openings(shared_walls(numbers, wall), len(halls), len(rooms), door, padding, extra_doors, rng):
        free[opening] = True
    occupied = ~free.repeat(cells_per_tile, axis=0).repeat(cells_per_tile, axis=1)
    return Terrain.from_occupied("building", occupied, resolution, wall_height=wall_height, material=material)


def _lay_halls(
    floor: Room, hall: int, side: int, wall: int, share: float, rng: np.random.Generator
) -> tuple[list[Room], list[Room]]:
    """Halls, and the regions between them.

    A region is cut across the hall that made it, so each hall ends at an earlier one.
    """
    halls: list[Room] = []
    budget = share * floor.area
    regions: list[Room] = []
    upright_first = floor.width > floor.height or (floor.width == floor.height and rng.random() < 0.5)
    waiting = [(-floor.area, 0, floor, upright_first)]
    made = 1
    while waiting:
        _, _, region, upright = heapq.heappop(waiting)
        length, across = (region.height, region.width) if upright else (region.width, region.height)
        choices = across - hall - 2 * wall - 2 * side + 1
        if choices < 1 or hall * length > budget:
            regions.append(region)
            continue
        budget -= hall * length
        near = side + wall + int(rng.integers(choices))
        before, laid, after = _cut(region, upright, near, hall, wall)
        halls.append(laid)
        for part in (before, after):
            heapq.heappush(waiting, (-part.area, made, part, not upright))
            made += 1
    return halls, regions


def _cut(region: Room, upright: bool, near: int, width: int, wall: int) -> tuple[Room, Room, Room]:
    """A region as the part before a strip that starts `near` tiles in, the strip, and the part after it."""
    left, bottom, right, top = region.left, region.bottom, region.right, region.top
    if upright:
        start, end = left + near, left + near + width
        return (
            Room(left, bottom, start - wall, top),
            Room(start, bottom, end, top),
            Room(end + wall, bottom, right, top),
        )
    start, end = bottom + near, bottom + near + width
    return Room(left, bottom, right, start - wall), Room(left, start, right, end), Room(left, end + wall, right, top)


def _split(region: Room, side: int, wall: int, chance: float, rng: np.random.Generator) -> list[Room]:
    """Rooms by repeated halving at random places, across the longer side more often."""
    rooms, waiting = [], [region]
    while waiting:
        room = waiting.pop()
        options = [room.width - wall - 2 * side + 1, room.height - wall - 2 * side + 1]
        possible = [index for index in (0, 1) if options[index] > 0]
        if not possible or rng.random() >= chance:
            rooms.append(room)
            continue
        upright = possible[0] == 0
        if len(possible) == 2:
            upright = rng.random() < room.width / (room.width + room.height)
        near = side + wall + int(rng.integers(options[0 if upright else 1]))
        before, _, after = _cut(room, upright, near, -wall, wall)
        waiting += [after, before]
    return rooms


def _openings(
    walls: list[SharedWall],
    halls: int,
    rooms: int,
    door: int,
    padding: int,
    extra: float,
    rng: np.random.Generator,
) -> list[tuple[slice, slice]]:
    """Doors and open hall ends that make one connected floor. Halls have the numbers 1 to `halls`.

    There is always a place for them: where a cut ends, the rooms on both sides of it share a wall of at least the
    shortest room side.
    """
    groups = Groups(halls + rooms + 1)
    openings: list[tuple[slice, slice]] = []
    room_walls: list[SharedWall] = []
    for piece in walls:
        if piece.first <= halls and piece.second <= halls:
            groups.join(piece.first, piece.second)
            openings.append(piece.door(piece.start, piece.end - piece.start))
        elif piece.end - piece.start >= door:
            room_walls.append(piece)
    to_hall = set[int]()
    shuffled = [room_walls[index] for index in rng.permutation(len(room_walls)).tolist()]
    for piece in sorted(shuffled, key=lambda piece: min(piece.first, piece.second) > halls):
        room = max(piece.first, piece.second)
        at_hall = min(piece.first, piece.second) <= halls
        first_to_hall = at_hall and room not in to_hall
        if at_hall:
            to_hall.add(room)
        joins = groups.join(piece.first, piece.second)
        if joins or first_to_hall or rng.random() < extra:
            room_to_spare = piece.end - piece.start - door
            keep = min(padding, room_to_spare // 2)
            openings.append(piece.door(piece.start + keep + int(rng.integers(room_to_spare - 2 * keep + 1)), door))
    return openings
