"""The measurements of a mission as plain arrays: what metrics are computed from, and what the store keeps.

They are the same whether they come from a mission that has just ended or from its files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from expedition.measure.columns import COLUMNS, CONTACT, PER_ROBOT, RECEIVED, SENT, is_shipped
from expedition.measure.monitor import Sample
from expedition.measure.resources import Resources
from expedition.measure.schedule import Own

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Integers = NDArray[np.int64]
ByChannel = Mapping[str, Integers]


def _nothing() -> Floats:
    return np.empty((0, 0))


@dataclass(frozen=True)
class Measurements:
    """Rows are samples, columns robots; amounts such as `travelled` and `sent` are since the start."""

    times: Floats
    """Seconds since the start."""
    explored: Floats
    """Shares of the explorable ground that each robot has seen or was told of."""
    union: Floats
    """(samples,): shares that any robot has seen."""
    saw: Floats
    """Shares that each robot has seen itself."""
    poses: Floats32
    """(samples, robots, 3): where robots were: x, y, heading."""
    believed: Floats32
    """(samples, robots, 3): where they believed to be."""
    travelled: Floats
    """Metres."""
    idle: Floats
    """Seconds in which a robot neither drove nor turned."""
    sent: Integers
    """Bytes."""
    received: Integers
    """Bytes."""
    collisions_with_walls: Integers
    collisions_with_others: Integers
    connected: Floats
    """(samples,): the share of the robots in the largest group that can talk to one another, over a base, too."""
    at_base: Floats = field(default_factory=_nothing)
    """(samples,): shares that the base station knows of; NaN without one."""
    hops: Floats = field(default_factory=_nothing)
    """The fewest links from each robot to the base, NaN for those that are cut off; empty without a base."""
    energy: Floats = field(default_factory=_nothing)
    """Joules taken from batteries; empty without batteries."""
    sent_by_channel: ByChannel = field(default_factory=dict)
    """Bytes by the names of channels, where there are several."""
    received_by_channel: ByChannel = field(default_factory=dict)
    """Bytes by the names of channels, where there are several."""
    own: Mapping[str, Floats] = field(default_factory=dict)
    """Users' measurements by name: rows of time and value, or of time and a value a robot."""
    by_robot: frozenset[str] = frozenset()
    """The names of those in `own` that have a value a robot, which is one value in a fleet of one."""
    events: Sequence[Mapping[str, Any]] = ()
    """What happened, in order of time."""
    cpu: Floats = field(default_factory=lambda: np.empty((0, 3)))
    """(samples of resources, 2 + robots + 1): mission time, wall seconds, then seconds of a processor by robot and of
    the testbed, since the sample before."""
    ram: Floats = field(default_factory=lambda: np.empty((0, 1)))
    """(samples of resources, robots + 1): bytes by robot, and of the whole process."""
    maps: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """Arrays over the cells of the ground: first_seen, seen_at, covered_at, explorable and map; with a base
    known_at_base and base_map; and contact_s, (nodes, nodes), the seconds in which two nodes heard each other."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What else metrics need, as plain data: ending, time limit, ground, first seen by each robot, map error ..."""
    contacts: Floats = field(default_factory=lambda: np.empty((0, len(CONTACT))))
    """(contacts, 4): two nodes, the base after the robots, and from when to when they heard each other, in seconds.

    They stand in the order in which they began; those that still lasted at the end go up to it."""

    @property
    def robots(self) -> int:
        """How many there are."""
        return int(self.explored.shape[1])

    @property
    def has_base(self) -> bool:
        """Whether there is a base station."""
        return bool(np.isfinite(self.at_base).any())

    @property
    def best_robot(self) -> int:
        """The robot that has seen, or was told of, most; the first of equals."""
        return int(np.argmax(self.explored[-1]))

    @classmethod
    def of(
        cls,
        samples: Sequence[Sample],
        own: Sequence[Own],
        resources: Resources,
        events: Sequence[Mapping[str, Any]],
        maps: Mapping[str, NDArray[Any]],
        facts: Mapping[str, Any],
        contacts: Floats,
    ) -> Measurements:
        """What a monitor and a meter have measured."""

        def over_time(name: str, kind: type) -> NDArray[Any]:
            return np.array([getattr(sample, name) for sample in samples], dtype=kind)

        def by_channel(name: str) -> dict[str, NDArray[Any]]:
            amounts = over_time(name, np.int64)
            names = list(facts["sent_bytes"])
            return {} if len(names) == 1 else {channel: amounts[:, k] for k, channel in enumerate(names)}

        robots = len(samples[-1].explored)
        used = zip(resources.times, resources.wall, resources.cpu, strict=True)
        cpu = [np.concatenate([[time, wall], seconds]) for time, wall, seconds in used]
        return cls(
            over_time("time", np.float64), over_time("explored", np.float64), over_time("union", np.float64),
            over_time("saw", np.float64), over_time("poses", np.float32), over_time("believed", np.float32),
            over_time("travelled", np.float64), over_time("idle", np.float64), over_time("sent", np.int64),
            over_time("received", np.int64), over_time("contacts_with_walls", np.int64),
            over_time("contacts_with_others", np.int64), over_time("connected", np.float64),
            over_time("at_base", np.float64), over_time("hops", np.float64), over_time("energy", np.float64),
            by_channel("sent_by_channel"), by_channel("received_by_channel"),
            {one.name: one.rows() for one in own if one.taken}, frozenset(one.name for one in own if one.by_robot),
            tuple(events), np.array(cpu).reshape(len(cpu), robots + 3),
            np.array(resources.ram).reshape(len(cpu), robots + 1), dict(maps), dict(facts), contacts,
        )  # fmt: skip

    def series_frame(self) -> pl.DataFrame:
        """A row a robot and sample, and one a sample for the whole fleet, whose robot is null."""
        samples, robots = self.explored.shape
        columns: dict[str, NDArray[Any]] = {
            "explored": self.explored, "saw": self.saw, "x": self.poses[:, :, 0], "y": self.poses[:, :, 1],
            "heading": self.poses[:, :, 2], "believed_x": self.believed[:, :, 0], "believed_y": self.believed[:, :, 1],
            "believed_heading": self.believed[:, :, 2], "travelled_m": self.travelled, "idle_s": self.idle,
            "sent_bytes": self.sent, "received_bytes": self.received,
            "collisions_with_walls": self.collisions_with_walls, "collisions_with_others": self.collisions_with_others,
        }  # fmt: skip
        of_robots = pl.DataFrame({
            "time_s": np.repeat(self.times, robots),
            "robot": np.tile(np.arange(robots, dtype=np.int16), samples),
            **{name: pl.Series(values.ravel(), dtype=PER_ROBOT[name]) for name, values in columns.items()},
        })  # fmt: skip
        more = self._more_columns()
        of_robots = of_robots.with_columns(**more)
        with_base = {"at_base": self.at_base} if self.has_base else {}
        of_fleet = pl.DataFrame(
            {"time_s": self.times, "explored": self.union, "connected": self.connected, **with_base}
        )
        frame = pl.concat([of_fleet, of_robots], how="diagonal")
        for name, rows in self.own.items():
            column = _own_frame(name, rows, name in self.by_robot)
            frame = frame.join(column, on=["time_s", "robot"], how="left", nulls_equal=True)
        return frame.select(*COLUMNS, *with_base, *more, *self.own).sort(
            "time_s", "robot", nulls_last=False, maintain_order=True
        )

    def _more_columns(self) -> dict[str, pl.Series]:
        """What robots have besides where there are base stations, batteries or several channels."""
        columns: dict[str, pl.Series] = {}
        if self.has_base:
            columns["hops"] = pl.Series(self.hops.ravel()).fill_nan(None).cast(pl.Int16)
        if self.energy.size:
            columns["energy_j"] = pl.Series(self.energy.ravel())
        for prefix, amounts in ((SENT, self.sent_by_channel), (RECEIVED, self.received_by_channel)):
            columns |= {f"{prefix}{channel}": pl.Series(values.ravel()) for channel, values in amounts.items()}
        return columns

    def contacts_frame(self) -> pl.DataFrame:
        """A row a contact between two nodes: which, and from when to when."""
        return pl.DataFrame(
            {name: pl.Series(self.contacts[:, k], dtype=CONTACT[name]) for k, name in enumerate(CONTACT)}
        )

    def resources_frame(self) -> pl.DataFrame:
        """A row a robot and sample; those without a robot are the testbed's own time and the whole process's memory."""
        samples, owners = len(self.cpu), self.robots + 1
        robots = np.tile(np.arange(owners, dtype=np.int16), samples)
        return pl.DataFrame({
            "time_s": np.repeat(self.cpu[:, 0], owners),
            "robot": pl.Series(robots, dtype=pl.Int16).replace(owners - 1, None),
            "cpu_s": self.cpu[:, 2:].ravel(),
            "ram_bytes": self.ram.ravel().astype(np.int64),
            "wall_s": np.repeat(self.cpu[:, 1], owners),
        })  # fmt: skip

    @classmethod
    def read(
        cls,
        series: pl.DataFrame,
        facts: Mapping[str, Any],
        events: Sequence[Mapping[str, Any]] = (),
        resources: pl.DataFrame | None = None,
        maps: Mapping[str, NDArray[Any]] | None = None,
        contacts: pl.DataFrame | None = None,
    ) -> Measurements:
        """The measurements in a mission's files. Rows of users' measurements between samples go to `own` alone."""
        own = {name: _own_rows(series, name) for name in series.columns if not is_shipped(name)}
        by_robot = frozenset(
            name for name in own if series.filter(pl.col(name).is_not_null())["robot"].null_count() == 0
        )
        fleet = series.filter(pl.col("robot").is_null() & pl.col("connected").is_not_null())
        times = fleet["time_s"].to_numpy()
        of_robots = series.filter(pl.col("robot").is_not_null() & pl.col("x").is_not_null())
        robots = len(of_robots) // max(1, len(times))

        def column(name: str, kind: type) -> NDArray[Any]:
            return of_robots[name].to_numpy().reshape(len(times), robots).astype(kind, copy=False)

        def column_if_there(name: str) -> Floats:
            there = name in of_robots.columns
            values = of_robots[name].cast(pl.Float64).fill_null(np.nan).to_numpy() if there else np.empty(0)
            return values.reshape(len(times), robots if there else 0)

        def by_channel(prefix: str) -> dict[str, Integers]:
            found = [name for name in of_robots.columns if name.startswith(prefix)]
            return {name.removeprefix(prefix): column(name, np.int64) for name in found}

        def poses(prefix: str) -> Floats32:
            return np.stack([column(f"{prefix}{axis}", np.float32) for axis in ("x", "y", "heading")], axis=2)

        at_base = fleet["at_base"].to_numpy() if "at_base" in fleet.columns else np.full(len(times), np.nan)
        cpu, ram = _read_resources(resources, robots)
        return cls(
            times, column("explored", np.float64), fleet["explored"].to_numpy(), column("saw", np.float64), poses(""),
            poses("believed_"), column("travelled_m", np.float64), column("idle_s", np.float64),
            column("sent_bytes", np.int64), column("received_bytes", np.int64),
            column("collisions_with_walls", np.int64), column("collisions_with_others", np.int64),
            fleet["connected"].to_numpy(), at_base, column_if_there("hops"), column_if_there("energy_j"),
            by_channel(SENT), by_channel(RECEIVED), own, by_robot, tuple(events), cpu, ram, dict(maps or {}),
            dict(facts), (pl.DataFrame(schema=CONTACT) if contacts is None else contacts).cast(pl.Float64).to_numpy(),
        )  # fmt: skip


def _own_frame(name: str, rows: Floats, by_robot: bool) -> pl.DataFrame:
    """A user's measurement as a column: in the rows of the fleet, or in those of the robots."""
    robots = rows.shape[1] - 1
    numbers = list(range(robots)) if by_robot else [None]
    return pl.DataFrame({
        "time_s": np.repeat(rows[:, 0], robots),
        "robot": pl.Series(numbers * len(rows), dtype=pl.Int16),
        name: rows[:, 1:].ravel(),
    })  # fmt: skip


def _own_rows(series: pl.DataFrame, name: str) -> Floats:
    there = series.filter(pl.col(name).is_not_null())
    times = there["time_s"].unique(maintain_order=True).to_numpy()
    return np.column_stack([times, there[name].to_numpy().reshape(len(times), -1)])


def _read_resources(resources: pl.DataFrame | None, robots: int) -> tuple[Floats, Floats]:
    if resources is None or resources.is_empty():
        return np.empty((0, robots + 3)), np.empty((0, robots + 1))
    times = resources["time_s"].unique(maintain_order=True).to_numpy()
    cpu, ram, wall = (resources[name].to_numpy().reshape(len(times), -1) for name in ("cpu_s", "ram_bytes", "wall_s"))
    return np.column_stack([times, wall[:, 0], cpu]), ram.astype(np.float64)
