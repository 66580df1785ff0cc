"""Trying a design out without running it: every terrain is made, the robots are put into it, and rates are compared."""

from __future__ import annotations

from collections.abc import Iterable

from expedition.design.ground import build_terrain
from expedition.design.parts import canonical
from expedition.design.planned import Planned
from expedition.design.robots import build_fleet
from expedition.errors import ExpeditionError
from expedition.mission import check_rate


def try_out(planned: Iterable[Planned]) -> int:
    """Refuse a design whose terrains cannot be made or do not hold its fleets, or whose control rate the simulator does
    not have; returns how many terrains there are.

    Of missions that differ in the number of robots only, the one with most is tried.
    """
    largest: dict[tuple[str, str, str], Planned] = {}
    rates: set[float] = set()
    for one in planned:
        if one.iteration:
            continue
        rates.add(one.parameters["settings"]["control_rate"])
        terrain, placement = canonical(one.parameters["terrain"]), canonical(one.parameters["placement"])
        kinds = canonical(one.parameters["fleet"]["models"])
        before = largest.get((terrain, kinds, placement))
        if before is None or _robots(before) < _robots(one):
            largest[terrain, kinds, placement] = one
    for rate in sorted(rates):
        check_rate(rate)
    for one in largest.values():
        robots = _robots(one)
        try:
            ground = build_terrain(one.parameters["terrain"], one.parameters["files"])
            build_fleet(one.parameters["fleet"], one.parameters["placement"], ground, one.seed)
        except ExpeditionError as error:
            where = f"{one.vector['terrain']}, {robots} robot{'s' if robots != 1 else ''}"
            raise ExpeditionError(f"{where}: {error}") from error
    return len({terrain for terrain, _, _ in largest})


def _robots(planned: Planned) -> int:
    return len(planned.parameters["fleet"]["robots"])
