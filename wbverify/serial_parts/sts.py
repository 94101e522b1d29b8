"""Feetech's STS and SMS servos: the packets FF FF, number, length, instruction or error, parameters, checksum
(the inverted sum of all bytes from the number on)."""

from __future__ import annotations

from collections.abc import Iterator

from wbridge.wbverify.serial_parts.bus_servo import Instruction, Servo, ServoLine

REGISTER_BYTES = 128
HEAD = b"\xff\xff"


class StsLine(ServoLine):
    """A line with STS servos."""

    address_bytes = 1

    def __init__(self) -> None:
        super().__init__()
        self._rest = b""

    def instructions(self, data: bytes) -> Iterator[Instruction]:
        """See `ServoLine`."""
        self._rest += data
        while (begin := self._rest.find(HEAD)) >= 0:
            packet = self._rest[begin:]
            if len(packet) > 2 and packet[2] == 0xFF:  # no number: the packet begins a byte later
                self._rest = packet[1:]
                continue
            if len(packet) < 4 or len(packet) < 4 + packet[3]:
                self._rest = packet
                return
            size = 4 + packet[3]
            body, self._rest = packet[2 : size - 1], packet[size:]
            if ~sum(body) & 0xFF == packet[size - 1] and len(body) >= 3:
                yield Instruction(body[0], body[2], body[3:])
            else:
                self.wrong += 1
        self._rest = self._rest[-1:]

    def status(self, number: int, data: bytes, error: int = 0) -> bytes:
        """See `ServoLine`."""
        body = bytes((number, len(data) + 2, error)) + data
        return HEAD + body + bytes((~sum(body) & 0xFF,))

    def identity(self, servo: Servo) -> bytes:
        """See `ServoLine`: nothing."""
        return b""
