"""The sensors of a fleet as the flat simulator's kernels take them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.fleet import Fleet
from expedition.fleet.sensors import GaussianNoise, GroundCamera, LandmarkCamera, Lidar, Odometry, RobotDetector
from expedition.sim.bodies import Floats
from expedition.sim.ground import Slices
from expedition.sim.lidar import Scanner
from expedition.sim.odometry import GAUSSIAN, MOTION
from expedition.sim.readings import Group, groups_of
from expedition.sim.roughness import GroundEye
from expedition.sim.sight import Eye
from expedition.terrain import Terrain


@dataclass(frozen=True)
class Suite:
    """A fleet's sensors in groups of equal ones, and the landmarks there are to see."""

    robots: int
    lidars: list[Group[Lidar]]
    odometers: list[Group[Odometry]]
    detectors: list[Group[RobotDetector]]
    cameras: list[Group[LandmarkCamera]]
    ground_cameras: list[Group[GroundCamera]]
    landmarks: Floats  # (landmarks, 2): x, y
    descriptors: Floats  # (landmarks, elements)
    has_bumper: NDArray[np.bool_]

    def heights(self) -> list[float]:
        """The heights above ground at which lidars scan, and then those at which detectors and cameras look."""
        lidars, detectors = [group.height for group in self.lidars], [group.height for group in self.detectors]
        cameras = [group.height for group in self.cameras] + [group.height for group in self.ground_cameras]
        return lidars + detectors + cameras


def suite_of(fleet: Fleet, terrain: Terrain, seed: int, physics_rate: float) -> Suite:
    """The sensors of a fleet, with a stream for each robot and kind of sensor."""
    length = max((len(landmark.descriptor) for landmark in terrain.landmarks), default=0)
    descriptors = np.zeros((len(terrain.landmarks), length))
    for row, landmark in zip(descriptors, terrain.landmarks, strict=True):
        row[: len(landmark.descriptor)] = landmark.descriptor
    return Suite(
        len(fleet.models),
        groups_of(fleet, "lidar", lambda model: model.lidar, seed, physics_rate),
        groups_of(fleet, "odometry", lambda model: model.odometry, seed, physics_rate),
        groups_of(fleet, "detector", lambda model: model.robot_detector, seed, physics_rate),
        groups_of(fleet, "camera", lambda model: model.landmark_camera, seed, physics_rate),
        groups_of(fleet, "ground_camera", lambda model: model.ground_camera, seed, physics_rate),
        np.array([(landmark.x, landmark.y) for landmark in terrain.landmarks], dtype=np.float64).reshape(-1, 2),
        descriptors,
        np.array([model.bumper for model in fleet.models], dtype=bool),
    )


def scanner_of(group: Group[Lidar], level: int) -> Scanner:
    """A lidar as numbers, with the slice of the terrain that it scans."""
    lidar = group.sensor
    angles = lidar.angles
    return Scanner(
        np.column_stack([np.cos(angles), np.sin(angles)]),
        float(angles[0]),
        1.0 / float(angles[1] - angles[0]) if lidar.beams > 1 else 0.0,
        lidar.range,
        lidar.min_range,
        lidar.sigma_range,
        lidar.dropout,
        lidar.x,
        lidar.y,
        lidar.heading,
        group.height,
        level,
    )


def eye_of(sensor: LandmarkCamera | RobotDetector, level: int) -> Eye:
    """A camera or detector as numbers, with the slice of the terrain that hides things from it."""
    blocked = sensor.blocked_by_walls if isinstance(sensor, RobotDetector) else True
    half_view = 0.5 * sensor.field_of_view
    return Eye(sensor.range, half_view, blocked, sensor.sigma_range, sensor.sigma_bearing, level)


def ground_eye_of(camera: GroundCamera, level: int) -> GroundEye:
    """A ground camera as numbers, with the slice of the terrain that hides the ground from it."""
    angles = camera.angles
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    return GroundEye(directions, camera.distances, 100.0 * camera.sigma_speed, level)


def odometry_noise(sensor: Odometry) -> tuple[int, Floats]:
    """The noise of an odometer: which model, and its figures."""
    noise = sensor.noise
    if noise is None:
        return GAUSSIAN, np.zeros(2)
    if isinstance(noise, GaussianNoise):
        return GAUSSIAN, np.array([noise.sigma_position, noise.sigma_heading])
    return MOTION, np.array([noise.alpha1, noise.alpha2, noise.alpha3, noise.alpha4])


class View:
    """A suite on a terrain: each lidar, detector and camera with the slice of the terrain at its height."""

    def __init__(self, suite: Suite, slices: Slices, first: int) -> None:
        """`slices` knows the suite's heights from place `first` on."""
        levels = iter(slices.index[first:])
        self.scanners = [scanner_of(group, next(levels)) for group in suite.lidars]
        self.detector_eyes = [eye_of(group.sensor, next(levels)) for group in suite.detectors]
        self.camera_eyes = [eye_of(group.sensor, next(levels)) for group in suite.cameras]
        self.ground_eyes = [ground_eye_of(group.sensor, next(levels)) for group in suite.ground_cameras]
        self.noises = [odometry_noise(group.sensor) for group in suite.odometers]
