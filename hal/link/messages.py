"""The messages of the robot link as bytes: fixed layouts, little endian, a check of 32 bits at the end.

A controller sends Token, Hello, Request and ReadTable; a robot answers with Welcome, Reply, TablePart or
Refusal.
What a message says about the device table is a row of entries: a 16-bit number and what belongs to it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from wbridge.hal.link.errors import MessageError
from wbridge.hal.link.numbering import LinkChannel, Numbering, Slot
from wbridge.hal.link.values import decode_value, encode_value
from wbridge.hal.printable import printable

__all__ = [
    "ACKNOWLEDGE",
    "BUILD_BYTES",
    "CONTINUE",
    "ENABLE",
    "LATCHED",
    "LEAVE",
    "LONGEST_WATCHDOG",
    "LOST",
    "MORE",
    "PART",
    "REASONS",
    "VERSION",
    "VIRTUAL",
]
__all__ += ["REFUSED_BUSY", "REFUSED_MESSAGE", "REFUSED_SESSION", "REFUSED_TABLE", "REFUSED_TOKEN"]
__all__ += [
    "REFUSED_TOPIC",
    "REFUSED_VERSION",
    "Entries",
    "Hello",
    "Message",
    "ReadTable",
    "Refusal",
    "Reply",
    "Request",
]
__all__ += ["TablePart", "Token", "Welcome"]
__all__ += [
    "code_of",
    "decode",
    "decode_entries",
    "encode",
    "encode_period",
    "encode_sample",
    "overhead",
    "split_entries",
]

VERSION = 1
"""Of the robot link; Hello and Refusal look the same in all versions."""
BUILD_BYTES = 32
"""Longest name of a build, in bytes."""
LONGEST_WATCHDOG = 10_000
"""Longest time in ms that a robot goes on without its controller; more counts as this."""
PERIOD = 0x8000
"""This bit of an entry's number says: the rest is the number of a slot, its value a period."""

ENABLE, PART, CONTINUE, LEAVE, ACKNOWLEDGE = 1, 2, 4, 8, 16
"""Flags of a request: motors may move; more of this request follows; send what the last reply had no room
for; the controller ends; it knows of the robot's fault."""
MORE, LOST, LATCHED = 1, 2, 4
"""Flags of a reply: there is more, ask with CONTINUE; a value did not fit into any message and is lost; the
motors stay off until a request acknowledges the fault."""
VIRTUAL = 1
"""Flag of a welcome: the robot's time is simulated and passes only in steps. The flags from
`faults.FAULT_SHIFT` on are the number of a fault, 0 for none."""

REFUSED_VERSION, REFUSED_TABLE, REFUSED_BUSY, REFUSED_SESSION, REFUSED_MESSAGE, REFUSED_TOKEN = range(1, 7)
REFUSED_TOPIC = 7
REASONS = {
    REFUSED_VERSION: "it speaks a different version of the robot link",
    REFUSED_TABLE: "its device table is different",
    REFUSED_BUSY: "another controller drives it",
    REFUSED_SESSION: "this session has ended",
    REFUSED_MESSAGE: "it does not understand the message",
    REFUSED_TOKEN: "it requires a token, and this one is missing or wrong",
    REFUSED_TOPIC: "over MQTT each controller needs topics of its own, request/KEY and reply/KEY",
}

CHECK = struct.Struct("<I")
NUMBER = struct.Struct("<H")
PERIOD_ENTRY = struct.Struct("<HH")


class Hello(NamedTuple):
    """A controller begins a session."""

    version: int
    session: int
    client: int
    """A number that a controller draws when it starts, to be known again after a break."""
    watchdog: int
    """ms without a request after which the robot stops its motors and ends the session."""
    hash: bytes
    build: str
    """What the controller's side is, for people; ASCII."""


class Welcome(NamedTuple):
    """The robot has begun the session."""

    version: int
    session: int
    client: int
    request_limit: int
    """Size of the largest message that the robot can take, in bytes."""
    reply_limit: int
    """Size of the largest message that it sends, in bytes."""
    real: int
    """Width of its reals in bytes: 4 or 8."""
    flags: int
    hash: bytes
    build: str


class Refusal(NamedTuple):
    """The robot does not do what a message asks."""

    version: int
    session: int
    client: int
    sequence: int
    """Of the request; 0 when it was none."""
    reason: int
    hash: bytes
    build: str


class Request(NamedTuple):
    """One control step, or a part of it."""

    flags: int
    session: int
    sequence: int
    elapsed: int
    """Duration of the step in ms."""
    watchdog: int
    entries: bytes = b""


class Reply(NamedTuple):
    """The answer to a request."""

    flags: int
    session: int
    sequence: int
    delay: int
    """By how many ms the robot was late."""
    time: int
    """The robot's clock in ms; it wraps around after 2**32."""
    entries: bytes = b""


class ReadTable(NamedTuple):
    """Asks for a part of the robot's device table; needs no session."""

    session: int
    offset: int


class TablePart(NamedTuple):
    """A part of the canonical text of the robot's device table."""

    session: int
    offset: int
    total: int
    """Size of the text in bytes; 0: the robot does not carry it."""
    data: bytes = b""


class Token(NamedTuple):
    """Lets a controller in; the first message of a connection to a robot that requires a token."""

    data: bytes


Message: TypeAlias = Hello | Welcome | Refusal | Request | Reply | ReadTable | TablePart | Token

_LAYOUTS: dict[type[Message], tuple[int, struct.Struct, str]] = {
    # The code of each kind, its fields, and the last one: a build is a byte with its length and the text, the
    # rest is all bytes up to the check.
    Hello: (1, struct.Struct("<BHIH8s"), "build"),
    Welcome: (2, struct.Struct("<BHIIIBB8s"), "build"),
    Refusal: (3, struct.Struct("<BHIHB8s"), "build"),
    Request: (4, struct.Struct("<BHHHH"), "rest"),
    Reply: (5, struct.Struct("<BHHHI"), "rest"),
    ReadTable: (6, struct.Struct("<HI"), ""),
    TablePart: (7, struct.Struct("<HII"), "rest"),
    Token: (8, struct.Struct("<"), "rest"),
}
_KINDS: dict[int, Any] = {code: kind for kind, (code, _, _) in _LAYOUTS.items()}


def code_of(kind: type[Message]) -> int:
    """The first byte of all messages of a kind."""
    return _LAYOUTS[kind][0]


def overhead(kind: type[Message]) -> int:
    """Bytes of a message of a kind around its last field."""
    return 1 + _LAYOUTS[kind][1].size + CHECK.size


def encode(message: Message) -> bytes:
    """A message as bytes.

    Raises:
        MessageError: a number is out of its range.
    """
    code, layout, last = _LAYOUTS[type(message)]
    fields: Sequence[Any] = message[: len(message) - bool(last)]
    try:
        out = bytes([code]) + layout.pack(*fields)
    except struct.error as error:
        raise MessageError(f"{type(message).__name__}: {error}") from None
    if last == "build":
        build = message[-1].encode("ascii", "replace")[:BUILD_BYTES]  # type: ignore[union-attr]
        out += bytes([len(build)]) + build
    elif last:
        out += message[-1]  # type: ignore[operator]
    return out + CHECK.pack(zlib.crc32(out))


def decode(data: bytes) -> Any:
    """The message in some bytes: one of `Message`.

    Raises:
        MessageError: they are none, or damaged.
    """
    if len(data) < 1 + CHECK.size or CHECK.unpack_from(data, len(data) - CHECK.size)[0] != zlib.crc32(
        data[: -CHECK.size]
    ):
        raise MessageError("a damaged message")
    body = data[1 : -CHECK.size]
    if data[0] not in _KINDS:
        raise MessageError(f"unknown message kind {data[0]}")
    kind = _KINDS[data[0]]
    _, layout, last = _LAYOUTS[kind]
    if len(body) < layout.size:
        raise MessageError(f"{kind.__name__} is cut off")
    fields, rest = layout.unpack_from(body), body[layout.size :]
    if last == "rest":
        return kind(*fields, rest)
    if last == "build":
        return kind(*fields, _build(kind.__name__, rest))
    if rest:
        raise MessageError(f"{kind.__name__} is too long")
    return kind(*fields)


def _build(kind: str, rest: bytes) -> str:
    text = rest[1:]
    if len(rest) < 1 or rest[0] != len(text) or rest[0] > BUILD_BYTES:
        raise MessageError(f"{kind} has an invalid build name")
    return printable(text.decode("ascii", "replace"))


# Entries.


class Entries(NamedTuple):
    """The entries of a request or reply."""

    periods: list[tuple[Slot, int]]
    """Sampling periods in ms; 0 is off."""
    samples: list[tuple[LinkChannel, Any]]
    """Values in the order in which they were set."""


def encode_period(slot: Slot, period: int) -> bytes:
    """An entry with a sampling period in ms."""
    try:
        return PERIOD_ENTRY.pack(PERIOD | slot.number, period)
    except struct.error:
        raise MessageError(f"{slot.device}: a sampling period of {period} ms; allowed: 0 to 65535") from None


def encode_sample(channel: LinkChannel, value: Any, real: int) -> bytes:
    """An entry with a value of a channel.

    Raises:
        MessageError: the value does not fit the channel.
    """
    return NUMBER.pack(channel.number) + encode_value(channel, value, real)


def decode_entries(data: bytes, numbering: Numbering, direction: str, real: int) -> Entries:
    """The entries in some bytes.

    Args:
        data: the end of a request or reply.
        numbering: of the device table.
        direction: direction of the channels: "act" in a request, "sense" in a reply.
        real: width of reals in bytes.

    Raises:
        MessageError: one of them is wrong; then none must be heeded.
    """
    entries, at = Entries([], []), 0
    while at < len(data):
        if len(data) - at < NUMBER.size:
            raise MessageError("the number of an entry is truncated")
        (number,) = NUMBER.unpack_from(data, at)
        if number & PERIOD:
            at = _decode_period(data, at, number & ~PERIOD, numbering, entries)
            continue
        if number >= len(numbering.channels) or numbering.channels[number].direction != direction:
            raise MessageError(f"{number} is not a channel that is allowed here ({direction})")
        channel = numbering.channels[number]
        value, at = decode_value(channel, data, at + NUMBER.size, real)
        entries.samples.append((channel, value))
    return entries


def _decode_period(data: bytes, at: int, number: int, numbering: Numbering, entries: Entries) -> int:
    if number >= len(numbering.slots):
        raise MessageError(f"slot {number} does not exist")
    if len(data) - at < PERIOD_ENTRY.size:
        raise MessageError("a sampling period is truncated")
    entries.periods.append((numbering.slots[number], PERIOD_ENTRY.unpack_from(data, at)[1]))
    return at + PERIOD_ENTRY.size


def split_entries(entries: Iterable[bytes], room: int) -> tuple[list[bytes], list[bytes]]:
    """Entries put together into blocks of at most `room` bytes, in their order; and those that fit into none.

    There is always at least one block.
    """
    entries = list(entries)
    whole = b"".join(entries)
    if len(whole) <= room:
        return [whole], []
    blocks, too_large = [bytearray()], []
    for entry in entries:
        if len(entry) > room:
            too_large.append(entry)
            continue
        if len(blocks[-1]) + len(entry) > room:
            blocks.append(bytearray())
        blocks[-1] += entry
    return [bytes(block) for block in blocks], too_large
