"""What is refused before it reaches the application, and the headers of every answer."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest

from treesmu.web import limits
from treesmu.web.guard import HEADERS, Guard, host_of

OWN = b"127.0.0.1:8000"


async def _echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that sends back the body that it receives."""
    assert scope["type"] == "http"
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"cache-control", b"max-age=5")]})
    await send({"type": "http.response.body", "body": message["body"]})


def _ask(*parts: bytes, host: bytes | None = OWN, headers: tuple[tuple[bytes, bytes], ...] = ()) -> tuple[int, bytes, Any]:
    """Send a request in parts through the guard; return status, body and headers."""
    sent: list[Any] = []
    given = [{"type": "http.request", "body": part, "more_body": i < len(parts) - 1} for i, part in enumerate(parts)]

    async def receive() -> Any:
        return given.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "headers": [*([(b"host", host)] if host is not None else []), *headers]}
    asyncio.run(Guard(_echo, ["explorer.lan"])(scope, receive, send))
    return sent[0]["status"], sent[1]["body"], dict(sent[0]["headers"])


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:8000",
        "localhost:8000",
        "LOCALHOST",
        "[::1]:8000",
        "192.168.1.7:80",
        "explorer.lan",
        "localhost.",
    ],
)
def test_addresses_and_own_names_are_accepted(host: str) -> None:
    assert _ask(b"", host=host.encode())[0] == 200


def test_the_name_of_the_machine_is_accepted() -> None:
    assert _ask(b"", host=socket.gethostname().encode())[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "", "[evil]"]
)
def test_foreign_names_are_refused(host: str) -> None:
    status, body, _ = _ask(b"", host=host.encode())
    assert status == 400
    assert json.loads(body)["error"]["message"] == "the request names another host"


def test_a_request_without_a_host_is_refused() -> None:
    assert _ask(b"", host=None)[0] == 400


def test_the_body_reaches_the_application_whole() -> None:
    assert _ask(b"one ", b"two ", b"three")[1] == b"one two three"


def test_a_long_body_is_refused_whether_or_not_it_says_so() -> None:
    half = b"x" * (limits.BODY // 2 + 1)
    assert _ask(half, half)[0] == 413
    status, body, _ = _ask(b"", headers=((b"content-length", b"1000000000000"),))
    assert (status, "longer than" in body.decode()) == (413, True)
    assert _ask(b"x" * limits.BODY)[0] == 200


def test_every_answer_has_the_headers_and_keeps_its_own() -> None:
    for headers in (_ask(b"")[2], _ask(b"", host=b"evil.example")[2]):
        policy = headers[b"content-security-policy"].decode()
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert headers[b"x-content-type-options"] == b"nosniff"
        assert headers[b"referrer-policy"] == b"no-referrer"
        assert headers.keys() >= HEADERS.keys()
        assert not any(name.startswith(b"access-control") for name in headers)
    assert _ask(b"")[2][b"cache-control"] == b"max-age=5"


def test_other_protocols_than_http_get_no_answer() -> None:
    async def fail(*_: Any) -> None:
        raise AssertionError

    asyncio.run(Guard(_echo)({"type": "websocket", "headers": []}, fail, fail))


@pytest.mark.parametrize(
    ("header", "host"), [("a.b:80", "a.b"), ("A.B", "a.b"), ("[::1]:80", "::1"), ("[::1]", "::1"), ("::1", ""), ("", "")]
)
def test_the_host_of_a_header(header: str, host: str) -> None:
    assert host_of(header) == host
