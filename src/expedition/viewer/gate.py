"""Who may come in: this machine's own user, or who has the token.

A page on this machine answers on localhost only, and to nobody whom another site's page sent: it looks at the names in
`Host` and `Origin`. Bound elsewhere, everything but the door itself wants a token, which a link carries once and a
cookie from then on.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "::1")
COOKIE = "expedition-token"

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True)
class Gate:
    """What a request must have to be let in."""

    host: str = "127.0.0.1"
    """The address that the page is bound to."""
    token: str | None = None
    """None on localhost."""

    @classmethod
    def of(cls, host: str, token: str | None = None) -> Gate:
        """A gate for a page bound to `host`: with a new token if others can reach it and none is given."""
        return cls(host, token or (None if host in LOOPBACK else secrets.token_urlsafe(24)))

    def refusal(self, headers: MutableMapping[str, str], query: dict[str, str]) -> str | None:
        """Why a request is not let in, if it is not."""
        host = _name(headers.get("host", ""))
        if self.host in LOOPBACK and host not in LOOPBACK:
            return f"this page is at localhost only, not at {host!r}"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != headers.get("host"):
            return "the page of another site asked"
        if self.token is None or _same(query.get("token"), self.token) or _same(_cookie(headers), self.token):
            return None
        return "a token is needed: open the link that `expedition view` printed"


class Guarded:
    """An application behind a gate."""

    def __init__(self, app: App, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, turn it away, or give a browser that has the token its cookie."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        query = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))
        why = self._gate.refusal(headers, query)
        if why is not None:
            await _refuse(scope, send, why)
        elif scope["type"] == "http" and self._gate.token is not None and "token" in query:
            await _let_in(scope, send, query, self._gate.token)
        else:
            await self._app(scope, receive, send)


async def _refuse(scope: Scope, send: Send, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": f"{why}\n".encode()})


async def _let_in(scope: Scope, send: Send, query: dict[str, str], token: str) -> None:
    """Keep the token in a cookie, and take it out of the address."""
    left = urlencode([(name, value) for name, value in query.items() if name != "token"])
    # A second slash in front would make the path another host.
    where = "/" + scope["path"].lstrip("/\\") + (f"?{left}" if left else "")
    cookie = f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict"
    headers = [(b"location", where.encode()), (b"set-cookie", cookie.encode()), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _name(host: str) -> str:
    """A host without its port, an address of version 6 without its brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _cookie(headers: MutableMapping[str, str]) -> str | None:
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return None
    return cookies[COOKIE].value if COOKIE in cookies else None


def _same(found: str | None, token: str) -> bool:
    return found is not None and hmac.compare_digest(found.encode(), token.encode())
