"""Processes get sockets and files of the one that starts them, as Linux passes them on and as Windows does.

Judge: what the other end receives.
"""

import os
import socket
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from wbridge.hal import heirs
from wbridge.hal.heirs import SOCKET, Heir, end_all, passed, start_heir
from wbridge.hal.named_port import accepted, listening

IMPORTS = "import os, sys; from wbridge.hal.heirs import taken, taken_socket"
ECHO = f"""{IMPORTS}
with taken_socket(sys.argv[1]) as first, taken_socket(sys.argv[2]) as second:
    second.sendall(first.recv(5) + os.read(taken(int(sys.argv[3])), 5))
"""
Starter = Callable[..., Heir]


@pytest.fixture(params=["passed on", "connected"])
def start(request: pytest.FixtureRequest) -> Starter:
    """Both ways; the first one is that of Windows as well when these tests run there."""
    if request.param == "passed on":
        return start_heir
    return lambda words, numbers=(): heirs._connected(words, numbers, None)


def test_sockets_and_files_arrive_in_the_order_of_the_words(start: Starter):
    with tempfile.TemporaryFile() as file:
        file.write(b"world")
        file.seek(0)
        number = passed(file.fileno())
        heir = start(["-c", ECHO, SOCKET, SOCKET, str(number)], [number])
    first, second = heir.sockets
    with first, second:
        first.sendall(b"hello")
        assert second.recv(10, socket.MSG_WAITALL) == b"helloworld"
        assert second.recv(1) == b""
    assert heir.process.wait() == 0


def test_the_end_of_the_starter_is_seen(start: Starter):
    heir = start(
        ["-c", "import sys; from wbridge.hal.heirs import *; taken_socket(sys.argv[1]).recv(1)", SOCKET]
    )
    heir.sockets[0].close()
    assert heir.process.wait() in (0, 1)  # an end, or a broken connection


def test_a_process_that_ends_without_connecting_is_an_error():
    with pytest.raises(OSError, match="has not connected"):
        heirs._connected(["-c", "", SOCKET], (), None)


def test_who_does_not_know_the_secret_gets_nothing(monkeypatch: pytest.MonkeyPatch):
    """A stranger is first at the port, and the process second."""
    accepted = heirs._accepted
    strangers: list[socket.socket] = []

    def with_stranger(listener: socket.socket, *rest: object) -> object:
        stranger = socket.create_connection(listener.getsockname())
        stranger.sendall(bytes(17))
        strangers.append(stranger)
        return accepted(listener, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(heirs, "_accepted", with_stranger)
    program = f"{IMPORTS}; taken_socket(sys.argv[1]).sendall(b'x')"
    heir = heirs._connected(["-c", program, SOCKET], (), None)
    assert heir.sockets[0].recv(1) == b"x"
    assert strangers[0].recv(1) == b""
    for end in (*heir.sockets, *strangers):
        end.close()
    heir.process.wait()


def test_nothing_else_is_passed_on():
    """A file of this process is none of the other, or one of its own."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    program = f"import os; os.write({writing}, b'seen')"
    heir = start_heir(["-c", program], is_quiet=True)
    assert heir.process.wait() != 0
    os.close(writing)
    assert os.read(reading, 4) == b""
    os.close(reading)


def test_a_process_ends_with_those_that_it_has_started(tmp_path: Path):
    """The end of a connection tells that of the inner process."""
    name = str(tmp_path / "name")
    inner = f"from wbridge.hal.named_port import connected; connected({name!r}).recv(1)"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    with listening(Path(name)) as listener:
        heir = start_heir(["-c", outer])
        with accepted(listener) as connection:
            end_all(heir.process)
            with suppress(ConnectionError):
                assert connection.recv(1) == b""
    assert heir.process.wait() != 0
