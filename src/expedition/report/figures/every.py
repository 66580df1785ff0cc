"""All figures of a report, one after the other, so that no more than one is in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError
from expedition.report.evidence import Evidence
from expedition.report.figures.against_axis import metric_by_panel, metrics_together
from expedition.report.figures.curves import Curve, best_robot_curve, exploration_curves, fleet_curve
from expedition.report.figures.drawing import Drawing
from expedition.report.figures.ground import Ground, ways_of
from expedition.report.figures.missions import GroundOf, averaged_maps, mission_drawings
from expedition.report.figures.scatter import metric_against_samples

MOST_SERIES = 20
"""Missions of a cell whose series are read for a curve."""
MOST_MAPS = 10
"""Missions of a cell whose maps are averaged."""

Section = tuple[str, Iterator[Drawing]]


def sections(evidence: Evidence) -> list[Section]:
    """The figures by the heading under which they stand."""
    return [
        ("How well fleets explored", _metrics(evidence)),
        ("What robots needed", _robots(evidence)),
        ("How exploration went on", _curves(evidence)),
        ("Who went where", _missions(evidence)),
        ("When ground was seen and driven over", _maps(evidence)),
    ]


def _metrics(evidence: Evidence) -> Iterator[Drawing]:
    results, factors, centre = evidence.results, evidence.cells, evidence.centre
    if evidence.single_cell:
        pass
    elif evidence.single_case or factors.panels is None:
        yield from metrics_together(results, factors, evidence.shown, "fleet-metrics", "Fleet metrics", centre)
    else:
        for metric in evidence.shown:
            yield from metric_by_panel(results, factors, metric, centre)
    for metric in evidence.shown if evidence.factors.covariates else ():
        yield from metric_against_samples(results, evidence.factors, metric)


def _robots(evidence: Evidence) -> Iterator[Drawing]:
    shown = [metric for metric in evidence.of_robots if metric not in evidence.shown]
    results, factors, centre = evidence.results, evidence.cells, evidence.centre
    if evidence.single_cell or not shown:
        return
    if evidence.single_case or factors.panels is None:
        yield from metrics_together(results, factors, shown, "robot-metrics", "Robot metrics", centre)
    else:
        for metric in shown:
            yield from metric_by_panel(results, factors, metric, centre)


def _curves(evidence: Evidence) -> Iterator[Drawing]:
    def curve_of(key: str) -> Curve | None:
        with suppress(ExpeditionError):
            curve = best_robot_curve(evidence.store.series(key))
            return curve if len(curve[0]) else None
        return None

    def of_fleet(column: str) -> Callable[[str], Curve | None]:
        def curve_of(key: str) -> Curve | None:
            with suppress(ExpeditionError):
                return fleet_curve(evidence.store.series(key), column)
            return None

        return curve_of

    yield from exploration_curves(evidence.results, evidence.cells, curve_of, MOST_SERIES)
    if any(metric.name == "base_completeness" for metric in evidence.every):
        yield from exploration_curves(
            evidence.results, evidence.cells, of_fleet("at_base"), MOST_SERIES, of_fleet("explored")
        )


def _missions(evidence: Evidence) -> Iterator[Drawing]:
    def ways(key: str) -> NDArray[np.float64]:
        return ways_of(evidence.store.series(key))

    yield from mission_drawings(evidence.results, evidence.cells, _ground_of(evidence), ways)


def _maps(evidence: Evidence) -> Iterator[Drawing]:
    yield from averaged_maps(evidence.results, evidence.cells, _ground_of(evidence), MOST_MAPS)


def _ground_of(evidence: Evidence) -> GroundOf:
    store = evidence.store

    @lru_cache(maxsize=4)
    def ground_of(key: str) -> Ground | None:
        with suppress(ExpeditionError):
            return Ground.of(store.maps(key), store.outcome(key)["facts"])
        return None

    return ground_of
