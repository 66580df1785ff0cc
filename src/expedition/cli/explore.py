"""`expedition explore`: run one mission, watch it, and see what it came to."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from expedition.cli.app import app
from expedition.cli.words import say, warn

if TYPE_CHECKING:
    from expedition.log.recorder import Recorder
    from expedition.mission import Mission, Result
    from expedition.viewer.live import LiveViewer

INTERRUPTED = 130
LOG = "log.mcap"


class WithLog(TyperCommand):
    """A command whose `--record` may stand alone."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give it the usual file where none follows."""
        following = [*args[1:], "-"]
        alone = [word == "--record" and after.startswith("-") for word, after in zip(args, following, strict=True)]
        return super().parse_args(
            ctx, [f"{word}={LOG}" if bare else word for word, bare in zip(args, alone, strict=True)]
        )


@app.command("explore", cls=WithLog)
def explore_command(
    terrain: Annotated[str, typer.Option("--terrain", "-t", help="A terrain's name or a map file.")] = "maze",
    robots: Annotated[int, typer.Option("--robots", "-n", help="How many robots.")] = 8,
    strategy: Annotated[
        str, typer.Option("--strategy", "-s", help="A name, perhaps with parameters, or my_file.py:my_strategy.")
    ] = "nearest-frontier",
    seed: Annotated[int, typer.Option(help="Everything random comes from it.")] = 0,
    robot: Annotated[
        str, typer.Option(help="A robot model, a file, or several as in '3 * pioneer-3dx + 1 * quadrotor'.")
    ] = "pioneer-3dx",
    placement: Annotated[str, typer.Option(help="Where the robots start: auto, grouped, spread, at, ...")] = "auto",
    base: Annotated[
        str | None, typer.Option(help="A base station: start, for where the first robot does, or a point as 3,-4.")
    ] = None,
    prior: Annotated[
        str | None, typer.Option(help="A map that robots are given: a map file, or truth:known=0.5,wrong=0.1.")
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(help="A parameter of the strategy, as range=8. May be repeated.", metavar="NAME=VALUE"),
    ] = None,
    explored: Annotated[float, typer.Option(help="The share of the ground at which the mission is done.")] = 0.99,
    failure: Annotated[
        list[str] | None,
        typer.Option(help="What fails when, as robot:at=100,robots=2 or radio:rate_per_hour=6. May be repeated."),
    ] = None,
    known_to: Annotated[
        str, typer.Option("--known-to", help="Who must know that share: robot (any one), union (all) or base.")
    ] = "robot",
    time_limit: Annotated[float, typer.Option(help="Simulated seconds after which it has failed.")] = 2000.0,
    localiser: Annotated[
        str | None, typer.Option(help="scan-matching (the default), odometry or perfect.", show_default=False)
    ] = None,
    merge: Annotated[
        str | None, typer.Option(help="How maps are merged: greedy (the default), probabilistic or aligned.")
    ] = None,
    planner: Annotated[
        str | None, typer.Option(help="a-star (the default), dijkstra, jump-point or topological.")
    ] = None,
    radio: Annotated[str | None, typer.Option(help="Who hears whom: circle (the default), path-loss, ...")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Any setting of the robots' software, as local.horizon=1.5. May be repeated.",
            metavar="NAME=VALUE",
        ),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", "-o", help="Write a picture of the end: .png, .svg or .pdf.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            help=f"Write a log to replay the mission, by default {LOG}.", metavar="[FILE]", show_default=False
        ),
    ] = None,
    flush: Annotated[
        float | None,
        typer.Option(help="With --record: seconds after which others can read what has happened.", min=0.01),
    ] = None,
    view: Annotated[bool, typer.Option("--view", help="Watch it in the browser while it runs.")] = False,
    port: Annotated[
        int | None, typer.Option(help="With --view: the page's port, by default the first free one from 8080 on.")
    ] = None,
    show: Annotated[bool, typer.Option("--open/--no-open", help="With --view: open the page in a browser.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as JSON instead of a table.")] = False,
    json_series: Annotated[
        bool, typer.Option("--json-series", help="The same, with what was measured each second, events and contacts.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show nothing while the mission runs.")] = False,
    profile: Annotated[bool, typer.Option("--profile", help="Measure what the parts of the software cost.")] = False,
) -> None:
    """Send robots into a terrain and see how they do.

    The exit code is 0 if enough was explored in time, 1 if not, 2 for a mistake, and 130 after Ctrl-C.
    """
    from expedition.cli.assignments import pairs
    from expedition.exploring import plan_mission
    from expedition.settings import nested

    if picture is not None:
        from expedition.plotstyle import check_target

        check_target(picture)
    common = {"localiser": localiser, "merge": merge, "planner": planner, "radio": radio}
    given = pairs(settings or [], "--set", {name: value for name, value in common.items() if value is not None})
    mission = plan_mission(
        terrain, robots, strategy, seed, robot, placement, pairs(param or [], "--param"),
        {"explored": {"share": explored, "of": known_to}, "time": time_limit}, None,
        nested(given, lambda name: f"--set {name}"), base, prior, failure,
    )  # fmt: skip
    if not quiet:
        warn(mission.terrain.name, mission.terrain.notes)
        announce(mission)
    with ExitStack() as ending:
        page = _page(record, port, show) if view else None
        recorder = _recorder(record if page is None else page.log, flush, is_watched=view)
        if page is not None:
            ending.enter_context(page)
        result = _run(mission, quiet, profile, recorder)
        if result.failure is not None and result.failure.robot is None:
            raise result.failure  # No strategy's, and so a mistake in what the mission was given, such as its radio.
        _tell(result, as_json, json_series, picture)
        if recorder is not None and recorder.failure is not None:
            print(recorder.failure, file=sys.stderr)
        elif record is not None and not (as_json or json_series):
            say(f"\nwrote {record}")
        if page is not None and result.ending != "interrupted":
            page.stay()
    raise typer.Exit(INTERRUPTED if result.ending == "interrupted" else 0 if result.succeeded else 1)


def announce(mission: Mission) -> None:
    """Say where the robots were placed, if that needs saying, and what they can reach from there."""
    for sentence in [*(f"placement: {note}" for note in mission.fleet.notes), mission.access.sentence()]:
        print(sentence, file=sys.stderr)
    warn(mission.terrain.name, mission.access.warnings())


def _tell(result: Result, as_json: bool, json_series: bool, picture: Path | None) -> None:
    """Print what a mission came to, and draw it if wanted."""
    if as_json or json_series:
        from expedition.record import as_json as written

        print(written(result.to_dict(series=json_series)))
    else:
        from expedition.cli.summary import show_summary

        show_summary(result)
    if result.failure is not None:
        print(f"\n{result.failure.report}", file=sys.stderr, end="")
    if picture is not None:
        result.picture(picture)
        if not (as_json or json_series):
            say(f"\nwrote {picture}")


def _page(record: Path | None, port: int | None, show: bool) -> LiveViewer:
    from expedition.viewer.live import LiveViewer

    return LiveViewer(record, port, show, lambda sentence: print(sentence, file=sys.stderr, flush=True))


def _recorder(path: Path | None, flush: float | None, is_watched: bool) -> Recorder | None:
    if path is None:
        return None
    from expedition.log.recorder import WATCHED, Recorder

    return Recorder(path, flush_every=WATCHED if is_watched and flush is None else flush)


def _run(mission: Mission, quiet: bool, profile: bool, record: Recorder | None) -> Result:
    """Run a mission; what is shown meanwhile goes to the error stream, so that output can be piped."""
    from rich.console import Console

    from expedition.mission import run

    if quiet:
        return run(mission, profile=profile, record=record)
    from expedition.cli.live import LiveView, QuietLines

    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        return run(mission, QuietLines(console).tell, profile=profile, record=record)
    with LiveView(mission, console) as view:
        result = run(mission, view.tell, profile=profile, record=record)
    console.print()
    return result
