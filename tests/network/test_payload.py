"""Payloads come out as they went in, and never as the same object."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expedition.network import CannotTravel, decode, encode

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
KEYS = st.recursive(SCALARS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=2), max_leaves=4)
VALUES = st.recursive(
    KEYS,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner) | st.sets(KEYS, max_size=3),
    max_leaves=12,
)


def types(value: Any) -> Any:
    """The types of a value and of all in it."""
    if isinstance(value, (list, tuple)):
        return type(value), [types(item) for item in value]
    if isinstance(value, dict):
        return dict, [(types(key), types(item)) for key, item in value.items()]
    return type(value)


@given(VALUES)
def test_plain_data_arrives_equal_and_of_its_type(value: Any) -> None:
    arrived = decode(encode(value))
    assert arrived == value
    assert types(arrived) == types(value)


@given(st.sampled_from(["()", "{}", "({})", "{:}", "b", "[]"]), VALUES)
def test_dictionaries_that_look_like_marks_arrive_as_they_are(key: str, value: Any) -> None:
    assert decode(encode({key: value})) == {key: value}


def test_not_a_number_and_infinities_arrive() -> None:
    arrived = decode(encode([math.nan, math.inf, -math.inf]))
    assert math.isnan(arrived[0])
    assert arrived[1:] == [math.inf, -math.inf]


def test_numpy_scalars_arrive_as_plain_numbers() -> None:
    arrived = decode(encode((np.float32(0.5), np.int16(3), np.bool_(True), np.float64(2.5))))
    assert arrived == (0.5, 3, True, 2.5)
    assert [type(item) for item in arrived] == [float, int, bool, float]


@pytest.mark.parametrize("kind", ["?", "u1", ">i4", "f4", "f8"])
def test_arrays_of_numbers_arrive_with_shape_and_type(kind: str) -> None:
    array = np.arange(12).reshape(3, 4).T.astype(kind)
    arrived = decode(encode({"map": array}))["map"]
    np.testing.assert_array_equal(arrived, array)
    assert arrived.dtype == array.dtype.newbyteorder("<")
    arrived[0, 0] = 1
    assert decode(encode(np.zeros((0, 2)))).shape == (0, 2)
    assert decode(encode(np.array(1.5))).shape == ()


def test_sets_have_the_same_bytes_in_whatever_order_they_were_filled() -> None:
    assert encode({"a", "b", "c", "d"}) == encode({"d", "c", "b", "a"})


@dataclass
class Frontier:
    """Something that is not plain data."""

    size: int


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"best": [Frontier(3)]}, r"the payload\['best'\]\[0\] is a Frontier"),
        (lambda: 1, "is a function"),
        (np.array([None]), "is a ndarray"),
        (1j, "is a complex"),
        ([10**5000], "cannot be sent"),
    ],
)
def test_what_cannot_travel_is_refused_with_its_place(value: Any, place: str) -> None:
    with pytest.raises(CannotTravel, match=place):
        encode(value)


def test_what_holds_itself_is_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(CannotTravel, match="nested more than 50 deep"):
        encode(circle)


def test_message_of_a_few_numbers_is_small() -> None:
    assert len(encode({"bid": 12.5, "goal": (3, 4)})) <= 40
