"""SerCom, the serial protocol of e-puck and e-puck2 (115200 baud): letters, sizes, scales.

A byte of 0x80 or more begins a list of binary commands, each a letter as a negative number (256 - letter)
with its arguments, ended by a zero byte; then all answers are sent at once, little endian. Any other byte
begins an ASCII command: a letter, comma-separated decimal arguments, and a line end.
Source: GCtronic's pages on the advanced SerCom protocol, and the published firmware of the e-puck2.
"""

from __future__ import annotations

import math
from typing import NamedTuple

RADIANS_PER_STEP = 2 * math.pi / 1000
"""Angle of the wheels per step of the geared stepper motors."""
BODY_LED, FRONT_LED = 8, 9
"""Numbers of these LEDs in binary commands; 0 to 7 are those of the ring."""
MAX_ARGUMENTS = 35
"""Bytes after the longest binary command: that for the LEDs of a panel on the e-puck."""


def binary(letter: str | int) -> bytes:
    """Return the byte of a binary command: from a letter, or from a number for commands without letter."""
    return bytes([256 - (ord(letter) if isinstance(letter, str) else letter)])


class AnswerFormat(NamedTuple):
    """The binary answer to a query: 16-bit numbers."""

    code: str | int
    width: int
    """Count of numbers."""
    low: int
    high: int
    """Numbers outside `low` and `high` are corrupted."""
    fluctuates: bool = False
    """True if two readings in one answer may differ: the robot computes each when it is asked."""

    @property
    def signed(self) -> bool:
        """True if the numbers may be negative."""
        return self.low < 0


SHORT = (-32768, 32767)
ADC = (0, 4095)
FARTHEST = 8191
"""What the distance sensor (VL53L0X) answers beyond its range, in mm."""
READINGS: dict[str, AnswerFormat] = {
    "acceleration": AnswerFormat("a", 3, *SHORT),
    "gyro": AnswerFormat("g", 3, *SHORT),
    "proximity": AnswerFormat("N", 8, -4095, 4095),
    "light": AnswerFormat("O", 8, *ADC),
    "ground": AnswerFormat("M", 3, 0, 1023),
    "steps": AnswerFormat("Q", 2, *SHORT),
    "microphones": AnswerFormat("u", 3, *ADC, fluctuates=True),
    "microphones4": AnswerFormat(0x0C, 4, *ADC, fluctuates=True),
    "distance": AnswerFormat(0x0D, 1, 0, FARTHEST),
    "battery": AnswerFormat("b", 1, *ADC),
    "speeds": AnswerFormat("E", 2, *SHORT),
}


CAMERA, CAMERA_CODE = "camera", "I"
"""The one reading whose answer is no numbers; see `wbridge.remote_controls.protocols.sercom_camera`."""


class Version(NamedTuple):
    """Differences between the robots."""

    name: str
    max_speed: int
    """Maximum speed in steps per second."""
    acceleration_zero: int
    acceleration_scale: float
    """Numbers per g."""
    gyro_scale: float
    """Numbers per degree per second."""
    extras: bool
    """True with colored LEDs, a fourth microphone, a distance sensor, and a readable battery."""


VERSIONS: dict[str, Version] = {
    "Version 1.": Version("e-puck", 1000, 2000, 800.0, 1000 / 8.75, False),
    "Version 2.": Version("e-puck2", 1200, 2048, 768.0, 131.0, True),
}
"""By the beginning of the robot's answer to V."""
