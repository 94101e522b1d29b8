"""What a board that runs alone says: printed text, named values, messages of the firmware, and its steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from wbridge.hal.link.errors import MessageError
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.values import decode_value
from wbridge.hal.printable import printable

OWN = "wbridge: "
"""Begins what the firmware says; it may come within a line of the controller."""
LONGEST_LINE = 4096
"""Bytes; longer lines are passed on in pieces."""
LONGEST_NAME, LONGEST_STEP_MS = 64, 65535 * 2
_NUMBER = r"-?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|inf|nan)"
_VALUE = re.compile(rf">([^:\r\n]{{1,{LONGEST_NAME}}}):({_NUMBER})")
_LOAD = re.compile(r"load (\d+) % on average; at most (\d+) us in a step")
_STEP = re.compile(r"step (\d+)((?: \d+=[0-9a-f]+)*) /((?: p\d+=\d+)*)((?: \d+=[0-9a-f]+)*)")
_ENTRY = re.compile(r"(\d+)=([0-9a-f]+)")
Entry: TypeAlias = tuple[int, str, Any]


class Text(NamedTuple):
    """A line that the controller printed, safe for terminals."""

    text: str


class Value(NamedTuple):
    """A value that has a name."""

    name: str
    """Safe for terminals."""
    value: float


class Message(NamedTuple):
    """A message of the firmware, safe for terminals."""

    text: str


class Step(NamedTuple):
    """A step of the controller."""

    elapsed: int
    """Its duration (ms)."""
    periods: list[Entry]
    """Sampling periods that were set: tag, enabling function, ms."""
    commands: list[Entry]
    """Tag, channel, value."""
    readings: list[Entry]


Said: TypeAlias = Text | Value | Message | Step


def read_value(line: str) -> Value | None:
    """Return the named value in a line ">name:value" (see wbridge/telemetry.h); None for any other line."""
    match = _VALUE.fullmatch(line.rstrip("\r"))
    return Value(printable(match[1]), float(match[2])) if match else None


class BoardOutput:
    """Splits the bytes of a board into what they say."""

    def __init__(self, numbering: Numbering | None = None, real: int = 4) -> None:
        """
        Args:
            numbering: the robot's channels; None: steps are left out.
            real: bytes of reals.
        """
        self._numbering, self._real = numbering, real
        self._rest = b""
        self._begun = ""
        """Begin of a line of the controller within which the firmware said something."""
        self._step: Step | None = None
        """The step whose readings are still to come."""
        self.damaged = 0
        """Reports of steps that could not be read."""

    def feed(self, data: bytes) -> Iterator[Said]:
        """Iterate over what is complete with further bytes."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            yield from self._line(line.decode("utf-8", "replace"))
        while len(self._rest) > LONGEST_LINE:
            piece, self._rest = self._rest[:LONGEST_LINE], self._rest[LONGEST_LINE:]
            yield Text(printable(piece.decode("utf-8", "replace")))

    def _line(self, line: str) -> Iterator[Said]:
        text, mark, own = line.partition(OWN)
        if mark:
            self._begun = (self._begun + text)[-LONGEST_LINE:]
            yield from self._own(own.rstrip("\r"))
            return
        line, self._begun = self._begun + line, ""
        yield read_value(line) or Text(printable(line.rstrip("\r")))

    def _own(self, text: str) -> Iterator[Said]:
        if (load := _LOAD.fullmatch(text)) is not None:
            yield Value("load %", float(load[1]))
            yield Value("longest computation ms", int(load[2]) / 1000)
        elif not text.startswith("step "):
            yield Message(printable(text))
        elif self._numbering is not None:
            yield from self._stepped(text, self._numbering)

    def _stepped(self, text: str, numbering: Numbering) -> Iterator[Step]:
        """Complete the last step with its readings, and begin the next one."""
        match = _STEP.fullmatch(text)
        try:
            if match is None or int(match[1]) > LONGEST_STEP_MS:
                raise MessageError("the report of a step was damaged on its way")
            readings, commands = (self._entries(text, numbering) for text in (match[2], match[4]))
            periods = [_period(n, ms, numbering) for n, ms in re.findall(r"p(\d+)=(\d+)", match[3])]
        except (MessageError, IndexError):
            self.damaged += 1
            return
        if self._step is not None:
            yield self._step._replace(readings=readings)
        self._step = Step(int(match[1]), periods, commands, [])

    def _entries(self, text: str, numbering: Numbering) -> list[Entry]:
        """Return tags, channels and values."""
        lines = []
        for number, data in _ENTRY.findall(text):
            channel = numbering.channels[int(number)]
            if len(data) % 2:
                raise MessageError(f"{channel.label} is cut off")
            value, end = decode_value(channel, bytes.fromhex(data), 0, self._real)
            if 2 * end != len(data):
                raise MessageError(f"{channel.label} has {len(data) // 2} bytes; expected {end}")
            lines.append((channel.tag, channel.name, value))
        return lines


def _period(number: str, period: str, numbering: Numbering) -> Entry:
    slot = numbering.slots[int(number)]
    return slot.tag, slot.function, int(period)
