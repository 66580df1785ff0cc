"""What a failed mission counts for: a metric of effort says nothing of it, and a comparison ranks it as the worst."""

from __future__ import annotations

from typing import Protocol

import polars as pl

from expedition.report.statistics.factors import CASE, Factors

VALUE = "value"
FAILED = "failed"

# How far a mission came is known and meant whether it succeeded or not; all else is the price of success.
PROGRESS = frozenset({"completeness", "explored_m2", "auc"})


class Described(Protocol):
    """What the statistics want to know of a metric."""

    @property
    def name(self) -> str:
        """Its column."""

    @property
    def label(self) -> str:
        """Its name in words."""

    @property
    def unit(self) -> str:
        """Its unit, "" if it has none."""

    @property
    def better(self) -> str:
        """ "lower", "higher", or "" where neither is better."""

    @property
    def measured(self) -> bool:
        """Whether it depends on the machine."""

    def written(self, value: float | None) -> str:
        """A value with its unit."""


def with_value(results: pl.DataFrame, metric: Described) -> pl.DataFrame:
    """The results with `value`, null where the metric says nothing, and `failed` for missions that rank as the worst.

    A mission that failed has no value unless the metric is one of progress. A mission that succeeded and has no value
    is left out of everything.
    """
    number = pl.col(metric.name).cast(pl.Float64)
    number = pl.when(number.is_finite()).then(number)
    if metric.name in PROGRESS:
        return results.with_columns(number.alias(VALUE), pl.lit(False).alias(FAILED))
    succeeded = pl.col("succeeded")
    return results.with_columns(pl.when(succeeded).then(number).alias(VALUE), succeeded.not_().alias(FAILED))


def counted(results: pl.DataFrame, factors: Factors, metric: Described) -> pl.DataFrame:
    """The results with `value` and `failed`, a row for each thing that chance made on its own (`by_vector`)."""
    return by_vector(with_value(results, metric), factors)


def by_vector(results: pl.DataFrame, factors: Factors) -> pl.DataFrame:
    """In a design with covariates, one row a vector in place of its missions: the mean value, failed if most failed.

    There the vectors are the sample. Missions that repeat one with other seeds share all that is peculiar to it, and
    counting each would make chance look like knowledge.
    """
    if not factors.covariates:
        return results
    vector = [*factors.surroundings, *factors.cases, CASE]
    parts = [pl.lit(0).alias("seed"), pl.col("succeeded").mean() >= 0.5]
    if VALUE in results.columns:
        failed = pl.col(FAILED).mean() > 0.5
        parts += [failed.alias(FAILED), pl.when(failed.not_()).then(pl.col(VALUE).mean()).alias(VALUE)]
    return results.group_by(vector, maintain_order=True).agg(parts)
