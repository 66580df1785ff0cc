"""Two values of a parameter compared over missions that are alike in all else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from expedition.report.statistics.significance import holm, signed_rank

SURE = 0.05


@dataclass(frozen=True)
class Change:
    """How a metric changes from the first value to the second, in the mean over pairs of missions."""

    change: float
    """Relative to the first."""
    pairs: int
    p: float
    """By the signed-rank test over pairs, or over the blocks that they come in where that says less; after Holm."""

    @property
    def found(self) -> bool:
        """Whether the test finds a difference."""
        return self.p < SURE


def changes(
    missions: pl.DataFrame, parameter: str, first: object, second: object, metrics: Sequence[str], *,
    alike: Sequence[str], panels: str, blocks: Sequence[str],
) -> dict[str, dict[str, Change]]:  # fmt: skip
    """The change of each metric in all and in each panel, corrected as one family; failed missions have no pair."""
    succeeded = missions.filter("succeeded")
    one, other = (succeeded.filter(pl.col(parameter) == value) for value in (first, second))
    both = one.join(other, on=list(alike), suffix=" of second").sort(*alike)
    parts = {"all": both, **{str(panel): some for (panel,), some in sorted(both.group_by(panels), key=str)}}
    found = {metric: {panel: _change(some, metric, blocks) for panel, some in parts.items()} for metric in metrics}
    corrected = iter(holm([one.p for by_panel in found.values() for one in by_panel.values()]))
    return {
        metric: {panel: replace(one, p=next(corrected) or 0.0) for panel, one in by_panel.items()}
        for metric, by_panel in found.items()
    }


def listed(by_panel: Mapping[str, Change]) -> str:
    """The changes as text; those that the tests find in bold."""
    texts = {panel: f"{panel} " + f"{one.change:+.0%}".replace("-", "−") for panel, one in by_panel.items()}
    return ", ".join(f"**{text}**" if by_panel[panel].found else text for panel, text in texts.items())


def _change(pairs: pl.DataFrame, metric: str, blocks: Sequence[str]) -> Change:
    known = pairs.drop_nulls([metric, f"{metric} of second"])
    before, after = known[metric].to_numpy(), known[f"{metric} of second"].to_numpy()
    if not len(known):
        return Change(float("nan"), 0, 1.0)
    places = known.select(pl.concat_str(pl.col(*blocks).cast(str), separator=" "))[:, 0].rank("dense").to_numpy()
    change = float(after.mean() / before.mean() - 1.0) if before.mean() else float("nan")
    return Change(change, len(known), signed_rank(after - before, places.astype(np.int64)))
