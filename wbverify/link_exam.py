"""Examine how a board with the flavor `slave` keeps to the robot link, as clients of any kind use it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wbridge.hal.link.errors import MessageError
from wbridge.hal.link.messages import (
    ACKNOWLEDGE,
    ENABLE,
    LEAVE,
    REFUSED_BUSY,
    VERSION,
    Hello,
    ReadTable,
    Refusal,
    Request,
    Welcome,
    decode,
    encode,
    encode_sample,
)
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.pipe import FramedPipe
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.board_pins import EXAMINATION, BoardPins, PinComparison

__all__ = ["examine_link"]

ANSWER_S, NO_ANSWER_S = 1.0, 0.1
"""Board time (s) until an answer must have come, and after which there is none; less than the watchdog."""
WATCHDOG_MS, STEP_MS, MOVING_STEPS = 500, 32, 2
CLIENT, OTHER_CLIENT, SESSION = 0x1234ABCD, 0x5678CDEF, 7
BURST, GREETINGS = 4, 8
"""Messages that come while the board is busy with the first one, and those that fit into its buffer before
noise comes that does not."""
NOISE, PAUSE_S = bytes([0x55]) * 600, 0.1
"""Bytes without an end of a frame, and the time in which a board takes them."""
END_OF_FRAME = b"\0"


class _Client(NamedTuple):
    """A client that chooses each message itself."""

    framed: FramedPipe
    hash: bytes

    def ask(self, message: bytes, seconds: float = ANSWER_S) -> bytes | None:
        """Send a message, and return the answer."""
        self.framed.send(message)
        return self.framed.receive(seconds)

    def hello(self, client: int) -> bytes:
        """Return the message with which a client begins a session."""
        return encode(Hello(VERSION, SESSION, client, WATCHDOG_MS, self.hash, ""))

    def request(self, sequence: int, flags: int, entries: bytes = b"") -> bytes:
        """Return a message of the session."""
        return encode(Request(flags, SESSION, sequence, STEP_MS, WATCHDOG_MS, entries))

    def answers(self, count: int) -> float:
        """Return how many answers come, of so many."""
        return float(sum(self.framed.receive(ANSWER_S) is not None for _ in range(count)))


def examine_link(
    hardware: Hardware, framed: FramedPipe, pins: BoardPins, step: int
) -> Iterator[PinComparison]:
    """Examine a board that has no session.

    Raises:
        BenchError: the emulator has ended.
    """
    numbering = Numbering(hardware.table)
    client = _Client(framed, numbering.hash)
    checks = [*_ask(client), *_drive(client, hardware, numbering, pins), *_flood(client)]
    for tag, quantity, wanted, found in checks:
        yield PinComparison(step, tag, quantity, wanted, found, 0.0, EXAMINATION)


Check = tuple[int, str, float, float]
"""Tag, quantity, wanted and found."""


def _ask(client: _Client) -> Iterator[Check]:
    """Ask for the table, and again with a wrong CRC-32 in a whole frame, which has no answer."""
    asked = encode(ReadTable(0, 0))
    damaged = asked[:-1] + bytes([asked[-1] ^ 1])
    yield 0, "answer to a message", 1.0, float(client.ask(asked) is not None)
    yield 0, "answer to a message with a wrong CRC-32", 0.0, float(client.ask(damaged) is not None)
    for _ in range(BURST):
        client.framed.send(asked)
    yield 0, "answers to messages at once", BURST, client.answers(BURST)


def _drive(client: _Client, hardware: Hardware, numbering: Numbering, pins: BoardPins) -> Iterator[Check]:
    """Begin a session, let another client try to, and drive with and without the flag for motors."""
    welcome = _decoded(client.ask(client.hello(CLIENT)))
    yield 0, "welcome of a client", 1.0, float(isinstance(welcome, Welcome))
    if not isinstance(welcome, Welcome):
        return
    other = _decoded(client.ask(client.hello(OTHER_CLIENT)))
    refused = isinstance(other, Refusal) and other.reason == REFUSED_BUSY
    yield 0, "refusal of a second client", 1.0, float(refused)
    motors = [tag for tag, act in pins.actuators.items() if act.quantity == "velocity"]
    entries = b"".join(_full_speed(hardware, numbering, tag, welcome.real) for tag in motors)
    client.ask(client.request(1, ACKNOWLEDGE, entries))
    pins.wait(MOVING_STEPS)
    for tag in motors:
        yield tag, "motion that the client does not enable", 0.0, _moves(pins, tag)
    velocities = b"".join(_full_speed(hardware, numbering, tag, welcome.real, ["velocity"]) for tag in motors)
    client.ask(client.request(2, ENABLE, velocities))
    pins.wait(MOVING_STEPS)
    for tag in motors:
        yield tag, "motion by a velocity without a position", 0.0, _moves(pins, tag)
    yield from _repeat(client, client.request(3, ENABLE, entries))
    pins.wait(MOVING_STEPS)
    moving = [tag for tag in motors if _moves(pins, tag)]
    client.ask(client.request(4, LEAVE))
    pins.wait(MOVING_STEPS)
    for tag in moving:
        yield tag, "motion after the client has left", 0.0, _moves(pins, tag)


def _repeat(client: _Client, request: bytes) -> Iterator[Check]:
    """Send a request again, as after a lost answer, and one that is older, as after a detour."""
    first = client.ask(request)
    again = client.ask(request, NO_ANSWER_S)
    yield 0, "same answer to a repeated request", 1.0, float(first is not None and again == first)
    older = client.ask(client.request(1, 0), NO_ANSWER_S)
    yield 0, "answer to an old request", 0.0, float(older is not None)


def _flood(client: _Client) -> Iterator[Check]:
    """Send messages, and more noise after them than the board has room for; then a message again."""
    for _ in range(GREETINGS):
        client.framed.send(client.hello(CLIENT))
    client.framed.pipe.send(NOISE)
    yield 0, "answers to messages before noise", GREETINGS, client.answers(GREETINGS)
    client.framed.receive(PAUSE_S)
    client.framed.pipe.send(END_OF_FRAME)
    again = client.ask(encode(ReadTable(0, 0)))
    yield 0, "answer to a message after noise", 1.0, float(again is not None)


def _decoded(message: bytes | None) -> Any:
    try:
        return None if message is None else decode(message)
    except MessageError:
        return None


def _full_speed(
    hardware: Hardware,
    numbering: Numbering,
    tag: int,
    real: int,
    names: Sequence[str] = ("position", "velocity"),
) -> bytes:
    """Return the entries that let a motor turn without an end."""
    device = hardware.table.all[tag]
    values = {"position": math.inf, "velocity": float(device.constants["maxVelocity"])}
    channels = [(numbering.channel(tag, name), value) for name, value in values.items() if name in names]
    return b"".join(encode_sample(channel, value, real) for channel, value in channels if channel is not None)


def _moves(pins: BoardPins, tag: int) -> float:
    act = pins.actuators[tag]
    shown = pins.read(act)
    return float(act.drives(shown) or act.found(shown) != 0)
