"""What a page is told over its WebSocket is what the log says; whatever else it sends, the server goes on."""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from expedition.log.reader import LogReader
from tests.viewer.serving import Asking, Serving, asking, serve, websocket

SECRET = "known to nobody"


def test_the_first_frame_tells_what_holds_for_the_mission(serving: Serving, log: LogReader) -> None:
    with asking(serving) as page:
        assert page.hello["names"] == list(log.header.names)
        assert page.hello["end"] == pytest.approx(log.end)
        assert not page.hello["growing"]
        assert [event["event"] for event in page.hello["events"]] == [event["event"] for event in log.events]
        assert (page.ground["wall_height_cm"] == log.header.terrain.wall_height_cm).all()


def test_tracks_have_every_sample_once_and_no_gap(serving: Serving, log: LogReader) -> None:
    with asking(serving) as page:
        seconds = page.hello["track_seconds"]
        tracks = [page.ask("track", number=number)[1] for number in range(int(log.end / seconds) + 1)]
        times = np.unique(np.concatenate([track["times"] for track in tracks]))
        assert times == pytest.approx(log.series.times)
        for before, after in pairwise(tracks):
            assert before["times"][-1] == after["times"][0]
        robots = len(page.hello["names"])
        poses = tracks[2]["poses"].reshape(-1, robots, 3)
        assert poses[3] == pytest.approx(log.scene(float(tracks[2]["times"][3])).poses, abs=1e-5)


def test_maps_and_what_changed_in_them_agree(serving: Serving, log: LogReader) -> None:
    with asking(serving) as page:
        for which in ("union", "truth", "base", 2):
            cells = page.ask("map", which=which, time=10.0)[1]["cells"].copy()
            assert (cells == log.map(which, 10.0)).all()  # type: ignore[arg-type]
            _, patches = page.ask("patches", which=which, after=10.0, until=30.0)
            at = 0
            for row, column, rows, columns in patches["places"].tolist():
                patch = patches["cells"][at : at + rows * columns].reshape(rows, columns)
                cells[row : row + rows, column : column + columns] = patch
                at += rows * columns
            assert (cells == log.map(which, 30.0)).all()  # type: ignore[arg-type]


def test_ten_pages_watch_one_log(serving: Serving, log: LogReader) -> None:
    with ExitStack() as ending:
        pages = [ending.enter_context(asking(serving)) for _ in range(10)]
        for number, page in enumerate(pages):
            cells = page.ask("map", which="union", time=4.0 * number)[1]["cells"]
            assert (cells == log.map("union", 4.0 * number)).all()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"ask": "files", "id": 1}', "unknown question 'files'"),
        ('{"ask": "map", "id": 1, "which": "../../etc/passwd", "time": 1}', "no map '../../etc/passwd' in this log"),
        ('{"ask": "map", "id": 1, "which": 99, "time": 1}', "no map 99"),
        ('{"ask": "map", "id": 1, "which": {"a": 1}, "time": 1}', "which: expected"),
        ('{"ask": "map", "id": 1, "time": NaN}', "time: expected a number"),
        ('{"ask": "map", "id": 1, "time": 1e999}', "time: expected a number"),
        ('{"ask": "track", "id": 1, "number": -1}', "number: expected one of a track"),
        ('{"ask": "moment", "id": 1, "time": 1, "parts": ["__class__"]}', "unknown parts '__class__'"),
        (
            '{"ask": "moment", "id": 1, "time": 1, "parts": ["scans"], "robots": [77]}',
            "robots: expected numbers from 0",
        ),
        ('{"ask": "moment", "id": 1, "time": 1, "parts": "scans"}', "parts: expected a list"),
        ("no JSON", "a question is JSON"),
        ('{"ask": "map"}', "a question is as"),
        ("[" * 2000, "a question is JSON"),
    ],
)
def test_a_crafted_question_is_answered_with_a_sentence(serving: Serving, text: str, said: str) -> None:
    with asking(serving) as page:
        page.socket.send(text)
        assert said in page.refusal()["why"]
        assert page.ask("curves")[1]["times"].size  # It goes on.


def test_where_robots_were_is_told_in_parts_and_from_any_time(serving: Serving, log: LogReader) -> None:
    with asking(serving) as page:
        head, whole = page.ask("trails")
        assert whole["poses"][-1] == pytest.approx(log.scene(float(whole["times"][-1])).poses[:, :2], abs=1e-5)
        _, first = page.ask("trails", every=head["every"])
        _, rest = page.ask("trails", every=head["every"], after=20.0)
        assert (rest["times"] == first["times"][first["times"] > 20.0]).all()
        for crafted in ({"after": 1e9}, {"every": 0.0}, {"every": -5.0, "after": -1e9}):
            assert page.ask("trails", **crafted)[0]["kind"] == "trails"


def test_bytes_and_floods_end_at_most_their_own_connection(serving: Serving) -> None:
    with asking(serving) as page:
        page.socket.send(b"\x00\xff" * 100)
        assert page.refusal()
        page.socket.send("x" * (1 << 20))
        with pytest.raises(ConnectionClosed):
            page.refusal()
    with asking(serving) as page:
        for _ in range(200):
            page.socket.send('{"ask": "map", "id": 5, "time": 20}')
    with asking(serving) as page:
        assert page.ask("curves")[1]["times"].size


@pytest.mark.parametrize(
    "name", ["..", "%2e%2e%2f%2e%2e%2fsecret", "..%2Fsecret.mcap", "%00", "a" * 3000, "missions", "."]
)
def test_no_address_leads_to_a_file_that_is_not_on_the_shelf(serving: Serving, name: str) -> None:
    (serving.store.parent / "secret.mcap").write_text(SECRET)
    with pytest.raises((ConnectionClosed, InvalidStatus)), connect(websocket(serving, name)) as socket:
        socket.recv(timeout=10)


def test_other_sites_cannot_connect(serving: Serving) -> None:
    with pytest.raises(InvalidStatus), connect(websocket(serving), origin=Origin("http://evil.example")):
        pass


def test_bound_elsewhere_the_websocket_wants_the_token(recorded: Path, tmp_path: Path) -> None:
    with serve(tmp_path, str(recorded), "--host", "0.0.0.0", "--token", "secret") as serving:
        assert serving.address.endswith("?token=secret")
        port = serving.origin.rpartition(":")[2]
        address = f"ws://127.0.0.1:{port}/ws/watch/{serving.name}"
        with pytest.raises(InvalidStatus), connect(address):
            pass
        with connect(address, additional_headers={"Cookie": "expedition-token=secret"}, max_size=None) as socket:
            assert Asking(socket).hello["names"]


def test_a_log_that_grows_is_told_of_as_it_does(recorded: Path, tmp_path: Path, log: LogReader) -> None:
    whole = recorded.read_bytes()
    growing = tmp_path / "growing.mcap"
    growing.write_bytes(whole[: len(whole) // 3])
    with serve(tmp_path, str(growing)) as serving, asking(serving) as page:
        assert page.hello["growing"]
        assert page.hello["end"] < log.end
        with growing.open("ab") as file:
            file.write(whole[len(whole) // 3 :])
        head, _ = page.receive()
        assert head["kind"] == "news"
        while head["growing"]:
            head, _ = page.receive()
        assert head["end"] == pytest.approx(log.end)
        cells = page.ask("map", which="union", time=log.end)[1]["cells"]
        assert (cells == log.map("union", log.end)).all()


def test_a_log_of_a_mission_that_is_about_to_begin_is_waited_for(recorded: Path, tmp_path: Path) -> None:
    log = tmp_path / "soon.mcap"
    log.write_bytes(recorded.read_bytes()[:8])
    with serve(tmp_path, str(log)) as serving, asking(serving) as page:
        assert page.hello["kind"] == "waiting"
        log.write_bytes(recorded.read_bytes())
        head = page.hello
        while head["kind"] == "waiting":
            head, _ = page.receive()
        assert head["names"]


def test_a_file_that_is_no_log_is_told(tmp_path: Path) -> None:
    other = tmp_path / "other.mcap"
    other.write_bytes(b"no log at all")
    with serve(tmp_path, str(other)) as serving, connect(websocket(serving)) as socket:
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=20)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404
        assert "MCAP" in closed.value.rcvd.reason


def test_ctrl_c_ends_the_server_while_pages_are_open(recorded: Path, tmp_path: Path) -> None:
    with serve(tmp_path, str(recorded)) as serving, asking(serving) as page:
        assert page.ask("curves")[1]["times"].size
        os.kill(serving.process.pid, signal.SIGINT)
        assert serving.process.wait(60) in (0, 130, -2)
        assert serving.process.stdout is not None
        assert "Traceback" not in serving.process.stdout.read()


def test_heat_tells_who_saw_what(serving: Serving) -> None:
    with asking(serving) as page:
        _, arrays = page.ask("heat")
        assert (arrays["who"] >= 0).any()
