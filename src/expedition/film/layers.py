"""What can be shown on a map, by name."""

from __future__ import annotations

from collections.abc import Iterable

from expedition.errors import ExpeditionError, unknown

LAYERS = {
    "robots": "where robots are, in their colours; those that failed are crossed out",
    "names": "their numbers; left out for more than 40 robots",
    "trails": "the ways they have come",
    "goals": "where they are going",
    "paths": "the ways they are about to drive",
    "frontiers": "where known ground meets the unknown; on maps only",
    "links": "who hears whom",
    "tags": "notes left in the world",
    "scans": "where the last beams of lidars ended, as robots believe; on maps only",
    "base": "the base station",
    "landmarks": "landmarks; on maps, where robots believe them to be",
    "people": "people who walk about",
    "heat": "when ground was first seen, from early (dark) to late (bright)",
    "who": "ground in the colour of the robot that saw it first",
}
DEFAULT = tuple(name for name in LAYERS if name not in ("landmarks", "heat", "who"))
MOST_NAMED = 40
"""Robots; the numbers of more would hide the map."""


def parse_layers(text: str | Iterable[str]) -> frozenset[str]:
    """Layers from a comma list; with + or - before the first name, more or fewer than the usual ones."""
    names = [part.strip().lower() for part in (text.split(",") if isinstance(text, str) else text)]
    names = [name for name in names if name]
    signed = [name for name in names if name[0] in "+-"]
    if signed and len(signed) != len(names):
        plain = next(name for name in names if name not in signed)
        raise ExpeditionError(
            f"--layers: {plain!r} stands beside {signed[0]!r}; give either a list of layers, or changes to the usual "
            "ones that all begin with + or -"
        )
    for name in names:
        if name.lstrip("+-") not in LAYERS:
            raise unknown("layer", name.lstrip("+-"), LAYERS, "--layers")
    if not signed:
        return frozenset(names)
    chosen = set(DEFAULT)
    for name in signed:
        (chosen.add if name[0] == "+" else chosen.discard)(name[1:])
    return frozenset(chosen)
