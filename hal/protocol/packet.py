"""Packets: how requests and answers are framed, locally and over TCP.

The readers take bytes as they arrive (`feed`) and give packets when they are whole. They do no I/O, so they
serve blocking sockets, event loops and functions alike; what they hold never exceeds the limit.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from typing import NamedTuple

from hal.protocol.errors import ProtocolError

__all__ = ["GOOD_BYE", "LIMIT", "Answer", "AnswerReader", "AnswerWriter", "Block", "Image", "Request"]
__all__ += ["RequestReader", "answer_head", "block_head", "read_answer", "read_request", "request_head"]
__all__ += ["write_answer", "write_request"]

LIMIT = 256 * 2**20
"""Most bytes of one packet; a sound or a picture may be large."""
GOOD_BYE = struct.pack("<i", 0)
"""The last bytes of a controller before it closes the connection."""
UNASKED = -1
"""The delay of an answer that answers nothing."""
MAX_DEVICES = 65536

_REQUEST = struct.Struct("<iI")
_BLOCK = struct.Struct("<Hi")
_ANSWER = struct.Struct("<ii")
_TCP = struct.Struct("<Hi")
_CHUNK = struct.Struct("<IB")
_IMAGE = struct.Struct("<HB")
DATA, IMAGE = 0, 1


class Block(NamedTuple):
    """What a request says about one device."""

    tag: int
    data: bytes
    """Commands one after the other."""


class Request(NamedTuple):
    """One packet of the controller."""

    duration: int
    """Milliseconds that shall pass; 0: answer at once."""
    blocks: list[Block]


class Image(NamedTuple):
    """Pixels that came in a chunk of their own."""

    tag: int
    code: int
    """0: picture; 9: segmentation picture."""
    pixels: bytes


class Answer(NamedTuple):
    """One packet of the simulator."""

    delay: int
    """What `wb_robot_step` returns, in ms; -1: nobody asked, the answer is still to come."""
    data: bytes
    """Messages one after the other."""
    images: list[Image]


def request_head(size: int, duration: int) -> bytes:
    """What a request of `size` bytes begins with."""
    return _REQUEST.pack(size, duration)


def block_head(tag: int, size: int) -> bytes:
    """What stands in front of `size` bytes for a device."""
    return _BLOCK.pack(tag, size)


def write_request(duration: int, blocks: Iterable[tuple[int, bytes | bytearray]] = ()) -> bytes:
    """The bytes of a request.

    Raises:
        ProtocolError: the duration is not within 0 to 2**32 - 1.
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
    """A whole request.

    Raises:
        ProtocolError: a block does not fit into the packet.
    """
    if len(packet) < _REQUEST.size:
        raise ProtocolError(f"a request of {len(packet)} bytes; the shortest has {_REQUEST.size}")
    _, duration = _REQUEST.unpack_from(packet)
    at, blocks = _REQUEST.size, []
    while at < len(packet):
        if len(packet) - at < _BLOCK.size:
            raise ProtocolError("the head of a block is cut off")
        tag, size = _BLOCK.unpack_from(packet, at)
        at += _BLOCK.size
        if not 0 <= size <= len(packet) - at:
            raise ProtocolError(f"a block of {size} bytes for device {tag} where {len(packet) - at} are left")
        blocks.append(Block(tag, packet[at : at + size]))
        at += size
    return Request(duration, blocks)


class RequestReader:
    """Cuts a controller's bytes into requests."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._buffer, self._limit = bytearray(), limit
        self.ended = False
        """The controller has said good bye; nothing may follow."""

    @property
    def is_empty(self) -> bool:
        """True when no part of a packet waits for the rest of it."""
        return not self._buffer and not self.ended

    def feed(self, data: bytes) -> list[Request]:
        """Take bytes; the requests that are whole by them.

        Raises:
            ProtocolError: the bytes are no requests.
        """
        self._buffer += data
        done: list[Request] = []
        while not self.ended and len(self._buffer) >= 4:
            size = int.from_bytes(self._buffer[:4], "little", signed=True)
            if size == 0:
                self.ended = True
                del self._buffer[:4]
            else:
                _check_size(size, _REQUEST.size, self._limit)
                if len(self._buffer) < size:
                    break
                done.append(read_request(bytes(self._buffer[:size])))
                del self._buffer[:size]
        if self.ended and self._buffer:
            raise ProtocolError(f"{len(self._buffer)} bytes behind the good bye")
        return done


class AnswerWriter:
    """Collects the messages of one answer; codecs write into `out`."""

    def __init__(self, delay: int = 0) -> None:
        self.delay = delay
        self.out = bytearray()
        self._chunks: list[tuple[int, bytes]] = []

    def image(self, tag: int, code: int, pixels: bytes) -> None:
        """Add pixels (TCP only; locally they lie in shared files)."""
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


def answer_head(size: int) -> bytes:
    """What an answer with `size` bytes of messages begins with, when it comes in time."""
    return _ANSWER.pack(_ANSWER.size + size, 0)


def write_answer(delay: int, messages: bytes) -> bytes:
    """The packet of an answer for a local connection."""
    return _ANSWER.pack(_ANSWER.size + len(messages), delay) + messages


def read_answer(packet: bytes) -> Answer:
    """A whole answer as it comes by a local connection.

    Raises:
        ProtocolError: the bytes are no answer.
    """
    if len(packet) < _ANSWER.size:
        raise ProtocolError(f"an answer of {len(packet)} bytes; the shortest has {_ANSWER.size}")
    size, delay = _ANSWER.unpack_from(packet)
    if size != len(packet):
        raise ProtocolError(f"an answer of {len(packet)} bytes that says it has {size}")
    return Answer(_check_delay(delay), packet[_ANSWER.size :], [])


class AnswerReader:
    """Cuts a simulator's bytes into answers."""

    def __init__(self, tcp: bool = False, limit: int = LIMIT) -> None:
        self._buffer, self._limit = bytearray(), limit
        self._is_tcp = tcp
        self._cut: Callable[[], tuple[Answer, int] | None] = self._cut_tcp if tcp else self._cut_local

    def is_whole(self, data: bytes) -> bool:
        """True if these bytes are just one whole packet for `read_answer`; else use `feed`."""
        if self._buffer or self._is_tcp:
            return False
        return len(data) >= _ANSWER.size and int.from_bytes(data[:4], "little", signed=True) == len(data)

    def feed(self, data: bytes) -> list[Answer]:
        """Take bytes; the answers that are whole by them.

        Raises:
            ProtocolError: the bytes are no answers.
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
            raise ProtocolError(f"chunks with {len(data)} bytes of data, announced were {total}")
        delay = int.from_bytes(data[:4], "little", signed=True)
        return Answer(_check_delay(delay), bytes(data[4:]), images), at


def _check_delay(delay: int) -> int:
    if delay < UNASKED:
        raise ProtocolError(f"a delay of {delay} ms; allowed: -1 or more")
    return delay


def _check_size(size: int, least: int, limit: int) -> None:
    if not least <= size <= limit:
        raise ProtocolError(f"a packet of {size} bytes; allowed: {least} to {limit}")
