"""Trying a design out without running it: every terrain is made, the robots are put into it, and rates are compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from expedition.design.building import build_mission
from expedition.design.ground import build_terrain
from expedition.design.parts import canonical
from expedition.design.planned import Planned
from expedition.design.robots import build_fleet
from expedition.design.software import build_settings
from expedition.errors import ExpeditionError
from expedition.mission import check_rate

MOST_LOOKED_AT = 20
"""Pairs of terrain and fleet for which it is said what can be reached."""


def try_out(planned: Iterable[Planned]) -> int:
    """Refuse a design whose terrains cannot be made or do not hold its fleets, or whose control rate the simulator does
    not have; returns how many terrains there are.

    Of missions that differ in the number of robots only, the one with most is tried.
    """
    first = [one for one in planned if not one.iteration]
    for rate in sorted({one.parameters["settings"]["control_rate"] for one in first}):
        check_rate(rate)
    largest = _largest_fleets(first, ("terrain", "placement"))
    for one in largest:
        try:
            ground = build_terrain(one.parameters["terrain"], one.parameters["files"])
            settings = build_settings(one.parameters["settings"])
            build_fleet(one.parameters["fleet"], one.parameters["placement"], ground, one.seed, settings)
        except ExpeditionError as error:
            raise ExpeditionError(f"{_where(one)}: {error}") from error
    return len({canonical(one.parameters["terrain"]) for one in largest})


def reach_notes(planned: Iterable[Planned]) -> list[tuple[str, str]]:
    """What is to be known of where fleets start and how little they can reach: terrain and fleet, and a note.

    Of missions that differ in the number of robots only, the one with most is looked at; of many terrains, the first.
    A fleet that cannot be placed has no note here: `try_out` refuses it.
    """
    told: dict[tuple[str, str], None] = {}
    first = [one for one in planned if not one.iteration]
    for one in _largest_fleets(first, ("terrain", "placement", "resolution"))[:MOST_LOOKED_AT]:
        with suppress(ExpeditionError):
            mission = build_mission(one.parameters)
            notes = [*mission.fleet.notes, *mission.access.warnings()]
            told |= dict.fromkeys((_where(one), note) for note in notes)
    return list(told)


def _largest_fleets(planned: Iterable[Planned], parts: Sequence[str]) -> list[Planned]:
    """Of missions that have these parts or settings and their robot models in common, the one with most robots."""
    largest: dict[tuple[str, ...], Planned] = {}
    for one in planned:
        kinds = canonical(one.parameters["fleet"]["models"])
        given = {**one.parameters["settings"], **one.parameters}
        key = (kinds, *(canonical(given[part]) for part in parts))
        if key not in largest or _robots(largest[key]) < _robots(one):
            largest[key] = one
    return list(largest.values())


def _where(planned: Planned) -> str:
    robots = _robots(planned)
    return f"{planned.vector['terrain']}, {robots} robot{'s' if robots != 1 else ''}"


def _robots(planned: Planned) -> int:
    return len(planned.parameters["fleet"]["robots"])
