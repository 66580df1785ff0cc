"""What a report is made from: the finished missions of a design, and what is to be told of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from expedition.bench.places import LOG
from expedition.bench.records import DesignRecord, GivenUp
from expedition.bench.results import load_results
from expedition.bench.store import Store
from expedition.errors import ExpeditionError, unknown
from expedition.measure.metrics import METRICS, Metric, metric_of
from expedition.report.cells import Centre
from expedition.report.order import in_design_order, with_planned_case
from expedition.report.statistics.factors import CASE, Factors, case_names, factors_of, values_of

MAIN = ("time_s", "cost_m", "efficiency_m2_per_m", "map_quality")
"""The metrics in both papers' figures; shown where a design names none, or more than a reader takes in."""
OF_ROBOTS = ("cpu_share", "ram_mb", "received_kb_per_s", "sent_kb_per_s")
"""The metrics in Figure 6 of Yan et al. (2017)."""
MOST_SHOWN = 8


@dataclass(frozen=True)
class Evidence:
    """The results of a design with the part that each parameter plays."""

    store: Store
    record: DesignRecord
    results: pl.DataFrame
    """One row a finished mission, with its case."""
    factors: Factors
    shown: tuple[Metric, ...]
    """The metrics that figures and findings tell of."""
    every: tuple[Metric, ...]
    """All metrics that some mission has."""
    centre: Centre

    @cached_property
    def planned(self) -> int:
        """How many missions the design has."""
        return len({one.key for one in self.record.missions})

    @cached_property
    def given_up(self) -> list[GivenUp]:
        """The design's missions that killed their workers and were given up."""
        found = self.store.given_up()
        finished = set(self.results["key"])
        keys = dict.fromkeys(one.key for one in self.record.missions)
        return [found[key] for key in keys if key in found and key not in finished]

    @cached_property
    def recorded(self) -> frozenset[str]:
        """Keys of the missions that have a log and can be replayed."""
        return frozenset(key for key in self.results["key"] if (self.store.missions / key / LOG).is_file())

    @property
    def in_order(self) -> pl.DataFrame:
        """The results such that cases come in the design's order, also where few missions are finished."""
        return self.results if len(self.results) == self.planned else self.results.sort(CASE, maintain_order=True)

    @property
    def cells(self) -> Factors:
        """The factors by which missions make groups: without an axis whose values were sampled and hardly repeat."""
        return replace(self.factors, x=self.factors.axis)

    @property
    def of_robots(self) -> tuple[Metric, ...]:
        """The metrics of single robots that were measured."""
        return tuple(metric for metric in self.every if metric.name in OF_ROBOTS)

    @property
    def single_case(self) -> bool:
        """Whether there is nothing but terrains and fleets to compare."""
        return len(case_names(self.results)) == 1

    @property
    def single_cell(self) -> bool:
        """Whether all missions differ in their seeds alone."""
        cells = self.cells
        return (
            self.single_case
            and len(values_of(self.results, cells.panels)) == len(values_of(self.results, cells.x)) == 1
        )


def gather(store: Store, design: str, metrics: Sequence[str] = (), centre: Centre = "mean") -> Evidence:
    """Read what a report of a design needs; an error says what is missing."""
    record = store.design(design)
    results = in_design_order(load_results(store, design), record)
    if results.is_empty():
        raise ExpeditionError(
            f"{store.folder}: design {design!r}: none of its {len(record.missions):,} missions is finished; "
            f"`expedition run` runs them"
        )
    numeric = [name for name in results.columns if name in METRICS or name in record.metrics]
    for name in metrics:
        if name not in numeric:
            raise unknown("metric", name, numeric, f"{store.folder}: design {design!r}")
    factors = factors_of(results, record.varied)
    every = tuple(described(name) for name in numeric if results[name].is_not_null().any())
    wanted = list(metrics) or (list(record.metrics) if 0 < len(record.metrics) <= MOST_SHOWN else list(MAIN))
    shown = tuple(described(name) for name in dict.fromkeys(wanted))
    void = [name for name in numeric if name in METRICS and METRICS[name].needs and results[name].is_null().all()]
    results = results.drop([name for name in void if name not in (*wanted, *record.metrics)])
    return Evidence(store, record, with_planned_case(results, factors, record), factors, shown, every, centre)


def described(name: str) -> Metric:
    """A metric by its name; one whose file is gone since is known by its name alone."""
    try:
        return metric_of(name)
    except ExpeditionError:
        label = name.rpartition(":")[2].replace("_", " ")
        return Metric(name, label, "", "", "{:,.4g}", "A metric from a file that is not there.", False, lambda _: None)
