"""Records where robots believe landmarks to be: each by the sighting of it that is least uncertain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from expedition.log.cdr import encode, stamp
from expedition.log.moment import WORLD, Moment

if TYPE_CHECKING:
    from expedition.fleet import Fleet
    from expedition.log.file import Lane
    from expedition.sim.protocol import Sightings
    from expedition.terrain import Terrain

Floats = NDArray[np.float64]


class LandmarkRecorder:
    """Messages `expedition_msgs/Landmarks`, when a robot has learnt something of one."""

    def __init__(self, channel: int, fleet: Fleet, terrain: Terrain) -> None:
        self._channel = channel
        self._places = np.array([(mark.x, mark.y) for mark in terrain.landmarks]).reshape(-1, 2)
        lengths = {len(mark.descriptor) for mark in terrain.landmarks}
        has_names = len(lengths) == 1 and lengths != {0}
        self._descriptors = np.array([mark.descriptor for mark in terrain.landmarks]) if has_names else None
        cameras = [model.landmark_camera for model in fleet.models]
        self._sigmas = np.array(
            [(0.0, 0.0) if one is None else (one.sigma_range, one.sigma_bearing) for one in cameras]
        )
        self.is_needed = bool(len(self._places)) and any(camera is not None for camera in cameras)
        self._known: dict[tuple[int, int], tuple[Floats, Floats]] = {}

    def take(self, moment: Moment, lane: Lane) -> None:
        """Record what was seen just now, if it tells anything new."""
        observations = moment.controller.observations
        if observations is None:
            return
        seen = observations.sightings(latest=True)
        blind = moment.controller.faults.blind
        places, covariances = self._where(seen, moment)
        is_news = False
        for row, robot in enumerate(seen.robots.tolist()):
            if not blind[robot]:
                landmark = self._which(seen.descriptors[row], places[row])
                best = self._known.get((robot, landmark))
                if best is None or np.trace(covariances[row]) < np.trace(best[1]):
                    self._known[robot, landmark] = places[row], covariances[row]
                    is_news = True
        if is_news:
            self.repeat(moment, lane)

    def repeat(self, moment: Moment, lane: Lane) -> None:
        """Record all that robots know of landmarks."""
        if self._known:
            estimates = [self._known[pair] for pair in sorted(self._known)]
            values = {
                "header": {"stamp": stamp(moment.time), "frame_id": WORLD},
                "robots": [robot for robot, _ in sorted(self._known)],
                "landmarks": [landmark for _, landmark in sorted(self._known)],
                "places": np.array([place for place, _ in estimates]),
                "covariance": np.array([(one[0, 0], one[0, 1], one[1, 1]) for _, one in estimates]),
            }
            lane.add(self._channel, moment.nanoseconds, encode("expedition_msgs/Landmarks", values))

    def _where(self, seen: Sightings, moment: Moment) -> tuple[Floats, Floats]:
        """(sightings, 2) and (sightings, 2, 2): where landmarks are by what robots believe, and its covariance."""
        poses, covariances = moment.believed()[seen.robots], moment.covariance()[seen.robots]
        angles = poses[:, 2] + seen.bearings
        ahead, aside = np.cos(angles), np.sin(angles)
        by_pose = np.zeros((len(angles), 2, 3))
        by_pose[:, 0, 0] = by_pose[:, 1, 1] = 1.0
        by_pose[:, 0, 2], by_pose[:, 1, 2] = -seen.ranges * aside, seen.ranges * ahead
        by_sighting = np.stack([np.stack([ahead, by_pose[:, 0, 2]], 1), np.stack([aside, by_pose[:, 1, 2]], 1)], 1)
        noise = np.zeros((len(angles), 2, 2))
        noise[:, 0, 0], noise[:, 1, 1] = (self._sigmas[seen.robots] ** 2).T
        covariance = by_pose @ covariances @ by_pose.transpose(0, 2, 1)
        covariance = covariance + by_sighting @ noise @ by_sighting.transpose(0, 2, 1)
        return poses[:, :2] + seen.ranges[:, None] * np.column_stack([ahead, aside]), covariance

    def _which(self, descriptor: Floats, place: Floats) -> int:
        """The landmark that was seen: by its descriptor or, where these say nothing, by its place."""
        if self._descriptors is not None:
            return int(np.argmin(((self._descriptors - descriptor) ** 2).sum(axis=1)))
        return int(np.argmin(((self._places - place) ** 2).sum(axis=1)))
