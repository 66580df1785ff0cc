"""Ground truth: the terrain type, published and generated terrains, files, and changes over time."""

from __future__ import annotations

from expedition.terrain import building as building
from expedition.terrain import cave as cave
from expedition.terrain import floorplan as floorplan
from expedition.terrain import forest as forest
from expedition.terrain import indoor as indoor
from expedition.terrain import office as office
from expedition.terrain import perfect_maze as perfect_maze
from expedition.terrain import published as published
from expedition.terrain.changes import Change, Collapse, Door, Person, Rectangle
from expedition.terrain.files import load, save
from expedition.terrain.library import find_terrain, terrain
from expedition.terrain.material import MATERIALS, Material
from expedition.terrain.terrain import Landmark, Start, Terrain

__all__ = [
    "MATERIALS",
    "Change",
    "Collapse",
    "Door",
    "Landmark",
    "Material",
    "Person",
    "Rectangle",
    "Start",
    "Terrain",
    "find_terrain",
    "load",
    "save",
    "terrain",
]
