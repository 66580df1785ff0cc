"""How far relays drive for what they carry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl

from expedition.bench.store import Store

CARRYING = ("going to child", "returning to parent")
DELIVERS = "giving parent info"


def relay_way(store: Store, key: str) -> float | None:
    """Metres that a relay drives between child and parent for each time that it gives its parent the news."""
    driven, deliveries = carried(store.series(key), store.events(key))
    return driven / deliveries if deliveries else None


def carried(series: pl.DataFrame, events: Iterable[Mapping[str, Any]]) -> tuple[float, int]:
    """Metres driven by relays on their ways, and how often they delivered."""
    role: dict[int, str] = {}
    doing: dict[int, str] = {}
    since: dict[int, float] = {}
    ways = {
        int(robot): (_column(of, "time_s"), _column(of, "travelled_m"))
        for (robot,), of in series.drop_nulls("robot").group_by("robot")
    }
    driven, deliveries = 0.0, 0
    ends = [{"time_s": float("inf"), "event": "activity", "robot": robot, "text": ""} for robot in ways]
    for event in (*events, *ends):
        robot, what = event.get("robot"), event["event"]
        if what not in ("role", "role swap", "activity") or robot not in ways:
            continue
        if role.get(robot) == "relay" and doing.get(robot) in CARRYING:
            driven += float(np.diff(np.interp([since[robot], event["time_s"]], *ways[robot]))[0])
        since[robot] = event["time_s"]
        (doing if what == "activity" else role)[robot] = event["text"]
        deliveries += what == "activity" and event["text"] == DELIVERS and role.get(robot) == "relay"
    return driven, deliveries


def _column(of: pl.DataFrame, name: str) -> np.ndarray[Any, Any]:
    return of.sort("time_s")[name].to_numpy()
