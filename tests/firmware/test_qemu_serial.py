"""The serial line of a board under QEMU: neither end makes the other wait."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from typing import cast

import pytest

from wbfirmware.emulators.qemu_machine import Machine
from wbfirmware.emulators.qemu_serial import MOST, SerialLine

MUCH = 200_000


class Stubborn:
    """A machine that reads nothing until it has written all that it has to say, byte by byte as QEMU does."""

    second = None

    def __init__(self) -> None:
        self.wire, self.end = socket.socketpair()
        self.sent = self.heard = b""
        self.over, self._bell = os.pipe()
        """Can be read when it has done all."""

    def work(self) -> None:
        for _ in range(MUCH):
            self.end.send(b"x")
        while len(self.heard) < MUCH:
            self.heard += self.end.recv(4096)
        os.write(self._bell, b".")

    def gather(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while more := self.wire.recv(4096, socket.MSG_DONTWAIT):
                self.sent += more


@pytest.fixture
def machine() -> Iterator[Stubborn]:
    made = Stubborn()
    yield made
    made.wire.close()
    made.end.close()


def test_both_ends_write_without_reading(machine: Stubborn):
    line = SerialLine(cast("Machine", machine))
    user = os.open(line.name, os.O_RDWR | os.O_NOCTTY)
    writer = threading.Thread(target=_write_all, args=(user, MUCH))
    worker = threading.Thread(target=machine.work)
    writer.start()
    worker.start()
    while not line.carry([machine.over]):
        pass
    worker.join()
    writer.join()
    assert machine.heard == b"y" * MUCH
    os.close(user)


def _write_all(file: int, count: int) -> None:
    while count:
        count -= os.write(file, b"y" * min(4096, count))


def test_what_nobody_reads_does_not_pile_up(machine: Stubborn):
    line = SerialLine(cast("Machine", machine))
    machine.sent = bytes(3 * MOST)
    machine.end.send(b"z")
    line.carry([])
    assert len(machine.sent) <= MOST and machine.sent.endswith(b"z")
