"""A page for a mission that runs in this process: the server is a process of its own, and reads the log as it grows.

The mission gives it nothing but the log, so that whatever becomes of browser or server, the mission goes on.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from expedition.errors import ExpeditionError

FLUSH_SECONDS = 0.2
"""Of the machine's clock, after which the page can see what has happened."""
NICENESS = 5
"""Where the machine is busy, the mission comes first."""


class LiveViewer:
    """A server for one log, from `with` to its end."""

    def __init__(self, log: Path | None, port: int | None, show: bool, say: Callable[[str], None]) -> None:
        """Without a log of its own, the mission is recorded into a folder that is removed in the end."""
        self._folder = tempfile.TemporaryDirectory(prefix="expedition-") if log is None else None
        self.log = log or Path(self._folder.name if self._folder else "") / "mission.mcap"
        self._say = say
        words = ["view", str(self.log), "--live", *(["--port", str(port)] if port is not None else [])]
        self._words = [sys.executable, "-m", "expedition", *words, "--open" if show else "--no-open"]
        self._server: subprocess.Popen[str] | None = None

    def __enter__(self) -> LiveViewer:
        """Start the server, once the log's file is there."""
        self._server = subprocess.Popen(
            self._words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, env={**os.environ, "EXPEDITION_NICENESS": str(NICENESS)},
        )  # fmt: skip
        assert self._server.stdout is not None
        assert self._server.stderr is not None
        first = self._server.stdout.readline()
        if not first:
            said = self._server.stderr.read().strip().removeprefix("error: ")
            self.__exit__(None, None, None)
            raise ExpeditionError(said or "the page cannot be served")
        self._say(first.rstrip())
        return self

    def stay(self) -> None:
        """Serve on until Ctrl-C."""
        if self._server is None or self._server.poll() is not None:
            return
        self._say("the mission is over; the page stays until Ctrl-C")
        try:
            self._server.wait()
        except KeyboardInterrupt:
            self._say("")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the server."""
        if self._server is not None:
            self._server.terminate()
            try:
                self._server.wait(5)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
            for stream in (self._server.stdout, self._server.stderr):
                if stream is not None:
                    stream.close()
        if self._folder is not None:
            self._folder.cleanup()
