"""Bytes that come to a serial port of a board under QEMU, put where its interrupt would have put them."""

from __future__ import annotations

from wbfirmware.emulators.qemu_machine import Machine, MachineError

__all__ = ["Ring"]

SIZE = 256
"""Bytes of a ring; behind them are the places where the next one is put, and where it is taken."""


class Ring:
    """A buffer of the firmware; what finds no room there waits here."""

    def __init__(self, machine: Machine, name: str, wake: tuple[int, int]) -> None:
        """
        Args:
            machine: whose memory it is.
            name: the variable.
            wake: what is written to which register to call an interrupt, as bytes have come.
        """
        self._machine, self._name, self._wake = machine, name, wake
        self._place = machine.symbols.get(name)
        self.waiting = b""

    def put(self, data: bytes) -> None:
        """Let bytes come.

        Raises:
            MachineError: the firmware does not have this buffer, as it has nothing that reads from it.
        """
        if self._place is None:
            raise MachineError(f"nothing in this firmware reads from the serial port of {self._name}")
        self.waiting += data
        self.fill()

    def fill(self) -> None:
        """Put into the ring what there is room for."""
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
