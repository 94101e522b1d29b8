"""The controller's end of a SerCom line: one packet at a time, with plausibility checks on answers.

The line has no checksum. Therefore each packet sets the speeds again, queries each reading twice, and queries
the speeds: an answer with a wrong length or other speeds is dropped, and so is a reading that differs between
both times or that its sensor cannot have. A fence then resynchronizes both ends; it sets the speeds, too, so
that a wheel turns wrongly for the time of an answer only. If an answer is late, the robot may have taken a
damaged command for a longer one and wait for its rest; `insist` then sends a fence, too.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from typing import NamedTuple

from wbridge.remote_controls.common.damage import DamageCount
from wbridge.remote_controls.common.wire import Wire
from wbridge.remote_controls.protocols.sercom import CAMERA, CAMERA_CODE, MAX_ARGUMENTS, READINGS, binary
from wbridge.remote_controls.protocols.sercom_camera import CameraSetup

PATIENCE, SHORTEST_PATIENCE, LONGEST_PATIENCE = 0.3, 0.04, 1.2
"""Time to wait for an answer before resynchronizing, in s: at first, on a fast line, and after failures, so
that a slow line can finish."""
SLOWER = 4.0
"""An answer that needs this many times the longest recent time is lost."""
FENCE = bytes(MAX_ARGUMENTS + 1) + b"\r"
"""Ends any incomplete command of the robot: zeros for a binary one, a line end for ASCII. The following
command must be ASCII, because the robot skips line ends only before ASCII commands."""
STALE = re.compile(rb"(?:[dj]|e,-?\d+,-?\d+)\r\n")
"""An answer to a command of an earlier fence."""
LONGEST = 1024
"""Maximum bytes kept while searching for the fence's answer."""
MOST_IN_SUCCESSION = 3
"""A reading that differs this many times in succession is no damage: it changes all the time. After as many
answers without an acceptable picture the camera is set up again."""

BYTES_PER_SECOND = 11520
"""Of a line with 115200 bits per second. Longer answers, those with pictures, take their time."""


def fenced_speeds(speeds: tuple[int, int]) -> bytes:
    """Return a command for the speeds (steps/s) that works whatever the robot has received before."""
    return FENCE + b"D,%d,%d\r" % speeds


class Answer(NamedTuple):
    """The readings of a packet."""

    numbers: dict[str, tuple[int, ...]]
    """Readings by name."""
    picture: bytes
    """The camera's answer, or b""."""


class Query(NamedTuple):
    """A part of an answer."""

    name: str
    form: struct.Struct
    copies: int
    """How often it is in the answer."""


class Question(NamedTuple):
    """A packet whose answer is pending."""

    queries: list[Query]
    speeds: tuple[int, int]
    time: float
    """When it was sent, in s of the wire's clock."""

    @property
    def size(self) -> int:
        """Bytes of the answer."""
        return sum(query.copies * query.form.size for query in self.queries)


class SercomLine:
    """The packets and answers of one connection."""

    def __init__(self, grounds: int, damage: DamageCount, camera: CameraSetup | None = None) -> None:
        """
        Args:
            grounds: count of numbers in the robot's ASCII answer to M; 5 with cliff sensors, which also makes
                the binary answer longer.
            damage: counts what is dropped.
            camera: what the camera sends.
        """
        self._camera, self._damage = camera, damage
        self._grounds = 3 if grounds <= 3 else 4
        self._buffer = b""
        self._question: Question | None = None
        self._fenced = False
        self._tail = b""
        """Answers to the commands of `insist`, behind the pending answer."""
        self._until, self._patience, self._round_trip = 0.0, PATIENCE, PATIENCE / SLOWER
        self._differences: dict[str, int] = {}
        self._pictures_missing = 0
        """Answers with a picture in succession that were not accepted."""
        self._expected = 0.0
        """When the pending answer is late, in s of the wire's clock."""
        self.speeds = self._sent_speeds = 0, 0
        """Speeds that the robot must have, and those sent last, in steps per second."""

    def begin(self, wire: Wire) -> None:
        """Synchronize both ends."""
        self._fence(wire)

    @property
    def idle(self) -> bool:
        """True if no answer is pending: `ask` may be called."""
        return self._question is None and not self._fenced

    @property
    def open(self) -> bool:
        """True if both ends are synchronized."""
        return not self._fenced

    @property
    def until(self) -> float:
        """Deadline of the pending answer, in s of the wire's clock."""
        return self._until

    def ask(self, wire: Wire, commands: bytes, readings: Sequence[str]) -> None:
        """Send the speeds, commands and queries.

        Args:
            wire: wire to the robot.
            commands: binary commands.
            readings: names in `READINGS`, or `CAMERA`.
        """
        queries = [self._query(name) for name in readings] + [Query("speeds", self._form("speeds"), 1)]
        question = Question(queries, self.speeds, wire.clock())
        self._question, self._buffer, self._tail = question, b"", b""
        sent_by = question.time + question.size / BYTES_PER_SECOND
        self._until, self._expected = sent_by + self._patience, sent_by + self._round_trip
        self._sent_speeds = self.speeds
        codes = b"".join(query.copies * _code(query.name) for query in queries)
        wire.send(binary("D") + struct.pack("<hh", *self.speeds) + commands + codes + bytes(1))

    def insist(self, wire: Wire) -> None:
        """Set the speeds although an answer is pending, if they have changed or the answer is late."""
        if self.speeds == self._sent_speeds and wire.clock() < self._expected:
            return
        wire.send(self._check())
        self._expected = wire.clock() + self._round_trip
        if self._question is not None:
            self._tail += b"d\r\ne,%d,%d\r\n" % self.speeds

    def take(self, wire: Wire, data: bytes) -> Answer | None:
        """Process received bytes; return the complete, plausible answer, else None."""
        self._buffer += data
        if self._fenced:
            self._find_fence(wire)
            return None
        if self._question is None or not self._is_complete(self._question):
            self._watch(wire)
            return None
        question, buffer = self._question, self._buffer
        answer = self._read(question, buffer) if len(buffer) == question.size + len(self._tail) else None
        if answer is None:
            self._damage.drop()
            self._fence(wire)
            return None
        taken = wire.clock() - question.time - question.size / BYTES_PER_SECOND
        self._round_trip = max(taken, 0.9 * self._round_trip)
        self._patience = min(PATIENCE, max(SHORTEST_PATIENCE, SLOWER * self._round_trip))
        self._question, self._buffer = None, b""
        self._pictures_missing = 0 if answer.picture else self._pictures_missing
        return answer

    def _is_complete(self, question: Question) -> bool:
        """Return True if the buffer has all bytes of the answer, without stale answers before it."""
        whole = question.size + len(self._tail)
        while len(self._buffer) > whole and (stale := STALE.match(self._buffer)):
            self._buffer = self._buffer[stale.end() :]
        return len(self._buffer) >= whole

    def _watch(self, wire: Wire) -> None:
        if self._question is not None and wire.clock() >= self._until:
            if self._buffer:
                self._damage.drop()
            self._patience = min(2 * self._patience, LONGEST_PATIENCE)
            self._fence(wire)

    def _check(self) -> bytes:
        """Return a fence that sets the speeds and queries them."""
        self._sent_speeds = self.speeds
        return fenced_speeds(self.speeds) + b"E\r"

    def _fence(self, wire: Wire) -> None:
        if self._camera and self._question and any(query.name == CAMERA for query in self._question.queries):
            self._pictures_missing += 1
        self._question, self._buffer, self._fenced = None, b"", True
        self._until = wire.clock() + self._patience
        self._expected = wire.clock() + self._round_trip
        wire.send(self._check())
        if self._camera and self._pictures_missing >= MOST_IN_SUCCESSION:
            self._pictures_missing = 0
            wire.send(self._camera.command)  # the robot has been reset, or the size was damaged

    def _find_fence(self, wire: Wire) -> None:
        if b"e,%d,%d\r\n" % self.speeds in self._buffer:
            self._fenced, self._buffer = False, b""
            return
        self._buffer = self._buffer[-LONGEST:]
        if wire.clock() >= self._until:
            self._patience = min(2 * self._patience, LONGEST_PATIENCE)
            self._fence(wire)

    def _query(self, name: str) -> Query:
        once = name == CAMERA or READINGS[name].fluctuates
        return Query(name, self._form(name), 1 if once else 2)

    def _form(self, name: str) -> struct.Struct:
        if name == CAMERA:
            return struct.Struct(f"{self._camera.size if self._camera else 0}s")
        reading = READINGS[name]
        count = self._grounds if name == "ground" else reading.width
        return struct.Struct(f"<{count}{'h' if reading.signed else 'H'}")

    def _read(self, question: Question, data: bytes) -> Answer | None:
        """Return what the robot has answered; None if the answer is not that to the question."""
        answer, at = Answer({}, b""), 0
        for name, form, copies in question.queries:
            values = [form.unpack_from(data, at + k * form.size) for k in range(copies)]
            at += copies * form.size
            if name == CAMERA:
                answer = answer._replace(picture=values[0][0])
            elif name == "speeds":
                if values[0] != question.speeds:
                    self._damage.repair()
                    return None
            elif self._is_plausible(name, values):
                answer.numbers[name] = values[-1]
        header = self._camera.header if self._camera and answer.picture else b""
        return answer if data[at:] == self._tail and answer.picture.startswith(header) else None

    def _is_plausible(self, name: str, values: list[tuple[int, ...]]) -> bool:
        """Return True if the numbers are in range and the same each time; count them otherwise."""
        low, high = READINGS[name].low, READINGS[name].high
        is_same = all(value == values[0] for value in values)
        self._differences[name] = 0 if is_same else self._differences.get(name, 0) + 1
        is_same = is_same or self._differences[name] >= MOST_IN_SUCCESSION
        if is_same and all(low <= number <= high for value in values for number in value):
            return True
        self._damage.drop()
        return False


def _code(name: str) -> bytes:
    return binary(CAMERA_CODE if name == CAMERA else READINGS[name].code)
