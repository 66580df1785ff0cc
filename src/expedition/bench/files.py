"""The files of a finished mission, from a result to bytes.

All but `resources.parquet` and `measured.json` have the same bytes in every run of the mission: no clock, no name of a
machine, fixed row groups. Where a design names files of the user's, `mission.json` has their paths, and so differs
between folders; so do `result.json` and `events.jsonl` where such a file fails, since a traceback has them too.
`SHA256SUMS` lists the digests of the files that are the same, so that two stores can be compared and a damaged file is
found; `sha256sum -c` reads it.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from expedition.bench.places import (
    CONTACTS,
    EVENTS,
    MAPS,
    MEASURED,
    MISSION,
    RESOURCES,
    RESULT,
    SAME_IN_EVERY_RUN,
    SERIES,
    SUMS,
)
from expedition.bench.provenance import code_digest, versions
from expedition.measure.metrics import METRICS, compute, metric_of

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from expedition.design import Planned
    from expedition.measure.measurements import Measurements
    from expedition.mission import Result

ROW_GROUP = 65_536
"""Rows; given, since a default may depend on the number of threads."""
PACKING = 1
"""Level of the maps' compression: most of what there is to gain at a fifth of the time of the usual one."""


def files_of(planned: Planned, result: Result) -> dict[str, bytes]:
    """A mission's files by their names."""
    measurements = result.measurements
    files = {
        MISSION: as_json(
            {
                "key": planned.key,
                "parameters": planned.parameters,
                "versions": versions(),
                "code": code_digest(),
                "terrain_digest": result.mission.terrain.digest,
            }
        ),
        RESULT: as_json(_outcome(result)),
        SERIES: as_parquet(measurements.series_frame()),
        EVENTS: b"".join(as_line(event) for event in measurements.events),
        MAPS: as_npz(measurements.maps),
    }
    if "contacts" in result.mission.measurements:
        files[CONTACTS] = as_parquet(measurements.contacts_frame())
    resources = as_parquet(measurements.resources_frame())
    measured = compute(measurements, [name for name, metric in METRICS.items() if metric.measured])
    listed = [name for name in (*SAME_IN_EVERY_RUN, CONTACTS) if name in files]
    files[SUMS] = "".join(f"{digest(files[name])}  {name}\n" for name in listed).encode()
    files[RESOURCES] = resources
    files[MEASURED] = as_json(
        {"metrics": measured, "wall_s": _wall(measurements), "resources_sha256": digest(resources)}
    )
    return files


def _outcome(result: Result) -> dict[str, Any]:
    failure = result.failure
    return {
        "ending": result.ending,
        "succeeded": result.succeeded,
        "failure": failure
        and {
            "robot": failure.robot,
            "time": failure.time,
            "sentence": str(failure),
            "report": failure.report,
        },
        "metrics": {name: value for name, value in result.metrics.items() if not metric_of(name).measured},
        "best_robot": result.best_robot,
        "robots": len(result.mission.fleet),
        "facts": result.measurements.facts,
    }


def _wall(measurements: Measurements) -> float | None:
    """Seconds that the mission took by the clock, where its resources were measured."""
    return float(measurements.cpu[:, 1].sum()) if len(measurements.cpu) else None


def as_json(data: dict[str, Any]) -> bytes:
    """JSON with a line for each part; what is not a number is null."""
    lines = (f"  {json.dumps(name)}: {json.dumps(_plain(part), allow_nan=False)}" for name, part in data.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def as_line(event: Mapping[str, Any]) -> bytes:
    """JSON on one line."""
    return json.dumps(_plain(event), allow_nan=False).encode() + b"\n"


def as_parquet(frame: pl.DataFrame) -> bytes:
    """A table as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", row_group_size=ROW_GROUP)
    return buffer.getvalue()


def as_npz(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Arrays as the bytes of a file that `numpy.load` reads."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asanyarray(array), allow_pickle=False)
            # An entry made from a name alone has a fixed date, and not that of today.
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), content.getvalue(), zipfile.ZIP_DEFLATED, PACKING)
    return buffer.getvalue()


def digest(content: bytes) -> str:
    """SHA-256 as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def _plain(value: Any) -> Any:
    """Data that JSON can hold; it has no NaN, and NumPy's numbers are not its own."""
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
