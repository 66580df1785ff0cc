"""A mission that is watched while it runs, and goes on whatever becomes of who watches."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from expedition.log.reader import LogReader
from tests.viewer.serving import Asking, Serving, asking

MISSION = ("--terrain", "cross", "--robots", "2", "--time-limit", "40", "--explored", "1", "--quiet", "--json")
LONGER = ("--terrain", "maze", "--robots", "20", "--time-limit", "150")
"""A mission that still runs when its page is there."""


@contextmanager
def exploring(folder: Path, *words: str) -> Iterator[tuple[Serving, subprocess.Popen[str]]]:
    """`expedition explore --view`, and the server that it started."""
    process = subprocess.Popen(
        [sys.executable, "-m", "expedition", "explore", *MISSION, "--view", "--no-open", "--port", "0", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        said = process.stderr.readline()
        assert said.startswith("expedition is at "), said + process.stderr.read()
        yield Serving(said.split()[-1], process, folder), process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def watching(serving: Serving) -> Iterator[Asking]:
    """A page that watches the mission, once it has begun."""
    with asking(serving) as page:
        while page.hello["kind"] == "waiting":
            page.hello, page.ground = page.receive()
        yield page


def server_of(process: subprocess.Popen[str]) -> int:
    """The process of the server."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    (server,) = [int(pid) for pid in children if b"expedition.viewer.live" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return server


def until_it_is_over(page: Asking) -> float:
    """Hear the news of a mission to its end; how far it went."""
    head = page.hello
    while head["growing"]:
        head, _ = page.receive()
    return float(head["end"])


def test_a_page_sees_a_mission_from_its_start_to_its_end_and_stays(tmp_path: Path) -> None:
    with exploring(tmp_path) as (serving, process), watching(serving) as page:
        end = until_it_is_over(page)
        assert end == pytest.approx(40.0)
        assert page.ask("moment", time=30.0, parts=["paths", "frontiers", "words"])[0]["roles"] == ["", ""]
        assert process.poll() is None  # The page stays.
        assert process.stderr is not None
        assert "the page stays until Ctrl-C" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 1  # Not explored in time.
        assert json.loads(out)["ending"] == "timed out"


def test_a_mission_goes_on_when_its_server_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log.mcap"
    with exploring(tmp_path, "--record", str(log), *LONGER) as (serving, process):
        with watching(serving) as page:
            assert page.hello["growing"]
        os.kill(server_of(process), signal.SIGKILL)
        out, _ = process.communicate(timeout=300)
        assert json.loads(out)["ending"] in ("explored", "timed out", "gave up")
        assert not LogReader(log).is_growing


def test_a_mission_does_not_wait_for_a_page_that_does_not_read(tmp_path: Path) -> None:
    with exploring(tmp_path) as (serving, process), watching(serving) as idle, watching(serving) as page:
        for _ in range(2000):
            idle.socket.send('{"ask": "curves", "id": 1}')
        assert until_it_is_over(page) == pytest.approx(40.0)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 1


def test_ctrl_c_ends_a_mission_and_its_server(tmp_path: Path) -> None:
    with exploring(tmp_path, *LONGER) as (serving, process), watching(serving):
        server = server_of(process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        assert process.returncode == 130
        assert json.loads(out)["ending"] == "interrupted"
        assert not Path(f"/proc/{server}").exists()


def test_a_port_that_is_taken_is_told_before_the_mission_begins(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = subprocess.run(
            [sys.executable, "-m", "expedition", "explore", *MISSION, "--view", "--no-open", "--port", port],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert result.returncode == 2
    assert (
        result.stderr
        == f"error: --host 127.0.0.1 --port {port}: the page cannot be served there: Address already in use\n"
    )
