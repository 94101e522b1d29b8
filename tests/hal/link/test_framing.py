"""Framing: messages survive any cutting of the stream; damage is dropped and never stalls it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wbridge.hal.link.errors import MessageError
from wbridge.hal.link.framing import (
    FRAMINGS,
    CobsDecoder,
    LengthDecoder,
    cobs_decode,
    cobs_encode,
    crc16,
    frame_cobs,
    frame_length,
)


def test_the_crc_has_the_published_check_value():
    assert crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize(
    ("plain", "stuffed"),
    [
        ("00", "0101"),
        ("0000", "010101"),
        ("11220033", "0311220233"),
        ("11000000", "0211010101"),
    ],
)
def test_cobs_has_the_published_examples(plain: str, stuffed: str):
    assert cobs_encode(bytes.fromhex(plain)).hex() == stuffed
    assert cobs_decode(bytes.fromhex(stuffed)).hex() == plain


@pytest.mark.parametrize("size", [1, 253, 254, 255, 508, 509, 1000])
@pytest.mark.parametrize("zeros", [0.0, 0.01, 0.5])
def test_cobs_holds_no_zero_and_goes_there_and_back(size: int, zeros: float):
    chance = random.Random(size)
    data = bytes(0 if chance.random() < zeros else chance.randrange(1, 256) for _ in range(size))
    assert 0 not in cobs_encode(data)
    assert cobs_decode(cobs_encode(data)) == data


@pytest.mark.parametrize("data", [b"\0", b"\5ab", b"\2\0", b"\xff" + b"x" * 253])
def test_what_is_no_cobs_is_an_error(data: bytes):
    with pytest.raises(MessageError):
        cobs_decode(data)


@pytest.mark.parametrize("framing", FRAMINGS)
@given(messages=st.lists(st.binary(min_size=1, max_size=600), max_size=4), cuts=st.integers(1, 40))
def test_messages_survive_any_cutting(framing: str, messages: list[bytes], cuts: int):
    frame, make = FRAMINGS[framing]
    stream, decoder = b"".join(map(frame, messages)), make()
    found = [one for at in range(0, len(stream), cuts) for one in decoder.feed(stream[at : at + cuts])]
    assert found == messages


@given(st.binary(max_size=200))
def test_after_garbage_the_next_frame_is_found(garbage: bytes):
    decoder = CobsDecoder()
    decoder.feed(garbage)
    assert decoder.feed(frame_cobs(b"message"))[-1] == b"message"


def test_every_frame_with_one_wrong_byte_is_dropped():
    frame = frame_cobs(b"\1\0motor\0\0\7")
    for place in range(1, len(frame) - 1):
        for value in set(range(256)) - {frame[place]}:
            damaged = frame[:place] + bytes([value]) + frame[place + 1 :]
            assert CobsDecoder().feed(damaged) == []


def test_dropped_frames_are_counted_and_empty_ones_are_not():
    decoder = CobsDecoder()
    decoder.feed(b"\0\0\0\2a\0" + frame_cobs(b"fine") + b"\0\0")
    assert decoder.dropped == 1


def test_an_endless_frame_takes_no_memory():
    decoder = CobsDecoder(limit=64)
    for _ in range(1000):
        assert decoder.feed(b"x" * 100) == []
    assert len(decoder._buffer) <= 67
    assert decoder.feed(frame_cobs(b"y" * 64)) == [b"y" * 64]


def test_a_frame_above_the_limit_is_dropped():
    decoder = CobsDecoder(limit=64)
    assert decoder.feed(frame_cobs(b"y" * 66)) == []
    assert decoder.dropped == 1


@pytest.mark.parametrize("size", [0, 65, 2**32 - 1])
def test_a_length_that_cannot_be_is_an_error_at_once(size: int):
    with pytest.raises(MessageError, match="1 to 64"):
        LengthDecoder(limit=64).feed(size.to_bytes(4, "little"))


def test_a_length_decoder_waits_for_the_whole_message():
    decoder = LengthDecoder()
    data = frame_length(b"abc")
    assert decoder.feed(data[:-1]) == []
    assert decoder.feed(data[-1:]) == [b"abc"]
