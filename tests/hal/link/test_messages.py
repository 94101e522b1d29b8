"""Messages as bytes: there and back, damage, and entries about a device table."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wbridge.hal.link import messages as m
from wbridge.hal.link.errors import MessageError
from wbridge.hal.link.numbering import Numbering

HASH = bytes(range(8))
MESSAGES: list[Any] = [
    m.Hello(1, 2, 3, 500, HASH, "abc"),
    m.Welcome(1, 2, 3, 64, 1 << 20, 4, m.VIRTUAL, HASH, ""),
    m.Refusal(1, 2, 3, 4, m.REFUSED_TABLE, HASH, "x" * 32),
    m.Request(m.ENABLE | m.PART, 65535, 0, 32, 500, b"entries"),
    m.Reply(m.MORE, 1, 65535, 3, 2**32 - 1, b""),
    m.ReadTable(7, 1000),
    m.TablePart(7, 1000, 5000, b"[]"),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda one: type(one).__name__)
def test_every_message_goes_there_and_back(message: Any):
    assert m.decode(m.encode(message)) == message


@pytest.mark.parametrize("message", MESSAGES, ids=lambda one: type(one).__name__)
def test_a_single_wrong_bit_is_found(message: Any):
    data = m.encode(message)
    for bit in range(8 * len(data)):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(MessageError):
            m.decode(bytes(damaged))


@pytest.mark.parametrize("message", MESSAGES, ids=lambda one: type(one).__name__)
def test_a_message_with_a_good_check_but_the_wrong_length_is_an_error(message: Any):
    body = m.encode(message)[: -m.CHECK.size]
    fixed = m.overhead(type(message)) - m.CHECK.size
    for cut in (body[:1], body[: fixed - 1]):
        with pytest.raises(MessageError):
            m.decode(cut + m.CHECK.pack(m.zlib.crc32(cut)))


@pytest.mark.parametrize("length", [0, 2, 33, 255])
def test_a_build_whose_length_is_wrong_is_an_error(length: int):
    body = m.encode(m.Hello(1, 2, 3, 4, HASH, "abc"))[:-8] + bytes([length]) + b"abc"
    with pytest.raises(MessageError):
        m.decode(body + m.CHECK.pack(m.zlib.crc32(body)))


def test_a_long_name_of_a_build_is_cut_and_made_ascii():
    message = m.decode(m.encode(m.Hello(1, 2, 3, 4, HASH, "é" + "x" * 40)))
    assert message.build == "?" + "x" * 31


@given(st.binary(max_size=80))
def test_garbage_is_an_error_and_no_crash(data: bytes):
    with pytest.raises(MessageError):
        m.decode(data)


@given(st.binary(max_size=80))
def test_garbage_as_entries_is_entries_or_an_error(data: bytes):
    from tests.hal.link.conftest import ROVER

    for direction in ("act", "sense"):
        try:
            found = m.decode_entries(data, Numbering(ROVER), direction, 4)
        except MessageError:
            continue
        assert all(channel.direction == direction for channel, _ in found.samples)


def test_entries_name_channels_and_periods_in_their_order(numbering: Numbering):
    velocity, position = numbering.channel(1, "velocity"), numbering.channel(1, "position")
    slot = numbering.slot(3, "wb_distance_sensor_enable")
    assert velocity and position and slot
    data = m.encode_sample(velocity, 2.5, 8) + m.encode_period(slot, 32) + m.encode_sample(position, 1.0, 8)
    found = m.decode_entries(data, numbering, "act", 8)
    assert found.periods == [(slot, 32)]
    assert found.samples == [(velocity, 2.5), (position, 1.0)]


@pytest.mark.parametrize("period", [-1, 65536])
def test_a_period_out_of_range_is_refused(numbering: Numbering, period: int):
    with pytest.raises(MessageError, match="0 to 65535"):
        m.encode_period(numbering.slots[0], period)


def test_a_sensor_s_channel_has_no_place_in_a_request(numbering: Numbering):
    value = numbering.channel(3, "value")
    assert value
    with pytest.raises(MessageError):
        m.decode_entries(m.encode_sample(value, 1.0, 8), numbering, "act", 8)


@pytest.mark.parametrize("number", [0x7FFF, 0xFFFF])
def test_an_unknown_number_is_an_error(numbering: Numbering, number: int):
    with pytest.raises(MessageError):
        m.decode_entries(number.to_bytes(2, "little") + bytes(8), numbering, "act", 8)


def test_slots_are_shared_by_the_channels_that_are_sampled_together(numbering: Numbering):
    gps = numbering.slot(5, "wb_gps_enable")
    assert gps
    assert [numbering.channels[k].name for k in gps.channels] == ["position", "speed", "velocity"]


@given(st.lists(st.binary(min_size=1, max_size=30)), st.integers(1, 40))
def test_split_entries_keep_order_and_fit(entries: list[bytes], room: int):
    blocks, too_large = m.split_entries(entries, room)
    assert b"".join(blocks) == b"".join(one for one in entries if len(one) <= room)
    assert all(len(block) <= room for block in blocks)
    assert too_large == [one for one in entries if len(one) > room]
