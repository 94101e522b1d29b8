"""What a board says is split into text, named values, messages and steps.

Judges: `wbridge.hal.link.values` for the bytes of values; `str.isprintable` for what terminals show.
"""

from __future__ import annotations

import math

import pytest

from tests.firmware.conftest import two_wheels
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.values import encode_value
from wbridge.wbfirmware.emulators.board_output import (
    LONGEST_LINE,
    BoardOutput,
    Message,
    Said,
    Step,
    Text,
    Value,
)

NUMBERING = Numbering(two_wheels())


def said(data: bytes, real: int = 4) -> list[Said]:
    return list(BoardOutput(NUMBERING, real).feed(data))


def entry(device: str, name: str, value: object, real: int = 4) -> str:
    one = two_wheels().find(device)
    assert one is not None
    channel = NUMBERING.channel(one.tag, name)
    assert channel is not None
    return f" {channel.number}={encode_value(channel, value, real).hex()}"


def test_lines_are_text_or_named_values():
    assert said(b"hello\r\n>speed of it:-1.5e3\n>a->b: 1\n>x:1:2\n>on:1\r\n") == [
        Text("hello"),
        Value("speed of it", -1500.0),
        Text(">a->b: 1"),
        Text(">x:1:2"),
        Value("on", 1.0),
    ]
    (unknown,) = said(b">u:nan\n")
    assert isinstance(unknown, Value) and math.isnan(unknown.value)
    assert said(b">u:-inf\n") == [Value("u", -math.inf)]


@pytest.mark.parametrize(
    "data", [b"\x1b[2J\x07red", b">\x1b]0;t\x07:1", b"wbridge: \x9b31m\xc2\x9b", b"\xff\xfe"]
)
def test_nothing_that_terminals_interpret_passes(data: bytes):
    for one in said(data + b"\n"):
        text = one.name if isinstance(one, Value) else one.text if not isinstance(one, Step) else ""
        assert text and text.isprintable()


def test_the_firmware_may_speak_within_a_line_of_the_controller():
    assert said(
        b"on\nhalf wbridge: it took long\nof it\nwbridge: load 32 % on average; at most 5964 us in a step\n"
    ) == [
        Text("on"),
        Message("it took long"),
        Text("half of it"),
        Value("load %", 32.0),
        Value("longest computation ms", 5.964),
    ]


@pytest.mark.parametrize("real", [4, 8])
def test_a_step_has_its_commands_and_the_readings_of_the_next_report(real: int):
    speed = entry("left wheel motor", "velocity", 2.5, real)
    read = entry("front", "value", 512.0, real)
    slot = NUMBERING.slots[1]
    text = f"wbridge: step 16 / p{slot.number}=32{speed}\nwbridge: step 20{read} /\nwbridge: step 16 /\n"
    motor = two_wheels().find("left wheel motor")
    sensor = two_wheels().find("front")
    assert motor is not None and sensor is not None
    assert said(text.encode(), real) == [
        Step(
            16,
            [(slot.tag, slot.function, 32)],
            [(motor.tag, "velocity", 2.5)],
            [(sensor.tag, "value", 512.0)],
        ),
        Step(20, [], [], []),
    ]


@pytest.mark.parametrize(
    "text",
    ["step 16", "step 16 999=00 /", "step 16 0=0 /", "step 16 0=00 /", "step 99999999 /", "step 16 / p99=1"],
)
def test_damaged_reports_are_left_out_and_counted(text: str):
    output = BoardOutput(NUMBERING)
    assert list(output.feed(f"wbridge: {text}\n".encode())) == []
    assert output.damaged == 1


def test_bytes_without_an_end_do_not_fill_the_memory():
    output = BoardOutput(NUMBERING)
    pieces = [one for _ in range(100) for one in output.feed(b"x" * 1000)]
    assert sum(len(one.text) for one in pieces if isinstance(one, Text)) >= 100_000 - LONGEST_LINE - 1000
    for _ in range(100):
        list(output.feed(b"xxxxwbridge: y\n" * 100))
    assert len(next(one.text for one in output.feed(b"\n") if isinstance(one, Text))) <= 2 * LONGEST_LINE
