"""Radio links, messages, beacons, and what they cost in bytes."""

from expedition.network.circle import Circle
from expedition.network.network import Message, Network, PayloadTooLarge
from expedition.network.payload import CannotTravel, decode, encode
from expedition.network.radio import RadioModel, radios

__all__ = [
    "CannotTravel",
    "Circle",
    "Message",
    "Network",
    "PayloadTooLarge",
    "RadioModel",
    "decode",
    "encode",
    "radios",
]
