"""Drafts from addresses: `/setup?terrain=cave&terrain.size=40&seed=7`, `?design=quick&vector=3`, `?run=NAME`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from expedition.design.names import family_of
from expedition.errors import ExpeditionError
from expedition.spec import parse_value
from expedition.viewer.setup.drafts import Draft, draft_of_mission, open_design
from expedition.viewer.setup.runs import Runs
from expedition.viewer.shelf import Shelf

ABOUT = ("design", "vector", "iteration", "mission", "run", "start", "seed", "token", "with")
"""Words of an address that are no parameters of a mission."""
LONGEST = 2000


def draft_from(query: Mapping[str, str], shelf: Shelf, runs: Runs) -> Draft:
    """What an address asks to be set up; an error if it asks for what is not there."""
    draft = _begun(query, shelf, runs)
    parameters = dict(draft.parameters)
    for name, text in query.items():
        if name in ABOUT:
            continue
        if len(text) > LONGEST:
            raise ExpeditionError(f"{name}: longer than {LONGEST} characters")
        family_of(name, "the address")
        if name in ("terrain", "strategy", "placement", "prior", "radio", "localiser", "merge", "planner"):
            # Parameters of the component before it are none of the new one's.
            parameters = {key: value for key, value in parameters.items() if not key.startswith(f"{name}.")}
            parameters[name] = text
        else:
            parameters[name] = text if name == "robot" else parse_value(text, name)
    return replace(draft, parameters=parameters, seed=_number(query, "seed", draft.seed))


def _begun(query: Mapping[str, str], shelf: Shelf, runs: Runs) -> Draft:
    if "run" in query:
        run = runs.find(query["run"])
        if run is None:
            raise ExpeditionError(f"no mission named {query['run'][:80]!r} was set up here")
        return run.draft
    if "mission" in query:
        draft = draft_of_mission(query["mission"], shelf.store, runs.allowed)
        if draft is None:
            raise ExpeditionError(f"no design in the store has the mission {query['mission'][:80]!r}")
        return draft
    if "design" in query:
        opened = open_design(query["design"], shelf.store, runs.allowed)
        vector, iteration = _number(query, "vector", 0), _number(query, "iteration", 0)
        if not (0 <= vector < len(opened.vectors) and 0 <= iteration < opened.design.iterations):
            raise ExpeditionError(
                f"design {query['design'][:80]}: vectors 0 to {len(opened.vectors) - 1} and iterations 0 to "
                f"{opened.design.iterations - 1}, found {vector} and {iteration}"
            )
        return opened.draft(vector, iteration)
    return Draft()


def _number(query: Mapping[str, str], name: str, default: int) -> int:
    if name not in query:
        return default
    if not (query[name].isascii() and query[name].isdigit() and len(query[name]) < 19):
        raise ExpeditionError(f"{name}: expected a whole number, found {query[name][:40]!r}")
    return int(query[name])
