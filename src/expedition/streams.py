"""Random streams: every draw belongs to a stream named after what it is for, such as `robot/3/lidar`.

A stream's key depends on the mission's seed and the stream's name only, so adding a robot, a sensor or a
measurement moves no other stream. Kernels draw by counter: the value at (key, counter) is a pure function, so a
reading that nobody takes costs nothing and shifts nothing.
"""

from __future__ import annotations

import hashlib
import math

import numpy as np

from expedition.kernels import kernel


def stream_key(seed: int, name: str) -> np.uint64:
    """The 64-bit key of the stream `name` under `seed`."""
    digest = hashlib.blake2b(f"{seed}/{name}".encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


def generator(seed: int, name: str) -> np.random.Generator:
    """A NumPy generator on the stream `name`, for draws outside kernels."""
    return np.random.Generator(np.random.Philox(key=int(stream_key(seed, name))))


@kernel
def mix(key: np.uint64, counter: np.uint64) -> np.uint64:
    """A well-mixed 64-bit value for (key, counter): the SplitMix64 output function (Steele et al. 2014)."""
    z = key + (counter + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def uniform(key: np.uint64, counter: np.uint64) -> float:
    """Uniform in the open interval (0, 1)."""
    return (float(mix(key, counter) >> np.uint64(11)) + 0.5) * (1.0 / 9007199254740992.0)


@kernel
def normal_pair(key: np.uint64, counter: np.uint64) -> tuple[float, float]:
    """Two independent standard normal values (Box and Muller 1958), from counters 2*counter and 2*counter + 1."""
    first = np.uint64(2) * counter
    radius = math.sqrt(-2.0 * math.log(uniform(key, first)))
    angle = 2.0 * math.pi * uniform(key, first + np.uint64(1))
    return radius * math.cos(angle), radius * math.sin(angle)
