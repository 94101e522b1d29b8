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
from remote_controls.protocols.sercom import MAX_ARGUMENTS, READINGS, binary

__all__ = ["FENCE", "SercomLine"]

PATIENCE, LONGEST_PATIENCE = 0.3, 2.4
"""Time to wait for an answer before resynchronizing, in s; longer after each failure, so that a slow line can
finish."""
FENCE = bytes(MAX_ARGUMENTS + 1) + b"\r"
"""Ends any incomplete command of the robot: zeros for a binary one, a line end for ASCII. The following
command must be ASCII, because the robot skips line ends only before ASCII commands."""
CHECK = FENCE + b"E\r"
CHECKED = re.compile(rb"e,-?\d+,-?\d+\r\n")
LONGEST = 1024
"""Maximum bytes kept while searching for the fence's answer."""

Answer = dict[str, tuple[int, ...]]


class Question(NamedTuple):
    """A packet whose answer is pending."""

    readings: tuple[str, ...]
    speeds: tuple[int, int]
    form: struct.Struct


class SercomLine:
    """The packets and answers of one connection."""

    def __init__(self, grounds: int) -> None:
        """
        Args:
            grounds: count of numbers in the robot's ASCII answer to M; 5 with cliff sensors, which also makes
                the binary answer longer.
        """
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
            readings: names in `READINGS`.
            speeds: the speeds that the robot must confirm, in steps per second.
        """
        names = (*readings, "speeds")
        form = struct.Struct("<" + "".join(self._form(name) for name in names))
        self._question, self._buffer = Question(names, speeds, form), b""
        self._until = wire.clock() + self._patience
        wire.send(commands + b"".join(binary(READINGS[name].code) for name in names) + bytes(1))

    def take(self, wire: Wire, data: bytes) -> Answer | None:
        """Process received bytes; return the complete, plausible answer, else None."""
        self._buffer += data
        if self._fenced:
            self._find_fence(wire)
            return None
        if self._question is None or len(self._buffer) < self._question.form.size:
            self._watch(wire)
            return None
        question, buffer = self._question, self._buffer
        answer = _read(question, buffer[: question.form.size])
        if len(buffer) > question.form.size or answer is None:
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

    def _form(self, name: str) -> str:
        reading = READINGS[name]
        count = self._grounds if name == "ground" else reading.width
        return f"{count}{'h' if reading.signed else 'H'}"


def _read(question: Question, data: bytes) -> Answer | None:
    """Return the numbers by reading; None if they are not plausible."""
    answer: Answer = {}
    numbers = list(question.form.unpack(data))
    widths = [int(part) for part in re.findall(r"\d+", question.form.format)]
    for name, width in zip(question.readings, widths, strict=True):
        reading = READINGS[name]
        some, numbers = numbers[:width], numbers[width:]
        if not all(reading.low <= one <= reading.high for one in some):
            return None
        answer[name] = tuple(some)
    return answer if answer.pop("speeds") == question.speeds else None
