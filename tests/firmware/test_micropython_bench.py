"""The bench of emulated boards with MicroPython answers what it cannot do, and goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.test_micropython import boards
from wbridge.wbfirmware.bench import Bench, BenchError
from wbridge.wbfirmware.boards.board import load_board

PROGRAM = "import time\nwhile True:\n    time.sleep_ms(1)\n"
BAD_NAMES = "I2C", "I2C:x", "I2C:0x80", "I2C:-1", "I2C:1:y", "I2C:1:2:3", "I2C:1:2048", "I2C:1:2:2:2"


@pytest.fixture(params=boards("host-python", "pico-micropython"))
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """A board whose program does nothing."""
    (tmp_path / "main.py").write_text(PROGRAM)
    with Bench(load_board(request.param), tmp_path / "main.py", lockstep=True) as made:
        yield made


def test_what_cannot_be_driven_or_shown_is_told(bench: Bench):
    for wrong in (*BAD_NAMES, "SSD1306:x:64", "SSD1306:0x3C:65"):
        with pytest.raises(BenchError, match=f"{wrong} cannot be driven"):
            bench.drive(wrong, 1)
    with pytest.raises(BenchError, match="a number is expected"):
        bench.drive("GP2", float("nan"))
    for name in BAD_NAMES:
        with pytest.raises(BenchError, match="cannot show"):
            bench.show(name)
    with pytest.raises(BenchError, match="no 4 bytes of memory"):
        bench.memory(9, 4)
    assert bench.run(1000) == b""


def test_commands_that_are_none_are_told(bench: Bench):
    for line in ("", " ", "show", "run x", "run 1 2", "memory 1", "give 1", "give xy", "taken 1", "jump"):
        bench._tell(line)
        assert bench._answer().startswith("error"), line
    assert bench.run(1000) == b""


def test_registers_hold_signed_numbers(bench: Bench):
    bench.drive("I2C:0x68:0x3B:2", -2)
    assert (bench.show("I2C:0x68:0x3B:2").value, bench.show("I2C:0x68:0x3B").value) == (-2, 255)
    assert bench.show("I2C:0x69:0x3B:2").value == 0
    assert (bench.show("I2C:0x68").value, bench.show("I2C:0x69").value) == (1, 0)
    bench.drive("I2C:0x68", 0)
    assert bench.show("I2C:0x68").value == 0
