"""The first compilation shows what it is doing, on a terminal and nowhere else."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import numba

from expedition.kernels import announce_compilation

COMPILE = "import numpy; from expedition.terrain.squares import free_squares; free_squares(numpy.eye(3, dtype=bool))"
SENTENCE = "compiling kernels, on the first run only: grow squares"
ERASE = "\r\x1b[2K"


def on_terminal(program: str, cache: Path) -> str:
    """What a program writes when its output and error streams are a terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "TERM": "xterm"}
    with subprocess.Popen([sys.executable, "-c", program], stdout=theirs, stderr=theirs, env=environment) as running:
        os.close(theirs)
        written = b""
        try:
            while chunk := os.read(ours, 4096):
                written += chunk
        except OSError:  # The end, on Linux.
            pass
    os.close(ours)
    assert running.returncode == 0, written.decode()
    return written.decode()


def test_a_terminal_shows_what_is_compiled_and_is_clean_afterwards(tmp_path: Path) -> None:
    assert on_terminal(COMPILE, tmp_path) == f"{ERASE}{SENTENCE}{ERASE}"
    assert on_terminal(COMPILE, tmp_path) == ""


def test_beneath_a_progress_bar_the_lines_are_plain(tmp_path: Path) -> None:
    written = on_terminal(f"from rich.progress import track\nfor _ in track(range(1)): exec({COMPILE!r})", tmp_path)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written)
    assert SENTENCE in shown
    assert "2K" not in shown


def test_a_file_or_pipe_gets_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", COMPILE], env=environment, capture_output=True, text=True, check=True)
    assert run.stderr == run.stdout == ""


def test_kernels_of_other_people_are_compiled_in_silence_whatever_their_module() -> None:
    told: list[str] = []
    announce_compilation(told.append)

    def double(number: int) -> int:
        return 2 * number

    double.__module__ = None  # type: ignore[assignment]
    assert numba.njit(double)(2) == 4
    assert "".join(told) == ""


def test_a_kernel_is_compiled_anew_when_one_that_it_calls_or_a_constant_changes_elsewhere(tmp_path: Path) -> None:
    """Each in a file of its own, edited without touching the caller's."""
    head = "from expedition.kernels import kernel\n"
    (tmp_path / "caller.py").write_text(
        f"{head}from callee import double\nfrom number import NUMBER\n"
        "@kernel\ndef call(x: float) -> float:\n    return double(x) + NUMBER\n"
    )

    def result(factor: int, number: int) -> float:
        (tmp_path / "number.py").write_text(f"NUMBER = {number}\n")
        (tmp_path / "callee.py").write_text(f"{head}@kernel\ndef double(x: float) -> float:\n    return {factor} * x\n")
        os.utime(tmp_path / "callee.py", (factor, factor))
        program = [sys.executable, "-Bc", "from caller import call; print(call(3.0))"]
        return float(subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=True).stdout)

    assert [result(2, 0), result(5, 0), result(5, 1)] == [6.0, 15.0, 16.0]
