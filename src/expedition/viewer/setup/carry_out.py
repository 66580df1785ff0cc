"""One mission in a process of its own, for the page: `python -m expedition.viewer.setup.carry_out FOLDER`.

The mission's parameters come as the first line of the standard input, as JSON. What is heard of it goes out line by
line as JSON: how far it is, and how it ended. Should the input end, whoever asked is gone or wants no more: the mission
is interrupted, and its log closed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from expedition.measure.progress import Progress

TELL_SECONDS = 0.25
RESULT = "result.json"


def main(folder: Path) -> int:
    """Carry out the mission that the standard input says, and keep its log in a folder."""
    parameters = json.loads(sys.stdin.readline())
    for number in (signal.SIGTERM, signal.SIGINT):  # Behind `nohup` the second would be ignored.
        signal.signal(number, signal.default_int_handler)
    ended = threading.Event()
    threading.Thread(target=_await_end, args=(ended,), daemon=True).start()
    try:
        return _run(folder, parameters, ended)
    except KeyboardInterrupt:
        tell(ending="stopped before it began", succeeded=False)
        return 0
    finally:
        ended.set()


def tell(**news: Any) -> None:
    """A line for whoever asked; nobody is left to hear it if they are gone."""
    try:
        print(json.dumps(news), flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(folder: Path, parameters: dict[str, Any], ended: threading.Event) -> int:
    from expedition.bench.places import LOG
    from expedition.design.building import build_mission
    from expedition.errors import ExpeditionError
    from expedition.kernels import announce_compilation
    from expedition.log.recorder import WATCHED, Recorder
    from expedition.mission import run

    announce_compilation(lambda sentence: tell(words=sentence))
    try:
        mission = build_mission(parameters)
        recorder = Recorder(folder / LOG, flush_every=WATCHED)
        result = run(mission, _Teller().tell, record=recorder)
    except ExpeditionError as error:
        tell(error=str(error))
        return 2
    ended.set()
    series = result.monitor.series
    told = {
        "ending": result.ending, "says": result.measurements.events[-1]["says"], "succeeded": result.succeeded,
        "time": float(series.times[-1]),
        "explored": float(series.explored[-1].max()),
        "failure": None if result.failure is None else str(result.failure),
        "report": None if result.failure is None else result.failure.report, "log": recorder.failure,
    }  # fmt: skip
    (folder / RESULT).write_text(json.dumps(told))
    tell(**told)
    return 0


class _Teller:
    """Tells how far the mission is, a few times a second of the machine's clock."""

    def __init__(self) -> None:
        self._next = 0.0

    def tell(self, progress: Progress) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + TELL_SECONDS
            tell(time=progress.time, explored=float(progress.explored.max()))


def _await_end(ended: threading.Event) -> None:
    """Interrupt the mission when the input ends, as Ctrl-C does."""
    # Not by sys.stdin, whose lock an ending interpreter would wait for.
    while os.read(0, 1024):
        pass
    if not ended.is_set():
        os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
