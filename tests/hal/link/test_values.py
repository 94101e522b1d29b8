"""Values of channels as bytes: every type there and back, and what does not fit."""

import math
import struct
from typing import Any

import pytest

from wbridge.hal.link.errors import MessageError
from wbridge.hal.link.numbering import LinkChannel
from wbridge.hal.link.values import Packet, RecognizedObject, decode_value, encode_value, fixed_size, has_nan


def channel(type_: str, elements: int | None = 1, single: bool = True) -> LinkChannel:
    return LinkChannel(7, 1, "dev", "ch", "act", type_, elements, single, None)


SEEN = RecognizedObject(
    *(3, (1.0, 2.0, 3.0), (0.0, 0.0, 1.0, 0.5), (0.25, 0.5)),
    *((10, 20), (3, 4), ((1.0, 0.0, 0.5), (0.0, 1.0, 0.0)), "tin can"),
)
VALUES: list[tuple[LinkChannel, Any]] = [
    (channel("bool"), True),
    (channel("bool", 3, False), [True, False, True]),
    (channel("i32"), -(2**31)),
    (channel("i32", None, False), [1, -2, 3]),
    (channel("f32", 2, False), [0.5, math.inf]),
    (channel("f64"), -0.125),
    (channel("f64", 3, False), [1.0, 2.0, 4.0]),
    (channel("vec3"), (1.0, 0.5, -0.25)),
    (channel("quaternion"), (0.0, 0.0, 0.5, 0.75)),
    (channel("text"), "grün"),
    (channel("bytes", None, False), b"\0\1\xff"),
    (channel("image", 4, False), b"abcd"),
    (channel("points", 2, False), [(1.0, 2.0, 3.0, 1, 0.5), (0.0, 0.5, 0.25, 2, 0.75)]),
    (channel("targets", None, False), [(1.0, 0.5, -2.0, 0.25)]),
    (channel("objects", None, False), [SEEN]),
    (channel("packets", None, False), [Packet(-1, b""), Packet(2, b"hello", 0.25, (1.0, 0.0, 0.0))]),
    (channel("commands", None, False), [(1, b""), (255, b"xyz")]),
]


@pytest.mark.parametrize("real", [4, 8])
@pytest.mark.parametrize(("where", "value"), VALUES, ids=lambda one: getattr(one, "type", ""))
def test_every_type_goes_there_and_back(where: LinkChannel, value: Any, real: int):
    data = encode_value(where, value, real)
    assert decode_value(where, b"??" + data + b"!", 2, real) == (value, 2 + len(data))
    assert fixed_size(where, real) in (None, len(data))


@pytest.mark.parametrize("real", [4, 8])
@pytest.mark.parametrize(("where", "value"), VALUES, ids=lambda one: getattr(one, "type", ""))
def test_a_cut_value_is_an_error_and_no_crash(where: LinkChannel, value: Any, real: int):
    data = encode_value(where, value, real)
    for end in range(len(data)):
        with pytest.raises(MessageError):
            decode_value(where, data[:end], 0, real)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (channel("i32"), 2**31),
        (channel("i32"), "7"),
        (channel("f64"), "fast"),
        (channel("f64"), None),
        (channel("vec3"), (1.0, 2.0)),
        (channel("f64", 3, False), [1.0, 2.0]),
        (channel("bytes", None, False), 5),
        (channel("packets", None, False), [b"x"]),
    ],
)
def test_what_does_not_fit_is_refused_with_the_channel_s_name(where: LinkChannel, value: Any):
    with pytest.raises(MessageError, match=r"dev\.ch"):
        encode_value(where, value, 8)


@pytest.mark.parametrize("value", [1e300, -1e300])
def test_a_narrow_real_never_becomes_infinite(value: float):
    found, _ = decode_value(channel("f64"), encode_value(channel("f64"), value, 4), 0, 4)
    assert math.isfinite(found)
    assert math.copysign(1, found) == math.copysign(1, value)


def test_infinity_stays_infinite_in_a_narrow_real():
    assert decode_value(channel("f64"), encode_value(channel("f64"), math.inf, 4), 0, 4)[0] == math.inf


def test_a_truth_value_of_2_is_refused():
    with pytest.raises(MessageError):
        decode_value(channel("bool"), b"\2", 0, 8)


def test_a_count_of_colors_that_cannot_be_is_refused_at_once():
    data = bytearray(encode_value(channel("objects", None, False), [SEEN], 8))
    struct.pack_into("<I", data, 4 + 4 + 9 * 8 + 16, 2**32 - 1)
    with pytest.raises(MessageError):
        decode_value(channel("objects", None, False), bytes(data), 0, 8)


@pytest.mark.parametrize(
    ("value", "found"), [(math.nan, True), ([(1.0, math.nan)], True), (1.0, False), ("nan", False)]
)
def test_nan_is_found_at_any_depth(value: Any, found: bool):
    assert has_nan(value) is found
