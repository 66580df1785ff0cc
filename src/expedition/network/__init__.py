"""Radio links, messages, beacons, and what they cost in bytes."""

from expedition.network.circle import Circle
from expedition.network.line_of_sight import LineOfSight
from expedition.network.messages import Message, Receipt
from expedition.network.network import Network, PayloadTooLarge
from expedition.network.obstacles import Obstacles
from expedition.network.path_loss import PathLoss
from expedition.network.payload import CannotTravel, decode, encode
from expedition.network.radio import RadioModel, radios
from expedition.network.settings import LinkSettings, NetworkSettings
from expedition.network.through_walls import ThroughWalls

__all__ = [
    "CannotTravel",
    "Circle",
    "LineOfSight",
    "LinkSettings",
    "Message",
    "Network",
    "NetworkSettings",
    "Obstacles",
    "PathLoss",
    "PayloadTooLarge",
    "RadioModel",
    "Receipt",
    "ThroughWalls",
    "decode",
    "encode",
    "radios",
]
