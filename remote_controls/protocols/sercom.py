"""SerCom, what e-puck and e-puck2 speak on their serial lines (115200 baud): letters, sizes, scales.

A byte from 0x80 on begins a list of binary commands, each a letter as a negative number (256 - letter) with
its arguments, ended by a zero byte; then all answers come at once, little endian. Any other byte begins a
command in ASCII: a letter, decimal arguments behind commas, and a line's end.
Source: GCtronic's pages on the advanced SerCom protocol, and the published firmware of the e-puck2.
"""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["BODY_LED", "FRONT_LED", "MAX_ARGUMENTS", "RADIANS_PER_STEP", "READINGS", "VERSIONS"]
__all__ += ["AnswerFormat", "Version", "binary"]

RADIANS_PER_STEP = 2 * math.pi / 1000
"""Of the stepper motors behind their gears."""
BODY_LED, FRONT_LED = 8, 9
"""Numbers of these LEDs in binary commands; 0 to 7 are those of the ring."""
MAX_ARGUMENTS = 19
"""Bytes behind the longest binary command."""


def binary(letter: str | int) -> bytes:
    """The byte that is a binary command: of a letter, or of a number for commands that have none."""
    return bytes([256 - (ord(letter) if isinstance(letter, str) else letter)])


class AnswerFormat(NamedTuple):
    """The binary answer to a question: numbers of 16 bits."""

    code: str | int
    width: int
    """How many numbers."""
    low: int
    high: int
    """Numbers outside of `low` and `high` are damaged."""

    @property
    def signed(self) -> bool:
        """Whether the numbers may be negative."""
        return self.low < 0


SHORT = (-32768, 32767)
ADC = (0, 4095)
READINGS: dict[str, AnswerFormat] = {
    "acceleration": AnswerFormat("a", 3, *SHORT),
    "gyro": AnswerFormat("g", 3, *SHORT),
    "proximity": AnswerFormat("N", 8, -4095, 4095),
    "light": AnswerFormat("O", 8, *ADC),
    "ground": AnswerFormat("M", 3, 0, 1023),
    "steps": AnswerFormat("Q", 2, *SHORT),
    "microphones": AnswerFormat("u", 3, *ADC),
    "microphones4": AnswerFormat(0x0C, 4, *ADC),
    "distance": AnswerFormat(0x0D, 1, 0, 0xFFFF),
    "battery": AnswerFormat("b", 1, 0, 0xFFFF),
    "speeds": AnswerFormat("E", 2, *SHORT),
}


class Version(NamedTuple):
    """What differs between the robots."""

    name: str
    max_speed: int
    """In steps per second."""
    acceleration_zero: int
    acceleration_scale: float
    """Numbers per g."""
    gyro_scale: float
    """Numbers per degree per second."""
    extras: bool
    """It has colored LEDs, a fourth microphone, a distance sensor, and a battery that can be read."""


VERSIONS: dict[str, Version] = {
    "Version 1.": Version("e-puck", 1000, 2000, 800.0, 1000 / 8.75, False),
    "Version 2.": Version("e-puck2", 1200, 2048, 768.0, 131.0, True),
}
"""By how the robot's answer to V begins."""
