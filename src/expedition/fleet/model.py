"""A robot model: what a robot is, as data. Its fields are what users write in YAML."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from expedition.errors import TOLD
from expedition.fleet.battery import Battery
from expedition.fleet.body import Body
from expedition.fleet.drive import Drive
from expedition.fleet.quantity import Range
from expedition.fleet.sensors import GroundCamera, LandmarkCamera, Lidar, Odometry, RobotDetector
from expedition.spec import Spec

Name = Annotated[str, Field(min_length=1, max_length=100)]
Decibels = Annotated[float, Field(ge=-300, le=100)]


class Radio(Spec):
    """A radio as its data sheet has it; the mission's radio model decides what arrives."""

    name: Name = "wifi"
    """What strategies call this channel."""
    range: Range | None = None
    """How far it reaches, in metres; everywhere if not given."""
    transmit_power_dbm: Decibels = 15.0
    """What it sends with, in dBm. The default, as that of the sensitivity, is MAES's for 2.4 GHz."""
    sensitivity_dbm: Decibels = -82.0
    """The weakest signal that is still understood, in dBm."""
    bandwidth_bits_per_s: Annotated[float, Field(gt=0, le=1e15)] | None = None
    """How much it carries, in bit/s; no limit if not given."""


def _with_names_of_their_own(radios: tuple[Radio, ...]) -> tuple[Radio, ...]:
    names = [radio.name for radio in radios]
    for name in names:
        if names.count(name) > 1:
            raise PydanticCustomError(
                TOLD, "two radios are named {name}; each needs a name of its own", {"name": repr(name)}
            )
    return radios


Radios = Annotated[tuple[Radio, ...], Field(max_length=16), AfterValidator(_with_names_of_their_own)]
"""Those of a robot or of a base station."""


class Computer(Spec):
    """The robot's own computer."""

    cpus: Annotated[int, Field(ge=1, le=10_000)]
    """How many cores it has."""
    ram_gb: Annotated[float, Field(gt=0, le=1_000_000)]
    """Memory, in GB."""


class RobotModel(Spec):
    """Body, drive, sensors, radios and computer of a kind of robot."""

    name: Name
    """What the robot is called."""
    source: Annotated[str, Field(max_length=2000)] = ""
    """Where the figures come from."""
    body: Body
    """What it fills of the world."""
    drive: Drive
    """How it moves."""
    lidar: Lidar | None = None
    """A laser range finder."""
    odometry: Odometry | None = None
    """What it knows of its own motion."""
    landmark_camera: LandmarkCamera | None = None
    """What sees landmarks."""
    ground_camera: GroundCamera | None = None
    """What sees rough ground."""
    robot_detector: RobotDetector | None = None
    """What sees other robots."""
    bumper: bool = False
    """Whether the robot feels contacts."""
    radios: Radios = ()
    """Each with a name of its own."""
    computer: Computer | None = None
    """What its programs run on."""
    battery: Battery | None = None
    """What it lives on; energy is neither counted nor short if not given."""
