"""Controllers in C with handlers of their own for Ctrl-C: a wait for the simulator ends when one has run.

The judge is the rule in interruption.h; the simulator does not answer the request for a step.
"""

from __future__ import annotations

import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.c.calling import _listen, _packet
from tests.c.sanitizing import link
from tests.c.test_hosts import HERE, MOST_SIGNALS, robot
from wbridge.hal.protocol.loopback import Loopback
from wbridge.hal.protocol.packet import write_answer
from wbridge.hal.ready import readable

Waiting = tuple[subprocess.Popen[str], socket.socket, Loopback, bytes]


@pytest.fixture(scope="module")
def program(sanitized: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The controller."""
    return link(sanitized, HERE / "handled.c", tmp_path_factory.mktemp("handled"))


def _answer(connection: socket.socket, world: Loopback, packet: bytes) -> None:
    world.send(packet)
    answer = world.answer()
    connection.sendall(write_answer(answer.delay, answer.data))


@contextmanager
def waiting(program: Path, folder: Path, *arguments: str) -> Iterator[Waiting]:
    """Run the controller until its simulator has got the request for a step, which is returned, too."""
    listener, place = _listen(folder, False)
    with listener:
        process = subprocess.Popen([program, *arguments], env=place, stdout=subprocess.PIPE, text=True)
        connection, _ = listener.accept()
        with process, connection:
            world = robot("robot", 0.0)
            _answer(connection, world, _packet(connection))
            try:
                yield process, connection, world, _packet(connection)
            finally:
                process.kill()


def interrupt(process: subprocess.Popen[str], number: signal.Signals) -> str:
    """Send a signal until the program has noticed it: the first may come before it blocks."""
    assert process.stdout is not None
    assert process.stdout.readline() == "waits\n"
    for _ in range(MOST_SIGNALS):
        process.send_signal(number)
        if readable([process.stdout.fileno()], 1.0):
            break
    return process.stdout.readline()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_handled_signal_ends_the_wait_and_the_program(
    number: signal.Signals, program: Path, tmp_path: Path
):
    with waiting(program, tmp_path) as (process, connection, _, _):
        process.send_signal(signal.SIGUSR1)
        assert interrupt(process, number) == "told after 1 others, step 1, time 0\n"
        assert process.stdout is not None
        assert process.stdout.read() == "own handler\n"
        assert process.wait(20) == 0
        assert connection.recv(1) == b"", "it closes the connection, without another request"


def test_a_program_that_goes_on_makes_the_same_step(program: Path, tmp_path: Path):
    with waiting(program, tmp_path, "on") as (process, connection, world, request):
        assert interrupt(process, signal.SIGINT) == "told after 0 others, step 1, time 0\n"
        _answer(connection, world, request)
        leaving = _packet(connection)
        _answer(connection, world, leaving)
        assert process.stdout is not None
        assert process.stdout.read() == "0 at 0.032\nown handler\n"
        assert process.wait(20) == 0
    assert [request.duration for request in world.requests[1:]] == [32, 0]
