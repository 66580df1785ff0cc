"""Doors and collapses as they happen: when the next one is due, and the walls that it leaves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError
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
        self._base_height = terrain.wall_height_cm.copy()
        self._base_material = terrain.material.copy()
        self.wall_height_cm = self._base_height.copy()
        self.material = self._base_material.copy()
        self._plans = [
            _Plan(change, _window(terrain, change.area, index), generator(seed, f"terrain/change/{index}"))
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

    def act(self, now: float, is_clear: Callable[[Rectangle], bool]) -> list[Window]:
        """Let everything due by `now` happen; returns the windows of the grid that have changed."""
        changed = []
        for plan in self._plans:
            while plan.next_time <= now:
                change = plan.change
                if isinstance(change, Collapse):
                    height, material = self._base_height[plan.window], self._base_material[plan.window]
                    _raise_walls(height, material, change, share=plan.rng.random(height.shape) < change.fill)
                    plan.next_time = math.inf
                elif not plan.closed and not is_clear(change.area):
                    plan.next_time = now + RETRY
                    break
                else:
                    plan.closed = not plan.closed
                    plan.next_time = self._next_switch(plan, change, max(now, plan.next_time))
                self._draw(plan.window)
                changed.append(plan.window)
        return changed

    def terrain_now(self) -> Terrain:
        """The terrain with its doors and rubble as they stand."""
        if not self._plans:
            return self._terrain
        return replace(self._terrain, wall_height_cm=self.wall_height_cm.copy(), material=self.material.copy())

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


def _window(terrain: Terrain, area: Rectangle, index: int) -> Window:
    """The cells whose middles lie in a rectangle."""
    rows, columns = terrain.shape
    left, bottom = terrain.origin
    low_row, high_row = (round((y - bottom) / terrain.resolution) for y in (area.bottom, area.top))
    low_column, high_column = (round((x - left) / terrain.resolution) for x in (area.left, area.right))
    window = (slice(max(low_row, 0), min(high_row, rows)), slice(max(low_column, 0), min(high_column, columns)))
    if window[0].start >= window[0].stop or window[1].start >= window[1].stop:
        raise ExpeditionError(
            f"terrain {terrain.name!r}: changes.{index}.area covers no cell; the terrain spans "
            "x {:g} to {:g} and y {:g} to {:g} m".format(*terrain.extent)
        )
    return window
