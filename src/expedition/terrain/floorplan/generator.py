"""The terrain `floorplan`: its parameters, and how a plan is made."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from expedition.errors import ExpeditionError
from expedition.streams import generator
from expedition.terrain.floorplan.drawing import Drawing, Plan
from expedition.terrain.floorplan.layout import lay_out
from expedition.terrain.floorplan.polygons import Canvas
from expedition.terrain.floorplan.rooms import Floor, Rooms, seal
from expedition.terrain.lengths import Resolution, Seed, Size, WallHeight, cells, check_size
from expedition.terrain.library import terrain
from expedition.terrain.terrain import RESOLUTION, Terrain

# Metres.
SOLID_MARGIN, FREE_MARGIN = 0.4, 2.2  # around the building
BORDER = 0.3  # of the terrain, with free ground around the building
AREA_OF_WING = 400.0  # square metres of terrain for each wing
MOST_WINGS = 4


@terrain("floorplan")
def floorplan(
    *,
    seed: Seed = 1,
    size: Size = (40.0, 30.0),
    resolution: Resolution = RESOLUTION,
    min_corridor_width: Annotated[float, Field(ge=0.9, le=10, description="narrowest corridor, m")] = 1.0,
    max_corridor_width: Annotated[float, Field(ge=0.9, le=10, description="widest corridor, m")] = 2.0,
    min_door_width: Annotated[float, Field(ge=0.5, le=1.5, description="narrowest door, m")] = 0.6,
    max_door_width: Annotated[float, Field(ge=0.5, le=2.0, description="widest door, m")] = 1.2,
    max_turn: Annotated[
        float, Field(ge=0, le=60, description="wings are turned by up to this, in degrees; 0 is right angles only")
    ] = 60.0,
    furniture: Annotated[
        float, Field(ge=0, le=0.5, description="share of a room's floor with furniture, at most")
    ] = 0.15,
    speck_density: Annotated[float, Field(ge=0, le=1, description="specks of 1 to 3 cells, per square metre")] = 0.03,
    closets: Annotated[float, Field(ge=0, le=1, description="share of rooms with a closet in a corner")] = 0.3,
    sealed: Annotated[
        float, Field(ge=0, le=1, description="share of the rooms' area that no robot gets into, at most")
    ] = 0.08,
    surround: Annotated[
        Literal["solid", "free"], Field(description="what is around the building: solid, or free ground")
    ] = "solid",
    open_edges: Annotated[
        bool, Field(description="no closing wall: a corridor, or the free ground, goes on to the edge of the map")
    ] = False,
    wall_height: WallHeight = 2.6,
) -> Terrain:
    """A public building of wings at odd angles, with narrow doors, closets, furniture and rooms out of reach."""
    corridors, doors = (min_corridor_width, max_corridor_width), (min_door_width, max_door_width)
    for name, (low, high) in (("corridor", corridors), ("door", doors)):
        if low > high:
            raise ExpeditionError(f"floorplan: min_{name}_width {low:g} m is above max_{name}_width {high:g} m")
    plan = make_plan(seed, size, resolution, corridors, doors, max_turn, closets, sealed, surround, open_edges)
    width, height = check_size("floorplan", size, resolution)
    drawing = Drawing(Canvas((cells(height, resolution), cells(width, resolution)), resolution))
    if surround == "free":
        drawing.clear_ground(0 if open_edges else cells(BORDER, resolution))
    drawing.build(plan)
    drawing.furnish(plan, furniture, generator(seed, "terrain/floorplan/furniture"))
    drawing.open_doors(plan)
    drawing.fill_pockets()
    drawing.strew(speck_density, generator(seed, "terrain/floorplan/specks"))
    return drawing.terrain(wall_height)


def make_plan(
    seed: int = 1,
    size: float | tuple[float, float] = (40.0, 30.0),
    resolution: float = RESOLUTION,
    corridors: tuple[float, float] = (1.0, 2.0),
    doors: tuple[float, float] = (0.6, 1.2),
    max_turn: float = 60.0,
    closets: float = 0.3,
    sealed: float = 0.08,
    surround: str = "solid",
    open_edges: bool = False,
) -> Plan:
    """Lay out the wings and divide them into rooms."""
    width, height = check_size("floorplan", size, resolution)
    rng = generator(seed, "terrain/floorplan/wings")
    most = int(np.clip(width * height / AREA_OF_WING, 1, MOST_WINGS))
    count = int(rng.choice(np.arange(1, most + 1), p=np.arange(1, most + 1) / (most * (most + 1) / 2)))
    building = lay_out(
        count,
        (width, height),
        FREE_MARGIN if surround == "free" else SOLID_MARGIN,
        corridors,
        math.radians(max_turn),
        # A wall of this thickness is closed in the sense of cells that share a side, however it is turned.
        1.45 * resolution,
        open_edges and surround == "solid",
        rng,
    )
    if building is None:
        raise ExpeditionError(
            f"floorplan: size {width:g} x {height:g} m is too small for a wing with rooms on both sides of a corridor "
            f"of {corridors[0]:g} m"
        )
    ways_out = []
    if open_edges and surround == "solid":
        exits = list(building.ways_out(2 * math.hypot(width, height)))
        wing, far, way = exits[int(rng.integers(len(exits)))]
        wing.far, wing.near = ("out" if far else wing.far), (wing.near if far else "out")
        ways_out.append(way)
    floor = Floor()
    rooms = Rooms(doors, closets, surround == "free", generator(seed, "terrain/floorplan/rooms"))
    for wing in building.wings:
        rooms.divide(wing, floor)
    seal(floor.rooms, sealed, generator(seed, "terrain/floorplan/sealed"))
    return Plan(building, floor, tuple(ways_out))
