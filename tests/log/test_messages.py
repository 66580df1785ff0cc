"""Messages as bytes, checked against the serialiser of rosbags."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from expedition.log.cdr import decode, encode
from expedition.log.definitions import PRIMITIVES, fields_of, schema_text

MSG = Path(__file__).parents[2] / "src" / "expedition" / "log" / "msg"
NAMES = sorted(f"{path.parent.name}/{path.stem}" for path in MSG.glob("*/*.msg"))
WORDS = st.text(st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), max_size=9)


def typestore():
    store = get_typestore(Stores.ROS2_JAZZY)
    ours = {}
    for name in NAMES:
        package, message = name.split("/")
        if package in ("expedition_msgs", "map_msgs"):
            ours |= get_types_from_msg((MSG / f"{name}.msg").read_text(), f"{package}/msg/{message}")
    store.register(ours)
    return store


STORE = typestore()


def full(name: str) -> str:
    return name.replace("/", "/msg/")


def values(draw, name: str):
    """Some message, for us and for rosbags."""
    ours, theirs = {}, {}
    for field in fields_of(name):
        if field.is_array:
            count = draw(st.integers(0, 4)) if field.length is None else field.length
            if field.type in PRIMITIVES:
                kind = np.dtype(PRIMITIVES[field.type])
                numbers = np.array(draw(st.lists(st.integers(0, 100), min_size=count, max_size=count)), dtype=kind)
                ours[field.name] = theirs[field.name] = numbers
            else:
                pairs = [one(draw, field.type) for _ in range(count)]
                ours[field.name], theirs[field.name] = [p[0] for p in pairs], [p[1] for p in pairs]
        else:
            ours[field.name], theirs[field.name] = one(draw, field.type)
    return ours, STORE.types[full(name)](**theirs)


def one(draw, kind: str):
    if kind == "string":
        return (draw(WORDS),) * 2
    if kind == "bool":
        return (draw(st.booleans()),) * 2
    if kind in PRIMITIVES:
        return (draw(st.integers(0, 100)),) * 2
    return values(draw, kind)


@pytest.mark.parametrize("name", NAMES)
def test_bytes_are_those_of_rosbags_and_come_back(name):
    @settings(max_examples=20, database=None)
    @given(st.data())
    def check(data):
        ours, theirs = values(data.draw, name)
        encoded = encode(name, ours)
        assert encoded == bytes(STORE.serialize_cdr(theirs, full(name)))
        assert encode(name, decode(name, encoded)) == encoded

    check()


@pytest.mark.parametrize("name", NAMES)
def test_schema_has_all_that_a_foreign_reader_needs(name):
    types = get_types_from_msg(schema_text(name), full(name))
    for one, (_, fields) in types.items():
        assert [field for field, _ in fields] == [field.name for field in fields_of(one.replace("/msg/", "/"))]
        if not one.startswith(("expedition_msgs", "map_msgs")):
            assert [n for n, _ in STORE.fielddefs[one][1]] == [n for n, _ in fields]


def test_a_message_that_ends_early_is_refused():
    data = encode("expedition_msgs/Event", {"event": "collision", "text": "wall"})
    for length in range(4, len(data) - 3):
        with pytest.raises(ValueError, match=r"ends too early|entries in"):
            decode("expedition_msgs/Event", data[:length])
