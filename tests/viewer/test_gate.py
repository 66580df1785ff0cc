"""The page lets in this machine's user and who has the token, and nobody whom another site's page sent."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from expedition.viewer.gate import COOKIE, Gate, Guarded

HERE = {"host": "127.0.0.1:8080"}


def knock(gate: Gate, headers: dict[str, str], query: str = "", path: str = "/", kind: str = "http") -> list[Any]:
    """What is sent in answer to a request; "inside" if it was let in."""
    sent: list[Any] = []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        sent.append("inside")

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read before the door is open")

    scope = {
        "type": kind, "path": path, "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    asyncio.run(Guarded(inside, gate)(scope, receive, send))
    return sent


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST:80"])
def test_on_this_machine_no_token_is_needed(host: str) -> None:
    assert Gate.of("127.0.0.1").token is None
    assert knock(Gate.of("127.0.0.1"), {"host": host}) == ["inside"]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8080", "", "[::2]"])
def test_a_name_that_leads_here_by_a_trick_is_turned_away(host: str) -> None:
    start, body = knock(Gate.of("127.0.0.1"), {"host": host})
    assert start["status"] == 403
    assert b"localhost only" in body["body"]


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1:9000", "null", "http://127.0.0.1:8080.evil"]
)
def test_the_page_of_another_site_cannot_ask(kind: str, origin: str) -> None:
    answer = knock(Gate.of("127.0.0.1"), {**HERE, "origin": origin}, kind=kind)
    assert "inside" not in answer
    assert knock(Gate.of("127.0.0.1"), {**HERE, "origin": "http://127.0.0.1:8080"}, kind=kind) == ["inside"]


def test_bound_elsewhere_there_is_a_token_that_cannot_be_guessed() -> None:
    one, other = Gate.of("0.0.0.0"), Gate.of("0.0.0.0")
    assert one.token != other.token
    assert len(one.token or "") >= 32


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_without_the_token_nothing_is_served(kind: str) -> None:
    gate = Gate.of("0.0.0.0", "secret")
    far = {"host": "lab.example:8080"}
    for headers, query in [
        (far, ""),
        (far, "token=Secret"),
        ({**far, "cookie": f"{COOKIE}=guess"}, ""),
        (far, "token="),
    ]:
        assert "inside" not in knock(gate, headers, query, kind=kind)
    assert knock(gate, {**far, "cookie": f"{COOKIE}=secret"}, kind=kind) == ["inside"]
    assert "inside" not in knock(gate, {**far, "cookie": "; ;=\x00;{", "origin": "x"}, kind=kind)


def test_the_link_with_the_token_gives_a_cookie_and_an_address_without_it() -> None:
    start, _ = knock(
        Gate.of("0.0.0.0", "secret"), {"host": "lab.example"}, "t=3&token=secret", "//evil.example/watch/a"
    )
    headers = dict(start["headers"])
    assert start["status"] == 303
    assert headers[b"location"] == b"/evil.example/watch/a?t=3"
    assert b"HttpOnly" in headers[b"set-cookie"]
    assert b"SameSite=Strict" in headers[b"set-cookie"]
