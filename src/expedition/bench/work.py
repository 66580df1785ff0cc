"""One mission, carried out in this process: what every executor has its workers do."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from expedition.bench.durable import StoreError
from expedition.bench.places import LOG
from expedition.bench.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from expedition.design import Planned
    from expedition.log.recorder import Recorder

Work = Callable[[str, "Planned"], str]
"""A function of the store's folder and a mission that returns how the mission ended."""

MOMENT = 2.0
"""Simulated seconds in which a mission comes by nearly all kernels that it needs."""


def carry_out(folder: str, planned: Planned, anew: bool = False) -> str:
    """Run a mission and keep it in the store; how it ended.

    One that another machine has finished in the meantime is not run, unless it is to be run `anew`.
    """
    from expedition.design import build_mission
    from expedition.mission import run

    store = Store(folder)
    if not anew and store.has(planned.key):
        return str(store.outcome(planned.key)["ending"])
    with store.begin(planned.key) as place:
        mission = build_mission(planned.parameters)
        set_apart()
        log = place / LOG
        result = run(mission, record=_recorder(log, planned))
        ending = result.ending
        if ending == "interrupted":
            raise KeyboardInterrupt
        try:
            store.complete(place, planned, result, replace=anew)
        except StoreError:
            # A log may have filled the disk: results are worth more.
            if not log.exists():
                raise
            log.unlink()
            store.complete(place, planned, result, replace=anew)
    # A mission's parts know each other, so that its maps would stay until Python looks for such circles by itself.
    del mission, result
    gc.collect()
    return ending


def _recorder(log: Path, planned: Planned) -> Recorder | None:
    if planned.record is None:
        return None
    from expedition.log.recorder import Recorder

    return Recorder(log, planned.record)


@functools.cache
def set_apart() -> None:
    """Take what is loaded by now out of collections to come, which then take a moment only."""
    gc.collect()
    gc.freeze()


carry_out_anew: Work = functools.partial(carry_out, anew=True)
"""As `carry_out`, for missions that are there already: the new result takes the place of the old one."""


def warm_up(planned: Planned, tell: Callable[[str], None]) -> None:
    """Run the first moment of a mission, so that kernels are compiled once and not by every worker at the same time."""
    from expedition.design import build_mission
    from expedition.kernels import announce_compilation
    from expedition.mission import run

    before = announce_compilation(tell)
    try:
        mission = build_mission(planned.parameters)
        run(replace(mission, stop={**mission.stop, "time": MOMENT}))
    finally:
        announce_compilation(before)
