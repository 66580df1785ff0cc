"""What was found of two cases, side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from expedition.report.statistics.intervals import Interval

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Comparison:
    """What was found of `second` against `first` in one panel, over the sizes from `low` to `high` of the axis.

    `difference` and its interval are logarithms if `relative`: `change` gives them as shares. `dominance` is positive
    where the second's values are higher, a failed mission having the worst. `count` is the number of pairs with two
    values, or of missions if not `paired`; `lost_first` and `lost_second` those in which only that one failed. `p_holm`
    is corrected over `family` tests. `blocks` is the number of seeds of the pairs, where whole seeds were
    resampled and tested.
    """

    metric: str
    factor: str
    panel: str | None
    first: str
    second: str
    low: object
    high: object
    kind: str  # "all", "size", "from" or "up to": over the whole axis, at one size, from one on, up to one
    paired: bool
    relative: bool
    count: int
    lost_first: int = 0
    lost_second: int = 0
    first_mean: float | None = None
    second_mean: float | None = None
    difference: float | None = None
    interval: Interval | None = None
    dominance: float | None = None
    dominance_interval: Interval | None = None
    d_z: float | None = None
    p: float | None = None
    p_holm: float | None = None
    family: int = 0
    unit: str = "missions"  # or "vectors", where these are the sample
    blocks: int = 0

    @property
    def change(self) -> float | None:
        """The second less the first: as a share of the first if `relative`, else in the metric's unit."""
        if self.difference is None or not self.relative:
            return self.difference
        return float(np.expm1(self.difference))

    @property
    def change_interval(self) -> Interval | None:
        """The interval of `change`."""
        if self.interval is None or not self.relative:
            return self.interval
        return Interval(float(np.expm1(self.interval.low)), float(np.expm1(self.interval.high)))

    @property
    def found(self) -> bool:
        """Whether a difference was found: test and interval say so, and both point the same way."""
        if self.p_holm is None or self.p_holm >= SIGNIFICANT or self.opposed:
            return False
        return self.interval is None or self.interval.excludes(0.0)

    @property
    def opposed(self) -> bool:
        """Whether the difference, of missions that succeeded, points against the dominance, in which failures lose."""
        if self.difference is None or self.dominance is None:
            return False
        return self.difference * self.dominance <= 0 and self.difference != 0
