"""All planners that come with the package: importing this registers them."""

from __future__ import annotations

from expedition.navigate.a_star import AStar
from expedition.navigate.dijkstra import Dijkstra
from expedition.navigate.jump_point import JumpPoint
from expedition.navigate.topological import Topological

__all__ = ["AStar", "Dijkstra", "JumpPoint", "Topological"]
