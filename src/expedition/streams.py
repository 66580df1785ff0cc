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
def normal(key: np.uint64, counter: np.uint64) -> float:
    """Standard normal: the inverse distribution function of a uniform value.

    P. J. Acklam's rational approximation (2003), whose relative error is below 1.2e-9; without logarithms or angles for
    95 values in 100, and one draw a value.
    """
    p = uniform(key, counter)
    if 0.02425 <= p <= 0.97575:
        q = p - 0.5
        r = q * q
        above = -3.969683028665376e01
        above = above * r + 2.209460984245205e02
        above = above * r - 2.759285104469687e02
        above = above * r + 1.383577518672690e02
        above = above * r - 3.066479806614716e01
        above = above * r + 2.506628277459239e00
        below = -5.447609879822406e01
        below = below * r + 1.615858368580409e02
        below = below * r - 1.556989798598866e02
        below = below * r + 6.680131188771972e01
        below = below * r - 1.328068155288572e01
        return above * q / (below * r + 1.0)
    q = math.sqrt(-2.0 * math.log(min(p, 1.0 - p)))
    above = -7.784894002430293e-03
    above = above * q - 3.223964580411365e-01
    above = above * q - 2.400758277161838e00
    above = above * q - 2.549732539343734e00
    above = above * q + 4.374664141464968e00
    above = above * q + 2.938163982698783e00
    below = 7.784695709041462e-03
    below = below * q + 3.224671290700398e-01
    below = below * q + 2.445134137142996e00
    below = below * q + 3.754408661907416e00
    tail = above / (below * q + 1.0)
    return tail if p < 0.5 else -tail
