"""Which moments of a mission a film shows, and how fast it goes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from expedition.errors import ExpeditionError
from expedition.log.reader import LogReader

USUAL_SECONDS = 30.0
"""How long a film lasts about, if nobody says."""
MOST_FRAMES = 100_000
SPEEDS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
FASTEST_FPS = 120.0


@dataclass(frozen=True)
class Timing:
    """The moments of a film."""

    start: float
    """Seconds of the mission."""
    end: float
    speed: float
    """Seconds of the mission to a second of the film."""
    fps: float

    @property
    def frames(self) -> int:
        """How many pictures the film has."""
        return math.floor((self.end - self.start) / self.speed * self.fps + 1e-9) + 1

    @property
    def seconds(self) -> float:
        """How long the film lasts."""
        return self.frames / self.fps

    def moment(self, frame: int) -> float:
        """The moment that a picture shows; the last one shows the end."""
        return self.end if frame == self.frames - 1 else self.start + frame * self.speed / self.fps

    @classmethod
    def of(cls, log: LogReader, start: float | None, end: float | None, speed: float | None, fps: float) -> Timing:
        """The moments that a user asks for; an error if the log does not have them."""
        begin = log.start if start is None else _within(log, start, "--from")
        until = log.end if end is None else _within(log, end, "--to")
        if begin >= until and (start, end) != (None, None):
            raise ExpeditionError(f"--from: {begin:g} s is not before --to, {until:g} s")
        if not 0.1 <= fps <= FASTEST_FPS:
            raise ExpeditionError(f"--fps: expected 0.1 to {FASTEST_FPS:g} pictures a second, found {fps:g}")
        pace = usual_speed(until - begin) if speed is None else speed
        if not (pace > 0.0 and math.isfinite(pace)):
            raise ExpeditionError(f"--speed: expected seconds of the mission to a second of the film, found {pace:g}")
        timing = cls(begin, until, pace, fps)
        if (until - begin) / pace * fps > MOST_FRAMES:
            least = (until - begin) * fps / MOST_FRAMES
            raise ExpeditionError(
                f"--speed: {pace:g} makes {timing.frames:,} pictures, of which a film has at most {MOST_FRAMES:,}; "
                f"take at least {least:.3g}, or a part of the mission by --from and --to"
            )
        return timing


def moment_of(log: LogReader, at: float | None) -> float:
    """The moment of a picture that a user asks for: the end if none."""
    return log.end if at is None else _within(log, at, "--at")


def usual_speed(seconds: float) -> float:
    """The round number by which so many seconds take about half a minute; never slower than they were."""
    wanted = max(1.0, seconds / USUAL_SECONDS)
    power = 10.0 ** math.floor(math.log10(wanted))
    return min((factor * power for factor in (*SPEEDS, 10.0)), key=lambda speed: abs(math.log(speed / wanted)))


def _within(log: LogReader, time: float, option: str) -> float:
    if not log.start <= time <= log.end + 1e-6:
        raise ExpeditionError(
            f"{option}: {time:g} s is not in this log, which goes from {log.start:g} to {log.end:g} s"
        )
    return min(time, log.end)
