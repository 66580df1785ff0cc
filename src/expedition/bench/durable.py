"""Writing that a crash cannot halve: files are on the disk before the folder that holds them gets its name."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from expedition.errors import ExpeditionError

_AT_FDCWD = -100
_EXCHANGE = 2
"""The flag of Linux's `renameat2` that swaps two names in one step."""
_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "no permission to write there",
    errno.EFBIG: "the limit on the size of files is reached",
}


class StoreError(ExpeditionError):
    """The store cannot be written. It concerns every mission, so a run ends with it; what is finished is kept."""


def reason_of(error: OSError) -> str:
    """What a failed write means to a user."""
    return _REASONS.get(error.errno or 0) or f"cannot be written: {error.strerror or error}"


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn what the operating system says about a failed write into one sentence."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{folder}: {reason_of(error)}; put that right and give the same command again, finished missions are kept"
        ) from error


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder and wait until the disk has them and their names.

    All are synced at the same time, which the file system makes one commit of; one after the other takes seven times
    as long.
    """
    handles = []
    try:
        for name, content in files.items():
            with (folder / name).open("wb") as file:
                file.write(content)
                file.flush()
                handles.append(os.dup(file.fileno()))
        handles.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
        with ThreadPoolExecutor(len(handles)) as pool:
            for _ in pool.map(_sync, handles):
                pass
    finally:
        for handle in handles:
            os.close(handle)


def replace_file(path: Path, content: bytes, temporary: Path) -> None:
    """Write a file under a temporary name and put it in place in one step, over the one that may be there."""
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _sync(handle)
    finally:
        os.close(handle)


def place_folder(made: Path, place: Path) -> bool:
    """Give a finished folder its name; `False` if another was there first, which stays."""
    try:
        made.rename(place)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise
    return True


def swap_folder(made: Path, place: Path) -> None:
    """Put a finished folder where another is, which gets the name `made`.

    One step where the file system can swap names; else the place is empty for a moment, and a crash then leaves the
    mission to be run again.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    exchange = getattr(libc, "renameat2", None)
    if exchange is not None:
        old, new = os.fsencode(made), os.fsencode(place)
        if exchange(_AT_FDCWD, old, _AT_FDCWD, new, _EXCHANGE) == 0:
            return
    aside = made.with_name(made.name + "-old")
    place.rename(aside)
    made.rename(place)
    aside.rename(made)


def remove_folder(folder: Path) -> None:
    """Remove a folder, whoever else is removing it at the same time."""
    shutil.rmtree(folder, ignore_errors=True)


def _sync(handle: int) -> None:
    try:
        os.fsync(handle)
    except OSError as error:
        # Some network file systems know no sync of a folder; they write names at once.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
