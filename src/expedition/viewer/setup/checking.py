"""Looks at a draft as far as can be without running it: mistakes by field, and where the robots start."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from expedition.belief.prior import make_prior
from expedition.design.building import build_mission
from expedition.design.design import design_from
from expedition.design.ground import build_terrain
from expedition.design.planned import Planned
from expedition.design.robots import build_fleet
from expedition.design.software import build_settings
from expedition.design.source import Source
from expedition.errors import ExpeditionError
from expedition.fleet import Fleet
from expedition.mission import check_rate
from expedition.terrain import Terrain
from expedition.viewer.setup.allowed import Allowed, cleared
from expedition.viewer.setup.drafts import PLACE, Draft

FIELD = re.compile(r"(?:settings: )?([\w-]+(?:\.[\w-]+)*)(: |$)")


@dataclass
class Look:
    """What was found of a draft."""

    mistakes: dict[str, str] = field(default_factory=dict)
    """Sentences by the dotted name of the field that each is about; of none in particular under an empty name."""
    planned: Planned | None = None
    terrain: Terrain | None = None
    fleet: Fleet | None = None
    access: str = ""
    """What the fleet can reach, in a sentence."""
    notes: list[str] = field(default_factory=list)
    """What should be known of where the fleet starts."""

    @property
    def is_right(self) -> bool:
        """Whether it can be run."""
        return not self.mistakes


def look_at(draft: Draft, allowed: Allowed) -> Look:
    """Check a draft, make its terrain and place its robots."""
    look = Look()
    try:
        look.planned = plan(draft, allowed)
    except ExpeditionError as error:
        name, sentence = placed(str(error))
        look.mistakes[name] = sentence
    parameters = look.planned.parameters if look.planned else _ground_alone(draft, allowed)
    if parameters is None:
        return look
    try:
        look.terrain = build_terrain(parameters["terrain"], parameters["files"])
    except ExpeditionError as error:
        look.mistakes.setdefault("terrain", _bare(str(error)))
        return look
    if look.planned is None:
        return look
    try:
        settings = build_settings(parameters["settings"])
        look.fleet = build_fleet(parameters["fleet"], parameters["placement"], look.terrain, draft.seed, settings)
    except ExpeditionError as error:
        name, sentence = placed(str(error))
        look.mistakes.setdefault("base" if name == "base" else "placement", sentence)
        return look
    try:
        check_rate(parameters["settings"]["control_rate"])
        mission = build_mission(parameters)
        look.access, look.notes = mission.access.sentence(), [*mission.fleet.notes, *mission.access.warnings()]
        if mission.prior is not None:
            make_prior(mission.prior, mission.terrain, mission.seed)
    except ExpeditionError as error:
        name, sentence = placed(str(error))
        look.mistakes.setdefault(name, sentence)
    return look


def plan(draft: Draft, allowed: Allowed) -> Planned:
    """The mission that a draft means; an error with its first mistake."""
    fields = cleared(draft.data(), allowed)
    design = design_from(Source(PLACE, draft.text(), fields, {}))
    return design.missions()[0]


def placed(sentence: str) -> tuple[str, str]:
    """The field that a sentence of ours is about, and the sentence without it."""
    bare = _bare(sentence)
    match = FIELD.match(bare)
    if match is None or " " in match[1]:
        return "", bare
    name, rest = match[1], bare[match.end() :]
    if name == "stop" and (inner := FIELD.match(rest)):
        return f"stop.{inner[1]}", rest[inner.end() :]
    if name == "parameters":
        return "", rest
    return name, rest


def _bare(sentence: str) -> str:
    return sentence.removeprefix(f"{PLACE}: ")


def _ground_alone(draft: Draft, allowed: Allowed) -> Mapping[str, Any] | None:
    """The terrain by itself, so that it is still seen while something else is wrong."""
    alone = {name: value for name, value in draft.parameters.items() if name.partition(".")[0] == "terrain"}
    try:
        return plan(Draft({**alone, "robots": 1, "strategy": "nearest-frontier"}, {}, draft.seed), allowed).parameters
    except ExpeditionError:
        return None
