"""Servos that share a serial line: registers, and what instructions do with them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

BROADCAST = 0xFE
PING, READ, WRITE, REG_WRITE, ACTION = 1, 2, 3, 4, 5
SYNC_READ, SYNC_WRITE = 0x82, 0x83


class Instruction(NamedTuple):
    """A packet for servos."""

    id: int
    code: int
    parameters: bytes


class Servo:
    """The registers of a servo; numbers have their low byte first."""

    def __init__(self, size: int) -> None:
        """
        Args:
            size: bytes of its registers.
        """
        self.registers = bytearray(size)
        self._waiting: list[tuple[int, bytes]] = []

    def get(self, address: int, size: int) -> int:
        """Return a number without sign."""
        return int.from_bytes(self.registers[address : address + size], "little")

    def set(self, address: int, size: int, number: int) -> None:
        """Write a number; a negative one as its complement."""
        self.write(address, (number % (1 << 8 * size)).to_bytes(size, "little"))

    def write(self, address: int, data: bytes) -> bool:
        """Write registers; return False if they do not exist."""
        if address + len(data) > len(self.registers):
            return False
        self.registers[address : address + len(data)] = data
        return True

    def note(self, address: int, data: bytes) -> None:
        """Keep what is to be written with the next action."""
        self._waiting.append((address, data))

    def act(self) -> None:
        """Write what was kept."""
        waiting, self._waiting = self._waiting, []
        for byte in waiting:
            self.write(*byte)


class ServoLine(ABC):
    """A line with servos by their numbers, as a `SerialPart`. Subclasses know the packets."""

    address_bytes: int
    """Bytes of an address, and of a length in instructions."""

    def __init__(self) -> None:
        self.servos: dict[int, Servo] = {}
        self.wrong = 0
        """Packets with a wrong checksum."""

    @abstractmethod
    def instructions(self, data: bytes) -> Iterator[Instruction]:
        """Iterate over the instructions that further bytes complete."""

    @abstractmethod
    def status(self, number: int, data: bytes, error: int = 0) -> bytes:
        """Return the answer of a servo."""

    @abstractmethod
    def identity(self, servo: Servo) -> bytes:
        """Return what a servo says of itself when it is pinged."""

    def exchange(self, data: bytes, now_us: int) -> bytes:
        """See `wbridge.wbverify.coupling.couplings.SerialPart`; an answer follows its question at once."""
        return b"".join(
            answer for instruction in self.instructions(data) for answer in self._answers(instruction)
        )

    def _answers(self, said: Instruction) -> Iterator[bytes]:
        if said.code == SYNC_WRITE:
            self._sync_write(said.parameters)
        elif said.code == SYNC_READ:
            yield from self._sync_read(said.parameters)
        elif said.code == ACTION:
            for servo in self.servos.values():
                servo.act()
        else:
            for number, servo in self.servos.items():
                if said.id in (number, BROADCAST):
                    answer = self._obeyed(number, servo, said)
                    if said.id == number or said.code == PING:
                        yield answer

    def _number(self, data: bytes, place: int) -> int:
        size = self.address_bytes
        return int.from_bytes(data[place * size : (place + 1) * size], "little")

    def _obeyed(self, number: int, servo: Servo, said: Instruction) -> bytes:
        address, rest = self._number(said.parameters, 0), said.parameters[self.address_bytes :]
        if said.code == PING:
            return self.status(number, self.identity(servo))
        if said.code == READ:
            size = self._number(said.parameters, 1)
            return self.status(number, bytes(servo.registers[address : address + size]))
        if said.code == REG_WRITE:
            servo.note(address, rest)
        elif said.code == WRITE:
            servo.write(address, rest)
        return self.status(number, b"")

    def _sync_write(self, parameters: bytes) -> None:
        address, size = self._number(parameters, 0), self._number(parameters, 1)
        rest = parameters[2 * self.address_bytes :]
        for begin in range(0, len(rest), size + 1):
            servo = self.servos.get(rest[begin])
            if servo is not None:
                servo.write(address, rest[begin + 1 : begin + 1 + size])

    def _sync_read(self, parameters: bytes) -> Iterator[bytes]:
        address, size = self._number(parameters, 0), self._number(parameters, 1)
        for number in parameters[2 * self.address_bytes :]:
            servo = self.servos.get(number)
            if servo is not None:
                yield self.status(number, bytes(servo.registers[address : address + size]))
