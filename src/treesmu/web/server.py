"""Serve the application on a socket, until it is interrupted."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn

from treesmu.errors import DataError

from .app import create_app
from .service import Service

LOOPBACK = "127.0.0.1"
EVERY_ADDRESS = ("0.0.0.0", "::")


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raise a DataError if the address cannot be used. port: 0 for any free one."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise DataError(f"--host {host}: there is no such address; leave it out for this machine only") from None
    found = socket.socket(family, kind, protocol)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind(address)
        found.listen(128)
    except OSError as error:
        found.close()
        raise DataError(_why_not(error, host, port)) from None
    return found


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use; choose another with --port, or --port 0 for any free one"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used without special rights; choose one above 1023 with --port"
    return f"cannot listen at {host}, port {port}: {error.strerror or error}; choose others with --host and --port"


def url_of(listening: socket.socket) -> str:
    """Return the address to be opened in a browser."""
    host, port, *_ = listening.getsockname()
    host = LOOPBACK if host in EVERY_ADDRESS else host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve(service: Service, listening: socket.socket, host: str, when_ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM. when_ready: called when the page can be opened."""
    config = uvicorn.Config(
        create_app(service, [host]),
        log_level="critical",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=1,
    )
    try:
        _Server(config, service, when_ready).run(sockets=[listening])
    finally:
        service.stop()
        service.join()


class _Server(uvicorn.Server):
    """A server that says when it is ready, and gives up open questions when it is interrupted."""

    def __init__(self, config: uvicorn.Config, service: Service, when_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.service, self.when_ready = service, when_ready

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets)
        self.when_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.service.stop()
        super().handle_exit(sig, frame)
