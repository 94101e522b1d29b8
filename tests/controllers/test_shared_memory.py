"""Shared memory between the server and controllers that misbehave or end.

The promises are those of docs/controllers.md, "What a step costs".
"""

from __future__ import annotations

import os
import random
import select
import socket
import threading
from collections.abc import Iterator

import pytest

from tests.controllers.test_server import Desk
from wbridge.hal.connection.address import Address
from wbridge.hal.connection.connect import connect
from wbridge.hal.connection.sockets import SocketConnection
from wbridge.hal.protocol.low_latency import Spin
from wbridge.hal.protocol.packet import GOOD_BYE, write_request
from wbridge.hal.protocol.shared_memory import HALF, SIZE, SUFFIX, WRITTEN, accept, is_useful

if not is_useful(Spin()):
    pytest.skip("memory is shared on x86 with Linux and two processors only", allow_module_level=True)


@pytest.fixture
def desk() -> Iterator[Desk]:
    """A robot that waits for a controller."""
    made = Desk()
    yield made
    made.close()


def client(desk: Desk) -> SocketConnection:
    """A controller that has sent its first request and received the answer."""
    one = desk.local(kind="extern" + SUFFIX)
    made = SocketConnection(one, tcp=False, memory=accept(one))
    made.send(write_request(0))
    desk.settle()
    made.receive()
    return made


def open_files() -> int:
    """Number of this process's open files."""
    return len(os.listdir("/proc/self/fd"))


def test_requests_and_answers_leave_the_socket_unused(desk: Desk):
    one = client(desk)
    sent = one._channel.sent
    for _ in range(3):
        one.send(write_request(16))
        assert desk.server.poll(0)
        desk.step()
        one.receive()
    assert one._channel.sent == sent
    assert desk.simulation.time_ms == 48


def test_an_answer_in_memory_waits_to_be_received(desk: Desk):
    one = client(desk)
    assert not one.has_waiting
    one.send(write_request(16))
    assert desk.server.poll(0)
    desk.step()
    assert one.has_waiting
    one.receive()


def test_who_waits_for_the_file_is_answered_through_the_socket(desk: Desk):
    """Robot windows wait with select; an answer in memory would not wake them."""
    one = client(desk)
    one.send(write_request(16))
    file = one.fileno()
    assert not one.has_waiting
    assert desk.server.poll(0)
    desk.step()
    assert select.select([file], [], [], 10)[0]
    one.receive()


def test_a_controller_uses_the_memory_by_itself(desk: Desk):
    made: list[SocketConnection] = []
    address = Address("ipc", "a b", str(desk.server.instance.number))
    thread = threading.Thread(target=lambda: made.append(connect(address, attempts=1)))
    thread.start()
    while thread.is_alive():
        desk.server.poll(0.02)
    thread.join()
    assert made[0]._channel is not None
    made[0].close()


def test_the_good_bye_in_memory_ends_the_connection_without_a_warning(
    desk: Desk, caplog: pytest.LogCaptureFixture
):
    one = client(desk)
    one.send(GOOD_BYE)
    one.close()
    desk.settle()
    assert desk.session.exchange is None
    assert not caplog.records


@pytest.mark.parametrize("in_time", [True, False])
def test_a_controller_that_dies_is_noticed_and_leaves_no_files(desk: Desk, in_time: bool):
    before = open_files()
    for _ in range(3):
        one = client(desk)
        if in_time:
            one.send(write_request(16))
        desk.sockets.pop()
        one.close()
        desk.settle()
        assert desk.session.exchange is None
    assert open_files() == before


def test_an_impossible_packet_ends_the_connection(desk: Desk, caplog: pytest.LogCaptureFixture):
    one = client(desk)
    one._channel._out[SIZE] = 1 << 40
    one._channel._out[WRITTEN] = one._channel._written + 1
    desk.settle()
    assert desk.session.exchange is None
    assert "it sent an invalid request: a packet of 1099511627776 bytes" in caplog.text


@pytest.mark.parametrize("seed", range(20))
def test_garbage_in_memory_ends_the_connection_at_most(desk: Desk, seed: int):
    chance = random.Random(seed)
    one = client(desk)
    words, memory = one._channel._out, one._channel._memory
    for _ in range(30):
        if desk.session.exchange is None:
            break
        at = chance.choice([0, 8, 16, 64, 72, 128 + chance.randrange(64), HALF + 64, HALF + 72])
        memory[at : at + 8] = chance.choice([chance.randbytes(8), b"\0" * 8, b"\xff" * 8, b"\1" + b"\0" * 7])
        words[WRITTEN] = chance.choice([words[WRITTEN] + 1 & (1 << 63) - 1, words[WRITTEN]])
        desk.server.poll(0)
        desk.step()
    one.close()
    desk.settle()
    assert desk.session.exchange is None


def test_official_libraries_keep_their_sockets(desk: Desk):
    one = desk.local()
    assert len(desk.ask(one, write_request(0))) > 8
    assert desk.session.exchange is not None
    assert not desk.server._shared


def test_a_second_controller_is_refused_by_the_closed_socket(desk: Desk):
    client(desk)
    one: socket.socket = desk.local(kind="extern" + SUFFIX)
    assert accept(one) is None
    assert one.recv(1) == b""


def test_a_simulator_without_spinning_offers_no_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WBRIDGE_SPIN", "0")
    made = Desk()
    assert not list(made.server.instance.folder.glob(f"ipc/*/*{SUFFIX}"))
    made.close()


def test_the_memory_may_not_be_mapped_by_a_controller(desk: Desk):
    """It ignores the file that it received: the simulator then uses the socket."""
    one = desk.local(kind="extern" + SUFFIX)
    file = accept(one)
    assert file is not None
    os.close(file)
    assert len(desk.ask(one, write_request(0))) > 8
