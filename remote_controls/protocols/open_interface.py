"""The Open Interface of iRobot's Create 2 and Roombas of the 600 series: opcodes, packets, sizes.

115200 baud, most significant byte first, no framing and no checksum from the computer to the robot. Sensor
packets are sent on request or as a stream: 19, number of bytes, (packet, data)*, and a byte that makes the
sum of all 0 (modulo 256).
Source: iRobot Create 2 Open Interface Specification, chapters "Commands" and "Sensor packets".
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import NamedTuple

RADIUS, TRACK = 0.036, 0.235
"""Radius of the wheels and distance between them, in m."""
TICKS_PER_TURN = 508.8
RADIANS_PER_TICK = 2 * math.pi / TICKS_PER_TURN
MAX_SPEED = 500
"""In mm/s."""
STREAM = 19
"""The first byte of a stream frame."""
STREAM_PERIOD = 0.015
"""In s."""


class Opcode:
    """Commands; `ARGUMENTS` has the number of following bytes."""

    RESET, START, BAUD, CONTROL, SAFE, FULL, POWER = 7, 128, 129, 130, 131, 132, 133
    SPOT, CLEAN, MAX, DRIVE, MOTORS, LEDS, SONG, PLAY = 134, 135, 136, 137, 138, 139, 140, 141
    SENSORS, DOCK, MOTORS_PWM, DRIVE_DIRECT, DRIVE_PWM = 142, 143, 144, 145, 146
    STREAM, QUERY, PAUSE = 148, 149, 150
    SCHEDULING_LEDS, DIGITS_RAW, DIGITS, BUTTONS, SCHEDULE, SET_TIME, STOP = 162, 163, 164, 165, 167, 168, 173


ARGUMENTS: dict[int, int] = {
    **dict.fromkeys((7, 128, 130, 131, 132, 133, 134, 135, 136, 143, 173), 0),
    **dict.fromkeys((129, 138, 141, 142, 150, 165), 1),
    **dict.fromkeys((139, 144, 168), 3),
    **dict.fromkeys((137, 145, 146, 163, 164), 4),
    162: 2,
    167: 15,
}
"""Bytes after an opcode; SONG, STREAM and QUERY encode it themselves."""


class InterfaceMode:
    """What the robot allows a computer to do."""

    OFF, PASSIVE, SAFE, FULL = 0, 1, 2, 3


class SensorPacket(NamedTuple):
    """One sensor packet."""

    form: str
    """Format as in `struct`, without the byte order."""

    @property
    def size(self) -> int:
        """In bytes."""
        return struct.calcsize(">" + self.form)


_BYTES = (7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21, 32, 34, 35, 36, 37, 38, 45, 52, 53, 58)
_SIGNED = (19, 20, 23, 39, 40, 41, 42, 54, 55, 56, 57)
_UNSIGNED = (22, 25, 26, 27, 28, 29, 30, 31, 33, 43, 44, 46, 47, 48, 49, 50, 51)
PACKETS: dict[int, SensorPacket] = {
    **dict.fromkeys(_BYTES, SensorPacket("B")),
    **dict.fromkeys(_SIGNED, SensorPacket("h")),
    **dict.fromkeys(_UNSIGNED, SensorPacket("H")),
    24: SensorPacket("b"),
}
"""By packet number."""
_SIGNAL, _SPEED = (0, 4095), (-MAX_SPEED, MAX_SPEED)
RANGES: dict[int, tuple[int, int]] = {
    7: (0, 15),
    **dict.fromkeys((8, 9, 10, 11, 12, 13, 58), (0, 1)),
    21: (0, 5),
    27: (0, 1023),
    **dict.fromkeys((28, 29, 30, 31, 46, 47, 48, 49, 50, 51), _SIGNAL),
    34: (0, 3),
    35: (0, 3),
    **dict.fromkeys((39, 41, 42), _SPEED),
    45: (0, 127),
}
"""Lowest and highest number of a packet; other packets use their whole format."""
GROUPS: dict[int, range] = {
    0: range(7, 27),
    1: range(7, 17),
    2: range(17, 21),
    3: range(21, 27),
    4: range(27, 35),
    5: range(35, 43),
    6: range(7, 43),
    100: range(7, 59),
    101: range(43, 59),
    106: range(46, 52),
    107: range(54, 59),
}
"""Groups of packets requested by one number."""


def stream_frame(body: bytes) -> bytes:
    """Return a stream frame around packet numbers and their data."""
    head = bytes([STREAM, len(body)]) + body
    return head + bytes([-sum(head) & 0xFF])


class StreamReader:
    """Finds stream frames in a byte stream."""

    LONGEST = 2048

    def __init__(self, packets: Sequence[int]) -> None:
        """
        Args:
            packets: the requested packets; other frames are invalid.
        """
        self._packets = tuple(packets)
        self._size = sum(1 + PACKETS[packet].size for packet in packets)
        self._buffer = b""
        self._skipped = 0
        """Bytes since the last good frame that belong to none."""
        self.damaged = 0
        """Count of frames that were dropped."""

    def feed(self, data: bytes) -> list[dict[int, int]]:
        """Return the frames that are complete now: numbers by packet."""
        self._buffer += data
        frames = []
        whole = self._size + 3
        while (at := self._buffer.find(bytes([STREAM, self._size]))) >= 0 and len(self._buffer) >= at + whole:
            values = self._read(self._buffer[at : at + whole])
            self._skipped += at if values is not None else at + 1
            if values is not None:
                frames.append(values)
                self.damaged += -(-self._skipped // whole)
                self._skipped = 0
            self._buffer = self._buffer[at + (1 if values is None else whole) :]
        self._buffer = self._buffer[-self.LONGEST :]
        return frames

    def _read(self, frame: bytes) -> dict[int, int] | None:
        """Return the numbers; None if the frame is corrupted."""
        if sum(frame) & 0xFF:
            return None
        at, values = 2, {}
        for packet in self._packets:
            if frame[at] != packet:
                return None
            (values[packet],) = struct.unpack_from(">" + PACKETS[packet].form, frame, at + 1)
            low, high = RANGES.get(packet, (values[packet], values[packet]))
            if not low <= values[packet] <= high:
                return None
            at += 1 + PACKETS[packet].size
        return values
