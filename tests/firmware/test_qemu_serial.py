"""The serial line of a board under QEMU: neither end makes the other wait."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from wbridge.wbfirmware.emulators.qemu_line import Line
from wbridge.wbfirmware.emulators.qemu_machine import Machine
from wbridge.wbfirmware.emulators.qemu_serial import MOST, SerialLine

MUCH = 200_000


class Stubborn:
    """A machine that reads nothing until it has written all that it has to say, byte by byte as QEMU does."""

    second = None

    def __init__(self, folder: Path) -> None:
        self.wire = Line(folder, "wire")
        self.sent = self.heard = b""
        self.over, self._bell = os.pipe()
        """Can be read when it has done all."""

    def work(self) -> None:
        own, out = self.wire.ends
        for _ in range(MUCH):
            os.write(out, b"x")
        while len(self.heard) < MUCH:
            self.heard += os.read(own, 4096)
        os.write(self._bell, b".")

    def gather(self) -> None:
        self.sent += self.wire.come()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Stubborn]:
    made = Stubborn(tmp_path)
    yield made
    made.wire.started()
    made.wire.close()


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
    os.write(machine.wire.ends[1], b"z")
    line.carry([])
    assert len(machine.sent) <= MOST and machine.sent.endswith(b"z")


def test_bytes_written_one_by_one_fit_without_a_reader(tmp_path: Path):
    line = Line(tmp_path, "wire")
    out = line.ends[1]
    os.set_blocking(out, False)
    for _ in range(MUCH):
        os.write(out, b"x")
    assert line.come() == MUCH * b"x"
    line.started()
    with pytest.raises(EOFError):
        line.come()
    line.close()
