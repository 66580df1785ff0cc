"""The files that are written, opened again by other means: PyAV for MP4, Pillow for GIF and PNG."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image, ImageSequence

from expedition.film import Film, film, still
from expedition.log.reader import LogReader
from tests.log.eventful import SECONDS


def pictures_of(path: Path) -> list[Image.Image]:
    """All pictures of a film."""
    if path.suffix == ".mp4":
        with av.open(str(path)) as container:
            return [frame.to_image() for frame in container.decode(video=0)]
    with Image.open(path) as gif:
        return [frame.convert("RGB") for frame in ImageSequence.Iterator(gif)]


def test_mp4_has_the_pictures_the_size_and_the_length_asked_for(log: LogReader, tmp_path: Path) -> None:
    made = film(log, tmp_path / "a.mp4", speed=10, fps=20, size="320x180", start=5, end=35)
    assert made.timing.frames == 61
    with av.open(str(tmp_path / "a.mp4")) as container:
        (stream,) = container.streams
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height) == (320, 180)
        assert stream.average_rate == 20
        assert float(stream.duration * stream.time_base) == pytest.approx(61 / 20)
        assert "creation_time" not in {**container.metadata, **stream.metadata}
        assert len(list(container.decode(video=0))) == 61


def test_the_index_of_an_mp4_comes_first_so_that_pages_play_it_while_it_loads(log: LogReader, tmp_path: Path) -> None:
    film(log, tmp_path / "a.mp4", speed=20, fps=10, size="320x180")
    data = (tmp_path / "a.mp4").read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")


def test_gif_has_the_pictures_and_the_length_asked_for_and_one_palette(log: LogReader, tmp_path: Path) -> None:
    film(log, tmp_path / "a.gif", speed=10, fps=12, size=(320, 180))
    with Image.open(tmp_path / "a.gif") as gif:
        assert gif.size == (320, 180)
        assert gif.n_frames == int(SECONDS / 10 * 12) + 1 == 55
        assert gif.info["loop"] == 0
        hundredths = [frame.info["duration"] / 10 for frame in ImageSequence.Iterator(gif)]
    assert set(hundredths[:-1]) == {8, 9}
    assert sum(hundredths) == pytest.approx(100 * (55 / 12 + 2), abs=1)
    # A picture with colours of its own has the highest bit of its flags set; all use those at the file's beginning.
    data = (tmp_path / "a.gif").read_bytes()
    assert data[10] == 0xF7


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_pictures_of_a_film_are_those_of_the_same_moments(log: LogReader, tmp_path: Path, suffix: str) -> None:
    made = film(log, tmp_path / f"a{suffix}", speed=15, fps=5, size="640x360", curves=False)
    pictures = pictures_of(made.path)
    for number in (0, 7, len(pictures) - 1):
        still(log, tmp_path / "one.png", at=made.timing.moment(number), size="640x360", curves=False)
        with Image.open(tmp_path / "one.png") as one:
            # The line below the map tells a film's speed, which a picture has none of.
            apart = np.asarray(one, dtype=int)[:335] - np.asarray(pictures[number], dtype=int)[:335]
        assert np.abs(apart).mean() < 2.5
    assert made.timing.moment(len(pictures) - 1) == SECONDS


def test_colours_of_a_gif_are_exact_where_there_is_much_of_them(log: LogReader, tmp_path: Path) -> None:
    made = film(log, tmp_path / "a.gif", speed=20, fps=5, size="640x360")
    counts = sorted(pictures_of(made.path)[-1].getcolors(1 << 20), reverse=True)
    assert {(255, 255, 255), (223, 227, 232)} <= {colour for _, colour in counts[:3]}


@pytest.mark.parametrize("suffix", [".mp4", ".gif", ".png"])
def test_the_same_log_gives_the_same_bytes(recorded: Path, tmp_path: Path, suffix: str) -> None:
    for name in "ab":
        if suffix == ".png":
            still(recorded, tmp_path / f"{name}{suffix}", size="640x360")
        else:
            film(recorded, tmp_path / f"{name}{suffix}", speed=10, fps=10, size="640x360")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_a_film_takes_the_place_of_one_and_leaves_nothing_beside_it(log: LogReader, tmp_path: Path) -> None:
    for end in (10, 40):
        film(log, tmp_path / "a.gif", speed=20, end=end, size="320x180")
    assert [path.name for path in tmp_path.iterdir()] == ["a.gif"]
    assert len(pictures_of(tmp_path / "a.gif")) == 26


def test_progress_is_told_picture_by_picture(log: LogReader, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []

    def tell(made: Film, done: int) -> None:
        told.append((done, made.timing.frames))

    film(log, tmp_path / "a.gif", speed=20, fps=2, size="320x180", tell=tell)
    assert told == [(done, 5) for done in range(6)]


def test_a_log_without_its_end_is_filmed_as_far_as_it_goes(recorded: Path, tmp_path: Path) -> None:
    whole = recorded.read_bytes()
    (tmp_path / "cut.mcap").write_bytes(whole[: len(whole) * 3 // 5])
    made = film(tmp_path / "cut.mcap", tmp_path / "a.gif", speed=20, size="320x180")
    assert made.is_cut
    assert 5.0 < made.timing.end < SECONDS
