"""`expedition film`: a film, or a picture of one moment, from the log of a mission."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from expedition.cli.app import app
from expedition.cli.words import say

if TYPE_CHECKING:
    from rich.console import Console

    from expedition.film import Film


@app.command("film")
def film_command(
    run: Annotated[str, typer.Argument(help="A log, a mission's folder, or STORE/KEY.", metavar="RUN")],
    out: Annotated[Path, typer.Argument(help="Where to: .mp4, .gif, or .png for one moment.", metavar="OUT")],
    speed: Annotated[
        float | None,
        typer.Option(help="Seconds of the mission to a second of the film; by default it lasts about 30 s."),
    ] = None,
    fps: Annotated[float | None, typer.Option(help="Pictures a second: 25, or 12.5 for .gif, if not given.")] = None,
    size: Annotated[
        str | None, typer.Option(help="Width and height: 1280x720, or 960x540 for .gif, if not given.", metavar="WxH")
    ] = None,
    start: Annotated[float | None, typer.Option("--from", help="Second of the mission to begin at.")] = None,
    end: Annotated[float | None, typer.Option("--to", help="Second of the mission to end at.")] = None,
    at: Annotated[float | None, typer.Option(help="With .png: the second to show, by default the last.")] = None,
    which: Annotated[
        str, typer.Option("--map", help="Whose map: union (of all robots), truth, base, or a robot's number.")
    ] = "union",
    side_by_side: Annotated[bool, typer.Option("--side-by-side", help="The truth at the left of the map.")] = False,
    layers: Annotated[
        str | None,
        typer.Option(
            help="What to show, as robots,trails,who; or changes to the usual, as +who,-links. All: robots, names, "
            "trails, goals, paths, frontiers, links, tags, scans, base, people, landmarks, heat, who.",
            show_default=False,
        ),
    ] = None,
    follow: Annotated[str | None, typer.Option(help="A robot to stay close to.", metavar="ROBOT")] = None,
    dark: Annotated[bool, typer.Option("--dark", help="On dark ground.")] = False,
    curves: Annotated[
        bool | None,
        typer.Option(
            "--curves/--no-curves", help="The explored share over time beside the map; by default where there is room."
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show nothing while the film is made.")] = False,
) -> None:
    """Make a film of a recorded mission.

    Logs come from `expedition explore --record` and `expedition run --record`.
    """
    from expedition.film.target import PICTURES, check_target

    check_target(out)
    shot: dict[str, Any] = {
        "size": size, "which": which, "side_by_side": side_by_side, "layers": layers, "follow": follow, "dark": dark,
        "curves": curves,
    }  # fmt: skip
    if out.suffix.lower() in PICTURES:
        _refuse(out, "a picture of one moment", {"--speed": speed, "--fps": fps, "--from": start, "--to": end})
        from expedition.film import still

        still(run, out, at=at, **shot)
        say(f"wrote {out}")
        return
    _refuse(out, "a film", {"--at": at})
    from rich.console import Console

    from expedition.film import film

    with FilmProgress(Console(stderr=True, highlight=False), quiet) as progress:
        made = film(run, out, speed=speed, fps=fps, start=start, end=end, tell=progress.tell, **shot)
    seconds, (width, height) = made.timing.seconds, made.size
    megabytes = out.stat().st_size / 1e6
    say(f"wrote {out}: {seconds:.1f} s, {made.timing.frames} pictures of {width} x {height}, {megabytes:.1f} MB")


def _refuse(out: Path, kind: str, options: dict[str, float | None]) -> None:
    from expedition.errors import ExpeditionError

    for option, value in options.items():
        if value is not None:
            raise ExpeditionError(f"{option}: says nothing about {out}, which is {kind}")


class FilmProgress:
    """How a film comes along: a sentence before it, a bar on a terminal, a line now and then elsewhere."""

    def __init__(self, console: Console, quiet: bool) -> None:
        from expedition.cli.run_progress import bar_on

        self._console = console
        self._quiet = quiet
        self._bar = bar_on(console, quiet)
        self._task: Any = None
        self._began = self._last_line = time.monotonic()

    def __enter__(self) -> FilmProgress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def tell(self, made: Film, done: int) -> None:
        """Take note of pictures that are done."""
        from expedition.cli.run_progress import BETWEEN_LINES

        total = made.timing.frames
        if self._task is None:
            self._tell_plan(made)
            self._bar.start()
            self._task = self._bar.add_task("", total=total)
            self._began = time.monotonic()
        self._bar.update(self._task, completed=done, description=self._words(done, total))
        now = time.monotonic()
        if self._bar.disable and not self._quiet and now - self._last_line >= BETWEEN_LINES:
            self._last_line = now
            self._console.print(self._words(done, total))

    def _tell_plan(self, made: Film) -> None:
        if self._quiet:
            return
        timing = made.timing
        if made.is_cut:
            print(f"the log has no end, so the film goes as far as it does: {timing.end:g} s", file=sys.stderr)
        pace = "as fast as it was" if timing.speed == 1.0 else f"at {timing.speed:.3g} times its speed"
        print(f"{timing.end - timing.start:g} s of the mission {pace}: {timing.seconds:.1f} s of film", file=sys.stderr)

    def _words(self, done: int, total: int) -> str:
        from expedition.cli.run_progress import duration

        elapsed = time.monotonic() - self._began
        words = f"{done} of {total} pictures"
        if 0 < done < total and elapsed > 2.0:
            words += f", {duration(elapsed * (total - done) / done)} left"
        return words
