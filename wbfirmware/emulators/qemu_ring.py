"""Bytes to a serial port of a board under QEMU, placed where its interrupt would have put them."""

from __future__ import annotations

from wbridge.wbfirmware.emulators.qemu_machine import Machine, MachineError

SIZE = 256
"""Bytes of a ring buffer, followed by the write and the read position."""


class Ring:
    """A buffer of the firmware; bytes that do not fit wait here."""

    def __init__(self, machine: Machine, name: str, wake: tuple[int, int]) -> None:
        """
        Args:
            machine: the machine whose memory it uses.
            name: name of the variable.
            wake: register and value that trigger the receive interrupt.
        """
        self._machine, self._name, self._wake = machine, name, wake
        self._place = machine.symbols.get(name)
        self.waiting = b""

    def put(self, data: bytes) -> None:
        """Send bytes.

        Raises:
            MachineError: the firmware lacks this buffer because nothing reads from it.
        """
        if self._place is None:
            raise MachineError(f"nothing in this firmware reads from the serial port of {self._name}")
        self.waiting += data
        self.fill()

    def fill(self) -> None:
        """Fill the ring buffer as far as possible."""
        if not self.waiting or self._place is None:
            return
        ring = self._place
        put, taken = self._machine.read(ring + SIZE, 1), self._machine.read(ring + SIZE + 1, 1)
        room = (taken - put - 1) % SIZE
        data, self.waiting = self.waiting[:room], self.waiting[room:]
        before_end = SIZE - put
        self._machine.write_bytes(ring + put, data[:before_end])
        self._machine.write_bytes(ring, data[before_end:])
        self._machine.write(ring + SIZE, (put + len(data)) % SIZE, 1)
        if data:
            self._machine.write(self._wake[0], self._wake[1], 4)
