"""The WebSocket of a page that watches a log: it asks, and is told; it also hears what is new in a log that grows."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from expedition.errors import ExpeditionError
from expedition.viewer.shelf import Shelf
from expedition.viewer.watch.source import Source
from expedition.viewer.watch.wire import frame, question

UNKNOWN = 4404
"""The code with which a connection is closed that asks for a log that is not there."""
WAIT_SECONDS = 0.5
"""Between two looks at a log of which nothing is there yet."""
MOST_WAITING = 32
"""Frames that a slow browser may be behind; news beyond are left out, the next say the same and more."""


def add_channel(api: FastAPI, shelf: Shelf) -> None:
    """Answer at `/ws/watch/NAME`."""

    @api.websocket("/ws/watch/{name}")
    async def watch(socket: WebSocket, name: str) -> None:
        await socket.accept()
        try:
            source = shelf.source(name)
            while not await source.has_begun():
                await socket.send_bytes(frame("waiting", None, {}, {}))
                await asyncio.sleep(WAIT_SECONDS)
            first = await source.hello()
        except ExpeditionError as error:
            await socket.close(UNKNOWN, str(error)[:120])
            return
        except WebSocketDisconnect:
            return
        with suppress(WebSocketDisconnect, RuntimeError):
            await _converse(socket, source, first)


async def _converse(socket: WebSocket, source: Source, first: bytes) -> None:
    outbox: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)

    def hear(data: bytes) -> None:
        with suppress(asyncio.QueueFull):
            outbox.put_nowait(data)

    await socket.send_bytes(first)
    listening = source.listen(hear)
    sending = asyncio.create_task(_send(socket, outbox))
    try:
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await outbox.put(await _reply(source, message.get("text")))
    finally:
        source.leave(listening)
        sending.cancel()


async def _send(socket: WebSocket, outbox: asyncio.Queue[bytes]) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.send_bytes(await outbox.get())


async def _reply(source: Source, text: str | None) -> bytes:
    """The answer to a question, or why there is none."""
    number = None
    try:
        asked, number, fields = question(text)
        return await source.answer(asked, number, fields)
    except ExpeditionError as error:
        return frame("error", number, {"why": str(error)}, {})
