"""How streams of bytes are cut into messages, and damaged ones are found out.

Serial lines and USB: zero byte, COBS of message and CRC-16, zero byte. TCP: length as u32, message. Decoders
take bytes as they come and never hold more than a limit.
"""

from __future__ import annotations

import struct
from binascii import crc_hqx
from collections.abc import Callable
from typing import Protocol

from wbridge.hal.link.errors import MessageError

__all__ = ["FRAMINGS", "MAX_MESSAGE", "CobsDecoder", "Decoder", "LengthDecoder"]
__all__ += ["cobs_decode", "cobs_encode", "crc16", "frame_cobs", "frame_length"]

MAX_MESSAGE = 1 << 24
"""Default maximum size of a message for decoders, in bytes."""
BLOCK = 254
"""Most bytes behind one code byte of COBS."""
CODES = [bytes([length + 1]) for length in range(BLOCK)]
"""Code bytes by the length of what follows."""
CRC = struct.Struct("<H")
LENGTH = struct.Struct("<I")
START = 0xFFFF


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, no reflection, no final exclusive or."""
    return crc_hqx(data, START)


def cobs_encode(data: bytes) -> bytes:
    """Consistent overhead byte stuffing (Cheshire and Baker, 1999): the same without a byte 0.

    A code byte n represents the n - 1 bytes after it and a zero; 255 represents 254 bytes without a zero.
    """
    runs = data.split(b"\0")
    if len(data) < BLOCK:
        return b"".join([CODES[len(run)] + run for run in runs])
    out = bytearray()
    for run in runs:
        while len(run) >= BLOCK:
            out.append(BLOCK + 1)
            out += run[:BLOCK]
            run = run[BLOCK:]
        out.append(len(run) + 1)
        out += run
    return bytes(out)


def cobs_decode(data: bytes) -> bytes:
    """What was encoded.

    Raises:
        MessageError: the bytes are not valid COBS.
    """
    if len(data) <= BLOCK and (message := _decode_short(data)) is not None:
        return message
    out, at = bytearray(), 0
    while at < len(data):
        code = data[at]
        run = data[at + 1 : at + code]
        if code == 0 or len(run) != code - 1 or 0 in run:
            raise MessageError("the bytes are not valid COBS")
        out += run
        at += code
        if code <= BLOCK and at < len(data):
            out.append(0)
    return bytes(out)


def _decode_short(data: bytes) -> bytes | None:
    """The same for a frame in which each code byte except the first represents a zero; else None."""
    if b"\0" in data:
        return None
    out, at, size = bytearray(data), 0, len(data)
    while at < size:
        out[at] = 0
        at += data[at]
    return bytes(out[1:]) if at == size else None


def frame_cobs(message: bytes) -> bytes:
    """A message as it goes over a serial line."""
    return b"\0" + cobs_encode(message + CRC.pack(crc16(message))) + b"\0"


def frame_length(message: bytes) -> bytes:
    """A message as it goes over TCP."""
    return LENGTH.pack(len(message)) + message


class Decoder(Protocol):
    """Cuts a stream of bytes into messages."""

    def feed(self, data: bytes) -> list[bytes]:
        """The messages that have become complete.

        Raises:
            MessageError: nothing that follows can be understood.
        """


class CobsDecoder:
    """Finds messages between zero bytes; damaged ones are dropped and counted."""

    def __init__(self, limit: int = MAX_MESSAGE) -> None:
        self._limit = limit + CRC.size + (limit + CRC.size) // BLOCK + 1
        self._buffer = bytearray()
        self._skipping = False
        self.dropped = 0
        """Number of damaged frames so far."""

    def feed(self, data: bytes) -> list[bytes]:
        """The messages that have become complete."""
        frames: list[bytes] = []
        *complete, rest = data.split(b"\0")
        for part in complete:
            if part or self._buffer or self._skipping:
                self._add(part)
                self._finish(frames)
        if rest:
            self._add(rest)
        return frames

    def _add(self, part: bytes) -> None:
        if len(self._buffer) + len(part) > self._limit:
            self._skipping = True
        if self._skipping:
            self._buffer.clear()
        else:
            self._buffer += part

    def _finish(self, frames: list[bytes]) -> None:
        frame, skipped = bytes(self._buffer), self._skipping
        self._buffer.clear()
        self._skipping = False
        message = None if skipped else _checked(frame)
        if message is not None:
            frames.append(message)
        else:
            self.dropped += 1


def _checked(frame: bytes) -> bytes | None:
    """The message in a frame; None when it is empty or damaged."""
    try:
        data = cobs_decode(frame)
    except MessageError:
        return None
    if len(data) <= CRC.size or CRC.unpack_from(data, len(data) - CRC.size)[0] != crc16(data[: -CRC.size]):
        return None
    return data[: -CRC.size]


class LengthDecoder:
    """Cuts messages by the length before each."""

    def __init__(self, limit: int = MAX_MESSAGE) -> None:
        self._limit = limit
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The messages that have become complete.

        Raises:
            MessageError: a length is 0 or above the limit: the place of the next one is unknown.
        """
        self._buffer += data
        frames: list[bytes] = []
        while len(self._buffer) >= LENGTH.size:
            (size,) = LENGTH.unpack_from(self._buffer)
            if not 0 < size <= self._limit:
                raise MessageError(f"a message of {size} bytes; allowed: 1 to {self._limit}")
            end = LENGTH.size + size
            if len(self._buffer) < end:
                break
            frames.append(bytes(self._buffer[LENGTH.size : end]))
            del self._buffer[:end]
        return frames


FRAMINGS: dict[str, tuple[Callable[[bytes], bytes], Callable[[], Decoder]]] = {
    "cobs": (frame_cobs, CobsDecoder),
    "length": (frame_length, LengthDecoder),
}
"""Encoders and decoders of messages, by name."""
