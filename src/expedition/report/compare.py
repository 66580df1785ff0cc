"""Two stores side by side: which missions are the same to the byte, and what the others' metrics say.

For a change of the code, for two laboratories, or for two designs that differ in a parameter.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from expedition.bench.places import SERIES
from expedition.bench.records import DesignRecord, damaged
from expedition.bench.results import load_results
from expedition.bench.store import Store
from expedition.errors import ExpeditionError, unknown
from expedition.measure.metrics import METRICS, Metric, metric_of
from expedition.report.statistics.comparison import Comparison
from expedition.report.statistics.comparisons import compare_cases, corrected
from expedition.report.statistics.factors import Factors, with_case
from expedition.report.statistics.success import SuccessComparison, compare_successes

SIDE = "store"


@dataclass(frozen=True)
class Side:
    """A design in a store: what it is called here, its record and its finished missions."""

    name: str
    store: Store
    record: DesignRecord
    results: pl.DataFrame

    @property
    def parameters(self) -> list[str]:
        """The names of the design's parameters."""
        return list(dict.fromkeys(name for one in self.record.missions for name in one.vector))


@dataclass(frozen=True)
class StoreComparison:
    """What two stores have in common and what not.

    `identical` and `differing` are keys of missions with the same parameters and the same or another `series.parquet`;
    `only_first` and `only_second` those of missions without one that matches. `pairs` missions match in the seed and
    in the parameters in `matched_by`; those in `unlike` are not the same in any two missions. `overall` is over all
    pairs, a comparison a metric, `by_terrain` in each terrain.
    """

    first: Side
    second: Side
    identical: tuple[str, ...]
    differing: tuple[str, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    pairs: int
    matched_by: tuple[str, ...]
    unlike: tuple[str, ...]
    other_code: bool
    metrics: tuple[Metric, ...]
    success: SuccessComparison | None
    overall: tuple[Comparison, ...]
    by_terrain: tuple[Comparison, ...]


def compare_stores(
    first: Path, second: Path, designs: Sequence[str] = (), metrics: Sequence[str] = ()
) -> StoreComparison:
    """Compare two stores.

    `designs` names one design for both or one for each; without, both must have one alone, or one in common. Without
    `metrics`, those that the first design names are compared.
    """
    stores = Store.existing(first), Store.existing(second)
    names = _names(first, second)
    chosen = _designs(stores, designs)
    one, other = (
        Side(name, store, store.design(design), load_results(store, design))
        for name, store, design in zip(names, stores, chosen, strict=True)
    )
    identical, differing = _bytes_compared(one, other)
    matched_by, unlike = _matching(one, other)
    joined = _joined(one, other, matched_by)
    known = _metrics(one, joined, metrics)
    in_pairs = set(joined["key"].to_list())
    alone = [tuple(key for key in side.results["key"].to_list() if key not in in_pairs) for side in (one, other)]
    return StoreComparison(
        one, other, identical, differing, alone[0], alone[1], len(joined) // 2, tuple(matched_by), tuple(unlike),
        _other_code(one, other, differing), known, *_compared(joined, matched_by, known, bool(differing or unlike)),
    )  # fmt: skip


def _names(first: Path, second: Path) -> tuple[str, str]:
    """What the stores are called: the names of their folders, or the paths where these are the same."""
    names = first.resolve().name, second.resolve().name
    if names[0] != names[1]:
        return names
    return (str(first), str(second)) if str(first) != str(second) else (f"{first} (first)", f"{second} (second)")


def _designs(stores: tuple[Store, Store], wanted: Sequence[str]) -> tuple[str, str]:
    """The design to look at in each store."""
    if len(wanted) > 2:
        raise ExpeditionError(f"--design: found {len(wanted)} of them, allowed: one for both stores or one for each")
    if wanted:
        return wanted[0], wanted[-1]
    there = [store.designs() for store in stores]
    for store, names in zip(stores, there, strict=True):
        if not names:
            raise ExpeditionError(f"{store.folder}: no design was run into this store")
    if len(there[0]) == len(there[1]) == 1:
        return there[0][0], there[1][0]
    shared = sorted(set(there[0]) & set(there[1]))
    if len(shared) == 1:
        return shared[0], shared[0]
    listed = "; ".join(f"{store.folder}: {', '.join(names)}" for store, names in zip(stores, there, strict=True))
    raise ExpeditionError(f"--design: say which design to compare, once for both stores or once for each; {listed}")


def _bytes_compared(one: Side, other: Side) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Keys of missions in both that have the same time series to the byte, and of those that have not."""
    keys = set(other.results["key"].to_list())
    both = [key for key in one.results["key"].to_list() if key in keys]
    same = {key for key in both if _digest(one.store, key) == _digest(other.store, key)}
    return tuple(key for key in both if key in same), tuple(key for key in both if key not in same)


def _digest(store: Store, key: str) -> bytes:
    path = store.missions / key / SERIES
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError as error:
        raise damaged(path, error) from None


def _other_code(one: Side, other: Side, differing: Sequence[str]) -> bool:
    """Whether missions that differ were run by different code."""
    return any(
        one.store.parameters(key).get("code") != other.store.parameters(key).get("code") for key in differing[:100]
    )


def _matching(one: Side, other: Side) -> tuple[list[str], list[str]]:
    """The parameters that missions are matched by, and those that no mission of both has the same value of."""
    shared = [name for name in one.parameters if name in other.parameters]
    values = {name: [set(_texts(side.results[name])) for side in (one, other)] for name in shared}
    unlike = [name for name, (here, there) in values.items() if here and there and not here & there]
    return [name for name in shared if name not in unlike], unlike


def _texts(column: pl.Series) -> list[str]:
    """Values as texts that compare across types: 4 and 4.0 are the same number."""
    return [f"{value:g}" if isinstance(value, int | float) else str(value) for value in column.to_list()]


def _joined(one: Side, other: Side, matched_by: Sequence[str]) -> pl.DataFrame:
    """The missions of both that match, those of the first store first; parameters are texts."""
    match = ["seed", *matched_by]
    columns = one.results.columns
    metrics = [name for name in columns[columns.index("succeeded") + 1 :] if name in other.results.columns]
    frames = []
    for side in (one, other):
        texts = [pl.Series(name, _texts(side.results[name]), dtype=pl.String) for name in matched_by]
        frame = side.results.select("key", "seed", "succeeded", *metrics).with_columns(
            *texts, pl.lit(side.name).alias(SIDE)
        )
        if frame.select(match).is_duplicated().any():
            by = ", ".join(matched_by) or "nothing but the seed"
            raise ExpeditionError(
                f"{side.store.folder}: several missions of {side.record.name} match one of the other store, which has "
                f"{by} in common with it; compare designs that differ in one value of each other parameter"
            )
        frames.append(frame)
    return pl.concat(frame.join(rest, on=match, how="semi") for frame, rest in (frames, frames[::-1]))


def _metrics(one: Side, joined: pl.DataFrame, wanted: Sequence[str]) -> tuple[Metric, ...]:
    """The metrics to compare: those asked for, else the design's, else all that ship and are the same in every run.

    Of the latter, those that apply to none of the missions are left out.
    """
    names = list(wanted) or list(one.record.metrics)
    if not names:
        same = [name for name, metric in METRICS.items() if not metric.measured]
        names = [name for name in same if not METRICS[name].needs or joined[name].is_not_null().any()]
    for name in names:
        if name not in joined.columns:
            raise unknown("metric", name, METRICS, "--metric")
    return tuple(metric_of(name) for name in names)


def _compared(
    joined: pl.DataFrame, matched_by: Sequence[str], metrics: Sequence[Metric], unequal: bool
) -> tuple[SuccessComparison | None, tuple[Comparison, ...], tuple[Comparison, ...]]:
    """Success and metrics, the second store against the first; nothing where there is nothing to compare."""
    if len(joined) == 0 or not unequal:
        return None, (), ()
    every = Factors(cases=(SIDE,), others=tuple(matched_by))
    with_side = with_case(joined, every)
    success = compare_successes(with_side, every)
    overall = corrected([one for metric in metrics for one in compare_cases(with_side, every, metric)])
    by_terrain: list[Comparison] = []
    if "terrain" in matched_by and joined["terrain"].n_unique() > 1:
        rest = tuple(name for name in matched_by if name != "terrain")
        panels = Factors(panels="terrain", cases=(SIDE,), others=rest)
        by_terrain = [one for metric in metrics for one in compare_cases(with_side, panels, metric)]
    return (success[0] if success else None), tuple(overall), tuple(by_terrain)


def as_data(found: StoreComparison) -> dict[str, Any]:
    """The comparison as JSON data."""
    from expedition.report.statistics.analysis import comparisons_table

    return {
        "first": {"name": found.first.name, "design": found.first.record.name, "missions": len(found.first.results)},
        "second": {
            "name": found.second.name,
            "design": found.second.record.name,
            "missions": len(found.second.results),
        },
        "identical": list(found.identical),
        "differing": list(found.differing),
        "only_first": list(found.only_first),
        "only_second": list(found.only_second),
        "pairs": found.pairs,
        "matched_by": list(found.matched_by),
        "unlike": list(found.unlike),
        "other_code": found.other_code,
        "metrics": comparisons_table(found.overall).to_dicts(),
        "by_terrain": comparisons_table(found.by_terrain).to_dicts(),
        "sentences": sentences(found),
    }


def sentences(found: StoreComparison) -> list[str]:
    """What the comparison says in words: of success if it differs, of each metric, and of terrains where it differs."""
    from expedition.report.words import comparison_sentence, success_sentence

    described = {metric.name: metric for metric in found.metrics}
    success = found.success
    said = [success_sentence(success)] if success is not None and success.first_rate != success.second_rate else []
    said += [comparison_sentence(one, described[one.metric]) for one in found.overall]
    return said + [comparison_sentence(one, described[one.metric]) for one in found.by_terrain if one.found]
