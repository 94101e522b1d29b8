"""A part that holds the data line of a bus is freed by clock pulses on boards with MicroPython.

Judge: the I2C bus specification, UM10204, 3.1.16 (nine pulses), and what an open-drain line does: a master
reads zeros from a line that is held, which are an acknowledgment, too.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from wbridge.wbfirmware.template_folders import templates_path

MACHINE = """
needed = pulses = 0
ADC = WDT = WDT_RESET = Timer = bitstream = disable_irq = enable_irq = mem32 = reset_cause = None
class Pin:
    IN, OUT, PULL_UP, IRQ_RISING, IRQ_FALLING = 0, 1, 2, 1, 2
    def __init__(self, name):
        self.name, self.level = name, 1
    def value(self, level=None):
        global pulses
        if level is None:
            return int(self.name == "SCL" or pulses >= needed)
        pulses += self.name == "SCL" and level > self.level
        self.level = level
class SoftI2C:
    def __init__(self, scl, sda, freq, timeout):
        pass
    def writeto(self, address, data):
        pass
    def readfrom_mem(self, address, register, size):
        return bytes(size) if pulses < needed else bytes([7] * size)
"""
PROGRAM = """
import sys, time
time.sleep_us = time.sleep_ms = lambda duration: None
import machine, board
bus = board.bus("SDA", "SCL")
for machine.needed in map(int, sys.argv[1:]):
    machine.pulses = 0
    print(bus.read(104, 59, 1), machine.pulses, bus.write(104, b"1"))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The module of boards with MicroPython, beside pins that a part holds."""
    (tmp_path / "machine.py").write_text(MACHINE)
    (tmp_path / "wb").mkdir()
    for name, text in (("chip", "pin = str\n"), ("ports", ""), ("table", ""), ("__init__", "")):
        (tmp_path / "wb" / f"{name}.py").write_text(text)
    shared = templates_path() / "python_boards" / "shared" / "micropython"
    (tmp_path / "board.py").write_text((shared / "board.py").read_text())
    return tmp_path


def test_clock_pulses_free_a_held_bus_and_no_zeros_are_read(folder: Path):
    """The reading that finds the line held has no value; the next transfer is as always unless a part still
    holds the line."""
    command = [sys.executable, "-c", PROGRAM, *map(str, (0, 1, 9, 100))]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == [
        "b'\\x07' 0 True",
        "None 1 True",
        "None 9 True",
        "None 9 False",
    ]
