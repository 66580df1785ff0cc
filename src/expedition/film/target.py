"""Where a film goes: its name is checked first, and it gets that name only when it is whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from expedition.bench.durable import reason_of
from expedition.bench.places import temporary_name
from expedition.errors import ExpeditionError, shorten, unknown

FILMS = (".mp4", ".gif")
PICTURES = (".png",)
_BEGIN = {".mp4": (4, b"ftyp"), ".gif": (0, b"GIF8"), ".png": (0, b"\x89PNG")}
"""Where in a file of each format its mark stands, and what it is."""


def check_target(out: Path | str, suffixes: tuple[str, ...] = FILMS + PICTURES) -> Path:
    """Refuse a name that no film can have, before the work that leads to the film is done.

    A film that is there is replaced; a file of the same name that is none is kept, since nobody wanted to lose it.
    """
    path, suffix = Path(out), Path(out).suffix.lower()
    place = shorten(str(path))
    if suffix not in suffixes:
        raise unknown("film format", suffix or path.name, suffixes, place)
    if path.is_dir():
        raise ExpeditionError(f"{place}: is a folder; give the name of a file in it, as {path / ('film' + suffix)}")
    if not path.parent.is_dir():
        raise ExpeditionError(f"{place}: cannot be written: there is no folder {shorten(str(path.parent))}")
    if path.exists():
        at, mark = _BEGIN[suffix]
        with _telling(path), path.open("rb") as file:
            begin = file.read(at + len(mark))
        if begin and begin[at:] != mark:
            raise ExpeditionError(f"{place}: there already, and no {suffix[1:]} file; remove it or take another name")
    return path


@contextmanager
def whole_file(out: Path) -> Iterator[Path]:
    """A temporary name beside `out`; what is there at the end gets its name, and nothing is left after an error."""
    temporary = out.with_name(temporary_name(out.name))
    try:
        with _telling(out):
            yield temporary
            temporary.replace(out)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextmanager
def _telling(out: Path) -> Iterator[None]:
    """Turn what the operating system says about a failed write into one sentence."""
    try:
        yield
    except OSError as error:
        raise ExpeditionError(f"{shorten(str(out))}: {reason_of(error)}; no film was written") from error
