"""Packets: the framing of requests and answers, locally and over TCP.

The readers accept bytes as they arrive (`feed`) and return complete packets. They perform no I/O, so they can
be used with blocking sockets, event loops and function calls; their buffers never exceed the limit.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from typing import NamedTuple

from wbridge.hal.protocol.errors import ProtocolError

LIMIT = 256 * 2**20
"""Maximum size of a packet, in bytes; sounds and images can be large."""
GOOD_BYE = struct.pack("<i", 0)
"""The last bytes that a controller sends before it closes the connection."""
UNASKED = -1
"""The delay in a packet that is not the answer to a request."""
AWAKEN = -1
AWAKEN_SIMULATOR = struct.pack("<i", AWAKEN)
"""Bytes in place of a request that have no effect (see wbridge.hal.protocol.shared_memory)."""
AWAKEN_CONTROLLER = struct.pack("<ii", 8, UNASKED)
"""An answer that has no effect."""
DELIVERED = b"delivered"
"""In the simulator's process: in place of an answer without delay whose messages were delivered already."""

_REQUEST = struct.Struct("<iI")
_BLOCK = struct.Struct("<Hi")
_ANSWER = struct.Struct("<ii")
_TCP = struct.Struct("<Hi")
_CHUNK = struct.Struct("<IB")
_IMAGE = struct.Struct("<HB")
DATA, IMAGE = 0, 1


class Block(NamedTuple):
    """The commands of a request to one device."""

    tag: int
    data: bytes
    """A sequence of commands."""


class Request(NamedTuple):
    """A packet from the controller."""

    duration: int
    """Duration of the step, in ms; 0: answer immediately."""
    blocks: list[Block]


class Image(NamedTuple):
    """Pixels that arrived in a separate chunk."""

    tag: int
    code: int
    """0: image; 9: segmentation image."""
    pixels: bytes


class Answer(NamedTuple):
    """A packet from the simulator."""

    delay: int
    """What `wb_robot_step` returns, in ms; -1: nobody asked, the answer is still to come."""
    data: bytes
    """A sequence of messages."""
    images: list[Image]


def request_head(size: int, duration: int) -> bytes:
    """The header of a request of `size` bytes."""
    return _REQUEST.pack(size, duration)


def block_head(tag: int, size: int) -> bytes:
    """The header of a block of `size` bytes for a device."""
    return _BLOCK.pack(tag, size)


def write_request(duration: int, blocks: Iterable[tuple[int, bytes | bytearray]] = ()) -> bytes:
    """Encode a request.

    Raises:
        ProtocolError: the duration is outside the range 0 to 2**32 - 1.
    """
    out = bytearray(_REQUEST.size)
    for tag, data in blocks:
        out += _BLOCK.pack(tag, len(data))
        out += data
    try:
        _REQUEST.pack_into(out, 0, len(out), duration)
    except struct.error:
        raise ProtocolError(f"a step of {duration!r} ms; allowed: 0 to 4294967295") from None
    return bytes(out)


def read_request(packet: bytes) -> Request:
    """Decode a complete request.

    Raises:
        ProtocolError: a block exceeds the packet.
    """
    if len(packet) < _REQUEST.size:
        raise ProtocolError(f"a request of {len(packet)} bytes; the minimum is {_REQUEST.size}")
    _, duration = _REQUEST.unpack_from(packet)
    at, blocks = _REQUEST.size, []
    while at < len(packet):
        if len(packet) - at < _BLOCK.size:
            raise ProtocolError("a block header is truncated")
        tag, size = _BLOCK.unpack_from(packet, at)
        at += _BLOCK.size
        if not 0 <= size <= len(packet) - at:
            raise ProtocolError(f"a block of {size} bytes for device {tag} with {len(packet) - at} remaining")
        blocks.append(Block(tag, packet[at : at + size]))
        at += size
    return Request(duration, blocks)


class RequestReader:
    """Splits a controller's byte stream into requests."""

    def __init__(self, limit: int = LIMIT, shares_memory: bool = False) -> None:
        """
        Args:
            limit: maximum size of a request, in bytes.
            shares_memory: AWAKEN_SIMULATOR may occur between requests.
        """
        self._buffer, self._limit, self._shares_memory = bytearray(), limit, shares_memory
        self.ended = False
        """True after the controller's last bytes; nothing may follow."""

    @property
    def is_empty(self) -> bool:
        """True if the buffer contains no incomplete packet."""
        return not self._buffer and not self.ended

    def feed(self, data: bytes) -> list[Request]:
        """Add received bytes, and return the requests that they complete.

        Raises:
            ProtocolError: the bytes are not valid requests.
        """
        self._buffer += data
        done: list[Request] = []
        while not self.ended and len(self._buffer) >= 4:
            size = int.from_bytes(self._buffer[:4], "little", signed=True)
            if size == 0:
                self.ended = True
                del self._buffer[:4]
            elif self._shares_memory and size == AWAKEN:
                del self._buffer[:4]
            else:
                _check_size(size, _REQUEST.size, self._limit)
                if len(self._buffer) < size:
                    break
                done.append(read_request(bytes(self._buffer[:size])))
                del self._buffer[:size]
        is_awakened = self._shares_memory and self._buffer == AWAKEN_SIMULATOR
        if self.ended and self._buffer and not is_awakened:
            raise ProtocolError(f"{len(self._buffer)} bytes after the end of the connection")
        return done


class AnswerWriter:
    """Collects the messages of an answer; codecs write to `out`."""

    def __init__(self, delay: int = 0) -> None:
        self.delay = delay
        self.out = bytearray()
        self._chunks: list[tuple[int, bytes]] = []

    def image(self, tag: int, code: int, pixels: bytes) -> None:
        """Add pixels (TCP only; local connections use shared files)."""
        self._cut()
        head = _CHUNK.pack(len(pixels), IMAGE) + _IMAGE.pack(tag, code)
        self._chunks.append((0, head + pixels))

    def local(self) -> bytes:
        """The packet for a local connection."""
        return _ANSWER.pack(_ANSWER.size + len(self.out), self.delay) + self.out

    def tcp(self) -> bytes:
        """The packet for a TCP connection."""
        self._cut()
        total = sum(size for size, _ in self._chunks)
        return _TCP.pack(len(self._chunks), total) + b"".join(chunk for _, chunk in self._chunks)

    def _cut(self) -> None:
        delay = b"" if self._chunks else struct.pack("<i", self.delay)
        data = delay + self.out
        if data:
            self._chunks.append((len(data), _CHUNK.pack(len(data), DATA) + data))
            self.out.clear()


def write_answer(delay: int, messages: bytes) -> bytes:
    """The packet of an answer for a local connection."""
    return _ANSWER.pack(_ANSWER.size + len(messages), delay) + messages


def read_answer(packet: bytes) -> Answer:
    """Decode a complete answer from a local connection.

    Raises:
        ProtocolError: the bytes are not a valid answer.
    """
    if len(packet) < _ANSWER.size:
        raise ProtocolError(f"an answer of {len(packet)} bytes; the minimum is {_ANSWER.size}")
    size, delay = _ANSWER.unpack_from(packet)
    if size != len(packet):
        raise ProtocolError(f"an answer of {len(packet)} bytes whose header states {size}")
    return Answer(_check_delay(delay), packet[_ANSWER.size :], [])


class AnswerReader:
    """Splits a simulator's byte stream into answers."""

    def __init__(self, tcp: bool = False, limit: int = LIMIT) -> None:
        self._buffer, self._limit = bytearray(), limit
        self._is_tcp = tcp
        self._cut: Callable[[], tuple[Answer, int] | None] = self._cut_tcp if tcp else self._cut_local

    def is_whole(self, data: bytes) -> bool:
        """True if the bytes are exactly one complete packet for `read_answer`; else use `feed`."""
        if self._buffer or self._is_tcp:
            return False
        return len(data) >= _ANSWER.size and int.from_bytes(data[:4], "little", signed=True) == len(data)

    def feed(self, data: bytes) -> list[Answer]:
        """Add received bytes, and return the answers that they complete.

        Raises:
            ProtocolError: the bytes are not valid answers.
        """
        self._buffer += data
        done: list[Answer] = []
        while found := self._cut():
            answer, size = found
            done.append(answer)
            del self._buffer[:size]
        return done

    def _cut_local(self) -> tuple[Answer, int] | None:
        buffer = self._buffer
        if len(buffer) < 4:
            return None
        size = int.from_bytes(buffer[:4], "little", signed=True)
        _check_size(size, _ANSWER.size, self._limit)
        if len(buffer) < size:
            return None
        _, delay = _ANSWER.unpack_from(buffer)
        return Answer(_check_delay(delay), bytes(buffer[_ANSWER.size : size]), []), size

    def _cut_tcp(self) -> tuple[Answer, int] | None:
        buffer = self._buffer
        if len(buffer) < _TCP.size:
            return None
        chunks, total = _TCP.unpack_from(buffer)
        if chunks == 0 or not 4 <= total <= self._limit:
            raise ProtocolError(f"an answer of {chunks} chunks with {total} bytes of data")
        at, data, images = _TCP.size, bytearray(), []
        for _ in range(chunks):
            if len(buffer) < at + _CHUNK.size:
                return None
            size, kind = _CHUNK.unpack_from(buffer, at)
            head = _CHUNK.size + (_IMAGE.size if kind == IMAGE else 0)
            if kind not in (DATA, IMAGE) or at + head + size > self._limit:
                raise ProtocolError(f"a chunk of type {kind} with {size} bytes")
            if len(buffer) < at + head + size:
                return None
            content = bytes(buffer[at + head : at + head + size])
            if kind == DATA:
                data += content
            else:
                tag, code = _IMAGE.unpack_from(buffer, at + _CHUNK.size)
                images.append(Image(tag, code, content))
            at += head + size
        if len(data) != total:
            raise ProtocolError(f"chunks with {len(data)} bytes of data; the header states {total}")
        delay = int.from_bytes(data[:4], "little", signed=True)
        return Answer(_check_delay(delay), bytes(data[4:]), images), at


def _check_delay(delay: int) -> int:
    if delay < UNASKED:
        raise ProtocolError(f"a delay of {delay} ms; allowed: -1 or more")
    return delay


def _check_size(size: int, least: int, limit: int) -> None:
    if not least <= size <= limit:
        raise ProtocolError(f"a packet of {size} bytes; allowed: {least} to {limit}")
