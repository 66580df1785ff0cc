"""Finds the log that a user means: a file, a mission's folder, or a mission of a store by its key."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from expedition.bench.places import LOG, MISSION, running_in, scan
from expedition.errors import ExpeditionError, nearest

FEW = 5
"""Keys that an error lists."""
SHOWN = 12
"""Letters of a key that tell it from others."""


def find_log(run: Path | str) -> Path:
    """The log of `run`; an error that says what to do if there is none, or more than one.

    `run` is a log, a folder that holds one, a store with one recorded mission, or STORE/KEY, of which the beginning of
    the key suffices. Missions of a store that are still running are found as well.
    """
    path = Path(run)
    if path.is_dir():
        return _in_folder(path)
    if path.exists():
        return path
    if (missions := _missions_of(path.parent)) is not None:
        return _by_key(missions, path.name, path.parent)
    raise ExpeditionError(f"{run}: no such file or folder; {_expected()}")


def _in_folder(folder: Path) -> Path:
    if (folder / LOG).is_file():
        return folder / LOG
    if (folder / MISSION).is_file():
        raise _unrecorded(str(folder))
    if (missions := _missions_of(folder)) is not None:
        logs = _recorded(missions)
        if len(logs) == 1:
            return next(iter(logs.values()))
        if logs:
            raise ExpeditionError(
                f"{folder}: has {len(logs)} recorded missions: {_some(logs)}; choose one as "
                f"{folder / min(logs)[:SHOWN]}, the beginning of a key suffices"
            )
        raise _unrecorded(str(folder))
    others = sorted(entry.name for entry in scan(folder) if entry.name.endswith(".mcap") and entry.is_file())
    if len(others) == 1:
        return folder / others[0]
    if others:
        more = ", ..." if len(others) > FEW else ""
        raise ExpeditionError(f"{folder}: has {len(others)} logs, {', '.join(others[:FEW])}{more}; name one of them")
    raise ExpeditionError(f"{folder}: no {LOG} there; {_expected()}")


def _missions_of(folder: Path) -> Path | None:
    """The folder of missions if `folder` is a store, or is that folder itself."""
    if (folder / "missions").is_dir():
        return folder / "missions"
    return folder if folder.name == "missions" and folder.is_dir() else None


def _recorded(missions: Path) -> dict[str, Path]:
    """The logs of a store by their missions' keys."""
    logs = {one.key: one.folder / LOG for one in running_in(missions) if (one.folder / LOG).is_file()}
    finished = (entry.name for entry in scan(missions) if not entry.name.startswith("."))
    return logs | {key: missions / key / LOG for key in finished if (missions / key / LOG).is_file()}


def _by_key(missions: Path, beginning: str, store: Path) -> Path:
    logs = _recorded(missions)
    found = sorted(key for key in logs if key.startswith(beginning))
    if len(found) == 1:
        return logs[found[0]]
    if found:
        raise ExpeditionError(
            f"{store}: {len(found)} keys of recorded missions begin with {beginning!r}: {_some(found)}"
        )
    there = [entry.name for entry in scan(missions) if not entry.name.startswith(".")]
    unrecorded = [key for key in there if key.startswith(beginning)]
    if unrecorded:
        raise _unrecorded(f"{store / beginning}")
    guess = nearest(beginning, [key[: max(len(beginning), 4)] for key in logs])
    hint = f"did you mean {guess!r}? " if guess else ""
    recorded = f"recorded are {_some(logs)}" if logs else "none is recorded"
    raise ExpeditionError(f"{store}: no mission's key begins with {beginning!r}; {hint}{recorded}")


def _some(keys: Iterable[str]) -> str:
    """The first few keys, each as long as a user would type it."""
    listed = sorted(keys)
    shown = ", ".join(key if len(key) <= SHOWN else f"{key[:SHOWN]}..." for key in listed[:FEW])
    return f"{shown} and {len(listed) - FEW} more" if len(listed) > FEW else shown


def _unrecorded(place: str) -> ExpeditionError:
    return ExpeditionError(
        f"{place}: has no log; `expedition run DESIGN --record --fresh` runs its missions again with one"
    )


def _expected() -> str:
    return f"expected a log as `expedition explore --record` writes it, a mission's folder with a {LOG}, or STORE/KEY"
