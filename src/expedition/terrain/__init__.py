"""Ground truth: the terrain type, published and generated terrains, files, and changes over time."""

from __future__ import annotations

from expedition.terrain import published as published
from expedition.terrain.changes import Change, Collapse, Door, Person, Rectangle
from expedition.terrain.library import terrain
from expedition.terrain.material import MATERIALS, Material
from expedition.terrain.terrain import Landmark, Terrain

__all__ = [
    "MATERIALS",
    "Change",
    "Collapse",
    "Door",
    "Landmark",
    "Material",
    "Person",
    "Rectangle",
    "Terrain",
    "terrain",
]
