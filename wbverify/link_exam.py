"""Examine how a board with the flavor `slave` keeps to the robot link, as clients of any kind use it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
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


class Check(NamedTuple):
    """What was examined."""

    tag: int
    """Of the device; 0: the link itself."""
    quantity: str
    wanted: float
    shown: float


class Motors(NamedTuple):
    """The motors that are driven by velocities, as the pins of the board show them."""

    tags: list[int]
    moves: Callable[[int], bool]
    """Whether the pins of a motor drive it, by its tag."""
    wait: Callable[[int], object]
    """Let the board make steps."""


def examine_link(hardware: Hardware, framed: FramedPipe, motors: Motors) -> Iterator[Check]:
    """Examine a board that has no session.

    Raises:
        BenchError: the emulator has ended.
    """
    numbering = Numbering(hardware.table)
    client = _Client(framed, numbering.hash)
    yield from _ask(client)
    yield from _drive(client, hardware, numbering, motors)
    yield from _flood(client)


def _ask(client: _Client) -> Iterator[Check]:
    """Ask for the table, and again with a wrong CRC-32 in a whole frame, which has no answer."""
    asked = encode(ReadTable(0, 0))
    damaged = asked[:-1] + bytes([asked[-1] ^ 1])
    yield Check(0, "answer to a message", 1.0, float(client.ask(asked) is not None))
    yield Check(0, "answer to a message with a wrong CRC-32", 0.0, float(client.ask(damaged) is not None))
    for _ in range(BURST):
        client.framed.send(asked)
    yield Check(0, "answers to messages at once", BURST, client.answers(BURST))


def _drive(client: _Client, hardware: Hardware, numbering: Numbering, motors: Motors) -> Iterator[Check]:
    """Begin a session, let another client try to, and drive with and without the flag for motors."""
    welcome = _decoded(client.ask(client.hello(CLIENT)))
    yield Check(0, "welcome of a client", 1.0, float(isinstance(welcome, Welcome)))
    if not isinstance(welcome, Welcome):
        return
    other = _decoded(client.ask(client.hello(OTHER_CLIENT)))
    refused = isinstance(other, Refusal) and other.reason == REFUSED_BUSY
    yield Check(0, "refusal of a second client", 1.0, float(refused))
    tags = motors.tags
    entries = b"".join(_full_speed(hardware, numbering, tag, welcome.real) for tag in tags)
    client.ask(client.request(1, ACKNOWLEDGE, entries))
    motors.wait(MOVING_STEPS)
    for tag in tags:
        yield Check(tag, "motion that the client does not enable", 0.0, float(motors.moves(tag)))
    velocities = b"".join(_full_speed(hardware, numbering, tag, welcome.real, ["velocity"]) for tag in tags)
    client.ask(client.request(2, ENABLE, velocities))
    motors.wait(MOVING_STEPS)
    for tag in tags:
        yield Check(tag, "motion by a velocity without a position", 0.0, float(motors.moves(tag)))
    yield from _repeat(client, client.request(3, ENABLE, entries))
    motors.wait(MOVING_STEPS)
    moving = [tag for tag in tags if motors.moves(tag)]
    client.ask(client.request(4, LEAVE))
    motors.wait(MOVING_STEPS)
    for tag in moving:
        yield Check(tag, "motion after the client has left", 0.0, float(motors.moves(tag)))


def _repeat(client: _Client, request: bytes) -> Iterator[Check]:
    """Send a request again, as after a lost answer, and one that is older, as after a detour."""
    first = client.ask(request)
    again = client.ask(request, NO_ANSWER_S)
    yield Check(0, "same answer to a repeated request", 1.0, float(first is not None and again == first))
    older = client.ask(client.request(1, 0), NO_ANSWER_S)
    yield Check(0, "answer to an old request", 0.0, float(older is not None))


def _flood(client: _Client) -> Iterator[Check]:
    """Send messages, and more noise after them than the board has room for; then a message again."""
    for _ in range(GREETINGS):
        client.framed.send(client.hello(CLIENT))
    client.framed.pipe.send(NOISE)
    yield Check(0, "answers to messages before noise", GREETINGS, client.answers(GREETINGS))
    client.framed.receive(PAUSE_S)
    client.framed.pipe.send(END_OF_FRAME)
    again = client.ask(encode(ReadTable(0, 0)))
    yield Check(0, "answer to a message after noise", 1.0, float(again is not None))


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
