"""Dynamixel servos with Robotis' protocol 2: FF FF FD 00, number, length, instruction, parameters, CRC-16.

In parameters, FF FF FD is followed by another FD, so that it is no begin of a packet.
"""

from __future__ import annotations

from collections.abc import Iterator

from wbridge.wbverify.serial_parts.bus_servo import Instruction, Servo, ServoLine

REGISTER_BYTES = 256
HEAD, LIKE_HEAD, STUFFED = b"\xff\xff\xfd\x00", b"\xff\xff\xfd", b"\xff\xff\xfd\xfd"
STATUS, POLYNOMIAL = 0x55, 0x8005
BEFORE, CRC_BYTES = 7, 2
"""Bytes of the head, the number and the length."""
MODEL, FIRMWARE = 0, 6


def crc16(data: bytes) -> int:
    """Return the CRC-16 of bytes: polynomial 0x8005, from 0, the highest bit first."""
    value = 0
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ POLYNOMIAL if value & 0x8000 else value << 1) & 0xFFFF
    return value


class DynamixelLine(ServoLine):
    """A line with Dynamixel servos."""

    address_bytes = 2

    def __init__(self) -> None:
        super().__init__()
        self._rest = b""

    def instructions(self, data: bytes) -> Iterator[Instruction]:
        """See `ServoLine`."""
        self._rest += data
        while (begin := self._rest.find(HEAD)) >= 0:
            packet = self._rest[begin:]
            size = BEFORE + int.from_bytes(packet[5:7], "little")
            if len(packet) < BEFORE or len(packet) < size:
                self._rest = packet
                return
            body, self._rest = packet[: size - CRC_BYTES], packet[size:]
            if crc16(body) == int.from_bytes(packet[size - CRC_BYTES : size], "little"):
                yield Instruction(body[4], body[7], body[8:].replace(STUFFED, LIKE_HEAD))
            else:
                self.wrong += 1
        self._rest = self._rest[-3:]

    def status(self, number: int, data: bytes, error: int = 0) -> bytes:
        """See `ServoLine`."""
        rest = bytes((STATUS, error)) + data.replace(LIKE_HEAD, STUFFED)
        packet = HEAD + bytes((number,)) + (len(rest) + CRC_BYTES).to_bytes(2, "little") + rest
        return packet + crc16(packet).to_bytes(2, "little")

    def identity(self, servo: Servo) -> bytes:
        """See `ServoLine`: model and version of the firmware."""
        return bytes((*servo.registers[MODEL : MODEL + 2], servo.registers[FIRMWARE]))
