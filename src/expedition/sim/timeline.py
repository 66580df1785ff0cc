"""Doors and collapses as they happen: when the next one is due, and the walls that it leaves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from expedition.streams import generator
from expedition.terrain import Collapse, Door, Rectangle, Terrain
from expedition.terrain.material import material_index

RETRY = 0.1
"""Seconds after which a door tries again that found someone in its way."""

Window = tuple[slice, slice]


@dataclass
class _Plan:
    """One change, the cells it concerns, and when it acts next."""

    change: Door | Collapse
    window: Window
    rng: np.random.Generator
    next_time: float = math.inf
    closed: bool = False
    switched: int = 0


class Timeline:
    """The walls of a terrain as they change. `wall_height_cm` and `material` are those of now."""

    def __init__(self, terrain: Terrain, seed: int) -> None:
        self._terrain = terrain
        self._now: Terrain | None = None if terrain.changes else terrain
        self._base_height = terrain.wall_height_cm.copy()
        self._base_material = terrain.material.copy()
        self.wall_height_cm = self._base_height.copy()
        self.material = self._base_material.copy()
        self._plans = [
            _Plan(change, terrain.cells_in(change.area), generator(seed, f"terrain/change/{index}"))
            for index, change in enumerate(terrain.changes)
            if change.kind != "person"
        ]
        for plan in self._plans:
            if isinstance(plan.change, Door):
                plan.closed = plan.change.closed
                plan.next_time = self._next_switch(plan, plan.change, 0.0)
            else:
                plan.next_time = plan.change.time
            self._draw(plan.window)

    @property
    def next_time(self) -> float:
        """When something changes next, in seconds."""
        return min((plan.next_time for plan in self._plans), default=math.inf)

    def act(self, now: float, is_clear: Callable[[Rectangle, float], bool]) -> list[Window]:
        """Let everything due by `now` happen; returns the windows of the grid that have changed.

        `is_clear` says whether nothing stands in a rectangle up to a height in metres.
        """
        changed = []
        for plan in self._plans:
            acted = False
            while plan.next_time <= now:
                change = plan.change
                if isinstance(change, Collapse):
                    height, material = self._base_height[plan.window], self._base_material[plan.window]
                    _raise_walls(height, material, change, share=plan.rng.random(height.shape) < change.fill)
                    plan.next_time = math.inf
                    acted = True
                elif not plan.closed and not is_clear(self._covered(plan.window), change.height):
                    plan.next_time = now + RETRY
                    break
                else:
                    plan.closed = not plan.closed
                    plan.next_time = self._next_switch(plan, change, max(now, plan.next_time))
                    acted = True
            if acted:
                self._draw(plan.window)
                self._now = None
                changed.append(plan.window)
        return changed

    def _covered(self, window: Window) -> Rectangle:
        """The rectangle that the cells of a window fill, in metres."""
        (rows, columns), (left, bottom), side = window, self._terrain.origin, self._terrain.resolution
        return Rectangle(
            left=left + columns.start * side,
            right=left + columns.stop * side,
            bottom=bottom + rows.start * side,
            top=bottom + rows.stop * side,
        )

    def terrain_now(self) -> Terrain:
        """The terrain with its doors and rubble as they stand, as walls; nothing in it changes any more."""
        if self._now is None:
            height, material = self.wall_height_cm.copy(), self.material.copy()
            self._now = replace(self._terrain, wall_height_cm=height, material=material, changes=())
        return self._now

    def _next_switch(self, plan: _Plan, door: Door, now: float) -> float:
        if door.mean_open is not None and door.mean_closed is not None:
            mean = door.mean_closed if plan.closed else door.mean_open
            return now + float(plan.rng.exponential(mean))
        if plan.switched < len(door.switches):
            plan.switched += 1
            return door.switches[plan.switched - 1]
        return math.inf

    def _draw(self, window: Window) -> None:
        """Work out the walls of a window anew: the base, then the closed doors."""
        self.wall_height_cm[window] = self._base_height[window]
        self.material[window] = self._base_material[window]
        for plan in self._plans:
            if plan.closed and (common := _common(window, plan.window)):
                _raise_walls(self.wall_height_cm[common], self.material[common], plan.change)


def _raise_walls(
    height: NDArray[np.uint16],
    material: NDArray[np.uint8],
    change: Door | Collapse,
    share: NDArray[np.bool_] | None = None,
) -> None:
    """Raise cells, or a share of them, to a door's or rubble's height; higher walls stay."""
    risen = round(100 * change.height)
    raised = height < risen
    if share is not None:
        raised &= share
    height[raised] = risen
    material[raised] = material_index(change.material)


def _common(one: Window, two: Window) -> Window | None:
    """The cells that two windows share."""
    rows = slice(max(one[0].start, two[0].start), min(one[0].stop, two[0].stop))
    columns = slice(max(one[1].start, two[1].start), min(one[1].stop, two[1].stop))
    return (rows, columns) if rows.start < rows.stop and columns.start < columns.stop else None
