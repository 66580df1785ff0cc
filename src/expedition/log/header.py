"""What holds for a whole mission, as two files in its log: `mission.json`, and `ground.npz` with arrays."""

from __future__ import annotations

import io
import json
import math
import zipfile
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from expedition import __version__
from expedition.belief.grid import Frame
from expedition.errors import ExpeditionError
from expedition.log.scene import Floats, Header
from expedition.terrain.changes import Change
from expedition.terrain.terrain import Landmark, Terrain

if TYPE_CHECKING:
    from expedition.fleet import Fleet
    from expedition.log.detail import Detail
    from expedition.measure.monitor import Monitor
    from expedition.mission import Mission

MISSION, GROUND = "mission.json", "ground.npz"
CORNERS = 24
"""Of the polygon that stands for a disc."""
LARGEST_GROUND = 1 << 29
"""Bytes of all arrays of a terrain, unpacked."""
_MISREAD = (
    KeyError, ValueError, TypeError, IndexError, AttributeError, OSError, EOFError, NotImplementedError, RecursionError,
    MemoryError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What reading something else than a header may end with."""
_CHANGES: TypeAdapter[tuple[Change, ...]] = TypeAdapter(tuple[Change, ...])


def header_files(mission: Mission, monitor: Monitor, detail: Detail) -> dict[str, bytes]:
    """The files, by name."""
    from expedition.record import mission_record

    terrain, fleet, frame = mission.terrain, mission.fleet, monitor.frame
    data = {
        "version": __version__,
        "mission": mission_record(mission),
        "models": [model.model_dump(mode="json", exclude_none=True) for model in fleet.models],
        "names": list(names_of(fleet)),
        "radio_ranges": [None if math.isnan(reach) else str(reach) for reach in _radio_ranges(fleet)],
        "frame": {"origin": frame.origin, "resolution": frame.resolution, "shape": frame.shape},
        "terrain": {
            "name": terrain.name,
            "resolution": terrain.resolution,
            "origin": terrain.origin,
            "landmarks": [[mark.x, mark.y, *mark.descriptor] for mark in terrain.landmarks],
            "changes": _CHANGES.dump_python(terrain.changes, mode="json", exclude_none=True),
        },
        "control_period": 1.0 / mission.settings.control_rate,
        "detail": detail.model_dump(),
    }
    ground = io.BytesIO()
    np.savez_compressed(
        ground, wall_height_cm=terrain.wall_height_cm, material=_small(terrain.material),
        speed_percent=_small(terrain.speed_percent), explorable=np.packbits(monitor.truth.explorable),
    )  # fmt: skip
    return {MISSION: json.dumps(data, allow_nan=False).encode(), GROUND: ground.getvalue()}


def read_header(files: dict[str, bytes], place: str) -> Header:
    """The header in those files; `place` is for the error if they are not what they should be."""
    try:
        return _read(json.loads(files[MISSION]), files[GROUND])
    except (*_MISREAD, ExpeditionError) as error:
        said = str(error).partition("\n")[0]
        raise ExpeditionError(f"{place}: no log of expedition, or a damaged one: {said}") from error


def names_of(fleet: Fleet) -> tuple[str, ...]:
    """What topics call the robots."""
    return tuple(f"robot_{robot}" for robot in range(len(fleet)))


def _read(data: dict[str, Any], ground: bytes) -> Header:
    with zipfile.ZipFile(io.BytesIO(ground)) as packed:
        if sum(entry.file_size for entry in packed.infolist()) > LARGEST_GROUND:
            raise ValueError("a terrain too large to be one")
    with np.load(io.BytesIO(ground)) as arrays:
        layers = {name: arrays[name] for name in ("wall_height_cm", "material", "speed_percent", "explorable")}
    about, shape = data["terrain"], data["frame"]["shape"]
    frame = Frame(tuple(data["frame"]["origin"]), data["frame"]["resolution"], *shape)
    terrain = Terrain(
        about["name"], layers["wall_height_cm"], about["resolution"], tuple(about["origin"]), layers["material"],
        layers["speed_percent"], tuple(Landmark(x, y, tuple(rest)) for x, y, *rest in about["landmarks"]),
        _CHANGES.validate_python(about["changes"]),
    )  # fmt: skip
    cells = frame.rows * frame.columns
    if len(layers["explorable"]) != math.ceil(cells / 8):
        raise ValueError("explorable ground of another size than the maps")
    explorable = np.unpackbits(layers["explorable"], count=cells).reshape(shape).astype(np.bool_)
    mission, models = data["mission"], tuple(data["models"])
    base = mission["base"]
    return Header(
        terrain, frame, explorable, tuple(data["names"]), models, tuple(map(footprint_of, models)),
        np.array([math.nan if reach is None else float(reach) for reach in data["radio_ranges"]]),
        None if base is None else (base["x"], base["y"]), np.array(mission["starts"]).reshape(-1, 3),
        mission["strategy"], mission["seed"], mission, data["control_period"], data["detail"], data["version"],
    )  # fmt: skip


def footprint_of(model: dict[str, Any]) -> Floats:
    """(corners, 2): the outline of a robot model, heading along x."""
    body = model["body"]
    if body["shape"] == "disc":
        angles = np.arange(CORNERS) / CORNERS * math.tau
        return np.column_stack([np.cos(angles), np.sin(angles)]) * float(body["radius"])
    x, y = 0.5 * float(body["length"]), 0.5 * float(body["width"])
    return np.array([(x, y), (-x, y), (-x, -y), (x, -y)])


def _radio_ranges(fleet: Fleet) -> list[float]:
    """How far the first radio of each node reaches."""
    return [
        math.nan if not radios else math.inf if radios[0].range is None else radios[0].range for radios in fleet.radios
    ]


def _small(layer: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A layer that is the same everywhere as one value."""
    return layer[:1, :1] if (layer == layer.flat[0]).all() else layer
