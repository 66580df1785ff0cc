"""The definitions of messages: which fields each has, and the text by which other programs understand a log.

They lie in `msg/`, as ROS 2 has them: those of ROS itself, and our own in `expedition_msgs`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

PRIMITIVES = {
    "bool": "u1", "byte": "u1", "char": "u1", "int8": "i1", "uint8": "u1", "int16": "<i2", "uint16": "<u2",
    "int32": "<i4", "uint32": "<u4", "int64": "<i8", "uint64": "<u8", "float32": "<f4", "float64": "<f8",
}  # fmt: skip
"""What NumPy calls ROS's numbers."""
_FIELD = re.compile(r"(?P<type>[\w/]+)(?P<brackets>\[(?P<length>\d*)\])?\s+(?P<name>[a-z]\w*)\s*(?:[^=\s].*)?$")
_RULE = "=" * 80


class Field(NamedTuple):
    """A field of a message."""

    name: str
    type: str
    """A primitive, `string`, or another message as `std_msgs/Header`."""
    is_array: bool
    length: int | None
    """Of an array whose length never changes."""


@cache
def fields_of(name: str) -> tuple[Field, ...]:
    """The fields of a message such as `nav_msgs/Path`; constants are none."""
    found = []
    for line in definition(name).splitlines():
        if match := _FIELD.match(line.partition("#")[0].strip()):
            length = match["length"]
            found.append(
                Field(match["name"], match["type"], match["brackets"] is not None, int(length) if length else None)
            )
    return tuple(found)


@cache
def definition(name: str) -> str:
    """The text of a message's definition."""
    package, message = name.split("/")
    return (files("expedition.log") / "msg" / package / f"{message}.msg").read_text()


def schema_text(name: str) -> str:
    """A definition followed by those of all messages in it, as MCAP's `ros2msg` schemas are."""
    found = [name]
    for one in found:
        found += [f.type for f in fields_of(one) if "/" in f.type and f.type not in found]
    found = list(dict.fromkeys(found))
    return definition(name) + "".join(f"{_RULE}\nMSG: {one}\n{definition(one)}" for one in found[1:])
