"""Draws where robots have been, where they are going, and who hears whom."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.film.canvas import Canvas
from expedition.film.robots import is_dead
from expedition.film.theme import mix
from expedition.log.reader import LogReader
from expedition.log.scene import Floats, Scene

RECENT = 20.0
"""Seconds of a trail that are drawn stronger than the rest."""
FINEST = 0.1
"""Metres between two points of a trail."""
MOST_LINKS = 300
"""Links that are drawn; of more, those that hold the groups together, then the shortest."""


class Trails:
    """The ways that robots have come, read once and thinned."""

    def __init__(self, log: LogReader, believed: bool) -> None:
        """`believed` says that trails are where robots believed to be."""
        self._times = log.series.times
        self._ways: list[Floats] = []
        self._samples: list[NDArray[np.int64]] = []
        for robot in range(log.header.robots):
            way = (log.believed_trajectory if believed else log.trajectory)(robot, log.end)[:, :2]
            along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))])
            kept = np.flatnonzero(np.diff(np.floor(along / FINEST), prepend=-1.0))
            self._ways.append(way[kept])
            self._samples.append(kept)

    def draw(self, canvas: Canvas, time: float, poses: Floats) -> None:
        """Draw them up to a time, at which robots are at poses (robots, 3)."""
        now, recent = np.searchsorted(self._times, [time, time - RECENT], side="right").tolist()
        wide = 1.7 if len(poses) <= 16 else 1.1
        ends = [np.searchsorted(samples, [now, recent]).tolist() for samples in self._samples]
        for robot, (end, _) in enumerate(ends):
            canvas.line(self._ways[robot][:end], mix(canvas.theme.line(robot), canvas.theme.free, 0.6), wide)
        for robot, (end, begin) in enumerate(ends):
            newest = np.vstack([self._ways[robot][begin:end], poses[robot, :2]])
            canvas.line(newest, mix(canvas.theme.line(robot), canvas.theme.free, 0.15), wide + 0.5)


def draw_paths(canvas: Canvas, scene: Scene) -> None:
    """The ways that robots are about to drive, dashed; those out of action drive nowhere."""
    wide = 1.6 if len(scene.paths) <= 16 else 1.0
    for robot, path in enumerate(scene.paths):
        if is_dead(scene.failed[robot]):
            continue
        canvas.dashes(path, canvas.theme.line(robot), wide, 4.0, 3.5)


def draw_goals(canvas: Canvas, scene: Scene) -> None:
    """Where robots are going: a ring with a dot."""
    size = 5.0 if len(scene.goals) <= 16 else 3.2
    for robot, (x, y) in enumerate(scene.goals.tolist()):
        if not (np.isnan(x) or np.isnan(y) or is_dead(scene.failed[robot])) and canvas.shows(x, y):
            colour = canvas.theme.line(robot)
            canvas.disc(x, y, size + 1.2, canvas.theme.free)
            canvas.disc(x, y, size, None, colour, 1.7)
            canvas.disc(x, y, 0.36 * size, colour)


def draw_links(canvas: Canvas, scene: Scene, poses: Floats, base: tuple[float, float] | None) -> None:
    """A line between two that hear each other; dashed where only one hears the other."""
    places = poses[:, :2] if base is None else np.vstack([poses[:, :2], base])
    pairs = telling_links(scene.links, places)
    wide = 1.0 if len(pairs) <= 60 else 0.8
    colour = canvas.theme.link if len(pairs) <= 30 else mix(canvas.theme.link, canvas.theme.free, 0.35)
    for one, other in pairs:
        ends = places[[one, other]]
        if scene.links[one, other] and scene.links[other, one]:
            canvas.line(ends, colour, wide)
        else:
            canvas.dashes(ends, colour, wide)


def telling_links(links: NDArray[np.bool_], places: Floats, most: int = MOST_LINKS) -> list[tuple[int, int]]:
    """The pairs of nodes to draw a link between.

    If there are too many, first those of a shortest tree through each group, which show who is connected with whom,
    then the shortest.
    """
    near = np.triu(links | links.T, 1)
    ones, others = (side.tolist() for side in np.nonzero(near))
    lengths = np.hypot(*(places[ones] - places[others]).T).tolist()
    ordered = sorted(zip(lengths, ones, others, strict=True))
    if len(ordered) <= most:
        return [(one, other) for _, one, other in ordered]
    group = list(range(len(places)))

    def leader(node: int) -> int:
        while group[node] != node:
            group[node] = group[group[node]]
            node = group[node]
        return node

    tree: list[tuple[int, int]] = []
    rest: list[tuple[int, int]] = []
    for _, one, other in ordered:
        first, second = leader(one), leader(other)
        (rest if first == second else tree).append((one, other))
        group[first] = second
    return [*tree, *rest][:most]
