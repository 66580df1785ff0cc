"""Floor plans of public buildings, on which exploration software is hard put: nothing is aligned with the grid.

Wings at angles have rooms on both sides of corridors, narrow doors, closets, suites, furniture, and rooms that no robot
gets into. All is laid out in metres and then drawn on the grid.
"""

from __future__ import annotations

from expedition.terrain.floorplan.generator import floorplan as floorplan
