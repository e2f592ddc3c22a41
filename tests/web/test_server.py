"""The socket: free ports, ports in use, addresses; and the URL to open."""

from __future__ import annotations

import socket

import pytest

from treesmu.errors import DataError

pytest.importorskip("uvicorn", reason="the service needs uvicorn: pip install 'treesmu[web]'")

from treesmu.web.server import open_socket, url_of


def test_port_0_is_any_free_port_of_this_machine_only() -> None:
    with open_socket("127.0.0.1", 0) as first, open_socket("127.0.0.1", 0) as second:
        assert first.getsockname()[0] == "127.0.0.1"
        assert first.getsockname()[1] != second.getsockname()[1]
        assert url_of(first) == f"http://127.0.0.1:{first.getsockname()[1]}"


def test_a_port_in_use_is_one_line() -> None:
    with open_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(DataError, match=f"^port {port} is in use; choose another with --port, or --port 0"):
            open_socket("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(DataError, match=r"cannot listen at 203\.0\.113\.1"):
        open_socket("203.0.113.1", 0)
    with pytest.raises(DataError, match="there is no such address"):
        open_socket("no such host", 0)


def test_the_url_of_all_addresses_is_one_that_can_be_opened() -> None:
    with open_socket("0.0.0.0", 0) as everybody:
        assert url_of(everybody).startswith("http://127.0.0.1:")
    if socket.has_ipv6:
        try:
            with open_socket("::1", 0) as six:
                assert url_of(six).startswith("http://[::1]:")
        except DataError:
            pytest.skip("this machine has no IPv6")
