"""Frames carry arrays as they are; what is no question is refused in one sentence."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from expedition.errors import ExpeditionError
from expedition.viewer.watch.wire import TYPES, frame, question
from tests.viewer.drawn import Watching
from tests.viewer.frames import read


@given(
    st.lists(
        st.sampled_from([*TYPES, "b1"]).flatmap(
            lambda kind: hnp.arrays(np.dtype(kind), hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=40))
        ),
        max_size=4,
    ),
    st.text(max_size=20),
)
def test_arrays_arrive_as_they_were_sent(arrays: list[NDArray[Any]], text: str) -> None:
    named = {f"a{number}": array for number, array in enumerate(arrays)}
    head, found = read(frame("map", 7, {"text": text}, named))
    assert head == {"kind": "map", "id": 7, "text": text}
    for name, array in named.items():
        assert found[name].shape == array.shape
        assert found[name].tobytes() == np.ascontiguousarray(array).tobytes()


def test_large_maps_are_compressed() -> None:
    assert len(frame("map", 1, {}, {"cells": np.zeros((1000, 1000), dtype=np.uint8)})) < 10_000


@given(st.one_of(st.text(), st.binary(), st.none(), st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["ask", "id", "time"]), inner),
).map(json.dumps)))  # fmt: skip
def test_whatever_comes_is_a_question_or_refused(text: str | bytes | None) -> None:
    try:
        asked, number, fields = question(text)
    except ExpeditionError:
        return
    assert isinstance(asked, str)
    assert type(number) is int
    assert isinstance(fields, dict)


@pytest.mark.parametrize(
    "text", ["[" * 3000, '{"ask": "map", "id": 1, "x": "' + "x" * 5000 + '"}', '{"ask": 1, "id": 1}']
)
def test_crafted_questions_are_refused(text: str) -> None:
    with pytest.raises(ExpeditionError, match="a question is"):
        question(text)


def test_a_page_hears_frames_in_the_order_they_came(drawn: Watching) -> None:
    # The hello is large and packed, the news after it are small: unpacked first, they came before it on a slow machine.
    heard = drawn.run("""
        const { Wire } = await import("/static/wire.js");
        const frames = await new Promise(resolve => {
            const socket = new WebSocket(w.wire.socket.url), got = [];
            socket.binaryType = "arraybuffer";
            socket.onmessage = event => { if (got.push(event.data) === 2) { socket.close(); resolve(got); } };
        });
        const heard = [];
        await new Promise(resolve => {
            const wire = new Wire(w.wire.path, frame => { if (heard.push(frame.kind) === 8) resolve(); });
            wire.socket.onmessage = wire.socket.onclose = null;
            wire.socket.close();
            for (let round = 0; round < 4; round++) for (const data of frames) wire.take(data);
        });
        return heard;
    """)
    assert heard == ["hello", "news"] * 4
