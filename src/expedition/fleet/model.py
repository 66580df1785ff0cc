"""A robot model: what a robot is, as data. Its fields are what users write in YAML."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from expedition.fleet.body import Body
from expedition.fleet.drive import Drive
from expedition.fleet.quantity import Range
from expedition.fleet.sensors import LandmarkCamera, Lidar, Odometry, RobotDetector
from expedition.spec import Spec

Name = Annotated[str, Field(min_length=1, max_length=100)]
Decibels = Annotated[float, Field(ge=-300, le=100)]


class Radio(Spec):
    """A radio as its data sheet has it; the mission's radio model decides what arrives."""

    name: Name = "wifi"
    """What strategies call this channel."""
    range: Range | None = None
    """In metres; none for a radio that reaches everywhere."""
    transmit_power_dbm: Decibels = 15.0
    """In dBm. The default, as that of the sensitivity, is MAES's for 2.4 GHz."""
    sensitivity_dbm: Decibels = -82.0
    """The weakest signal that is still understood, in dBm."""
    bandwidth_bits_per_s: Annotated[float, Field(gt=0, le=1e15)] | None = None
    """None: no limit."""


class Computer(Spec):
    """The robot's own computer."""

    cpus: Annotated[int, Field(ge=1, le=10_000)]
    ram_gb: Annotated[float, Field(gt=0, le=1_000_000)]


class RobotModel(Spec):
    """Body, drive, sensors, radios and computer of a kind of robot."""

    name: Name
    source: Annotated[str, Field(max_length=2000)] = ""
    """Where the figures come from."""
    body: Body
    drive: Drive
    lidar: Lidar | None = None
    odometry: Odometry | None = None
    landmark_camera: LandmarkCamera | None = None
    robot_detector: RobotDetector | None = None
    bumper: bool = False
    """Whether the robot feels contacts."""
    radios: Annotated[tuple[Radio, ...], Field(max_length=16)] = ()
    computer: Computer | None = None

    @model_validator(mode="after")
    def _radios_have_names_of_their_own(self) -> RobotModel:
        names = [radio.name for radio in self.radios]
        if len(set(names)) < len(names):
            raise ValueError("every radio needs a name of its own")
        return self
