"""Other users of the machine reach neither a simulator nor a controller. Judge: the kernel's user numbers."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hal.modes.address import Address
from hal.modes.connect import CannotConnect, connect
from hal.protocol.peer_user import is_own_user, user_of_peer
from tests.conftest import absent
from wbcore.controllers.instance import OWNER, Instance

STRANGER = 65534
PYTHON = "/usr/bin/python3"
"""An interpreter that every user may start."""
CONNECT = """
import socket, sys
connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))
connection.recv(1)
"""
LISTEN = """
import socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
print("ready", flush=True)
listener.accept()[0].recv(1)
"""


@pytest.fixture(autouse=True)
def as_root() -> None:
    """Only root can start programs of other users."""
    if os.geteuid():
        absent("these tests start programs of another user, which needs root")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
@pytest.mark.parametrize("user", [None, STRANGER])
def test_the_user_of_a_connection_over_tcp(host: str, user: int | None):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as listener:
        port = str(listener.getsockname()[1])
        with subprocess.Popen([PYTHON, "-c", CONNECT, host, port], user=user, cwd="/") as process:
            connection, _ = listener.accept()
            with connection:
                assert user_of_peer(connection) == (os.getuid() if user is None else user)
                assert is_own_user(connection) == (user is None)
            process.wait()


def test_a_simulator_of_another_user_is_refused(tmp_path: Path):
    folder = tmp_path / "ipc" / "robot"
    folder.mkdir(parents=True)
    path = folder / "intern"
    with listening(path), pytest.raises(CannotConnect, match="belongs to a simulator of another user"):
        connect(Address("intern", "robot", f"{tmp_path}/"), attempts=1)


@contextmanager
def listening(path: Path) -> Iterator[None]:
    """A program of a stranger listens at a local socket."""
    for folder in path.parents:
        if "pytest" in str(folder):
            folder.chmod(0o777)
    command = [PYTHON, "-c", LISTEN, str(path)]
    with subprocess.Popen(command, user=STRANGER, cwd="/", stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield
        process.kill()


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[Path]:
    """A folder for temporary files, in which a stranger has made the folder of all users."""
    shared = tmp_path / "webots"
    shared.mkdir(mode=0o1777)
    os.chown(shared, STRANGER, STRANGER)
    yield tmp_path


def test_a_shared_folder_of_another_user_is_avoided(foreign: Path, caplog: pytest.LogCaptureFixture):
    instance = Instance(4001, foreign)
    assert instance.folder.is_relative_to(foreign / f"{OWNER}-{os.getuid()}")
    assert (foreign / f"{OWNER}-{os.getuid()}").stat().st_mode & 0o777 == 0o700
    assert "belongs to another user" in caplog.text
    instance.remove()


def test_a_private_folder_of_another_user_is_refused(foreign: Path):
    private = foreign / f"{OWNER}-{os.getuid()}"
    private.mkdir()
    os.chown(private, STRANGER, STRANGER)
    with pytest.raises(PermissionError, match="belongs to another user"):
        Instance(4001, foreign)


def test_a_folder_that_others_may_enter_is_closed(tmp_path: Path):
    own = tmp_path / "webots" / (os.environ.get("USER") or os.environ.get("USERNAME") or "default")
    own.mkdir(parents=True, mode=0o755)
    Instance(4001, tmp_path).remove()
    assert own.stat().st_mode & 0o777 == 0o700
