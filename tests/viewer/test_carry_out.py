"""The process of a mission that a page started: it ends when its input does, however the server was started."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from expedition.log.reader import LogReader
from tests.bench.processes import wait_for
from tests.design.writing import design_of
from tests.viewer.setting_up import ENDLESS, OWN


@pytest.mark.parametrize("handler", [signal.SIG_DFL, signal.SIG_IGN])
def test_a_mission_ends_with_its_input_and_closes_its_log(tmp_path: Path, handler: signal.Handlers) -> None:
    (tmp_path / "own.py").write_text(OWN)
    (planned,) = design_of(tmp_path, {**ENDLESS, "robots": 1, "strategy": f"{tmp_path}/own.py:dawdles"}).missions()
    before = signal.signal(signal.SIGINT, handler)  # Ignored behind `nohup`, which children inherit.
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "expedition.viewer.setup.carry_out", str(tmp_path)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    finally:
        signal.signal(signal.SIGINT, before)
    assert process.stdin is not None
    process.stdin.write(json.dumps(planned.parameters).encode() + b"\n")
    process.stdin.flush()
    try:
        wait_for(lambda: (tmp_path / "log.mcap").exists() and (tmp_path / "log.mcap").stat().st_size > 10_000)
        process.stdin.close()
        assert process.wait(60) == 0
    finally:
        process.kill()
    log = LogReader(tmp_path / "log.mcap")
    assert not log.is_growing
    assert log.events[-1]["text"] == "interrupted"
    says = json.loads((tmp_path / "result.json").read_text())["says"]
    assert says.startswith("interrupted: after ")
    assert log.events[-1]["says"] == says
