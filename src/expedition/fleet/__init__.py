"""The fleet: robot models, presets, and where robots start."""

from __future__ import annotations

from expedition.fleet import rooms as rooms
from expedition.fleet.base import BaseStation
from expedition.fleet.battery import Battery
from expedition.fleet.body import Body, DiscBody, RectangleBody
from expedition.fleet.check import check_placement
from expedition.fleet.drive import CarDrive, DifferentialDrive, Drive, HolonomicDrive
from expedition.fleet.fleet import Fleet, robot_models
from expedition.fleet.library import names, robot, robot_model
from expedition.fleet.model import Computer, Radio, RobotModel
from expedition.fleet.placement import place, placement
from expedition.fleet.sensors import (
    GaussianNoise,
    GroundCamera,
    LandmarkCamera,
    Lidar,
    MotionNoise,
    Odometry,
    RobotDetector,
)

__all__ = [
    "BaseStation",
    "Battery",
    "Body",
    "CarDrive",
    "Computer",
    "DifferentialDrive",
    "DiscBody",
    "Drive",
    "Fleet",
    "GaussianNoise",
    "GroundCamera",
    "HolonomicDrive",
    "LandmarkCamera",
    "Lidar",
    "MotionNoise",
    "Odometry",
    "Radio",
    "RectangleBody",
    "RobotDetector",
    "RobotModel",
    "check_placement",
    "names",
    "place",
    "placement",
    "robot",
    "robot_model",
    "robot_models",
]
