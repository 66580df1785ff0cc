"""A page for a mission that runs in this process: the server is a process of its own, and reads the log as it grows.

The mission gives it nothing but the log, so that whatever becomes of browser or server, the mission goes on.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from expedition.viewer.address import address_of, check_extra, listen_at, open_in_browser
from expedition.viewer.gate import Gate

NICENESS = 5
"""Where the machine is busy, the mission comes first."""
NAME = "mission"
"""Of the log, in the page's address."""


class LiveViewer:
    """A server for one log, from `with` to its end."""

    def __init__(self, log: Path | None, port: int | None, show: bool, say: Callable[[str], None]) -> None:
        """Without a log of its own, the mission is recorded into a folder that is removed in the end."""
        check_extra()
        self._listening = listen_at(Gate().host, port)
        self._folder = tempfile.TemporaryDirectory(prefix="expedition-") if log is None else None
        self.log = log or Path(self._folder.name if self._folder else "") / f"{NAME}.mcap"
        self.address = address_of(self._listening, Gate(), f"/watch/{NAME}")
        self._show = show
        self._say = say
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> LiveViewer:
        """Start the server; browsers that come before it is ready wait for it."""
        self._server = subprocess.Popen(
            [sys.executable, "-m", "expedition.viewer.live", str(self._listening.fileno()), str(self.log)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True,
            pass_fds=[self._listening.fileno()],
        )  # fmt: skip
        self._listening.close()
        self._say(f"expedition is at {self.address}")
        if self._show:
            open_in_browser(self.address)
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
            assert self._server.stdin is not None
            self._server.stdin.close()
            self._server.terminate()
            try:
                self._server.wait(5)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
        if self._folder is not None:
            self._folder.cleanup()


def _serve(descriptor: int, log: Path) -> None:
    """What the server's process does: show a log at a socket that it was given."""
    import socket

    from expedition.bench.store import Store
    from expedition.viewer.server import make_app, serve
    from expedition.viewer.shelf import Shelf

    os.nice(NICENESS)
    threading.Thread(target=_end_with_mission, daemon=True).start()
    shelf = Shelf(Store("results"), {NAME: log}, {NAME})
    serve(make_app(shelf, Gate()), socket.socket(fileno=descriptor))


def _end_with_mission() -> None:
    """End this process when the mission's is gone, however that went: then nobody holds our input open."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    _serve(int(sys.argv[1]), Path(sys.argv[2]))
