"""Packets through shared memory: order, waking, and damage by the other side.

The promises are those of docs/controllers.md, "What a step costs".
"""

from __future__ import annotations

import os
import random
import socket
import threading
from collections.abc import Iterator

import pytest

from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import AWAKEN_SIMULATOR, GOOD_BYE, RequestReader, write_request
from wbridge.hal.protocol.shared_memory import (
    AFTER,
    ASLEEP,
    CAPACITY,
    HALF,
    SIZE,
    WRITTEN,
    SharedChannel,
    accept,
    is_useful,
    offer,
)

if not hasattr(os, "memfd_create") or os.uname().machine != "x86_64":
    pytest.skip("memory is shared on x86 with Linux only", allow_module_level=True)


COUNT = 3000


class Side:
    """One side with its socket."""

    def __init__(self, file: int, own: socket.socket, is_simulator: bool) -> None:
        self.socket = own
        self.channel = SharedChannel(file, own, self.wake, is_simulator, timeout_ms=2000)

    def wake(self) -> None:
        """Wake the other side."""
        self.by_socket(b"!")

    def by_socket(self, data: bytes) -> None:
        """Send through the socket."""
        self.channel.sent += len(data)
        self.socket.sendall(data)

    def send(self, data: bytes) -> None:
        """Send, through memory if possible."""
        if not self.channel.write(data):
            self.by_socket(data)


@pytest.fixture
def sides() -> Iterator[tuple[Side, Side]]:
    """The simulator's side and the controller's."""
    one, other = socket.socketpair()
    with one, other:
        own = offer(one)
        assert own is not None
        passed = accept(other)
        assert passed is not None
        pair = Side(own, one, True), Side(passed, other, False)
        yield pair
        for side in pair:
            side.channel.close()


def test_packets_pass_through_memory_while_both_sides_are_awake(sides):
    simulator, controller = sides
    for number in range(3):
        assert controller.channel.write(b"request %d" % number)
        assert simulator.channel.receive() == b"request %d" % number
        assert simulator.channel.write(b"answer %d" % number)
        assert controller.channel.receive() == b"answer %d" % number
    with pytest.raises(BlockingIOError):
        simulator.socket.recv(1, socket.MSG_DONTWAIT)


def test_a_packet_that_does_not_fit_or_finds_no_room_goes_through_the_socket(sides):
    simulator, controller = sides
    assert not simulator.channel.write(bytes(CAPACITY + 1))
    assert simulator.channel.write(bytes(CAPACITY))
    assert not simulator.channel.write(b"second")
    assert controller.channel.receive() == bytes(CAPACITY)
    assert simulator.channel.write(b"second")


def test_a_side_that_sleeps_is_reached_by_the_socket(sides):
    simulator, controller = sides
    controller.channel.fall_asleep()
    assert not simulator.channel.write(b"x")
    controller.channel.wake_up()
    assert simulator.channel.write(b"x")


def test_the_order_is_that_of_sending_for_any_choice_of_ways(sides):
    simulator, controller = sides
    chance = random.Random(5)
    sent = received = b""
    for number in range(2000):
        data = b"%d," % number
        sent += data
        if chance.random() < 0.5:
            simulator.by_socket(data)
        else:
            simulator.send(data)
        while len(received) < len(sent) and chance.random() < 0.6:
            received += controller.channel.receive()
    while len(received) < len(sent):
        received += controller.channel.receive()
    assert received == sent


def test_no_packet_is_missed_by_a_receiver_that_begins_to_block(sides):
    simulator, controller = sides

    def answer() -> None:
        for _ in range(COUNT):
            controller.send(packet_of(controller))

    thread = threading.Thread(target=answer)
    thread.start()
    answers = []
    for number in range(COUNT):
        simulator.send(b"%d" % number)
        answers.append(packet_of(simulator))
    thread.join()
    assert answers == [b"%d" % number for number in range(COUNT)]


def packet_of(side: Side) -> bytes:
    """The next packet, without what only wakes."""
    while not (data := side.channel.receive().replace(b"!", b"")):
        pass
    return data


def test_the_end_of_the_other_side_is_received_after_its_last_packet(sides):
    simulator, controller = sides
    assert controller.channel.write(b"last")
    controller.socket.close()
    assert simulator.channel.receive() == b"last"
    assert simulator.channel.receive() == b""


def test_nothing_arrives_in_time(sides, monkeypatch):
    simulator, _ = sides
    monkeypatch.setattr(simulator.channel, "_timeout_ms", 1)
    with pytest.raises(BlockingIOError):
        simulator.channel.receive()
    assert simulator.channel._in[ASLEEP] == 0


def test_an_impossible_size_is_refused(sides):
    simulator, controller = sides
    controller.channel._out[SIZE] = CAPACITY + 1
    controller.channel._out[WRITTEN] = 1
    with pytest.raises(ProtocolError, match="a packet of 16257 bytes"):
        simulator.channel.take()


@pytest.mark.parametrize(("word", "value"), [(AFTER, 2**64 - 1), (WRITTEN, 2**64 - 1), (WRITTEN, 7)])
def test_impossible_numbers_do_not_look_like_a_packet(sides, word: int, value: int):
    simulator, controller = sides
    assert controller.channel.write(b"x")
    controller.channel._out[word] = value
    assert not simulator.channel.has_packet
    controller.by_socket(b"y")
    assert simulator.channel.merge(simulator.socket.recv(9)) == b"y"


def test_the_other_side_cannot_resize_the_memory():
    """Judge: fcntl(2), F_SEAL_SHRINK: otherwise access beyond the end raises SIGBUS."""
    one, other = socket.socketpair()
    with one, other:
        own, passed = offer(one), accept(other)
        for size in (0, 4 * HALF):
            with pytest.raises(PermissionError):
                os.ftruncate(passed, size)
        os.close(own)
        os.close(passed)


def test_memory_is_not_shared_where_nothing_spins(monkeypatch):
    class Still:
        rest = -1

    assert not is_useful(Still())


def test_a_reader_skips_what_wakes_the_simulator():
    request = write_request(8, [])
    reader = RequestReader(shares_memory=True)
    assert len(reader.feed(AWAKEN_SIMULATOR + request + AWAKEN_SIMULATOR + request)) == 2
    assert reader.feed(GOOD_BYE + AWAKEN_SIMULATOR) == [] and reader.ended
    with pytest.raises(ProtocolError):
        RequestReader().feed(AWAKEN_SIMULATOR)
