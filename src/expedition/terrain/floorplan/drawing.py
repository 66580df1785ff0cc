"""A plan in metres becomes cells.

What is free is drawn over what is solid and the other way round, in the order of building: the ground, the wings with
their outer walls, corridors and rooms, closets within rooms, furniture, doors, and at last specks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from expedition.terrain.floorplan.furniture import furnish, specks
from expedition.terrain.floorplan.polygons import Canvas, Corners, inner_radius
from expedition.terrain.floorplan.rooms import Floor
from expedition.terrain.floorplan.wings import Building, Joint
from expedition.terrain.material import MaterialName, material_index
from expedition.terrain.terrain import Terrain

# Metres.
PILLAR = (0.6, 2.0)  # side of a pillar in a lobby, and the way around it
CLEAR_OF_DOORS = 0.9  # of specks
POCKET = 0.5  # square metres; free cells that are cut off behind furniture or a slanting wall are filled up to this


@dataclass(frozen=True)
class Plan:
    """A floor plan in metres."""

    building: Building
    floor: Floor
    ways_out: tuple[Corners, ...]

    @property
    def start(self) -> tuple[float, float]:
        """A place in the corridor of the first wing, from where all rooms that are not sealed can be reached."""
        wing = self.building.wings[0]
        return wing.frame.point(wing.length / 2, 0.0)


class Drawing:
    """The plan as cells: heights in centimetres, 0 where it is free, and materials."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.solid = np.ones(canvas.shape, dtype=bool)
        self.furniture_height = np.zeros(canvas.shape)
        self.material = np.full(canvas.shape, material_index("concrete"), dtype=np.uint8)
        self.doors = np.zeros(canvas.shape, dtype=bool)

    def carve(self, polygon: Corners) -> None:
        window, inside = self.canvas.cells(polygon)
        self.solid[window][inside] = False

    def _walls(self, polygon: Corners, material: MaterialName, margin: float = 0.0) -> None:
        window, inside = self.canvas.cells(polygon, margin)
        self.solid[window][inside] = True
        self.material[window][inside] = material_index(material)

    def clear_ground(self, border: int) -> None:
        rows, columns = self.canvas.shape
        self.solid[border : rows - border, border : columns - border] = False

    def build(self, plan: Plan) -> None:
        """Wings and joints with their walls, then corridors, rooms and closets."""
        for wing in plan.building.wings:
            self._walls(wing.outline, "brick")
        outer = plan.building.wings[0].outer
        pieces = [piece for joint in plan.building.joints for piece in _free_of(joint)]
        for piece in pieces:
            self._walls(piece, "brick", outer)
        for wing in plan.building.wings:
            self._walls(wing.outline, "plaster", -wing.outer)
        for piece in pieces:
            self.carve(piece)
        for corridor in (*plan.floor.corridors, *plan.ways_out):
            self.carve(corridor)
        for room in plan.floor.rooms:
            self.carve(room.frame.corners(room.box))
            if room.closet:
                self._walls(room.frame.corners(room.closet), "plaster")
        for room in plan.floor.rooms:
            if room.kind == "closet":
                self.carve(room.frame.corners(room.box))

    def furnish(self, plan: Plan, share: float, rng: np.random.Generator) -> None:
        for room in plan.floor.rooms:
            for kind, box in furnish(room, share, rng):
                # A leg is thinner than a cell, and would be lost between the middles of cells.
                touched = 0.5 if kind.name == "legs" else 0.0
                self._furniture(room.frame.corners(box), kind.height, touched)
        side, around = PILLAR
        for joint in plan.building.joints:
            x, y = joint.corner.mean(axis=0)
            if joint.lobby and inner_radius(joint.corner, x, y) >= around:
                corners = np.array([(-side, -side), (side, -side), (side, side), (-side, side)]) / 2 + (x, y)
                self._furniture(corners, math.inf, 0.0)

    def _furniture(self, corners: Corners, height: float, touched: float) -> None:
        window, inside = self.canvas.cells(corners, cells=touched)
        inside &= ~self.solid[window]
        self.solid[window][inside] = True
        self.furniture_height[window][inside] = height
        if math.isfinite(height):
            self.material[window][inside] = material_index("wood")

    def open_doors(self, plan: Plan) -> None:
        for room in plan.floor.rooms:
            for door in room.doors:
                self.open_door(room.frame.corners(door.box), door.narrow)
        for leaf in plan.floor.exits:
            self.open_door(leaf)

    def open_door(self, corners: Corners, narrow: bool = False) -> None:
        """Draw a door so that a disc as wide as the door, less half a cell, passes from cell to neighbouring cell.

        Half a cell's extent on each side keeps the jambs out of the way. The other half is for the disc: it stands on
        middles of cells only, and at an angle its way is a staircase. A narrow door gets nothing of both.
        """
        spare = 0.0 if narrow else 0.25 * self.canvas.resolution
        window, inside = self.canvas.cells(corners, -spare, cells=0.0 if narrow else 1.0)
        self.solid[window][inside] = False
        self.furniture_height[window][inside] = 0.0
        window, inside = self.canvas.cells(corners, CLEAR_OF_DOORS)
        self.doors[window][inside] = True

    def fill_pockets(self) -> None:
        """Small corners that furniture or a slanting wall cut off are of no use to anybody."""
        regions, _ = ndimage.label(~self.solid)
        small = np.bincount(regions.ravel()) * self.canvas.resolution**2 < POCKET
        small[0] = False
        self.solid |= small[regions]

    def strew(self, density: float, rng: np.random.Generator) -> None:
        walls = self.solid & (self.furniture_height == 0)
        added = specks(self.solid, walls, self.doors, self.canvas.resolution, density, rng)
        self.solid |= added

    def terrain(self, wall_height: float) -> Terrain:
        low = np.where(self.furniture_height > 0, np.minimum(self.furniture_height, wall_height), wall_height)
        height_cm = np.round(100 * low) * self.solid
        return Terrain("floorplan", height_cm.astype(np.uint16), self.canvas.resolution, material=self.material)


def _free_of(joint: Joint) -> tuple[Corners, ...]:
    """What is free of a joint: its corridor, and the lobby if it has one."""
    return (*joint.passages, joint.corner) if joint.lobby else joint.passages
