"""The registry of terrains by name."""

from __future__ import annotations

from expedition.registry import Registry
from expedition.terrain.terrain import Terrain

terrain: Registry[Terrain] = Registry("terrain")
