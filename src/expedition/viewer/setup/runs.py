"""Missions that were started on the page: each in a process of its own, a few at a time, the others in a queue.

STORE/live/NAME/   set-up.yaml, the design; log.mcap; result.json, how it ended; errors.txt, what was said meanwhile
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import expedition
from expedition.bench.places import LOG, scan
from expedition.bench.running import cores
from expedition.bench.threads import ONE_THREAD
from expedition.design.planned import Planned
from expedition.errors import ExpeditionError
from expedition.log.reader import LogReader
from expedition.spec import read_text
from expedition.viewer.setup.allowed import Allowed
from expedition.viewer.setup.carry_out import RESULT
from expedition.viewer.setup.drafts import Draft, open_text
from expedition.viewer.shelf import Shelf

FOLDER, SET_UP, ERRORS = "live", "set-up.yaml", "errors.txt"
MOST_WAITING = 100
PATIENCE = 20.0
"""Seconds that a mission that was told to stop may take to close its log."""
LAST_LINES = 12
"""Of an error, that a page shows."""

State = Literal["waiting", "starting", "running", "stopping", "ended", "failed"]
WORDS = {"waiting": "waits for its turn", "starting": "is starting", "running": "runs", "stopping": "is stopping"}


@dataclass
class Run:
    """A mission that was started on the page."""

    name: str
    folder: Path
    draft: Draft
    state: State = "waiting"
    time: float = 0.0
    explored: float = 0.0
    words: str = ""
    """What it is about before it moves, such as compiling."""
    ending: str = ""
    says: str = ""
    """How it ended, in a sentence."""
    why: str = ""
    """Of one that failed: a sentence, and the last lines of what it said."""
    when: datetime = field(default_factory=datetime.now)
    has_log: bool = False
    """Whether there is anything to watch."""
    watchable: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once there is something to be seen, and when it is over."""
    _parameters: dict[str, Any] = field(default_factory=dict)
    _process: asyncio.subprocess.Process | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ("ended", "failed")

    def sentence(self) -> str:
        """How it stands."""
        if self.state in ("waiting", "starting") or (self.words and not self.is_over):
            return self.words or WORDS[self.state]
        figures = f"{self.time:,.0f} s, {self.explored:.1%} explored"
        if self.state == "failed":
            return "failed"
        if self.is_over and self.says:
            return self.says
        return f"{self.ending}: {figures}" if self.is_over else f"{WORDS[self.state]}: {figures}"


class Runs:
    """All missions of the page, those of earlier servers on the same store too."""

    def __init__(self, shelf: Shelf, allowed: Allowed, most: int | None = None) -> None:
        self.allowed = allowed
        self.most = most or cores()
        """How many run at a time."""
        self._shelf = shelf
        self._folder = shelf.store.folder / FOLDER
        self._runs: dict[str, Run] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._read_earlier()

    def all(self) -> list[Run]:
        """Newest first."""
        return sorted(self._runs.values(), key=lambda run: run.when, reverse=True)

    def now(self) -> list[Run]:
        """Those that run or wait."""
        return [run for run in self.all() if not run.is_over]

    def find(self, name: str) -> Run | None:
        """The mission of that name, if it was started here."""
        return self._runs.get(name)

    def start(self, draft: Draft, planned: Planned) -> Run:
        """Start a mission that was checked, or have it wait for its turn."""
        if sum(run.state == "waiting" for run in self._runs.values()) >= MOST_WAITING:
            raise ExpeditionError(f"{MOST_WAITING} missions wait already: stop some of them first")
        run = Run("", self._folder, draft, _parameters=planned.parameters)
        run.name, run.folder = self._new_folder(draft)
        (run.folder / SET_UP).write_text(draft.text(), "utf-8")
        self._runs[run.name] = run
        self._fill()
        return run

    def place_in_queue(self, run: Run) -> int:
        """How many wait before a mission that waits."""
        waiting = [one for one in self._runs.values() if one.state == "waiting"]
        return waiting.index(run) if run in waiting else 0

    def stop(self, run: Run) -> None:
        """End a mission, its log closed; one that waits does not begin."""
        if run.state == "waiting":
            self._end(run, "ended", "stopped before it began")
        elif not run.is_over:
            run.state = "stopping"
            if run._process is not None and run._process.stdin is not None:
                run._process.stdin.close()

    async def close(self) -> None:
        """End all missions, and wait until their logs are closed."""
        for run in self.now():
            self.stop(run)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=PATIENCE + 5.0)

    def _fill(self) -> None:
        busy = sum(run.state in ("starting", "running", "stopping") for run in self._runs.values())
        for run in [run for run in self._runs.values() if run.state == "waiting"][: max(0, self.most - busy)]:
            run.state = "starting"
            task = asyncio.get_running_loop().create_task(self._carry_out(run))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry_out(self, run: Run) -> None:
        try:
            await self._in_process(run)
        except (OSError, ExpeditionError) as error:
            self._end(run, "failed", "", f"the mission could not be started: {error}")
        finally:
            if not run.is_over:
                self._end(run, "failed", "", "the server ended before the mission did")
            self._fill()

    async def _in_process(self, run: Run) -> None:
        package = str(Path(expedition.__file__).parent.parent)
        path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
        with (run.folder / ERRORS).open("wb") as errors:
            # A session of its own: Ctrl-C at the terminal is the server's to hear, which then ends its missions.
            run._process = process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "expedition.viewer.setup.carry_out", str(run.folder),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=errors,
                start_new_session=True, limit=1 << 22, env={**os.environ, **ONE_THREAD, "PYTHONPATH": path},
            )  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(json.dumps(run._parameters).encode() + b"\n")
        if run.state == "stopping":  # Meanwhile.
            process.stdin.close()
        watchdog = asyncio.create_task(_kill_if_deaf(run, process))
        try:
            last = await self._hear(run, process)
            code = await process.wait()
        finally:
            watchdog.cancel()
        said = _last_lines(run.folder / ERRORS)
        if "error" in last:
            self._end(run, "failed", "", last["error"])
        elif last.get("failure"):
            self._end(run, "failed", last["ending"], f"{last['failure']}\n{_tail(last['report'])}")
        elif "ending" in last:
            run.says = last.get("says", "")
            self._end(run, "ended", last["ending"], last.get("log") or "")
        elif code < 0:
            self._end(run, "failed", "killed", f"the mission's process was killed by signal {-code}\n{said}".strip())
        else:
            self._end(run, "failed", "", f"the mission's process ended with code {code}\n{said}".strip())

    async def _hear(self, run: Run, process: asyncio.subprocess.Process) -> dict[str, Any]:
        """Take in what a mission says until it says no more; how it ended, if it said so."""
        assert process.stdout is not None
        last: dict[str, Any] = {}
        async for line in process.stdout:
            with suppress(ValueError):  # A strategy's own `print` is none of ours.
                news = json.loads(line)
                if not isinstance(news, dict):
                    continue
                run.words = str(news.get("words", run.words))
                run.time, run.explored = news.get("time", run.time), news.get("explored", run.explored)
                if "ending" in news or "error" in news:
                    last = news
                elif "time" in news and run.state == "starting" and await asyncio.to_thread(_opens, run.folder / LOG):
                    self._put_on_shelf(run)
                    run.state = "running"
                    run.watchable.set()
        return last

    def _end(self, run: Run, state: State, ending: str, why: str = "") -> None:
        run.state, run.ending, run.why, run.words = state, ending, why, ""
        if _opens(run.folder / LOG, moved=False):
            self._put_on_shelf(run)
        with suppress(OSError):
            about = {
                "state": state, "ending": ending, "says": run.says, "why": why, "time": run.time,
                "explored": run.explored,
            }  # fmt: skip
            (run.folder / RESULT).write_text(json.dumps(about))
        self._shelf.live.discard(run.name)
        run.watchable.set()

    def _put_on_shelf(self, run: Run) -> None:
        run.has_log = True
        if self._shelf.find(run.name) is None:
            self._shelf.add(run.folder / LOG, live=not run.is_over)

    def _new_folder(self, draft: Draft) -> tuple[str, Path]:
        """A name that nothing else has, and its folder."""
        words = re.sub(r"[^A-Za-z0-9]+", "-", f"{draft.title()} seed {draft.seed}".replace(".yaml", "")).strip("-")
        number = 1
        while True:
            name = words[:80] if number == 1 else f"{words[:80]}-{number}"
            number += 1
            if self._shelf.find(name) is not None or name in self._runs:
                continue
            try:
                (self._folder / name).mkdir(parents=True)
            except FileExistsError:
                continue
            except OSError as error:
                raise ExpeditionError(f"{self._folder}: no mission can be kept there: {error.strerror}") from error
            return name, self._folder / name

    def _read_earlier(self) -> None:
        """Missions that earlier servers ran."""
        for entry in scan(self._folder):
            folder = Path(entry.path)
            if (folder / LOG).is_file():
                self._shelf.logs.setdefault(entry.name, folder / LOG)
            # A set-up that may no longer be named, as without its --strategies, leaves a log to watch.
            with suppress(ExpeditionError, OSError, ValueError):
                draft = open_text(read_text(folder / SET_UP, 1 << 20), self.allowed).draft()
                run = Run(entry.name, folder, draft, when=datetime.fromtimestamp(entry.stat().st_mtime))
                run.state, run.ending, run.why = "failed", "cut off", "the server was gone before the mission ended"
                if (folder / RESULT).is_file():
                    told = json.loads(read_text(folder / RESULT, 1 << 20))
                    run.state = told.get("state", "ended")
                    run.ending, run.why, run.says = (told.get(part, "") for part in ("ending", "why", "says"))
                    run.time, run.explored = told.get("time", 0.0), told.get("explored", 0.0)
                run.has_log = run.name in self._shelf.logs
                run.watchable.set()
                self._runs[run.name] = run


async def _kill_if_deaf(run: Run, process: asyncio.subprocess.Process) -> None:
    """A mission that does not end when told to is killed."""
    while run.state != "stopping":
        await asyncio.sleep(0.2)
    await asyncio.sleep(PATIENCE)
    with suppress(ProcessLookupError):
        process.kill()


def _opens(path: Path, moved: bool = True) -> bool:
    """Whether a log can be watched, and has more than the first moment."""
    try:
        log = LogReader(path)
    except (ExpeditionError, OSError):
        return False
    has_more = log.end > log.start
    log.close()
    return has_more or not moved


def _last_lines(path: Path) -> str:
    with suppress(OSError), path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 8192))
        return _tail(file.read().decode("utf-8", "replace"))
    return ""


def _tail(text: str | None) -> str:
    return "\n".join((text or "").rstrip().splitlines()[-LAST_LINES:])
