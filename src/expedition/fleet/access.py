"""What of a terrain a fleet has access to, in figures and in words, before anything moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expedition.fleet.clearance import MARGIN, narrowest_opening
from expedition.fleet.fleet import Fleet
from expedition.fleet.model import RobotModel
from expedition.fleet.reach import CELL_SIZE, LITTLE, coarsest, largest_region, reachable_share, share_of
from expedition.terrain import Terrain

LARGER = 1.05
"""By how much the largest region must exceed what a fleet reaches for it to count as another one."""


@dataclass(frozen=True)
class Access:
    """What a fleet can reach from where it starts."""

    terrain: Terrain
    fleet: Fleet
    given: float | None
    """The side of the maps' cells, if the settings have one."""
    margin: float
    resolution: float
    """The side of the maps' cells."""
    share: float
    """Of the free ground."""
    coarse: float | None
    """The share with cells of the usual size, where finer ones were chosen."""

    @classmethod
    def of(cls, terrain: Terrain, fleet: Fleet, given: float | None = None, margin: float = MARGIN) -> Access:
        """What the fleet reaches with maps of cells of a given size, or of the size that a mission chooses."""
        shares: dict[float, float] = {}

        def share(resolution: float) -> float:
            shares[resolution] = reachable_share(terrain, fleet, resolution, margin)
            return shares[resolution]

        if given is not None:
            return cls(terrain, fleet, given, margin, given, share(given), None)
        resolution, reached = coarsest(share)
        coarse = None if resolution == CELL_SIZE else shares[CELL_SIZE]
        return cls(terrain, fleet, None, margin, resolution, reached, coarse)

    def sentence(self) -> str:
        """How much the fleet can reach, through what, and with which cells."""
        robots = "1 robot" if len(self.fleet) == 1 else f"{len(self.fleet)} robots"
        how = _how(self.fleet.models, self.resolution, self.coarse, self.margin)
        return f"{robots} can reach {self.share:.1%} of {_area(self.terrain.free_area)} of free ground, {how}"

    def figures(self) -> str:
        """The same without the robots, for a line of figures."""
        area = _area(self.share * self.terrain.free_area)
        how = _how(self.fleet.models, self.resolution, self.coarse, self.margin)
        return f"{area}, {self.share:.1%} of the free area, {how}"

    def warnings(self) -> list[str]:
        """What should be known of a fleet that can reach little."""
        if self.share >= LITTLE:
            return []
        free = self.terrain.free_area
        region = largest_region(self.terrain, self.fleet.models, self.resolution, self.margin)
        largest = 0.0 if region is None else share_of(self.terrain, region.ground)
        if largest > LARGER * self.share:
            return [
                f"the fleet starts in a closed area of {_area(self.share * free)} of {_area(free)}, and cannot get to "
                f"the largest one, of {_area(largest * free)}: use placement auto or grouped, or start elsewhere"
            ]
        said = (
            f"the fleet can reach only {self.share:.1%} of {_area(free)} of free ground: what lies behind openings "
            f"narrower than {_widest(self.fleet.models, self.resolution, self.margin):.2f} m is closed to it"
        )
        if self.given is not None:
            best = Access.of(self.terrain, self.fleet, None, self.margin)
            if best.share > LARGER * self.share:
                size = f"{best.resolution:g}"
                said += f"; with maps of cells of {size} m (resolution={size}) it would reach {best.share:.1%}"
        return [said]


def largest_sentence(terrain: Terrain, model: RobotModel, margin: float = MARGIN) -> str:
    """What a robot reaches in the largest area that there is for it."""
    region = largest_region(terrain, [model], None, margin)
    if region is None:
        return "finds no room"
    share, coarse = share_of(terrain, region.ground), None
    if region.resolution != CELL_SIZE:
        usual = largest_region(terrain, [model], CELL_SIZE, margin)
        coarse = 0.0 if usual is None else share_of(terrain, usual.ground)
    how = _how([model], region.resolution, coarse, margin)
    return f"{_area(share * terrain.free_area)}, {share:.1%} of the free area, {how}"


def _how(models: Sequence[RobotModel], resolution: float, coarse: float | None, margin: float) -> str:
    """Through which openings and with which cells; `coarse` is what would be reached with cells of the usual size."""
    narrow = [f"{narrowest_opening(model.body, resolution, margin):.2f}" for model in models]
    span = " to ".join(dict.fromkeys([min(narrow, key=float), max(narrow, key=float)]))
    finer = "" if coarse is None else f" ({CELL_SIZE:g} m would reach {coarse:.1%})"
    return f"through openings of {span} m and more; maps with cells of {resolution:g} m{finer}"


def _widest(models: Sequence[RobotModel], resolution: float, margin: float) -> float:
    return max(narrowest_opening(model.body, resolution, margin) for model in models)


def _area(square_metres: float) -> str:
    return f"{square_metres:,.{0 if square_metres >= 10 else 1}f} m²"
