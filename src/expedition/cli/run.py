"""`expedition run`: carry out the missions of a design, and continue where an earlier run stopped."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from expedition.cli.app import app
from expedition.cli.words import say, warn

if TYPE_CHECKING:
    from expedition.bench.executor import Done, Executor
    from expedition.bench.running import Prospect
    from expedition.bench.store import Store
    from expedition.cli.run_progress import RunProgress
    from expedition.design import Design

INTERRUPTED = 130
MOST_GIVEN_UP = 10
"""Missions given up that are shown one by one."""


@app.command("run")
def run_command(
    design: Annotated[str, typer.Argument(help="A design's file, or the name of one that ships.")],
    store: Annotated[Path, typer.Option(help="The folder of finished missions; made if it is not there.")] = Path(
        "results"
    ),
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-j", min=1, help="Missions at a time; by default one a core.", show_default=False),
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Run on a cluster: its YAML file, or the address of a Dask scheduler.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh/--resume", help="Run finished missions anew as well, or keep them.")
    ] = False,
    outdated: Annotated[
        bool, typer.Option("--outdated", help="Run those finished missions anew that another version of the code ran.")
    ] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Keep a log of each mission that is run, to replay it: log.mcap.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show nothing while missions run.")] = False,
) -> None:
    """Run all missions of a design that are not finished yet.

    Interrupted or killed, it continues with the same command: what is finished is kept and not repeated. The exit code
    is 0 if all missions were run (also those that failed are results), 1 if some were given up, 2 for a mistake, and
    130 after Ctrl-C.
    """
    from rich.console import Console

    from expedition.bench.running import prepare
    from expedition.bench.store import Store
    from expedition.cli.run_progress import RunProgress
    from expedition.design import load_design
    from expedition.design.estimate import expected_seconds
    from expedition.design.ground import map_notes

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    wanted, place = load_design(design), Store(store)
    if record:
        wanted = wanted.recorded()
    over: list[Done] = []
    with _interruptible():
        try:
            missions = wanted.missions()
            seconds = expected_seconds(missions)
            prospect = prepare(place, wanted, fresh, lambda one: seconds[one.key], outdated)
            _tell_what_is_there(console, prospect, design, store)
            if not quiet:
                for name, note in map_notes(prospect.waiting):
                    warn(name, [note])
            costs = {one.key: seconds[one.key] for one in prospect.waiting}
            with RunProgress(console, len(prospect.planned), costs, quiet) as progress:
                _carry_on(place, prospect, _executor(workers, cluster, progress), progress, over)
        except KeyboardInterrupt:
            anew = sum(done.error is None for done in over)
            _tell_interruption(place, wanted, store, anew if fresh else None)
            raise typer.Exit(INTERRUPTED) from None
    given_up = [done for done in over if done.error is not None]
    _show_summary(place, wanted, prospect, given_up)
    raise typer.Exit(1 if given_up else 0)


def _executor(workers: int | None, cluster: str | None, progress: RunProgress) -> Executor:
    if cluster is not None:
        from expedition.bench.cluster import make_executor

        return make_executor(cluster, progress.tell)
    from expedition.bench.executor import LocalExecutor
    from expedition.bench.running import cores

    return LocalExecutor(workers or cores(), progress.tell)


def _carry_on(store: Store, prospect: Prospect, executor: Executor, progress: RunProgress, over: list[Done]) -> None:
    from contextlib import closing

    from expedition.bench.running import carry_on

    with closing(carry_on(store, prospect, executor)) as results:
        for done in results:
            over.append(done)
            progress.over(done)


def _tell_what_is_there(console: Any, prospect: Prospect, design: str, store: Path) -> None:
    """What a user should know of the store before missions run."""

    def tell(sentence: str) -> None:
        console.print(sentence, markup=False)

    if prospect.damaged:
        key, fault = next(iter(prospect.damaged.items()))
        one = len(prospect.damaged) == 1
        tell(
            f"{len(prospect.damaged)} finished mission{' is' if one else 's are'} damaged and run again: "
            f"{store}/missions/{key}: {fault}{'' if one else ', ...'}"
        )
    if prospect.by_other_code:
        tell(
            f"{prospect.by_other_code} of the finished missions were run by another version of expedition and kept; "
            f"to run these anew: expedition run {design} --store {store} --outdated"
        )
    if prospect.elsewhere:
        one = prospect.elsewhere == 1
        tell(
            f"{prospect.elsewhere} mission{' is' if one else 's are'} being run into {store} by other processes; "
            f"{'it is' if one else 'they are'} left for last"
        )
    kept = len(prospect.planned) - len(prospect.waiting)
    if kept and prospect.waiting:
        tell(f"{kept} of {len(prospect.planned)} missions are finished already; {len(prospect.waiting)} to go")


def _tell_interruption(store: Store, design: Design, folder: Path, anew: int | None) -> None:
    """What there is to go on with; `anew` is how many missions were run where all were to be."""
    keys = {one.key for one in design.missions()}
    if anew is None:
        words = f"{len(keys & store.finished())} of {len(keys)} missions are finished and kept in {folder}"
        rest = "the same command continues"
    else:
        words = f"{anew} of {len(keys)} missions were run anew and kept in {folder}"
        rest = (
            "without --fresh, the same command keeps these and the older results of the others; with it, it starts over"
        )
    print(f"interrupted: {words}; {rest}", file=sys.stderr)


def _show_summary(store: Store, design: Design, prospect: Prospect, given_up: list[Done]) -> None:
    from expedition.bench.standing import endings

    tried_in_vain = {done.planned.key for done in given_up}
    counted = endings(store, [one.key for one in prospect.planned if one.key not in tried_in_vain])
    parts = [f"{number} {ending}" for ending, number in counted.most_common()]
    parts += [f"{len(given_up)} given up"] if given_up else []
    say(f"{design.name}: {len(prospect.planned)} missions in {store.folder}: {', '.join(parts)}")
    for done in given_up[:MOST_GIVEN_UP]:
        vector = " ".join(f"{name}={done.planned.vector.get(name)}" for name in design.varied)
        reason = (done.error or "").strip().rpartition("\n")[2]
        say(
            f"  given up: {vector} seed={done.planned.seed}: {reason} ({store.folder}/given-up/{done.planned.key}.json)"
        )
    if len(given_up) > MOST_GIVEN_UP:
        say(f"  and {len(given_up) - MOST_GIVEN_UP} more in {store.folder}/given-up")
    say(f"report: expedition report {store.folder} {design.name}")


@contextmanager
def _interruptible() -> Iterator[None]:
    """A polite request to end, as schedulers and `kill` send it, counts as Ctrl-C."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
