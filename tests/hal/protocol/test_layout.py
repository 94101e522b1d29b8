"""Layouts: bytes by hand, both directions, and what is no such message."""

import pytest

from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.layout import Layout

CASES = [
    ("a:u8 b:u16 c:i32", (1, 2, -3), "01 0200 fdffffff"),
    ("a:f64", (1.0,), "000000000000f03f"),
    ("v:f32*2", ((1.0, 2.0),), "0000803f 00000040"),
    ("s:str", ("né",), "6e c3a9 00"),
    ("s:lstr16", ("ab",), "0300 616200"),
    ("s:lstr32", ("",), "01000000 00"),
    ("d:bytes16", (b"\0\1",), "0200 0001"),
    ("d:bytes32", (b"x",), "01000000 78"),
    ("n:i32[]", ([1, 2],), "02000000 01000000 02000000"),
    ("n:i32[u8]", ([7],), "01 07000000"),
    ("n:str[u32] end:u8", (["a", ""], 9), "02000000 6100 00 09"),
    ("n:u16*2[]", ([(1, 2)],), "01000000 0100 0200"),
    ("", (), ""),
]


@pytest.mark.parametrize(("text", "values", "bytes_"), CASES, ids=[case[0] for case in CASES])
def test_values_and_bytes_are_the_same_thing(text: str, values: tuple, bytes_: str):
    layout, raw = Layout(text), bytes.fromhex(bytes_)
    assert layout.pack(*values) == raw
    assert layout.read(b"--" + raw + b"++", 2) == (values, 2 + len(raw))


@pytest.mark.parametrize(("text", "values", "bytes_"), CASES[:-1], ids=[case[0] for case in CASES[:-1]])
def test_each_cut_is_an_error(text: str, values: tuple, bytes_: str):
    raw = bytes.fromhex(bytes_)
    for end in range(len(raw)):
        with pytest.raises(ProtocolError):
            Layout(text).read(raw[:end], 0)


@pytest.mark.parametrize(
    ("text", "bytes_"),
    [("n:i32[]", "ffffff7f"), ("n:i32[]", "ffffffff"), ("d:bytes32", "ffffff7f"), ("d:bytes32", "ffffffff")],
)
def test_a_count_is_not_believed(text: str, bytes_: str):
    with pytest.raises(ProtocolError, match="0 remaining"):
        Layout(text).read(bytes.fromhex(bytes_), 0)


@pytest.mark.parametrize("values", [(), (1, 2), ("x",), (None,), (300,)])
def test_values_that_do_not_fit_are_refused_and_leave_nothing(values: tuple):
    out = bytearray(b"before")
    with pytest.raises(ProtocolError, match="expected a"):
        Layout("a:u8").write(out, values)
    assert out == b"before"


def test_a_text_ends_at_its_first_nul():
    assert Layout("s:str").pack("a\0b") == b"a\0"
