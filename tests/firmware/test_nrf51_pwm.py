"""PWM of the micro:bit V1, whose chip has none: an interrupt that comes late changes no period.

Judge: nRF51 Series Reference Manual, chapters TIMER (COMPARE events stay until they are cleared) and GPIO.
"""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.firmware.conftest import WORLD, two_wheels
from tests.firmware.test_nrf52_board import NO_ASSEMBLY
from tests.tools import folder_for_tests
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

MODEL = Path(__file__).with_name("nrf51_pwm.c")
PERIOD = 2040
"""us: 255 duties of 8 us."""


@cache
def model() -> Path:
    """The board's code with its registers in memory."""
    compiler = require_tool("cc", "compiles the model")
    folder = Path(folder_for_tests("nrf51-"))
    (folder / "hardware.toml").write_text(propose(two_wheels(), str(WORLD), "microbit"))
    project = folder / "firmware"
    generate(load_hardware(folder / "hardware.toml", two_wheels()), project)
    command = [compiler, "-O1", "-w", *NO_ASSEMBLY, f"-I{project}", str(MODEL), str(project / "pwm.c")]
    subprocess.run([*command, "-o", str(folder / "model")], check=True)
    return folder / "model"


def level(duty: int, events: str) -> bool:
    """Whether the pin is high after an interrupt that finds these compare events."""
    said = subprocess.run([model(), str(duty), events], check=True, capture_output=True, text=True).stdout
    high, period, _ = said.split()
    assert int(period) == PERIOD
    return high == "1"


@pytest.mark.parametrize("duty", [1, 5, 128, 250, 254])
def test_a_punctual_interrupt_switches_the_pin(duty: int):
    assert level(duty, "3")
    assert not level(duty, "0")


@pytest.mark.parametrize(("duty", "high"), [(1, False), (5, False), (250, True), (254, True)])
def test_a_late_interrupt_finds_both_ends(duty: int, high: bool):
    """A short pulse has ended after the period, a long one before it."""
    assert level(duty, "03") == high


@pytest.mark.parametrize(("hertz", "period"), [(20, 50_000), (490, 2041), (2000, 500)])
def test_a_frequency_of_the_map(hertz: int, period: int):
    """Timers count us in 16 bits; a pin is high for its part of 255 of the period."""
    said = subprocess.run(
        [model(), "128", "", str(hertz)], check=True, capture_output=True, text=True
    ).stdout.split()
    assert [int(one) for one in said[1:]] == [period, round(period * 128 / 255)]
