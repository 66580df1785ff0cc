"""A log that browsers watch: one reader for all, in a thread of its own, with answers kept for the next who asks.

The reader takes in what the mission has written since, as long as somebody watches.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from expedition.log.reader import LogReader, NotBegun
from expedition.viewer.watch.answers import Answer, answer, hello, news
from expedition.viewer.watch.wire import frame

REFRESH_SECONDS = 0.2
"""How often a log that grows is looked at."""
KEPT_BYTES = 64 << 20
"""Of answers."""

Returned = TypeVar("Returned")


class Source:
    """A log, and who watches it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(1, "log")
        self._log: LogReader | None = None
        self._kept: OrderedDict[str, Answer] = OrderedDict()
        self._kept_bytes = 0
        self._listeners: dict[int, Callable[[bytes], None]] = {}
        self._next = 0
        self._growing: asyncio.Task[None] | None = None

    @property
    def watchers(self) -> int:
        """How many browsers watch."""
        return len(self._listeners)

    async def has_begun(self) -> bool:
        """Whether there is anything of the mission yet; an error if there will never be."""
        return await self._in_thread(self._has_begun)

    async def hello(self) -> bytes:
        """The first frame that a browser gets."""
        told, arrays = await self._in_thread(lambda: hello(self._reader()))
        # A log without an end that nobody writes to was cut off; only the file itself tells.
        quiet = max(0.0, time.time() - self.path.stat().st_mtime)
        return frame("hello", None, {**told, "quiet_s": quiet}, arrays)

    async def answer(self, asked: str, number: int, fields: dict[str, Any]) -> bytes:
        """The frame that answers a question."""
        key = json.dumps([asked, fields], sort_keys=True)
        found = self._kept.get(key)
        if found is None:
            found = await self._in_thread(lambda: answer(self._reader(), asked, fields))
            if found.lasts and key not in self._kept:
                self._keep(key, found)
        else:
            self._kept.move_to_end(key)
        return frame(asked, number, found.told, found.arrays)

    def listen(self, hear: Callable[[bytes], None]) -> int:
        """Have `hear` called with frames of news; the number is for `leave`."""
        self._next += 1
        self._listeners[self._next] = hear
        if self._growing is None or self._growing.done():
            self._growing = asyncio.get_running_loop().create_task(self._grow())
        return self._next

    def leave(self, number: int) -> None:
        """Hear no more."""
        self._listeners.pop(number, None)

    def close(self) -> None:
        """Close the file."""
        if self._log is not None:
            self._thread.submit(self._log.close)
        self._thread.shutdown(wait=True)

    async def _grow(self) -> None:
        """Tell all who listen what is new, until the mission is over or nobody listens."""
        since = len((await self._in_thread(self._reader)).events)
        while self._listeners:
            await asyncio.sleep(REFRESH_SECONDS)
            found = await self._in_thread(lambda since=since: self._news(since))  # type: ignore[misc]
            if found is not None:
                told, since = found
                data = frame("news", None, told, {})
                for hear in list(self._listeners.values()):
                    hear(data)
                if not told["growing"]:
                    return

    def _news(self, since: int) -> tuple[dict[str, Any], int] | None:
        log = self._reader()
        if not log.is_growing:
            return news(log, since), len(log.events)
        return (news(log, since), len(log.events)) if log.refresh() else None

    def _has_begun(self) -> bool:
        try:
            self._reader()
        except NotBegun:
            return False
        return True

    def _reader(self) -> LogReader:
        if self._log is None:
            self._log = LogReader(self.path)
        return self._log

    def _keep(self, key: str, found: Answer) -> None:
        self._kept[key] = found
        self._kept_bytes += found.size
        while self._kept_bytes > KEPT_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= oldest.size

    async def _in_thread(self, work: Callable[[], Returned]) -> Returned:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
