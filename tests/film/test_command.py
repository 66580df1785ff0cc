"""`expedition film` as a user types it, mistakes included."""

from __future__ import annotations

import builtins
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import av
import pytest
from PIL import Image

from expedition.cli import main

QUICK = ["--size", "320x180", "--speed", "15"]


def expedition(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Run the program in this process; its exit code."""
    monkeypatch.setattr(sys, "argv", ["expedition", *words])
    with pytest.raises(SystemExit) as left:
        main()
    code = left.value.code
    assert isinstance(code, int) or code is None
    return code or 0


@pytest.fixture
def place(recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a log in it."""
    (tmp_path / "log.mcap").symlink_to(recorded)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_film_is_told_before_and_after(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    assert expedition(monkeypatch, "film", ".", "a.mp4", "--size", "320x180", "--fps", "5") == 0
    out, err = capsys.readouterr()
    assert err == "45 s of the mission at 1.5 times its speed: 30.2 s of film\n"
    assert out.startswith("wrote a.mp4: 30.2 s, 151 pictures of 320 x 180, ")
    with av.open("a.mp4") as container:
        assert sum(1 for _ in container.decode(video=0)) == 151


def test_all_options_together(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    words = [
        *QUICK,
        "--from",
        "5",
        "--to",
        "20",
        "--fps",
        "4",
        "--map",
        "2",
        "--side-by-side",
        "--layers",
        "+who,-links",
    ]
    words += ["--follow", "robot_1", "--dark", "--curves", "--quiet"]
    assert expedition(monkeypatch, "film", "log.mcap", "a.gif", *words) == 0
    out, err = capsys.readouterr()
    assert (out[:42], err) == ("wrote a.gif: 1.2 s, 5 pictures of 320 x 18", "")
    with Image.open("a.gif") as gif:
        assert gif.n_frames == 5


def test_one_moment_as_a_picture(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    for name, words in (("a.png", ["--at", "10"]), ("b.png", [])):
        assert expedition(monkeypatch, "film", "log.mcap", name, *words) == 0
        assert capsys.readouterr().out == f"wrote {name}\n"
    with Image.open("a.png") as early, Image.open("b.png") as late:
        assert early.size == late.size == (1280, 720)
        assert early.tobytes() != late.tobytes()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere.mcap", "a.mp4"], "nowhere.mcap: no such file or folder; expected a log"),
        (["log.mcap", "a.avi"], "'a.avi': unknown film format '.avi'; allowed: .gif, .mp4, .png"),
        (["log.mcap", "a.mp5"], "did you mean '.mp4'? allowed: .gif, .mp4, .png"),
        (["log.mcap", "film"], "unknown film format 'film'"),
        (["log.mcap", "nowhere/a.mp4"], "'nowhere/a.mp4': cannot be written: there is no folder 'nowhere'"),
        (["log.mcap", "mine.mp4"], "'mine.mp4': there already, and no mp4 file; remove it or take another name"),
        (["log.mcap", "folder.mp4"], "'folder.mp4': is a folder"),
        (["log.mcap", "a.mp4", "--size", "321x180"], "--size: 321x180 has an odd number"),
        (
            ["log.mcap", "a.mp4", "--size", "large"],
            "--size: expected width x height in pixels as 1280x720, found 'large'",
        ),
        (["log.mcap", "a.mp4", "--size", "20x20"], "--size: 20x20 is not within 160 to 8192 pixels to a side"),
        (["log.mcap", "a.mp4", "--from", "50"], "--from: 50 s is not in this log, which goes from 0 to 45 s"),
        (["log.mcap", "a.mp4", "--to", "1e9"], "--to: 1e+09 s is not in this log"),
        (["log.mcap", "a.mp4", "--to", "nan"], "--to: nan s is not in this log"),
        (["log.mcap", "a.mp4", "--from", "20", "--to", "10"], "--from: 20 s is not before --to, 10 s"),
        (["log.mcap", "a.png", "--at", "46"], "--at: 46 s is not in this log"),
        (["log.mcap", "a.mp4", "--at", "4"], "--at: says nothing about a.mp4, which is a film"),
        (["log.mcap", "a.png", "--speed", "4"], "--speed: says nothing about a.png, which is a picture of one moment"),
        (
            ["log.mcap", "a.mp4", "--speed", "0"],
            "--speed: expected seconds of the mission to a second of the film, found 0",
        ),
        (["log.mcap", "a.mp4", "--speed", "1e-5"], "of which a film has at most 100,000; take at least"),
        (["log.mcap", "a.mp4", "--fps", "0"], "--fps: expected 0.1 to 120 pictures a second, found 0"),
        (["log.mcap", "a.mp4", "--map", "unoin"], "--map: unknown map 'unoin'; did you mean 'union'?"),
        (["log.mcap", "a.mp4", "--map", "4"], "--map: no robot '4' in this log; there are robots 0 to 3"),
        (["log.mcap", "a.mp4", "--follow", "seven"], "--follow: no robot 'seven' in this log; there are robots 0 to 3"),
        (
            ["log.mcap", "a.mp4", "--layers", "robots,trials"],
            "--layers: unknown layer 'trials'; did you mean 'trails'?",
        ),
        (["log.mcap", "a.mp4", "--layers", "robots,+who"], "--layers: 'robots' stands beside '+who'"),
        (["empty.mcap", "a.mp4"], "empty.mcap: is empty"),
        (["text.mcap", "a.mp4"], "text.mcap: is no log"),
        (["begun.mcap", "a.mp4"], "begun.mcap: "),
    ],
)
def test_a_mistake_ends_with_one_sentence_and_no_file(
    words: list[str], sentence: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    (place / "mine.mp4").write_text("my notes")
    (place / "folder.mp4").mkdir()
    (place / "empty.mcap").touch()
    (place / "text.mcap").write_text("what is this")
    (place / "begun.mcap").write_bytes((place / "log.mcap").read_bytes()[:20_000])
    before = sorted(place.iterdir())
    assert expedition(monkeypatch, "film", *words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert sentence in err
    assert sorted(place.iterdir()) == before


def test_without_pyav_it_is_said_how_to_get_it(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "av":
            raise ImportError("No module named 'av'")
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert expedition(monkeypatch, "film", "log.mcap", "a.mp4", *QUICK) == 2
    assert 'pip install "expedition[view]"' in capsys.readouterr().err
    assert expedition(monkeypatch, "film", "log.mcap", "a.gif", *QUICK) == 0


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_an_interrupted_film_leaves_nothing(place: Path, suffix: str) -> None:
    words = [sys.executable, "-m", "expedition", "film", "log.mcap", f"a{suffix}", "--speed", "0.05"]
    env = {**os.environ, "NO_COLOR": "1"}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    waited_until = time.monotonic() + 60.0
    while len(list(place.iterdir())) < 2 and time.monotonic() < waited_until:
        time.sleep(0.05)
    begun = [path.name for path in place.iterdir() if path.name != "log.mcap"]
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert begun
    assert begun[0].startswith(f".a-{suffix[1:]}.")
    assert process.returncode == 130
    assert "Traceback" not in err
    assert [path.name for path in place.iterdir()] == ["log.mcap"]


@pytest.mark.parametrize("name", ["a.mp4", "a.gif", "a.png"])
def test_a_full_disk_is_told_in_one_sentence(
    name: str, place: Path, small_disk: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    (small_disk / "much").write_bytes(bytes(500_000))
    assert expedition(monkeypatch, "film", "log.mcap", str(small_disk / name), "--quiet") == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ")
    assert "the disk is full; no film was written" in err
    assert err.count("\n") == 1
    assert [path.name for path in small_disk.iterdir()] == ["much"]


def test_a_folder_that_cannot_be_written_is_told(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    assert expedition(monkeypatch, "film", "log.mcap", "/proc/a.gif", *QUICK, "--quiet") == 2
    assert capsys.readouterr().err.startswith("error: '/proc/a.gif': ")
