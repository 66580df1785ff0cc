"""Where the browser asks: to open a terrain, decode an image, check, save and download a drawing.

Only names are taken, never paths or specs that could lead to a file or to code; bodies are limited before they are
read, and work is done one thing at a time beside the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from expedition.errors import ExpeditionError, unknown
from expedition.fleet import names as robot_names
from expedition.fleet import robot_model
from expedition.spec import parse_spec
from expedition.terrain import Terrain, terrain
from expedition.viewer.draw import image, message
from expedition.viewer.draw.checks import findings
from expedition.viewer.draw.message import from_frame, to_frame
from expedition.viewer.draw.saved import SavedTerrains, ThereAlready, zipped
from expedition.viewer.watch.wire import frame

LONGEST_SPEC = 2000
BYTES = "application/octet-stream"

Returned = TypeVar("Returned")


def add_routes(api: FastAPI, saved: SavedTerrains) -> None:
    """Answer below `/api/draw/`."""
    one_at_a_time = asyncio.Semaphore(1)

    async def work(task: Callable[[], Returned]) -> Returned:
        async with one_at_a_time:
            return await asyncio.to_thread(task)

    @api.get("/api/draw/registered")
    async def registered(spec: str) -> Response:
        return await _answered(work(lambda: _bytes(to_frame(made(spec), {"spec": spec}))))

    @api.get("/api/draw/saved")
    async def stored(name: str) -> Response:
        return await _answered(work(lambda: _bytes(to_frame(saved.load(name), {"saved": name}))))

    @api.get("/api/draw/names")
    async def names() -> Response:
        return await _answered(work(lambda: JSONResponse({"names": saved.names()})))

    @api.post("/api/draw/image")
    async def decode(request: Request, name: str) -> Response:
        async def task() -> Response:
            data = await body(request, image.MAX_BYTES)
            return await work(lambda: _bytes(image.image_frame(data, name)))

        return await _answered(task())

    @api.post("/api/draw/check")
    async def check(request: Request, robot: str = "pioneer-3dx") -> Response:
        async def task() -> Response:
            data = await body(request, message.MAX_BYTES)
            return await work(lambda: _bytes(_checked(data, robot)))

        return await _answered(task())

    @api.post("/api/draw/save")
    async def save(request: Request, name: str, overwrite: bool = False) -> Response:
        async def task() -> Response:
            data = await body(request, message.MAX_BYTES)
            files = await work(lambda: saved.save(from_frame(data), name, overwrite))
            return JSONResponse({"name": name, "files": files})

        return await _answered(task())

    @api.post("/api/draw/zip")
    async def download(request: Request, name: str) -> Response:
        async def task() -> Response:
            data = await body(request, message.MAX_BYTES)
            packed = await work(lambda: zipped(from_frame(data), name))
            return Response(packed, media_type="application/zip")

        return await _answered(task())


def made(spec: str) -> Terrain:
    """A registered terrain by its one-line spec; nothing else that a spec can name, such as a file."""
    if len(spec) > LONGEST_SPEC:
        raise ExpeditionError(f"a terrain is named by at most {LONGEST_SPEC} characters")
    name, parameters = parse_spec(spec)
    if name not in terrain.names():
        raise unknown("terrain", name, terrain.names())
    return terrain.make(name, **parameters)


def _checked(data: bytes, robot: str) -> bytes:
    if robot not in robot_names():
        raise unknown("robot", robot, robot_names())
    found, unreached = findings(from_frame(data), robot_model(robot))
    return frame("findings", None, {"findings": found}, {"unreached": unreached} if unreached.any() else {})


async def body(request: Request, limit: int) -> bytes:
    """What was sent, given up as soon as it is more than `limit` bytes."""
    parts = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            raise ExpeditionError(f"too large; the limit is {limit:,} bytes")
        parts.append(part)
    return b"".join(parts)


def _bytes(data: bytes) -> Response:
    return Response(data, media_type=BYTES, headers={"cache-control": "no-store"})


async def _answered(answer: Awaitable[Response]) -> Response:
    """The answer, or one sentence that says why there is none."""
    try:
        return await answer
    except ThereAlready as error:
        return JSONResponse({"why": str(error)}, status_code=409)
    except (ExpeditionError, MemoryError) as error:
        return JSONResponse({"why": str(error) or "not enough memory for this"}, status_code=400)
