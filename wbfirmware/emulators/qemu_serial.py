"""The serial line of a machine under QEMU as a pseudo terminal, in real time.

Neither end may block the other: QEMU stops while it cannot write, and so would this program. Bytes are queued
in both directions. If nobody reads the terminal, the oldest bytes are dropped, as on an unconnected line.
"""

from __future__ import annotations

import os
import tty

from wbridge.hal.ready import wait_for_any
from wbridge.wbfirmware.emulators.qemu_machine import Machine

CHUNK = 4096
MOST = 1 << 16
"""Maximum queued bytes in each direction."""


class SerialLine:
    """Carries bytes between a machine and a pseudo terminal."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._terminal, self._other = os.openpty()
        tty.setraw(self._other)
        os.set_blocking(self._terminal, False)
        self.name = os.ttyname(self._other)
        """Path of the terminal."""
        self._waiting = b""
        """Bytes queued for the machine."""

    def carry(self, others: list[int]) -> list[int]:
        """Wait until something can be transferred, and transfer it.

        Args:
            others: other file descriptors to wait for.

        Returns:
            those of the `others` that are readable.

        Raises:
            MachineError: the firmware has crashed.
        """
        machine, terminal = self._machine, self._terminal
        reading = [machine.wire.reading, *others]
        if machine.second is not None:
            reading.append(machine.second.reading)
        if len(self._waiting) < MOST:
            reading.append(terminal)
        writing = [machine.wire.writing] if self._waiting else []
        if machine.sent:
            writing.append(terminal)
        ready, free = wait_for_any(reading, writing)
        machine.gather()
        if terminal in ready:
            self._waiting += os.read(terminal, CHUNK)
        if machine.wire.writing in free:
            self._waiting = self._waiting[machine.wire.give(self._waiting[:CHUNK]) :]
        if terminal in free:
            machine.sent = machine.sent[os.write(terminal, machine.sent[:CHUNK]) :]
        machine.sent = machine.sent[-MOST:]
        return [other for other in others if other in ready]
