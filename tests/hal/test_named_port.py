"""Sockets with the name of a file, local ones and the ports that Windows has instead."""

import socket
from pathlib import Path

import pytest

from wbridge.hal import named_port
from wbridge.hal.named_port import accepted, connected, listening


@pytest.fixture(params=[True, False], ids=["local", "port"], autouse=True)
def has_local(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if request.param and not hasattr(socket, "AF_UNIX"):
        pytest.skip("Windows: local sockets in Python")
    monkeypatch.setattr(named_port, "HAS_LOCAL", request.param)
    return bool(request.param)


def test_who_reads_the_file_is_connected(tmp_path: Path):
    name = tmp_path / "name"
    with listening(name) as listener, connected(str(name)) as here, accepted(listener) as there:
        here.sendall(b"hello")
        assert there.recv(10) == b"hello"


def test_a_name_that_nobody_listens_at_is_an_error(tmp_path: Path):
    with pytest.raises(OSError):
        connected(str(tmp_path / "name"))


def test_a_taken_name_is_an_error(tmp_path: Path):
    with listening(tmp_path / "name"), pytest.raises(OSError):
        listening(tmp_path / "name")


def test_a_stranger_is_refused(tmp_path: Path, has_local: bool):
    if has_local:
        return  # the system looks at the rights of the file
    with (
        listening(tmp_path / "name") as listener,
        socket.create_connection(listener.getsockname()) as stranger,
    ):
        stranger.sendall(bytes(16))
        with pytest.raises(BlockingIOError):
            accepted(listener)
        assert stranger.recv(1) == b""
