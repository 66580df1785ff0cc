"""Write files whole or not at all: under a temporary name first, renamed into place when all of them are complete."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from expedition.errors import ExpeditionError, shorten


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write all files, in this order; on failure nothing of them is left, and what was there before stays."""
    temporary: dict[Path, Path] = {}
    path = Path()
    try:
        for path, content in contents.items():
            if not path.parent.is_dir():
                folder = shorten(str(path.parent), 200)
                raise ExpeditionError(f"{shorten(str(path), 200)}: cannot be written: there is no folder {folder}")
            if path.exists() and not path.is_file():
                raise ExpeditionError(f"{path}: not a file; it cannot be written over")
            temporary[path] = path.parent / f".expedition-{secrets.token_hex(8)}"
            _write(temporary[path], content)
        for path, complete in temporary.items():
            os.replace(complete, path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ExpeditionError(f"{shorten(str(path), 200)}: cannot be written: {reason}") from None
    finally:
        for leftover in temporary.values():
            with suppress(OSError, ValueError):
                leftover.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    # Not tempfile: its files are private to the user, and would stay so under their final name.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        # A full disk may only be noticed here.
        os.fsync(file.fileno())
