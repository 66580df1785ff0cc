"""Records a mission as it runs. It looks on, and changes nothing.

>>> run(mission, record=Recorder("log.mcap"))                                               # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from expedition.belief.merging import starts_known
from expedition.errors import ExpeditionError
from expedition.log.detail import Detail
from expedition.log.file import LogFile
from expedition.log.fleet import FleetRecorder, OdometryRecorder, TransformRecorder, static_transforms
from expedition.log.header import header_files, names_of
from expedition.log.landmarks import LandmarkRecorder
from expedition.log.maps import MapsRecorder
from expedition.log.markers import FrontierRecorder, LinkRecorder, landmark_message, tag_message
from expedition.log.moment import Moment
from expedition.log.paths import PathRecorder
from expedition.log.scans import ScanRecorder
from expedition.log.sights import SightRecorder
from expedition.log.topics import FLEET, LANES, MAPS, ROBOT_MAPS, ROBOTS, VIEWS, WORDS, topics_of
from expedition.log.words import WordRecorder
from expedition.witness import Witness

if TYPE_CHECKING:
    from expedition.controller import Controller
    from expedition.log.file import Lane
    from expedition.measure.monitor import Monitor
    from expedition.measure.progress import Progress
    from expedition.mission import Mission

WATCHED = 0.2
"""Seconds of the machine's clock after which who watches a mission live sees what has happened: for `flush_every`."""
PERIODIC = ("fleet", "transforms", "odometry", "scans", "landmarks", "maps", "paths", "markers", "keyframes")


class Recorder:
    """Writes a mission's log. Should that fail, as on a full disk, the mission goes on without it."""

    def __init__(self, path: Path | str, detail: Detail | None = None, flush_every: float | None = None) -> None:
        """`flush_every` are seconds of the machine's clock after which others can read what has happened."""
        self.path = Path(path)
        self.detail = detail or Detail()
        self.failure: str | None = None
        """Why the log ends before the mission does, if so."""
        self._time = 0.0
        try:
            self._file = LogFile(self.path, LANES, flush_every)
        except OSError as error:
            raise ExpeditionError(f"{self.path}: no log can be written there: {error.strerror or error}") from error

    def begin(self, mission: Mission, controller: Controller, monitor: Monitor) -> None:
        """The mission is about to take its first step."""
        self._guarded(lambda: self._begin(mission, controller, monitor))

    def take(self, progress: Progress | None) -> None:
        """The controller has done a step; `progress` is what was measured with it, if anything."""
        if self.failure is None:
            self._guarded(lambda: self._take(progress))

    def finish(self, events: Sequence[Mapping[str, Any]]) -> None:
        """The mission is over; `events` are all that happened."""
        if self.failure is None:
            self._guarded(lambda: self._finish(events))

    def _begin(self, mission: Mission, controller: Controller, monitor: Monitor) -> None:
        fleet, network = mission.fleet, controller.network
        names = names_of(fleet)
        for name, data in header_files(mission, monitor, self.detail).items():
            self._file.attach(name, "application/json" if name.endswith(".json") else "application/zip", data)
        channels = self._file.open_channels(topics_of(names, fleet.base is not None))
        apart = not starts_known(mission.settings.merge)
        sample = monitor.sample(
            controller.localiser.pose, network.bytes_sent, network.bytes_received, network.links, np.zeros(0)
        )
        moment = self._moment = Moment(controller, monitor, sample, fleet.poses if apart else None)
        controller.witness = Witness()
        self._every = [
            (kind, max(1, round(seconds * mission.settings.control_rate)))
            for kind in PERIODIC
            if (seconds := getattr(self.detail, kind)) is not None
        ]

        def of_robots(topic: str) -> list[int]:
            return [channels[f"/{name}/{topic}"] for name in names]

        at_base = [channels["/base/decision"]] if fleet.base is not None else []
        self._fleet = FleetRecorder(channels["/fleet"], moment)
        self._transforms = TransformRecorder(channels["/tf"], names)
        self._odometry = OdometryRecorder(of_robots("odometry"), names)
        self._scans = ScanRecorder(of_robots("scan"), names, fleet)
        self._maps = MapsRecorder(channels, names, moment)
        self._paths = PathRecorder(of_robots("path"))
        self._links = LinkRecorder(channels["/links"])
        self._frontiers = FrontierRecorder(monitor.frame, channels["/union/frontiers"], channels["/frontiers"])
        self._sights = SightRecorder(channels["/seen"], moment)
        self._words = WordRecorder(channels, [*of_robots("decision"), *at_base], controller.witness, self.detail)
        self._landmarks = LandmarkRecorder(channels["/landmarks/believed"], fleet, mission.terrain)
        self._tags = 0
        self._channels = channels
        views = self._file.lanes[VIEWS]
        views.add(channels["/tf_static"], 0, static_transforms(names, fleet.models))
        if mission.terrain.landmarks:
            views.add(channels["/landmarks"], 0, landmark_message(mission.terrain.landmarks))

    def _take(self, progress: Progress | None) -> None:
        moment, lanes = self._moment, self._file.lanes
        moment.move_on()
        self._time = moment.time
        tick, is_last = moment.tick, False
        if progress is not None:
            moment.sample, is_last = progress.sample, progress.is_last
            self._sights.take(moment, lanes[WORDS])
        due = {kind for kind, ticks in self._every if tick % ticks == 0 or (is_last and kind != "keyframes")}
        if "fleet" in due:
            self._fleet.take(moment, lanes[FLEET])
            self._words.take(moment, lanes[WORDS])
            self._take_tags(lanes[WORDS])
        if "transforms" in due:
            self._transforms.take(moment, lanes[VIEWS])
        if "odometry" in due:
            self._odometry.take(moment, lanes[VIEWS])
        if "scans" in due:
            self._scans.ask()
        self._scans.take(moment, lanes[ROBOTS])
        if "landmarks" in due and self._landmarks.is_needed:
            self._landmarks.take(moment, lanes[WORDS])
        if "keyframes" in due:
            self._take_keyframe(moment)
        elif "maps" in due:
            self._maps.take(moment, lanes[ROBOT_MAPS], lanes[MAPS])
        if "paths" in due:
            self._paths.take(moment, lanes[ROBOTS], all_of_them="keyframes" in due)
        if "markers" in due:
            self._links.take(moment, lanes[VIEWS])
            self._frontiers.take(self._maps.union, self._maps.stamps, moment, lanes[ROBOTS], lanes[VIEWS])
        if due:
            self._file.flush(all_of_it="keyframes" in due)

    def _take_keyframe(self, moment: Moment) -> None:
        self._words.repeat(moment, self._file.lanes[WORDS])
        self._landmarks.repeat(moment, self._file.lanes[WORDS])
        if self.detail.maps is not None:
            self._maps.take_whole(moment, self._file, ROBOT_MAPS, MAPS)

    def _finish(self, events: Sequence[Mapping[str, Any]]) -> None:
        self._words.finish(events, self._moment, self._file.lanes[WORDS])
        self._file.close()

    def _take_tags(self, lane: Lane) -> None:
        tags = self._moment.controller.world.tags
        if len(tags) > self._tags:
            message = tag_message(tags[self._tags :], self._tags)
            lane.add(self._channels["/tags"], self._moment.nanoseconds, message)
            self._tags = len(tags)

    def _guarded(self, step: Callable[[], None]) -> None:
        try:
            step()
        except OSError as error:
            self.failure = f"{self.path}: the log ends at {self._time:.1f} s: {error.strerror or error}"
            self._file.abandon()
