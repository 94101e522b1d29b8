"""Packets: golden bytes, pieces of any size, and input that is none."""

import random
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import (
    GOOD_BYE,
    Answer,
    AnswerReader,
    AnswerWriter,
    Block,
    Image,
    Request,
    RequestReader,
    read_request,
    write_request,
)

FIRST = bytes.fromhex("11000000 00000000 0000 03000000 230000")


def test_the_first_request_of_a_controller():
    assert write_request(0, [(0, b"\x23\0\0")]) == FIRST
    assert read_request(FIRST) == Request(0, [Block(0, b"\x23\0\0")])


def test_an_empty_step_has_eight_bytes():
    assert write_request(32) == bytes.fromhex("08000000 20000000")


def test_a_negative_duration_is_refused():
    with pytest.raises(ProtocolError, match="-1 ms"):
        write_request(-1)


def answer_bytes(tcp: bool) -> bytes:
    writer = AnswerWriter(8)
    writer.out += b"abc"
    if tcp:
        writer.image(2, 0, b"pixels")
        writer.out += b"def"
        return writer.tcp()
    writer.out += b"def"
    return writer.local()


def test_a_local_answer():
    assert answer_bytes(False) == bytes.fromhex("0e000000 08000000") + b"abcdef"


def test_an_answer_over_tcp():
    expected = struct.pack("<Hi", 3, 10) + struct.pack("<IBi", 7, 0, 8) + b"abc"
    expected += struct.pack("<IBHB", 6, 1, 2, 0) + b"pixels" + struct.pack("<IB", 3, 0) + b"def"
    assert answer_bytes(True) == expected


@pytest.mark.parametrize("tcp", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_answers_in_pieces_are_the_same_answers(tcp: bool, size: int):
    images = [Image(2, 0, b"pixels")] if tcp else []
    raw, reader, found = answer_bytes(tcp) * 3, AnswerReader(tcp), []
    for at in range(0, len(raw), size):
        found += reader.feed(raw[at : at + size])
    assert found == [Answer(8, b"abcdef", images)] * 3


@pytest.mark.parametrize("size", [1, 5, 100])
def test_requests_in_pieces_are_the_same_requests(size: int):
    raw, reader, found = FIRST * 2 + GOOD_BYE, RequestReader(), []
    for at in range(0, len(raw), size):
        found += reader.feed(raw[at : at + size])
    assert found == [read_request(FIRST)] * 2
    assert reader.ended


def test_nothing_follows_the_good_bye():
    with pytest.raises(ProtocolError, match="after the end of the connection"):
        RequestReader().feed(GOOD_BYE + b"x")


@pytest.mark.parametrize("size", [-1, 1, 7, 2**28 + 1, 2**31 - 1])
def test_impossible_sizes_are_refused_at_once(size: int):
    for reader in (RequestReader(), AnswerReader()):
        with pytest.raises(ProtocolError, match=f"a packet of {size} bytes"):
            reader.feed(struct.pack("<i", size))


@pytest.mark.parametrize(
    "raw",
    [
        struct.pack("<Hi", 0, 4),
        struct.pack("<Hi", 1, 3),
        struct.pack("<Hi", 1, 2**30),
        struct.pack("<HiIB", 1, 4, 4, 2),
        struct.pack("<HiIBi", 1, 5, 4, 0, 0),
        struct.pack("<HiIB", 1, 4, 2**31, 0),
        struct.pack("<HiIBi", 1, 4, 4, 0, -2),
    ],
)
def test_impossible_answers_over_tcp_are_refused(raw: bytes):
    with pytest.raises(ProtocolError):
        AnswerReader(tcp=True).feed(raw)


@pytest.mark.parametrize("block", ["0000", "0000 05000000 00", "0000 ffffffff"])
def test_a_block_that_does_not_fit_is_refused(block: str):
    data = bytes.fromhex(block)
    with pytest.raises(ProtocolError):
        read_request(struct.pack("<iI", 8 + len(data), 0) + data)


@given(
    st.binary(max_size=200), st.sampled_from([RequestReader, AnswerReader, lambda: AnswerReader(tcp=True)])
)
@settings(max_examples=300)
def test_garbage_is_refused_or_waits_for_more(data: bytes, make):
    reader = make()
    try:
        reader.feed(data)
    except ProtocolError:
        return
    assert len(reader._buffer) <= len(data)


def test_damaged_packets_end_in_a_protocol_error_or_packets():
    chance = random.Random(3)
    for _ in range(2000):
        raw = bytearray(answer_bytes(True))
        for _ in range(chance.randrange(1, 4)):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        try:
            AnswerReader(tcp=True).feed(bytes(raw))
        except ProtocolError:
            continue
