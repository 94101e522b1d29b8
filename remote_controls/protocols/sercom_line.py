"""The controller's end of a SerCom line: one packet at a time, answers that are believed only when they fit.

Bytes have no check on this line. So each packet also asks for the speeds that were set: an answer of another
length, with other speeds or with impossible numbers is dropped, and a fence brings both ends together again.
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
"""How long to wait for an answer before the ends are brought together again, in s; longer after each failure,
as a line that is just slow would never be let finish."""
FENCE = bytes(MAX_ARGUMENTS + 1) + b"\r"
"""Ends any command that the robot may still be reading: zeros for a binary one, a line's end for ASCII. What
follows must be in ASCII, as the robot drops line ends only before such commands."""
CHECK = FENCE + b"E\r"
CHECKED = re.compile(rb"e,-?\d+,-?\d+\r\n")
LONGEST = 1024
"""Bytes that are kept in search of the fence's answer."""

Answer = dict[str, tuple[int, ...]]


class Question(NamedTuple):
    """A packet whose answer is awaited."""

    readings: tuple[str, ...]
    speeds: tuple[int, int]
    form: struct.Struct


class SercomLine:
    """Questions and answers of one connection."""

    def __init__(self, grounds: int) -> None:
        """
        Args:
            grounds: how many numbers the robot answers to M in ASCII; 5 with sensors for cliffs, which
                also makes the binary answer longer.
        """
        self._grounds = 3 if grounds <= 3 else 4
        self._buffer = b""
        self._question: Question | None = None
        self._fenced = False
        self._until, self._patience = 0.0, PATIENCE

    def begin(self, wire: Wire) -> None:
        """Bring the ends together."""
        self._fence(wire)

    @property
    def idle(self) -> bool:
        """Nothing is awaited: `ask` may be called."""
        return self._question is None and not self._fenced

    @property
    def open(self) -> bool:
        """Commands may be sent: the ends are together."""
        return not self._fenced

    @property
    def until(self) -> float:
        """When the awaited answer is too late, in s of the wire's clock."""
        return self._until

    def ask(self, wire: Wire, commands: bytes, readings: Sequence[str], speeds: tuple[int, int]) -> None:
        """Send commands and questions.

        Args:
            wire: to the robot.
            commands: binary ones.
            readings: names in `READINGS`.
            speeds: what the robot must say that they are, in steps per second.
        """
        names = (*readings, "speeds")
        form = struct.Struct("<" + "".join(self._form(name) for name in names))
        self._question, self._buffer = Question(names, speeds, form), b""
        self._until = wire.clock() + self._patience
        wire.send(commands + b"".join(binary(READINGS[name].code) for name in names) + bytes(1))

    def take(self, wire: Wire, data: bytes) -> Answer | None:
        """Take what came; the whole answer, None while it is not complete or not to be believed."""
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
    """The numbers by reading; None when they cannot be right."""
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
