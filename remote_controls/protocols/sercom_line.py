"""The controller's end of a SerCom line: one packet at a time, with plausibility checks on answers.

The line has no checksum. Therefore each packet also queries the speeds that were set: an answer with a wrong
length, other speeds or impossible numbers is dropped, and a fence resynchronizes both ends.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from typing import NamedTuple

from remote_controls.common.wire import Wire
from remote_controls.protocols.sercom import CAMERA, CAMERA_CODE, MAX_ARGUMENTS, READINGS, binary
from remote_controls.protocols.sercom_camera import CameraSetup

__all__ = ["FENCE", "Answer", "SercomLine"]

PATIENCE, LONGEST_PATIENCE = 0.3, 1.2
"""Time to wait for an answer before resynchronizing, in s; longer after each failure, so that a slow line can
finish."""
FENCE = bytes(MAX_ARGUMENTS + 1) + b"\r"
"""Ends any incomplete command of the robot: zeros for a binary one, a line end for ASCII. The following
command must be ASCII, because the robot skips line ends only before ASCII commands."""
CHECK = FENCE + b"E\r"
CHECKED = re.compile(rb"e,-?\d+,-?\d+\r\n")
LONGEST = 1024
"""Maximum bytes kept while searching for the fence's answer."""

BYTES_PER_SECOND = 11520
"""Of a line with 115200 bits per second. Longer answers, those with pictures, take their time."""


class Answer(NamedTuple):
    """The readings of a packet."""

    numbers: dict[str, tuple[int, ...]]
    """Readings by name."""
    picture: bytes
    """The camera's answer, or b""."""


class Question(NamedTuple):
    """A packet whose answer is pending."""

    forms: dict[str, struct.Struct]
    """What is asked, and the bytes of its answer."""
    speeds: tuple[int, int]

    @property
    def size(self) -> int:
        """Bytes of the answer."""
        return sum(form.size for form in self.forms.values())


class SercomLine:
    """The packets and answers of one connection."""

    def __init__(self, grounds: int, camera: CameraSetup | None = None) -> None:
        """
        Args:
            grounds: count of numbers in the robot's ASCII answer to M; 5 with cliff sensors, which also makes
                the binary answer longer.
            camera: what the camera sends.
        """
        self._camera = camera
        self._grounds = 3 if grounds <= 3 else 4
        self._buffer = b""
        self._question: Question | None = None
        self._fenced = False
        self._until, self._patience = 0.0, PATIENCE

    def begin(self, wire: Wire) -> None:
        """Synchronize both ends."""
        self._fence(wire)

    @property
    def idle(self) -> bool:
        """True if no answer is pending: `ask` may be called."""
        return self._question is None and not self._fenced

    @property
    def open(self) -> bool:
        """True if commands may be sent: both ends are synchronized."""
        return not self._fenced

    @property
    def until(self) -> float:
        """Deadline of the pending answer, in s of the wire's clock."""
        return self._until

    def ask(self, wire: Wire, commands: bytes, readings: Sequence[str], speeds: tuple[int, int]) -> None:
        """Send commands and queries.

        Args:
            wire: wire to the robot.
            commands: binary commands.
            readings: names in `READINGS`, or `CAMERA`.
            speeds: the speeds that the robot must confirm, in steps per second.
        """
        question = Question({name: self._form(name) for name in (*readings, "speeds")}, speeds)
        self._question, self._buffer = question, b""
        self._until = wire.clock() + self._patience + question.size / BYTES_PER_SECOND
        wire.send(commands + b"".join(_code(name) for name in question.forms) + bytes(1))

    def take(self, wire: Wire, data: bytes) -> Answer | None:
        """Process received bytes; return the complete, plausible answer, else None."""
        self._buffer += data
        if self._fenced:
            self._find_fence(wire)
            return None
        if self._question is None or len(self._buffer) < self._question.size:
            self._watch(wire)
            return None
        question, buffer = self._question, self._buffer
        answer = self._read(question, buffer) if len(buffer) == question.size else None
        if answer is None:
            self._fence(wire)
            return None
        self._question, self._buffer, self._patience = None, b"", PATIENCE
        return answer

    def _watch(self, wire: Wire) -> None:
        if self._question is not None and wire.clock() >= self._until:
            self._fence(wire)

    def _fence(self, wire: Wire) -> None:
        self._question, self._buffer, self._fenced = None, b"", True
        self._until = wire.clock() + self._patience
        wire.send(CHECK)

    def _find_fence(self, wire: Wire) -> None:
        if CHECKED.search(self._buffer):
            self._fenced, self._buffer = False, b""
            return
        self._buffer = self._buffer[-LONGEST:]
        if wire.clock() >= self._until:
            self._patience = min(2 * self._patience, LONGEST_PATIENCE)
            self._fence(wire)

    def _form(self, name: str) -> struct.Struct:
        if name == CAMERA:
            return struct.Struct(f"{self._camera.size if self._camera else 0}s")
        reading = READINGS[name]
        count = self._grounds if name == "ground" else reading.width
        return struct.Struct(f"<{count}{'h' if reading.signed else 'H'}")

    def _read(self, question: Question, data: bytes) -> Answer | None:
        """Return what the robot has answered; None if it is not plausible."""
        answer, at = Answer({}, b""), 0
        for name, form in question.forms.items():
            numbers = form.unpack_from(data, at)
            at += form.size
            if name == CAMERA:
                answer = answer._replace(picture=numbers[0])
            elif not all(READINGS[name].low <= one <= READINGS[name].high for one in numbers):
                return None
            else:
                answer.numbers[name] = numbers
        header = self._camera.header if self._camera and answer.picture else b""
        is_plausible = answer.picture.startswith(header) and answer.numbers.pop("speeds") == question.speeds
        return answer if is_plausible else None


def _code(name: str) -> bytes:
    return binary(CAMERA_CODE if name == CAMERA else READINGS[name].code)
