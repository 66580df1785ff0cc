"""Starts `expedition view` as a user does, in a process of its own, and talks to it as a page does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from numpy.typing import NDArray
from websockets.sync.client import ClientConnection, connect

from tests.viewer.frames import read


@dataclass(frozen=True)
class Serving:
    """A server that runs."""

    address: str
    """What it printed, with path and token."""
    process: subprocess.Popen[str]
    store: Path

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def name(self) -> str:
        """Of the log that it was started with."""
        return urlsplit(self.address).path.rpartition("/")[2]


@contextmanager
def serve(store: Path, *words: str) -> Iterator[Serving]:
    """`expedition view WORDS` until the end of the block."""
    command = [sys.executable, "-m", "expedition", "view", *words, "--store", str(store), "--no-open"]
    if "--port" not in words:
        command += ["--port", "0"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    said = process.stdout.readline()
    try:
        assert said.startswith("expedition is at "), said + process.stdout.read()
        yield Serving(said.split()[-1], process, store)
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


class Asking:
    """A page's side of the WebSocket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.number = 0
        self.hello, self.ground = self.receive()

    def receive(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """The next frame."""
        data = self.socket.recv(timeout=60)
        assert isinstance(data, bytes)
        return read(data)

    def ask(self, what: str, **fields: Any) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """The answer to a question; news that come before it are left out."""
        self.number += 1
        self.socket.send(json.dumps({"ask": what, "id": self.number, **fields}))
        while True:
            head, arrays = self.receive()
            if head["id"] == self.number:
                return head, arrays

    def refusal(self) -> dict[str, Any]:
        """What is said of something that is no question; news that come before it are left out."""
        while (head := self.receive()[0])["kind"] == "news":
            pass
        assert head["kind"] == "error"
        return head


@contextmanager
def asking(serving: Serving, name: str | None = None) -> Iterator[Asking]:
    """Watch a log as a page does."""
    with connect(websocket(serving, name), max_size=None, open_timeout=120) as socket:
        yield Asking(socket)


def websocket(serving: Serving, name: str | None = None) -> str:
    """The address of the WebSocket of a log."""
    return f"{serving.origin.replace('http', 'ws', 1)}/ws/watch/{name or serving.name}"
