"""Map files packed by gzip: `Berlin_0_1024.map.gz` is read as `Berlin_0_1024.map`."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path

from expedition.errors import ExpeditionError, shorten
from expedition.spec import read_bytes

PACKED = ".gz"
CHUNK_BYTES = 1 << 20


def read_map_bytes(path: Path, limit: int) -> bytes:
    """The bytes of a map file, unpacked if its name ends with .gz; neither form may be larger than `limit`."""
    data = read_bytes(path, limit)
    if path.suffix.lower() != PACKED:
        return data
    try:
        _check_size(data, limit, path)
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        reason = shorten(f"{type(error).__name__}: {error}", 100)
        raise ExpeditionError(f"{path}: the gzip file is damaged: {reason}") from None


def map_suffix(path: Path) -> str:
    """The suffix that says the format, in lower case and with .gz if that follows: `.png`, `.map.gz`."""
    suffix = path.suffix.lower()
    return Path(path.stem).suffix.lower() + suffix if suffix == PACKED else suffix


def map_stem(path: Path) -> str:
    """A file's name without what `map_suffix` is."""
    return path.name[: len(path.name) - len(map_suffix(path))]


def _check_size(data: bytes, limit: int, path: Path) -> None:
    """Refuse what unpacks to more than `limit`, by unpacking it once into nothing.

    The size in a gzip file's last bytes is no help: it counts modulo 2^32, and may lie.
    """
    size = 0
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        while chunk := stream.read(CHUNK_BYTES):
            size += len(chunk)
            if size > limit:
                raise ExpeditionError(f"{path}: unpacks to too many bytes; the limit is {limit:,}")
