"""Guard: what is checked before a request reaches the application, and the headers of every answer."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from . import limits
from .refusal import Refusal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-cache",
}


class Guard:
    """Wraps an application: foreign host names, requests that are too long, and headers that keep a page to itself."""

    def __init__(self, app: ASGIApp, host_names: Iterable[str] = ()) -> None:
        """host_names: names of this machine by which it may be called, besides its addresses and localhost."""
        self.app = app
        self.names = {"localhost", socket.gethostname().lower(), *(name.lower() for name in host_names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, _with_headers(send))
        # there are no WebSockets: without an answer, the server closes the connection

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        try:
            self._check_host(headers.get(b"host", b"").decode("latin-1"))
            body = await _read_body(receive, headers.get(b"content-length"))
        except Refusal as refusal:
            await _send_refusal(refusal, send)
            return
        await self.app(scope, _replay(body, receive), send)

    def _check_host(self, header: str) -> None:
        """Refuse a name that is not ours: a page of another site can make its own name stand for this machine (DNS rebinding).

        An address cannot be made to stand for another, so every address is accepted.
        """
        name = host_of(header)
        if name not in self.names and not _is_address(name):
            raise Refusal(400, "the request names another host", "open the address that treesmu serve has printed")


def host_of(header: str) -> str:
    """Return the host of a Host header, without the port and without the brackets of an IPv6 address."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0].lower().rstrip(".")


def _is_address(name: str) -> bool:
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


async def _read_body(receive: Receive, length: bytes | None) -> bytes:
    """Return the whole body, if it is not too long."""
    too_long = Refusal(413, f"the request is longer than {limits.BODY:,} bytes", "enter something shorter")
    if length is not None and length.isdigit() and int(length) > limits.BODY:
        raise too_long
    body, has_more = b"", True
    while has_more:
        message = await receive()
        body += message.get("body", b"")
        has_more = message.get("more_body", False)
        if len(body) > limits.BODY:
            raise too_long
    return body


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a function that gives the body once, and then whatever comes."""
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return parts.pop() if parts else await receive()

    return replay


def _with_headers(send: Send) -> Send:
    async def add(message: Any) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message.get("headers", ())}
            added = [(name, value) for name, value in HEADERS.items() if name not in given]
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return add


async def _send_refusal(refusal: Refusal, send: Send) -> None:
    body = refusal.answer.model_dump_json().encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
