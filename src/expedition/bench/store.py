"""The store: one folder a finished mission, named by a hash of all that the mission depends on.

A mission's folder is written under another name and renamed when it is complete and on the disk, so that whatever is
there under its own name is whole. There is no lock and no server: where two machines run the same mission, the first to
finish stays, and the second finds that out when it wants to take the name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expedition.bench.durable import (
    place_folder,
    remove_folder,
    replace_file,
    swap_folder,
    sync_folder,
    write_files,
    writing,
)
from expedition.bench.places import (
    CONTACTS,
    EVENTS,
    MAPS,
    MEASURED,
    MISSION,
    RESOURCES,
    RESULT,
    SERIES,
    Running,
    remove_left_behind,
    running_in,
    scan,
    temporary_name,
    this_host,
)
from expedition.bench.records import (
    DesignRecord,
    GivenUp,
    Listed,
    damaged,
    read_design,
    read_json,
)
from expedition.errors import ExpeditionError, unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from expedition.design import Design, Planned
    from expedition.measure.measurements import Measurements
    from expedition.mission import Result


class Store:
    """Finished missions in a folder, and the designs they belong to."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.missions = self.folder / "missions"

    @classmethod
    def existing(cls, folder: Path | str) -> Store:
        """A store that something was run into already; an error if there is none."""
        store = cls(folder)
        if not (store.missions.is_dir() or store.designs()):
            raise ExpeditionError(f"{folder}: no store there; `expedition run DESIGN --store {folder}` makes one")
        return store

    # Missions

    def finished(self) -> set[str]:
        """Keys of the missions that are there."""
        return {entry.name for entry in scan(self.missions) if not entry.name.startswith(".")}

    def has(self, key: str) -> bool:
        """Whether a mission is there."""
        return (self.missions / key / RESULT).exists()

    def running(self) -> list[Running]:
        """Missions that processes are running now, or were when they were killed."""
        return list(running_in(self.missions))

    def clean_up(self) -> int:
        """Remove what processes that were killed had begun to write; how many such files and folders there were."""
        return remove_left_behind(self.folder)

    @contextmanager
    def begin(self, key: str) -> Iterator[Path]:
        """A folder for what will be written, which also shows others that the mission is being run."""
        place = self.missions / temporary_name(key)
        with writing(self.folder):
            place.mkdir(parents=True)
        try:
            yield place
        finally:
            remove_folder(place)

    def write(self, planned: Planned, result: Result, replace: bool = False) -> None:
        """Keep a mission that has ended. One that is there already stays, unless it is to be replaced."""
        with self.begin(planned.key) as place:
            self.complete(place, planned, result, replace)

    def complete(self, place: Path, planned: Planned, result: Result, replace: bool = False) -> None:
        """Write a mission into the folder that `begin` gave, and give it its name."""
        from expedition.bench.files import files_of

        files = files_of(planned, result)
        named = self.missions / planned.key
        with writing(self.folder):
            place.mkdir(exist_ok=True)
            write_files(place, files)
            if not place_folder(place, named) and replace:
                swap_folder(place, named)
            sync_folder(self.missions)
            (self.folder / "given-up" / f"{planned.key}.json").unlink(missing_ok=True)

    def discard(self, key: str) -> None:
        """Remove a mission that is damaged."""
        aside = self.missions / temporary_name(key)
        with writing(self.folder):
            with suppress(FileNotFoundError):
                (self.missions / key).rename(aside)
            remove_folder(aside)

    def outcome(self, key: str) -> dict[str, Any]:
        """How a mission ended: its `result.json`."""
        return read_json(self.missions / key / RESULT)

    def measured(self, key: str) -> dict[str, float | None]:
        """A mission's metrics that differ from run to run."""
        metrics: dict[str, float | None] = read_json(self.missions / key / MEASURED).get("metrics", {})
        return metrics

    def parameters(self, key: str) -> dict[str, Any]:
        """All that a mission depends on, and what ran it: its `mission.json`."""
        return read_json(self.missions / key / MISSION)

    def series(self, key: str) -> pl.DataFrame:
        """A mission's time series: a row a robot and sample, and one for the fleet, whose robot is null."""
        return _read_table(self.missions / key / SERIES)

    def resources(self, key: str) -> pl.DataFrame:
        """What a mission took of the machine that ran it."""
        return _read_table(self.missions / key / RESOURCES)

    def events(self, key: str) -> list[dict[str, Any]]:
        """What happened in a mission, in order of time."""
        path = self.missions / key / EVENTS
        try:
            return [json.loads(line) for line in path.read_bytes().splitlines()]
        except (OSError, ValueError) as error:
            raise damaged(path, error) from error

    def maps(self, key: str) -> dict[str, NDArray[Any]]:
        """A mission's arrays over the ground."""
        import zipfile

        import numpy as np

        path = self.missions / key / MAPS
        try:
            with np.load(path) as arrays:
                return {name: arrays[name] for name in arrays.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
            raise damaged(path, error) from error

    def contacts(self, key: str) -> pl.DataFrame | None:
        """When which nodes of a mission were in contact: a row a contact; None where its design did not ask for it."""
        path = self.missions / key / CONTACTS
        return _read_table(path) if path.exists() else None

    def measurements(self, key: str) -> Measurements:
        """All of a mission's measurements, as they were when it ended."""
        from expedition.measure.measurements import Measurements

        return Measurements.read(
            series=self.series(key),
            events=self.events(key),
            resources=self.resources(key),
            maps=self.maps(key),
            facts=self.outcome(key)["facts"],
            contacts=self.contacts(key),
        )

    # Designs

    def save_design(self, design: Design, planned: Sequence[Planned]) -> None:
        """Keep which missions a design has; a changed design takes the place of the one of the same name."""
        missions = tuple(Listed(one.key, one.vector, one.iteration, one.seed) for one in planned)
        record = DesignRecord(
            design.name, design.description, design.text, tuple(design.varied), tuple(design.metrics), missions
        )
        self._keep("designs", f"{design.name}.json", record.to_dict())

    def designs(self) -> list[str]:
        """Names of the designs that were run into this store."""
        entries = scan(self.folder / "designs")
        return sorted(
            e.name.removesuffix(".json") for e in entries if e.name.endswith(".json") and not e.name.startswith(".")
        )

    def design(self, name: str) -> DesignRecord:
        """A design as it was last run."""
        if name not in self.designs():
            raise unknown("design", name, self.designs(), str(self.folder))
        return read_design(self.folder / "designs" / f"{name}.json")

    # Missions that were given up

    def give_up(self, planned: Planned, why: str) -> None:
        """Keep why a mission could not be brought to an end. The next run tries it again."""
        when = datetime.now(UTC).isoformat(timespec="seconds")
        record = GivenUp(planned.key, when, this_host(), why, planned.vector, planned.seed)
        self._keep("given-up", f"{planned.key}.json", asdict(record))

    def given_up(self) -> dict[str, GivenUp]:
        """Missions that were given up and not finished since."""
        found = {}
        for entry in scan(self.folder / "given-up"):
            if entry.name.endswith(".json") and not entry.name.startswith("."):
                with suppress(ExpeditionError, TypeError):  # A damaged note of a failure is no reason for another.
                    record = GivenUp(**read_json(Path(entry.path)))
                    found[record.key] = record
        return found

    def _keep(self, folder: str, name: str, data: dict[str, Any]) -> None:
        place = self.folder / folder
        with writing(self.folder):
            place.mkdir(parents=True, exist_ok=True)
            replace_file(place / name, json.dumps(data, indent=1).encode(), place / temporary_name(name))


def _read_table(path: Path) -> pl.DataFrame:
    import polars as pl

    try:
        return pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise damaged(path, error) from error
