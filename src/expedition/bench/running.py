"""Runs a design into a store: what is finished is not repeated, what is damaged is, and the rest is carried out."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from expedition.bench.executor import Done, Executor, LocalExecutor
from expedition.bench.places import this_host
from expedition.bench.provenance import code_digest
from expedition.bench.soundness import check
from expedition.bench.store import Store
from expedition.bench.work import carry_out, carry_out_anew

if TYPE_CHECKING:
    import polars as pl

    from expedition.design import Design, Planned

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Prospect:
    """What there is to do for a design, and what the store has of it."""

    planned: tuple[Planned, ...]
    """All missions of the design."""
    waiting: tuple[Planned, ...]
    """Those to carry out, in that order."""
    damaged: dict[str, str]
    """Those that were there and could not be believed, each with what was wrong. They are removed, and run again."""
    by_other_code: int
    """Missions that are kept, and were run by another version of the code."""
    elsewhere: int
    """Those to carry out that other processes are running into the same store now."""
    anew: bool = False
    """Whether finished missions are among those to carry out."""


def prepare(
    store: Store,
    design: Design,
    fresh: bool = False,
    cost: Callable[[Planned], float] | None = None,
    outdated: bool = False,
) -> Prospect:
    """Find out what is to be done, and keep the design in the store.

    Of finished missions, all are run anew if `fresh`, and those by another version of the code if `outdated`. The
    dearest missions come first, so that no core idles at the end while one of them is still to run.
    """
    missions = design.missions()
    planned = tuple({one.key: one for one in missions}.values())
    store.save_design(design, missions)
    store.clean_up()
    there = store.finished()
    checked = check(store.missions, [one.key for one in planned if one.key in there])
    for key in checked.damaged:
        store.discard(key)
    other_code = {key for key, code in checked.sound.items() if code != code_digest()}
    anew = checked.sound.keys() if fresh else other_code if outdated else set()
    waiting = [one for one in planned if one.key not in checked.sound or one.key in anew]
    if cost is not None:
        waiting.sort(key=cost, reverse=True)
    begun = {one.key for one in store.running()}
    elsewhere = sum(one.key in begun for one in waiting)
    if elsewhere:
        # In another order than that of the others, and what they have begun last: by then it may be finished.
        random.Random(f"{this_host()} {os.getpid()}").shuffle(waiting)
        waiting.sort(key=lambda one: one.key in begun)
    kept = len(other_code - anew)
    return Prospect(planned, tuple(waiting), checked.damaged, kept, elsewhere, bool(anew))


def carry_on(store: Store, prospect: Prospect, executor: Executor) -> Generator[Done, None, None]:
    """Carry out what is waiting; each mission as it is over. Those given up are noted in the store."""
    if not prospect.waiting:
        return
    work = carry_out_anew if prospect.anew else carry_out
    results = executor.run(str(store.folder.absolute()), prospect.waiting, work)
    try:
        for done in results:
            if done.error is not None:
                store.give_up(done.planned, done.error)
            yield done
    finally:
        close = getattr(results, "close", None)
        if close is not None:
            close()  # Workers end before what they had begun to write is removed.
        store.clean_up()


def run_design(
    design: str | Path, store: str | Path = "results", executor: Executor | None = None, tell: Tell | None = None
) -> pl.DataFrame:
    """Run what is missing of a design on all cores, or by another executor, and return one row a finished mission.

    `tell` hears of each mission as it is over, and of those given up, which have no row; without it, the latter goes
    to the standard error. In a script, call it under `if __name__ == "__main__":`, since workers load the script too.
    """
    from expedition.bench.results import load_results
    from expedition.design import load_design
    from expedition.design.estimate import expected_seconds

    wanted, place = load_design(design), Store(store)
    seconds = expected_seconds(wanted.missions())
    prospect = prepare(place, wanted, cost=lambda one: seconds[one.key])
    given_up = 0
    with closing(carry_on(place, prospect, executor or LocalExecutor(cores(), tell))) as results:
        for number, done in enumerate(results, 1):
            given_up += done.error is not None
            if tell is not None:
                tell(f"{number} of {len(prospect.waiting)}: {done.planned.key[:8]} {done.ending or done.error}")
    tell = tell or (lambda sentence: print(sentence, file=sys.stderr))
    if given_up:
        tell(f"{given_up} of {len(prospect.planned)} missions were given up: {place.folder}/given-up says why")
    return load_results(place, wanted.name, tell)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))
