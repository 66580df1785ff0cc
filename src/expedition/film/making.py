"""Makes films and pictures of recorded missions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from expedition.errors import ExpeditionError
from expedition.film.gif import GifWriter
from expedition.film.mp4 import Mp4Writer
from expedition.film.shot import Shot
from expedition.film.stage import Stage
from expedition.film.target import FILMS, PICTURES, check_target, whole_file
from expedition.film.timing import Timing, moment_of
from expedition.log.find import find_log
from expedition.log.reader import LogReader

FPS = {".mp4": 25.0, ".gif": 12.5}
SIZE = {".mp4": (1280, 720), ".gif": (960, 540), ".png": (1280, 720)}
SAMPLES = 9
"""Pictures that the palette of a GIF is made of."""


@dataclass(frozen=True)
class Film:
    """A film that was made, or is about to be."""

    path: Path
    size: tuple[int, int]
    timing: Timing
    is_cut: bool
    """Whether the log has no end: the mission still runs, or was cut off."""


def film(
    log: LogReader | Path | str,
    out: Path | str,
    *,
    speed: float | None = None,
    fps: float | None = None,
    size: str | tuple[int, int] | None = None,
    start: float | None = None,
    end: float | None = None,
    which: str | int = "union",
    side_by_side: bool = False,
    layers: str | Iterable[str] | None = None,
    follow: int | str | None = None,
    dark: bool = False,
    curves: bool | None = None,
    tell: Callable[[Film, int], None] | None = None,
) -> Film:
    """Write a film of a recorded mission as MP4 or GIF, whichever the name says.

    `log` is what `find_log` takes. `speed` is by default such that the film lasts about half a minute. `start` and
    `end` are seconds of the mission; `which` is `union`, `truth`, `base` or a robot; `layers` a comma list of `LAYERS`;
    `curves` the explored share over time beside the map, by default where there is room. `tell` is called with the
    film and the number of pictures that are done. The same log gives the same bytes.

    >>> film("log.mcap", "maze.mp4", side_by_side=True)                                     # doctest: +SKIP
    """
    path = check_target(out, FILMS)
    suffix = path.suffix.lower()
    reader = _opened(log)
    shot = Shot.of(reader, SIZE[suffix] if size is None else size, which, side_by_side, layers, follow, dark, curves)
    timing = Timing.of(reader, start, end, speed, FPS[suffix] if fps is None else fps)
    made = Film(path, shot.size, timing, reader.is_growing)
    if tell is not None:
        tell(made, 0)
    stage = Stage(reader, shot, (timing.start, timing.end), timing.speed)
    with whole_file(path) as temporary, _writer(temporary, suffix, shot, timing, stage) as writer:
        for frame in range(timing.frames):
            writer.add(stage.draw(timing.moment(frame)))
            if tell is not None:
                tell(made, frame + 1)
    return made


def still(
    log: LogReader | Path | str,
    out: Path | str,
    *,
    at: float | None = None,
    size: str | tuple[int, int] | None = None,
    which: str | int = "union",
    side_by_side: bool = False,
    layers: str | Iterable[str] | None = None,
    follow: int | str | None = None,
    dark: bool = False,
    curves: bool | None = None,
) -> Path:
    """Write the picture of one moment as PNG: that at `at` seconds, by default the end; for the rest see `film`.

    >>> still("log.mcap", "maze.png", at=60)                                                # doctest: +SKIP
    """
    path = check_target(out, PICTURES)
    reader = _opened(log)
    shot = Shot.of(reader, SIZE[".png"] if size is None else size, which, side_by_side, layers, follow, dark, curves)
    time = moment_of(reader, at)
    image = Stage(reader, shot, (reader.start, reader.end)).draw(time)
    with whole_file(path) as temporary:
        image.save(temporary, format="PNG")
    return path


def _opened(log: LogReader | Path | str) -> LogReader:
    """The log, of which something was recorded."""
    reader = log if isinstance(log, LogReader) else LogReader(find_log(log))
    if not len(reader.series.times):
        place = "the log" if isinstance(log, LogReader) else log
        raise ExpeditionError(f"{place}: nothing is recorded yet, or the log was cut off before anything was")
    return reader


def _writer(path: Path, suffix: str, shot: Shot, timing: Timing, stage: Stage) -> Mp4Writer | GifWriter:
    if suffix == ".mp4":
        return Mp4Writer(path, shot.size, timing.fps)
    last = timing.frames - 1
    samples = sorted({round(last * part / (SAMPLES - 1)) for part in range(SAMPLES)})
    return GifWriter(path, shot.size, timing.fps, [stage.draw(timing.moment(frame)) for frame in samples])
