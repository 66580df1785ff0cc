"""Rays a second: our caster beside C kernels compiled on the spot."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy import ndimage

from benchmarks.world import RANGE, beam_directions, open_places, world
from expedition.kernels import kernel
from expedition.sim.rays import cast_ray
from expedition.terrain.squares import free_squares

POSES = 1500
ROUNDS = 16


@kernel
def cast_all(
    field: NDArray[np.uint8],
    poses: NDArray[np.float64],
    directions: NDArray[np.float64],
    limit: float,
    ranges: NDArray[np.float32],
) -> None:
    """All beams from all poses, as the C kernels do it."""
    for i in range(len(poses)):
        c, s = math.cos(poses[i, 2]), math.sin(poses[i, 2])
        for beam in range(len(directions)):
            ahead, left = directions[beam, 0], directions[beam, 1]
            ranges[i, beam] = cast_ray(
                field, poses[i, 0], poses[i, 1], c * ahead - s * left, s * ahead + c * left, limit
            )


def compare_casters(console: Console) -> None:
    """Print rays a second of each caster, and ours as a ratio to the same algorithm in C."""
    terrain = world()
    solid = terrain.occupied
    places = open_places(terrain, POSES)
    poses = np.column_stack([(places[:, :2] - terrain.origin) / terrain.resolution, places[:, 2]])
    directions = beam_directions(180)
    limit = RANGE / terrain.resolution
    square_field = free_squares(solid)
    ringed = np.pad(solid, 1, constant_values=True)
    # From anywhere in a cell to anywhere in a solid one: a diagonal less than from middle to middle.
    far = np.floor(ndimage.distance_transform_edt(~ringed) - math.sqrt(2.0))
    circle_field = np.where(ringed, 0, np.clip(far, 1, 255)).astype(np.uint8)

    ours = np.empty((len(poses), len(directions)), dtype=np.float32)
    casters: dict[str, Callable[[], None]] = {
        "expedition, Numba": lambda: cast_all(square_field, poses, directions, limit, ours)
    }
    results = {"expedition, Numba": ours}
    library = _compile(console)
    if library:
        for title, function, field in (
            ("C, the same algorithm (free squares)", "squares", square_field),
            ("C, distance field with exact refinement", "circles", circle_field),
            ("C, DDA cell by cell", "dda", (~ringed).astype(np.uint8)),
        ):
            results[title] = np.empty_like(ours)
            casters[title] = _c_caster(library, function, field, poses, directions, limit, results[title])
    for caster in casters.values():
        caster()
    seconds: dict[str, list[float]] = {title: [] for title in casters}
    for _ in range(ROUNDS):
        for title, caster in casters.items():
            # Once untimed: the one before has left its field in the processor's cache, not this one's.
            caster()
            start = time.perf_counter()
            caster()
            seconds[title].append(time.perf_counter() - start)

    rays = ours.size
    table = Table("caster", "M rays/s", "ours / this", "beams off by over a cell", title="(a) lidar rays, one thread")
    for title in casters:
        ratio = float(np.median(np.array(seconds[title]) / np.array(seconds["expedition, Numba"])))
        rate = rays / float(np.median(seconds[title])) / 1e6
        apart = np.abs(np.minimum(results[title], limit) - np.minimum(ours, limit)) > 1.0
        table.add_row(title, f"{rate:.1f}", f"{ratio:.2f}", str(int(np.count_nonzero(apart))))
    console.print(table)


def _compile(console: Console) -> ctypes.CDLL | None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if not compiler:
        console.print("no C compiler (gcc): the comparison with C is left out")
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "rays.so"
        source = Path(__file__).with_name("rays.c")
        subprocess.run(
            [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"], check=True
        )
        return ctypes.CDLL(str(library))


def _c_caster(
    library: ctypes.CDLL,
    function: str,
    field: NDArray[np.uint8],
    poses: NDArray[np.float64],
    directions: NDArray[np.float64],
    limit: float,
    ranges: NDArray[np.float32],
) -> Callable[[], None]:
    cast = getattr(library, f"cast_all_{function}")
    cast.restype = None
    arguments = (
        field.ctypes.data_as(ctypes.c_void_p),
        *(ctypes.c_int64(length) for length in field.shape[-2:]),
        poses.ctypes.data_as(ctypes.c_void_p),
        ctypes.c_int64(len(poses)),
        directions.ctypes.data_as(ctypes.c_void_p),
        ctypes.c_int64(len(directions)),
        ctypes.c_double(limit),
        ranges.ctypes.data_as(ctypes.c_void_p),
    )
    return lambda: cast(*arguments)
